"""The gamma function's relatives."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_digamma": '''\
def _digamma(x: float) -> float:
    """Digamma function: recurrence up to 10, then the asymptotic series."""
    if x <= 0.0:
        if x == floor(x):
            raise ValueError("math domain error")
        return _digamma(1.0 - x) - pi / tan(pi * (x - round(x)))
    if 0.7 < x < 3.0:  # beside the zero
        return _polygamma_drop(0, x, 1.4616321449683622 - x + 9.549995429965697e-17)
    shift = 0.0
    while x < 10.0:
        shift += 1.0 / x
        x += 1.0
    r = 1.0 / (x * x)
    tail = r * (1 / 240 - r * (1 / 132 - r * (691 / 32760 - r / 12)))
    tail = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - tail)))
    return log(x) - 0.5 / x - tail - shift
''',
    "_polygamma": '''\
def _polygamma(n: int, x: float) -> float:
    """Derivative of order n >= 1 of digamma, by recurrence and asymptotic series."""
    sign = -1.0 if n % 2 == 0 else 1.0
    if 0.0 < x < 1e-6 and (n + 1) * log(x) < -705.0:
        return sign * inf
    if x <= 0.0:
        if x == floor(x):
            raise ValueError("math domain error")
        c = 1.0 / tan(pi * (x - round(x)))
        if abs(c) > 1e6 and (n + 1) * log(abs(c)) > 705.0:
            return sign * copysign(inf, c) ** (n + 1)
        poly = [0.0, 1.0]  # the n-th derivative of cot(t) as a polynomial in cot(t)
        for _ in range(n):
            slope = [k * a for k, a in enumerate(poly)][1:]
            poly = [-a for a in slope] + [0.0, 0.0]
            for k, a in enumerate(slope):
                poly[k + 2] -= a
        cot = sum(a * c**k for k, a in enumerate(poly))
        return -sign * _polygamma(n, 1.0 - x) - pi ** (n + 1) * cot
    total = 0.0
    while x < 12.0 + 1.5 * n:
        total += x ** -(n + 1)
        x += 1.0
    total *= factorial(n)
    total += factorial(n - 1) * x**-n + 0.5 * factorial(n) * x ** -(n + 1)
    numbers = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
    for k, b in enumerate(numbers, 1):
        total += b * factorial(2 * k + n - 1) / factorial(2 * k) * x ** -(2 * k + n)
    return sign * total
''',
    "_polygamma_drop": '''\
def _polygamma_drop(n: int, x: float, h: float) -> float:
    """Polygamma of order n at x less that at x + h, both positive."""
    if x <= 0.0 or x + h <= 0.0:
        raise ValueError("math domain error")
    total, size = 0.0, float(factorial(n))
    if x < 1e-6 and (n + 1) * log(x) < -705.0:
        return -inf if n % 2 == 0 else inf
    while min(x, x + h) < 12.0 + 1.5 * n:
        total -= size * x ** -(n + 1) * expm1(-(n + 1) * log1p(h / x))
        x += 1.0
    step = log1p(h / x)
    if n == 0:
        total += step
    else:
        total -= factorial(n - 1) * x**-n * expm1(-n * step)
    total -= 0.5 * size * x ** -(n + 1) * expm1(-(n + 1) * step)
    numbers = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
    for k, b in enumerate(numbers, 1):
        m = 2 * k + n
        c = b * factorial(m - 1) / factorial(2 * k)
        total -= c * x**-m * expm1(-m * step)
    return -total if n % 2 == 0 else total
''',
    "_stirling": '''\
def _stirling(x: float) -> float:
    """What Stirling's formula lacks of lgamma, from 10 on."""
    r = 1.0 / x / x
    tail = r * (1 / 1188 - r * (691 / 360360 - r * (1 / 156 - r * 3617 / 122400)))
    tail = r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - tail)))
    return (1 / 12 - tail) / x
''',
    "_betaln": '''\
def _betaln(x: float, y: float) -> float:
    """Logarithm of the beta function of positive numbers (DiDonato & Morris 1992)."""
    x, y = (x, y) if x <= y else (y, x)
    if x <= 0.0:
        raise ValueError("math domain error")
    if x < 1e-300:
        return log1p(x / y) - log(x)
    share = x / (x + y)
    if y < 10.0:
        return log(gamma(x) * (gamma(y) / gamma(x + y)))
    rest = _stirling(y) - _stirling(x + y)
    if x < 10.0:
        return lgamma(x) + rest + x - x * log(x + y) + (y - 0.5) * log1p(-share)
    rest += _stirling(x) + 0.9189385332046728 - 0.5 * log(y)
    return rest + (x - 0.5) * log(share) + y * log1p(-share)
''',
    "_beta": '''\
def _beta(x: float, y: float) -> float:
    """Beta function of positive numbers; Stirling's formula where gamma overflows."""
    x, y = (x, y) if x <= y else (y, x)
    if x <= 0.0:
        raise ValueError("math domain error")
    if x < 1e-300:
        return 1.0 / x + 1.0 / y
    whole = x + y
    rest = x - (whole - y)  # what rounding took from the sum
    if whole < 170.0:
        ratio = gamma(y) / gamma(whole) * gamma(x)
        return ratio - ratio * rest * _digamma(whole) if rest != 0.0 else ratio
    share, other = x / whole, y / whole
    tail = _stirling(y) - _stirling(whole)
    if x < 10.0:
        root = whole ** (-0.5 * x)  # the whole power may be too small for a double
        tail += _kl_div(y, whole) - 0.5 * log1p(-share)
        return gamma(x) * root * root * exp(tail)
    if whole > 1e100:
        return 0.0
    tail -= (x - 0.5) * ((_remainder_of(share, whole, x) + share * rest) / x)
    tail -= y * ((_remainder_of(other, whole, y) + other * rest) / y)
    tail += _stirling(x)
    power = share ** (x - 0.5) * other**y
    return 2.5066282746310002 / sqrt(y) * power * exp(tail)
''',
}
