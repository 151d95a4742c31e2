"""Functions that `math` lacks, as text printed into generated files and run here."""

from __future__ import annotations

from typing import Any

from ad_transform.elementals.estimates import ESTIMATE_IMPORTS, ESTIMATES

# Each text is black-stable, typed, and uses nothing but what its row names from math.
HELPERS: dict[str, str] = {
    "_digamma": '''\
def _digamma(x: float) -> float:
    """Digamma function: recurrence up to 10, then the asymptotic series."""
    if x <= 0.0:
        if x == floor(x):
            raise ValueError("math domain error")
        return _digamma(1.0 - x) - pi / tan(pi * (x - floor(x)))
    shift = 0.0
    while x < 10.0:
        shift += 1.0 / x
        x += 1.0
    r = 1.0 / (x * x)
    tail = r * (1 / 240 - r * (1 / 132 - r * 691 / 32760))
    tail = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - tail)))
    return log(x) - 0.5 / x - tail - shift
''',
    "_polygamma": '''\
def _polygamma(n: int, x: float) -> float:
    """Derivative of order n >= 1 of digamma, by recurrence and asymptotic series."""
    sign = -1.0 if n % 2 == 0 else 1.0
    if x <= 0.0:
        if x == floor(x):
            raise ValueError("math domain error")
        c = 1.0 / tan(pi * (x - floor(x)))
        poly = [0.0, 1.0]  # the n-th derivative of cot(t) as a polynomial in cot(t)
        for _ in range(n):
            slope = [k * a for k, a in enumerate(poly)][1:]
            poly = [-a for a in slope] + [0.0, 0.0]
            for k, a in enumerate(slope):
                poly[k + 2] -= a
        cot = sum(a * c**k for k, a in enumerate(poly))
        return -sign * _polygamma(n, 1.0 - x) - pi ** (n + 1) * cot
    total = 0.0
    while x < 10.0 + n:
        total += x ** -(n + 1)
        x += 1.0
    total *= factorial(n)
    total += factorial(n - 1) * x**-n + 0.5 * factorial(n) * x ** -(n + 1)
    for k, b in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730), 1):
        total += b * factorial(2 * k + n - 1) / factorial(2 * k) * x ** -(2 * k + n)
    return sign * total
''',
    "_logaddexp": '''\
def _logaddexp(x: float, y: float) -> float:
    """Logarithm of exp(x) + exp(y) without overflow."""
    if x == y:
        return x + log(2.0)
    return (x if x > y else y) + log1p(exp(-abs(x - y)))
''',
    "_sumprod": '''\
def _sumprod(p: tuple[float, ...], q: tuple[float, ...]) -> float:
    """Sum of products as `math.sumprod` of Python 3.12 has it, rounded once."""
    if hasattr(math, "sumprod"):
        return float(math.sumprod(p, q))
    if not all(map(isfinite, p + q)):
        return sum(a * b for a, b in zip(p, q))
    top, bottom = 0, 1
    for a, b in zip(p, q):
        (m, n), (r, s) = a.as_integer_ratio(), b.as_integer_ratio()
        top, bottom = top * n * s + m * r * bottom, bottom * n * s
    return top / bottom
''',
    "_fma": '''\
def _fma(x: float, y: float, z: float) -> float:
    """Fused multiply-add as `math.fma` of Python 3.13 has it, rounded once."""
    if hasattr(math, "fma"):
        return float(math.fma(x, y, z))
    if not (isfinite(x) and isfinite(y) and isfinite(z)):
        return x * y + z
    (a, b), (c, d), (e, f) = (t.as_integer_ratio() for t in (x, y, z))
    top = a * c * f + e * b * d
    return top / (b * d * f) if top else x * y + z
''',
    **ESTIMATES,
}

# What each helper needs: names from math, the module itself as "math", other helpers.
HELPER_IMPORTS: dict[str, tuple[str, ...]] = {
    "_digamma": ("floor", "log", "pi", "tan"),
    "_polygamma": ("factorial", "floor", "pi", "tan"),
    "_logaddexp": ("exp", "log", "log1p"),
    "_sumprod": ("math", "isfinite"),
    "_fma": ("math", "isfinite"),
    **ESTIMATE_IMPORTS,
}


def _defined() -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec("import math\nfrom math import *\n" + "\n".join(HELPERS.values()), scope)
    return scope


_SCOPE: dict[str, Any] = {}


def run(name: str, *args: Any) -> float:
    """What the printed helper of this name returns."""
    if not _SCOPE:
        _SCOPE.update(_defined())
    return float(_SCOPE[name](*args))
