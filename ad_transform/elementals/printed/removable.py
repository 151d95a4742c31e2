"""Functions with a removable singularity at 0, and their derivatives."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_exprel": '''\
def _exprel(x: float) -> float:
    """(exp(x) - 1) / x, 1 at 0."""
    if x > 700.0:
        half = exp(0.5 * min(x, 1400.0))
        return half / x * half if x < 720.0 else inf
    return expm1(x) / x if x != 0.0 else 1.0
''',
    "_exprel_slope": '''\
def _exprel_slope(n: int, x: float) -> float:
    """Derivative of order n of exprel: a series of positive terms near 0."""
    if abs(x) < n + 1.0:
        total, term = 0.0, 1.0
        for k in range(1, 60 + 4 * n):
            total += term / (k + n) if x > 0.0 else term
            term *= x / k if x > 0.0 else -x / (k + n + 1)
        return total if x > 0.0 else exp(x) * total / (n + 1)
    value = slope = _exprel(x)
    for order in range(1, n + 1):
        if x > 0.0:
            slope = value + (1.0 - order * slope) / x
        else:
            slope = (exp(x) - order * slope) / x
    return slope
''',
    "_sin_pi": '''\
def _sin_pi(x: float, turn: int) -> float:
    """sin(pi * (x + turn / 2)): the argument is reduced exactly."""
    if x - x != 0.0:
        return x - x
    r = remainder(x, 0.5)
    quarters = (int(fmod(2.0 * (x - r), 4.0)) + turn) % 4
    value = cos(pi * r) if quarters % 2 else sin(pi * r)
    return -value if quarters > 1 else value
''',
    "_sinc": '''\
def _sinc(x: float) -> float:
    """sin(pi * x) / (pi * x), 1 at 0."""
    return _sin_pi(x, 0) / (pi * x) if x != 0.0 else 1.0
''',
    "_sinc_slope": '''\
def _sinc_slope(n: int, x: float) -> float:
    """Derivative of order n of sinc: the power series near 0."""
    y = pi * x
    if abs(y) >= n + 1.0:
        slope = _sinc(x)
        for order in range(1, n + 1):
            slope = (pi ** (order - 1) * _sin_pi(x, order) - order * slope) / x
        return slope
    first = (n + 1) // 2
    total, term = 0.0, pi**n * (-1.0) ** first * y ** (n % 2)
    for k in range(first, first + 16 + n):
        m = 2 * k - n
        total += term / (2 * k + 1)
        term *= -y * y / ((m + 1) * (m + 2))
    return total
''',
}
