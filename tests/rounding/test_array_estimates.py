"""Estimates through arrays of run-time length: reads, writes, slices, grown lists."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from amounts import pairs
from mpmath import mp
from rounding.array_programs import DIGITS, POINTS, errors, estimates
from rounding.test_estimates import MODELS, near
from rounding.test_structured_estimates import claims_hold, holds
from structured import Sizes, program
from support import load_generated

RANDOM = [
    program(random.Random(seed), Sizes(depth=1, results=1 + seed % 2, arrays=2))
    for seed in range(8)
]


@pytest.mark.parametrize(("point", "model"), pairs(POINTS, MODELS, 2))
def test_estimates_hold(point: tuple[str, tuple[Any, ...]], model: str) -> None:
    name, args = point
    found = estimates(name, args, model)
    for error, (value, *own) in zip(errors(name, args), found, strict=True):
        with mp.workdps(DIGITS):
            assert holds(model, error, tuple(own))
        assert math.isfinite(value) and all(map(math.isfinite, own))


@pytest.mark.parametrize("model", MODELS)
def test_no_claim_of_random_programs_is_wrong(model: str) -> None:
    for seed, function in enumerate(RANDOM):
        claims_hold(function, model, seed)


@pytest.mark.parametrize("model", MODELS)
def test_elements_count_as_inputs(model: str) -> None:
    """As much as the slopes by them, here the other factors."""
    x, y = [0.3, 0.7], [1e6, -2e6]
    wide = estimates("dot", (x, y), model, ', uncertainties="x=1e-3"')[0][1:]
    slopes = [abs(v) * 1e-3 for v in y]
    share = 1 / math.sqrt(3) if model == "iri" else 1.0
    worst = math.hypot(*slopes) if model == "iri" else sum(slopes)
    assert max(wide) == near(share * worst, rel=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_rounded_elements_count(model: str) -> None:
    name, args = POINTS[5]
    exact = estimates(name, args, model)[0][1:]
    rounded = estimates(name, args, model, ', inputs="rounded"')[0][1:]
    assert max(map(abs, rounded)) > max(map(abs, exact))


@pytest.mark.parametrize("model", MODELS)
def test_an_element_that_decides_is_flagged(model: str) -> None:
    """xs[1] is compared with 0.4, which it is but for its rounding."""
    start = 0.4 / 0.7 - 0.3 / 1.5 / 0.7
    for _ in range(60):
        value = start * 0.7 + 0.3 / (1.5 + start * start)
        start -= (value - 0.4) / (0.7 - 0.6 * start / (1.5 + start * start) ** 2)
    (_, *own), _ = estimates("grown", (start, 3), model)
    assert not any(map(math.isfinite, own))


STEPS = """# ad: error(model="enclosure")
def f(x: float, n: int):
    k = 0
    for _ in range(n):
        k = k + int(x * 10.0)
    return k * 0.5
"""


def test_whole_numbers_that_a_loop_hands_on_are_followed() -> None:
    """0.3 * 10.0 is 3 but for a rounding."""
    found = load_generated(STEPS)["f_err_enclosure"]
    assert not any(map(math.isfinite, found(0.3, 2)[1:]))
    assert found(0.33, 2)[1:] == (0.0, 0.0)
