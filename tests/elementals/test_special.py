"""scipy's functions on scalars: their values everywhere, errors as the rows state them,
and estimates of their errors, against sixty digits.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from amounts import ANY_ORDER
from exact import MPMATH
from mpmath import mpf
from support import generate, load, load_generated

from ad_transform.elementals import TABLE
from ad_transform.elementals.helpers import run

Draw = Callable[[random.Random], float]


def log_uniform(low: float, high: float) -> Draw:
    return lambda r: math.exp(r.uniform(math.log(low), math.log(high)))


def uniform(low: float, high: float) -> Draw:
    return lambda r: r.uniform(low, high)


def either(*draws: Draw) -> Draw:
    return lambda r: r.choice(draws)(r)


UNIT = either(
    uniform(0, 1), log_uniform(1e-300, 1), lambda r: 1 - 10 ** r.uniform(-16, 0)
)
FAR = either(uniform(-3, 3), uniform(-37, 37))
POSITIVE = either(uniform(0.01, 20), log_uniform(1e-8, 1e8))
BETA = either(uniform(0.01, 20), uniform(0.01, 400), log_uniform(1e-305, 1e8))
SMALL = either(uniform(-3, 3), uniform(-600, 600), log_uniform(1e-300, 1))

# fmt: off
DRAWN: dict[str, tuple[Draw, ...]] = {
    "norm_pdf": (FAR,), "ndtr": (FAR,), "log_ndtr": (FAR,), "ndtr_ratio": (FAR,),
    "ndtr_excess": (either(FAR, lambda r: -10 ** r.uniform(0, 4)),),
    "ndtri": (UNIT,), "erfinv": (either(UNIT, uniform(-1, 1)),),
    "erfcinv": (either(UNIT, uniform(0.01, 1.99)),), "expit": (SMALL,),
    "expit_slope": (SMALL,), "log_expit": (SMALL,), "logit": (UNIT,),
    "xlogy": (POSITIVE, POSITIVE), "xlog1py": (POSITIVE, POSITIVE),
    "entr": (POSITIVE,), "rel_entr": (POSITIVE, POSITIVE),
    "kl_div": (POSITIVE, POSITIVE), "log_ratio": (POSITIVE, POSITIVE),
    "exprel": (SMALL,), "sinc": (SMALL,),
    "exp10": (uniform(-300, 300),), "betaln": (POSITIVE, POSITIVE),
    "beta": (BETA, BETA), "digamma": (POSITIVE,),
}
ORDERS = {"exprel_slope": SMALL, "sinc_slope": uniform(-9, 9), "polygamma": POSITIVE}
# fmt: on
NO_BOUND = {"betaln": 1e-13, "digamma": 1e-14}


def points(name: str, count: int) -> list[tuple[float, ...]]:
    chance = random.Random(name)
    found = [tuple(d(chance) for d in DRAWN[name]) for _ in range(count)]
    if len(DRAWN[name]) == 2:  # close together, where differences cancel
        found[::4] = [
            (x, x * (1 + 10 ** chance.uniform(-12, -1))) for x, _ in found[::4]
        ]
    return found


@pytest.mark.parametrize("name", DRAWN)
def test_value_is_as_accurate_as_the_row_says(name: str) -> None:
    row = TABLE[name]
    for point in points(name, 48):
        value, exact = row.compute(*point), MPMATH(row)(*map(mpf, point))
        unit = mpf(math.ulp(float(exact)))
        if row.ulps == math.inf:
            slack = NO_BOUND[name] * max(1, *map(abs, point), abs(exact))
            assert abs(value - exact) <= slack, point
        elif abs(exact) > 1e-300:
            assert abs(value - exact) <= row.ulps * unit, point


@pytest.mark.parametrize("name", ORDERS)
def test_slopes_of_higher_order(name: str) -> None:
    chance = random.Random(name)
    for n in (1, 2, 3):
        for _ in range(25):
            x = ORDERS[name](chance)
            exact = MPMATH(TABLE[name])(n, mpf(x))
            scale = abs(exact) if name != "sinc_slope" else max(abs(exact), 1)
            found = TABLE[name].compute(n, x)
            assert abs(found - exact) <= 3e-14 * scale, (n, x)


def test_a_drop_of_polygamma_keeps_its_digits() -> None:
    chance = random.Random(5)
    for n in (0, 1, 2):
        for _ in range(15):
            x, h = POSITIVE(chance), POSITIVE(chance)
            exact = MPMATH(TABLE["polygamma_drop"])(n, mpf(x), mpf(h))
            found = TABLE["polygamma_drop"].compute(n, x, h)
            assert abs(found - exact) <= 5e-15 * abs(exact), (n, x, h)


# fmt: off
EXTREMES = {
    ("_expit", -1e4): 0.0, ("_expit", 1e4): 1.0, ("_expit_slope", 1e4): 0.0,
    ("_log_expit", -1e10): -1e10, ("_log_expit", 1e10): 0.0,
    ("_log_ndtr", -1e10): -5e19, ("_log_ndtr", 1e10): 0.0, ("_ndtr", -1e300): 0.0,
    ("_ndtr_ratio", -1e300): 1e300, ("_ndtr_excess", -1e300): 1e-300,
    ("_ndtri", 0.0): -math.inf, ("_ndtri", 1.0): math.inf, ("_erfinv", -1.0): -math.inf,
    ("_erfcinv", 2.0): -math.inf, ("_logit", 0.0): -math.inf, ("_logit", 1.0): math.inf,
    ("_exprel", 0.0): 1.0, ("_exprel", -1e300): 1e-300, ("_exprel", 1e4): math.inf,
    ("_exprel_slope", 1, 0.0): 0.5, ("_sinc", 0.0): 1.0, ("_sinc", 1e300): 0.0,
    ("_sinc", 3.0): 0.0, ("_sinc_slope", 1, 0.0): 0.0, ("_entr", 0.0): 0.0,
    ("_entr", -1.0): -math.inf, ("_xlogy", 0.0, 0.0): 0.0,
    ("_xlog1py", 0.0, -1.0): 0.0, ("_rel_entr", 0.0, 2.0): 0.0,
    ("_rel_entr", 1.0, -2.0): math.inf, ("_kl_div", 0.0, 2.0): 2.0,
    ("_kl_div", 2.0, 2.0): 0.0, ("_log_ratio", 2.0, math.inf): -math.inf,
    ("_beta", 1e-305, 5e-306): 3e305, ("_beta", 1e-310, 2.0): math.inf,
    ("_beta", 40.0, 1e300): 0.0, ("_betaln", 1e-305, 5.0): 305 * math.log(10.0),
    ("_polygamma", 1, 1e-200): math.inf, ("_polygamma", 2, 1e-200): -math.inf,
    ("_polygamma", 1, -1e-200): math.inf, ("_polygamma", 2, -1e-200): math.inf,
    ("_polygamma_drop", 1, 1e-200, 1.0): math.inf,
    ("_polygamma_drop", 0, 1e-310, 1.0): -math.inf,
}
# fmt: on


@pytest.mark.parametrize(("call", "value"), EXTREMES.items(), ids=str)
def test_extreme_arguments(call: tuple[Any, ...], value: float) -> None:
    assert run(*call) == value


@pytest.mark.parametrize("name", DRAWN)
def test_no_number_stays_none(name: str) -> None:
    for k, _ in enumerate(DRAWN[name]):
        point = [0.5] * len(DRAWN[name])
        point[k] = math.nan
        assert math.isnan(TABLE[name].compute(*point))


@pytest.mark.parametrize("name", ["ndtri", "erfinv", "erfcinv", "logit"])
def test_outside_of_the_domain_is_an_error(name: str) -> None:
    for x in (-1.5, 2.5):
        with pytest.raises(ValueError, match="domain"):
            TABLE[name].compute(x)


@pytest.mark.parametrize(
    "point", [(-1e22, 1.0), (1.0, -1e22), (-0.5, 0.25), (0.0, 1.0)]
)
def test_polygamma_drops_below_zero_are_an_error(point: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="domain"):
        run("_polygamma_drop", 0, *point)


WRITTEN = [n for n in DRAWN if TABLE[n].known_as]


@pytest.mark.parametrize("name", WRITTEN)
def test_estimates_hold_and_enclosures_are_finite(name: str) -> None:
    known, count = TABLE[name].known_as[0], len(DRAWN[name])
    arguments = ", ".join(f"1.1 * {x}" for x in "xy"[:count])
    made = load(
        generate(
            "import numpy\nimport scipy.special\nimport scipy.stats\n\n\n"
            '# ad: error(model="enclosure"), error\n'
            f"def f({', '.join('xy'[:count])}):\n    return {known}({arguments})\n",
            **ANY_ORDER,
        )
    )
    finite = 0
    for point in points(name, 20):
        scaled = [mpf(1.1) * x for x in point]
        if any(abs(x) > 600 for x in scaled):
            continue
        try:
            value, low, high = made["f_err_enclosure"](*point)
        except (ValueError, OverflowError):
            continue  # outside of the domain
        exact = MPMATH(TABLE[name])(*scaled)
        assert value + mpf(low) <= exact <= value + mpf(high), point
        assert abs(exact - value) <= made["f_err"](*point)[1], point
        finite += high - low < math.inf
    assert finite > 8


@pytest.mark.parametrize("name", ["xlogy", "xlog1py"])
def test_second_derivatives_at_a_label_of_0(name: str) -> None:
    """x = 0 is no branch of its own: the partial x / y has a slope there."""
    source = (
        f"from scipy.special import {name} as f\n"
        "# ad: hvp, hessian(container='tuple')\n"
        "def loss(label, p):\n    return f(label, p)\n"
    )
    made = load_generated(source)
    (_, mixed), _ = made["loss_hess"](0.0, 0.25)
    assert mixed == 1.0 / {"xlogy": 0.25, "xlog1py": 1.25}[name]
    assert made["loss_hvp"](0.0, 0.25, 1.0, 0.0) == (0.0, mixed)
    assert made["loss_hvp"](0.0, 0.25, 0.0, 1.0) == (mixed, 0.0)
