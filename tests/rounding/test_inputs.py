"""Errors that inputs bring along, and what is claimed of libraries."""

from __future__ import annotations

import math
from typing import Any

import pytest
from mpmath import mp
from rounding.test_estimates import MODELS, at, near, tm
from rounding.truth import estimating
from tracing import trace

from ad_transform.derive.rounding.error_options import ErrorOptions
from ad_transform.diagnostics import Refusal


def product(x: Any, y: Any) -> Any:
    return x * y


def test_tolerances_are_absolute_or_in_percent() -> None:
    x, y = 3.0, -0.75  # the product is exact
    asked = {"uncertainties": "x=1e-6, y=2%", "tests": "all"}
    share = 0.75 * 1e-6, 3.0 * 0.02 * 0.75
    _, bound, rms = at(product, x, y, **asked)
    assert bound == near(sum(share))
    assert rms == near(math.hypot(*share) / math.sqrt(3.0))
    _, err, unc = at(product, x, y, model="actual", **asked)
    assert err == 0.0
    assert unc == near(sum(share))
    _, low, high = at(product, x, y, model="enclosure", **asked)
    assert high == near(sum(share) + 1e-6 * 0.015)
    assert low == near(-high)


def test_a_tolerance_stands_in_the_formula_of_adds_as_it_is() -> None:
    eps = 2.0**-53
    _, estimate = at(product, 3.0, -0.75, model="iri", uncertainties="x=1e-6, y=2%")
    terms = 0.75 * 1e-6, 3.0 * 0.02 * 0.75, 3.0 * 0.75 * eps
    assert estimate == near(math.hypot(*terms) / math.sqrt(3.0))


def test_a_tolerance_replaces_a_rounding() -> None:
    def same(x: Any, y: Any) -> Any:
        return x - y

    x, y = 0.3, 0.2
    bound = at(same, x, y, inputs="rounded", uncertainties="x=1e-3")[1]
    assert bound == near(1e-3 + 0.5 * math.ulp(y))


def test_what_lies_within_the_tolerances_is_enclosed() -> None:
    def f(x: Any, y: Any) -> Any:
        return tm.sqrt(x) * y / (x + 1.0)

    x, y = 2.0, 0.7
    value, low, high = at(f, x, y, model="enclosure", uncertainties="x=1e-3, y=1%")
    assert math.isfinite(high)
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            with mp.workdps(50):
                other, factor = x + a * mp.mpf("1e-3"), y * (1 + b * mp.mpf("0.01"))
                exact = mp.sqrt(other) * factor / (other + 1)
                assert low <= exact - value <= high


@pytest.mark.parametrize(
    "text", ["x", "x=", "x=-1", "x=1, x=2", "x=nan", "z=1", "x=1e999", "x=one"]
)
def test_tolerances_that_are_none(text: str) -> None:
    with pytest.raises(Refusal):
        estimating(trace(product), ErrorOptions(uncertainties=text))


def exponential(x: Any) -> Any:
    return tm.exp(x)


@pytest.mark.parametrize("model", ["linear", "actual"])
def test_the_library_is_a_claim(model: str) -> None:
    def ulps(**asked: Any) -> float:
        value, *estimates = at(exponential, 0.3, model=model, **asked)
        bound = estimates[0] if model == "linear" else estimates[1]
        return float(bound / math.ulp(value))

    assert ulps() == 0.52
    assert ulps(library="portable") == 1.0
    assert ulps(library="correct") == 0.5
    assert ulps(library="portable", ulps="exp=0.75, sin=2") == 0.75


def test_enclosures_take_the_library_for_granted() -> None:
    widths = [
        at(exponential, 0.3, model="enclosure", library=library)[2]
        for library in ("correct", "glibc", "portable")
    ]
    assert widths == sorted(set(widths))


def test_the_power_is_one_function() -> None:
    def f(x: Any) -> Any:
        return tm.pow(x, 1.7) + x**1.7

    one = at(f, 0.3, ulps="pow=1")[1]
    assert one > at(f, 0.3)[1]


@pytest.mark.parametrize("text", ["exp", "exp=0.4", "sqrt=1", "nothing=1"])
def test_claims_that_are_none(text: str) -> None:
    with pytest.raises(Refusal):
        estimating(trace(exponential), ErrorOptions(ulps=text))


@pytest.mark.parametrize("model", MODELS)
def test_every_model_takes_tolerances(model: str) -> None:
    def f(x: Any) -> Any:
        return tm.exp(x) - 1.0

    for asked in ({}, {"uncertainties": "x=1e-9"}):
        estimates = at(f, 0.5, model=model, **asked)[1:]
        assert all(map(math.isfinite, estimates))
