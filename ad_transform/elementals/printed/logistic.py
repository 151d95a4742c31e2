"""The logistic function and its relatives."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_expit": '''\
def _expit(x: float) -> float:
    """Logistic function without overflow."""
    if x >= 0.0:
        return 1.0 / (1.0 + exp(-x))
    power = exp(x)
    return power / (1.0 + power)
''',
    "_expit_slope": '''\
def _expit_slope(x: float) -> float:
    """Derivative of the logistic function."""
    power = exp(-abs(x))
    return power / (1.0 + power) / (1.0 + power)
''',
    "_log_expit": '''\
def _log_expit(x: float) -> float:
    """Logarithm of the logistic function without overflow."""
    return min(x, 0.0) - log1p(exp(-abs(x)))
''',
    "_logit": '''\
def _logit(x: float) -> float:
    """Logarithm of x / (1 - x), by its own series in the middle."""
    if 0.3 <= x <= 0.65:
        return 2.0 * atanh(2.0 * x - 1.0)
    if x == 0.0 or x == 1.0:
        return inf if x > 0.0 else -inf
    return log(x / (1.0 - x))
''',
}
