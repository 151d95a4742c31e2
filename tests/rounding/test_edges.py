"""Estimates where nothing is rounded and yet the result is wrong."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from support import load_generated

MODELS = 'error, error(model="actual"), error(model="enclosure")'
SOURCE = f"""\
import math

import numpy


# ad: {MODELS}
def twice(x: float):
    return 2.0 * x


# ad: {MODELS}
def there_and_back(x: float):
    return abs(-x / 0.25) / 4


# ad: {MODELS}
def half_reciprocal(x: float):
    return 1.0 / (2.0 * x)


# ad: {MODELS}
def doubled(x: float):
    if x > 0.0:
        for _ in range(3):
            x = 2.0 * x
    return abs(x)


# ad: {MODELS}
def reciprocal_of_a_choice(x: float):
    y = 2.0 * x if x > 0.0 else 0.1 * x
    return 1.0 / y


# ad: {MODELS}
def negated(x: float):
    return 1.0 * (not (0.1 * x))


# ad: {MODELS}
def signed(x: float):
    return math.copysign(0.1 * x - 0.30000000000000004, 1.0)


# ad: {MODELS}
def stepped(x: float):
    return 2.0 * numpy.heaviside(0.1 * x - 0.30000000000000004, 0.1 * x)


# ad: {MODELS}
def at_the_step(x: float):
    return 2.0 * numpy.heaviside(x, 0.1 * x + 0.7)


# ad: {MODELS}
def pole(x: float):
    return 1 / (0.1 * x - 0.30000000000000004 + 1e-30)


# ad: {MODELS}
def many_bits(x: float):
    return x * 9007199254740993


# ad: {MODELS}
def quotient(x: float):
    return x / (1.1e200 * x)


# ad: {MODELS}
def weighed_quotient(x: float):
    return 1e200 * (x / (1.1e200 * (x + 1.1)))


# ad: {MODELS}
def power_of_ten(x: float):
    return x / 10**23
"""


@cache
def space() -> dict[str, Any]:
    """All that is generated."""
    return load_generated(SOURCE)


def estimates(name: str, x: float) -> tuple[tuple[float, ...], ...]:
    """What the three models return."""
    suffixes = ("err", "err_actual", "err_enclosure")
    found: tuple[tuple[float, ...], ...]
    found = tuple(space()[f"{name}_{suffix}"](x) for suffix in suffixes)
    return found


@pytest.mark.parametrize("name", ["twice", "there_and_back", "doubled"])
def test_an_overflow_without_a_rounding_is_infinite(name):
    linear, actual, enclosure = estimates(name, 1.2e308)
    assert linear == actual == (math.inf, math.inf, math.inf)
    assert enclosure == (math.inf, -math.inf, math.inf)


@pytest.mark.parametrize("name", ["half_reciprocal", "reciprocal_of_a_choice"])
def test_an_overflow_on_the_way_counts(name):
    linear, actual, enclosure = estimates(name, 1e308)
    assert linear[1] == actual[2] == enclosure[2] == math.inf


EXACT = {
    "negated": (3.0, lambda x: Fraction(0)),
    "signed": (3.0, lambda x: abs(Fraction(0.1) * x - Fraction(0.30000000000000004))),
    "many_bits": (-1.2384198272836968, lambda x: x * 9007199254740993),
    "power_of_ten": (1.0, lambda x: x / 10**23),
    "twice": (3.0, lambda x: 2 * x),
    "stepped": (5.0, lambda x: Fraction(2)),
    "at_the_step": (0.0, lambda x: 2 * Fraction(0.7)),
}


@pytest.mark.parametrize("name", EXACT)
def test_the_exact_result_is_covered(name):
    x, exact = EXACT[name]
    (value, bound, _), (_, err, unc), (_, low, high) = estimates(name, x)
    error = Fraction(value) - exact(Fraction(x))
    assert abs(error) <= Fraction(bound)
    if name != "signed":  # the sign of a 0 that is none is open
        assert abs(error - Fraction(err)) <= Fraction(unc) + abs(error) / 2**40
    assert Fraction(low) <= -error <= Fraction(high)


def test_a_step_is_finite_where_it_is_sure():
    assert estimates("stepped", 5.0)[2] == (2.0, 0.0, 0.0)
    assert estimates("stepped", 3.0)[2][1:] == (-math.inf, math.inf)
    assert all(map(math.isfinite, estimates("at_the_step", 0.0)[2]))


def test_a_difference_without_digits_is_no_divisor():
    (value, bound, _), (_, _, unc), (_, low, high) = estimates("pole", 3.0)
    assert bound == unc == math.inf
    exact = 1 / (Fraction(0.1) * 3 - Fraction(0.30000000000000004) + Fraction(1e-30))
    assert Fraction(low) <= exact - Fraction(value) <= Fraction(high)


@pytest.mark.parametrize(("name", "x"), [("quotient", 3.0), ("weighed_quotient", 0.0)])
def test_a_partial_that_underflows_is_no_harm(name, x):
    linear, actual, _ = estimates(name, x)
    assert all(map(math.isfinite, (*linear, *actual)))


def test_a_partial_that_is_missed_is_infinite():
    linear, actual, enclosure = estimates("weighed_quotient", 3.0)
    assert linear[1] == actual[2] == math.inf
    assert math.isfinite(enclosure[2])


LEAST = """\
import math


# ad: error
def f(x: float, y: "Vector[n]"):
    best = math.inf
    for v in y:
        best = min(best, v * x)
    return best


# ad: error
def g(x: float, y: float):
    return min(math.inf, y * x)


# ad: error
def overflowing(x: float, y: float):
    return min(x * x / 1e300, y)
"""


def test_nothing_is_near_infinity():
    """What begins there is no tie; what has overflowed may be anything."""
    made = load_generated(LEAST)
    value, bound, rms = made["g_err"](0.3, 0.7)
    assert bound == math.ulp(value) / 2
    assert made["f_err"](0.3, [0.9, 0.7]) == (value, bound, rms)
    assert made["f_err"](0.3, [0.7, 0.7])[1] == math.inf
    assert made["overflowing_err"](1e200, 3.0)[1] == math.inf


def test_the_sine_of_a_zero_has_lost_nothing() -> None:
    """`sin(y * k)` in the first trip of a loop: the bound was infinite."""
    source = "import math\n\n# ad: error\ndef f(x: float, y: float, n: int):\n"
    source += "    s = 0.0\n    for k in range(n):\n        x = x + math.sin(y * k)\n"
    source += "        s += x * x\n    return s\n"
    value, bound, rms = load_generated(source)["f_err"](0.9, 0.7, 12)
    assert 0.0 < rms <= bound < 1e-12 * value
