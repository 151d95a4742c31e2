"""Terms of entropies and likelihoods."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_xlogy": '''\
def _xlogy(x: float, y: float) -> float:
    """x * log(y), 0 where x is 0."""
    return 0.0 if x == 0.0 and y == y else x * log(y)
''',
    "_xlog1py": '''\
def _xlog1py(x: float, y: float) -> float:
    """x * log(1 + y), 0 where x is 0."""
    return 0.0 if x == 0.0 and y == y else x * log1p(y)
''',
    "_entr": '''\
def _entr(x: float) -> float:
    """-x * log(x), 0 at 0 and -inf below."""
    if x <= 0.0:
        return 0.0 if x == 0.0 else -inf
    return -(x * log(x))
''',
    "_log_ratio": '''\
def _log_ratio(x: float, y: float) -> float:
    """log(x / y) of positive numbers, however close, large or small."""
    if 0.5 * y <= x <= 2.0 * y:
        return log1p((x - y) / y)
    ratio = x / y
    return log(ratio) if 1e-300 < ratio < 1e300 else log(x) - log(y)
''',
    "_rel_entr": '''\
def _rel_entr(x: float, y: float) -> float:
    """x * log(x / y), 0 where x is 0, infinite outside."""
    if x > 0.0 and y > 0.0:
        return x * _log_ratio(x, y)
    return x + y if x != x or y != y else 0.0 if x == 0.0 and y >= 0.0 else inf
''',
    "_kl_div": '''\
def _kl_div(x: float, y: float) -> float:
    """x * log(x / y) - x + y; the series of atanh where that would cancel."""
    if not 0.5 * y <= x <= 2.0 * y or y <= 0.0:
        return _rel_entr(x, y) - x + y if x < inf and y < inf else _rel_entr(x, y)
    t = (x - y) / (x + y)
    total, power = 0.0, t * t * t
    for k in range(3, 41, 2):
        total += power / k
        power *= t * t
    return (x + y) * (t * t + (1.0 + t) * total)
''',
}
