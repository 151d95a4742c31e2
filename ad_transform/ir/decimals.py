"""Arithmetic of constants: short decimals stay short, the same on every machine.

3.0 * 0.3 is 0.9 here, not 0.8999999999999999. A number that has a formula
(`ir.constants.Constant`) brings its own arithmetic, by which the formula is kept.

A result that leaves the range of floats raises OverflowError: the source may multiply
by 1e200 twice where nothing may multiply by 1e200 * 1e200.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from ad_transform.later import later

with later():
    from fractions import Fraction

_PLAIN = frozenset({float, int, bool})


def product(c: float, d: float) -> float:
    """c * d, or its neighbour if the product of the decimals is that short number."""
    if type(c) is float and c == 1.0:  # nearly always
        return d
    if type(c) not in _PLAIN or type(d) not in _PLAIN:
        return _held(c * d, c, d)
    if abs(c) == 1.0:
        return d if c > 0.0 else -d
    if abs(d) == 1.0:
        return c if d > 0.0 else -c
    return _shorter(_held(c * d, c, d), c, d, _multiplied)


def quotient(c: float, d: float) -> float:
    """c / d, or its neighbour if the quotient of the decimals is that short number."""
    if type(c) not in _PLAIN or type(d) not in _PLAIN:
        return _held(c / d, c, d)
    return _shorter(_held(c / d, c, d), c, d, _divided)


def total(c: float, d: float) -> float:
    """c + d, or its neighbour if the sum of the decimals is that short number."""
    if type(c) not in _PLAIN or type(d) not in _PLAIN:
        return c + d
    if math.isinf(c + d) and math.isfinite(c) and math.isfinite(d):
        raise OverflowError
    return _shorter(c + d, c, d, _added)


def power(c: float, n: int) -> float:
    """c ** n by multiplication alone, so that every machine finds the same."""
    if type(c) not in _PLAIN:
        found: float = c**n
        return found
    result = 1.0
    for _ in range(abs(n)):
        result = product(result, c)
    return result if n >= 0 else quotient(1.0, result)


_LEAST, _MOST = sys.float_info.min, sys.float_info.max


def _held(result: float, c: float, d: float) -> float:
    """The product or quotient of c and d, if a float holds it with all its digits."""
    if _LEAST <= result <= _MOST or -_MOST <= result <= -_LEAST:
        return result  # no `abs`, which makes a formula of a constant with one
    if not (c and math.isfinite(c)):
        return result
    if not (d and math.isfinite(d)):
        return result
    raise OverflowError


_SHORT = 12
_LONG = 15


Ratio: TypeAlias = tuple[int, int]
Exact: TypeAlias = Callable[[Ratio, Ratio], Ratio]


def _multiplied(x: Ratio, y: Ratio) -> Ratio:
    return x[0] * y[0], x[1] * y[1]


def _divided(x: Ratio, y: Ratio) -> Ratio:
    return x[0] * y[1], x[1] * y[0]


def _added(x: Ratio, y: Ratio) -> Ratio:
    return x[0] * y[1] + y[0] * x[1], x[1] * y[1]


def _shorter(rounded: float, c: float, d: float, exact: Exact) -> float:
    """3.0 * 0.3 is 0.9, not 0.8999999999999999: the sum of both decimals, if it is
    short and not further from the computed number than a rounding of each allows. So
    are fractions: 0.25 - 1/3 is -1/12, and 12 times that is -1. 2/3 - 1 may be an
    exponent, and is that of the number which stands for 2/3.
    """
    if rounded.is_integer() and -_WHOLE < rounded < _WHOLE:  # mostly
        return rounded
    return _short_neighbour(rounded, c, d, exact)


@lru_cache(maxsize=1 << 14)
def _short_neighbour(rounded: float, c: float, d: float, exact: Exact) -> float:
    if not math.isfinite(rounded) or not _is_long(rounded):
        return rounded
    is_exponent = exact is _added and (float(c).is_integer() or float(d).is_integer())
    meant = _as_printed if is_exponent else _as_meant
    above, below = exact(meant(c), meant(d))
    near = above / below
    if abs(near - rounded) > 2.0 * math.ulp(rounded):
        return rounded
    is_short = _digits(near) <= _SHORT or below <= _DENOMINATORS * math.gcd(
        above, below
    )
    return near if is_short else rounded


def _as_meant(number: float) -> Ratio:
    """The fraction that a number is next to, or the decimal that it is printed as."""
    above, below = ratio(float(number))
    if below == 1.0:
        return _as_printed(number)
    return int(above), int(below)


def _as_printed(number: float) -> Ratio:
    """The decimal that a number is printed as. `Fraction` would take 2 ms to import."""
    mantissa, _, power = repr(number).partition("e")
    whole, _, part = mantissa.partition(".")
    digits, exponent = int(whole + part), int(power or 0) - len(part)
    return digits * 10 ** max(exponent, 0), 10 ** max(-exponent, 0)


def _is_long(number: float) -> bool:
    """Whether a number has so many digits that a shorter spelling is looked for."""
    small = abs(number) < _WHOLE and number.is_integer()
    return not small and _digits(number) >= _LONG


_WHOLE = 1e14  # a whole number below it has fewer than _LONG digits


def _digits(number: float) -> int:
    mantissa = repr(number).partition("e")[0]
    return len(mantissa.replace(".", "").replace("-", "").strip("0"))


def ratio(coefficient: float) -> tuple[float, float]:
    """Numerator and denominator: 2.0 and 3.0 for 0.6666666666666666, if that helps."""
    return _long_ratio(coefficient) if _is_long(coefficient) else (coefficient, 1.0)


@lru_cache(maxsize=1 << 14)
def _long_ratio(coefficient: float) -> tuple[float, float]:
    near = Fraction(coefficient).limit_denominator(_DENOMINATORS)
    if near.numerator / near.denominator == coefficient:
        return float(near.numerator), float(near.denominator)
    return coefficient, 1.0


_DENOMINATORS = 1000
