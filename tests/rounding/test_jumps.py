"""Operations that jump, and others that enclosures have rules of their own for."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from exact import MPMATH
from mpmath import mp
from rounding.test_estimates import MODELS, at, tm
from tracing import apply, trace

from ad_transform.ir.evaluate import evaluate

Formula = Callable[..., Any]


# fmt: off
CARRIED: list[tuple[Formula, tuple[tuple[float, float], ...]]] = [
    (lambda x, y: (x * 1.1) % (y * 0.3),            ((-9.0, 9.0), (0.5, 2.0))),
    (lambda x, y: (x * 1.1) % (y * 0.3),            ((-9.0, 9.0), (-2.0, -0.5))),
    (lambda x, y: tm.fmod(x * 1.1, y * 0.3),        ((-9.0, 9.0), (-2.0, 2.0))),
    (lambda x, y: tm.remainder(x * 1.1, y * 0.3),   ((-9.0, 9.0), (-2.0, 2.0))),
    (lambda x, y: tm.copysign(x * 1.1, y * 0.3),    ((-9.0, 9.0), (-2.0, 2.0))),
    (lambda x, y: tm.fma(x * 1.1, y * 0.3, x / y),  ((-9.0, 9.0), (-2.0, 2.0))),
    (lambda x, y: tm.gamma(x * 1.1 + y * 0.1),      ((0.01, 5.0), (0.0, 0.5))),
    (lambda x, y: tm.gamma(x * 1.1) / y,            ((1.3, 1.36), (0.1, 0.5))),
    (lambda x, y: tm.gamma(x * 1.1) / y,            ((20.0, 150.0), (0.1, 0.5))),
    (lambda x, y: (x * 1.1) // (y * 0.3),           ((-9.0, 9.0), (-2.0, 2.0))),
    (lambda x, y: tm.floor(x * 1.1) * y,            ((-9.0, 9.0), (-2.0, 2.0))),
]
# fmt: on


@pytest.mark.parametrize("model", ["linear", "actual", "enclosure"])
@pytest.mark.parametrize(("function", "ranges"), CARRIED)
def test_estimates_hold_and_are_finite(
    function: Formula, ranges: tuple[tuple[float, float], ...], model: str
) -> None:
    traced, source = trace(function), random.Random(7)
    for _ in range(40):
        point = tuple(source.uniform(*ends) for ends in ranges)
        with mp.workdps(60):
            (exact,) = evaluate(traced, tuple(map(mp.mpf, point)), MPMATH)
            value, one, other = at(traced, *point, model=model)
            error = mp.mpf(value) - exact
            assert math.isfinite(other - one), point
            match model:
                case "linear":
                    assert abs(error) <= one * (1 + 1e-9)
                case "actual":
                    doubt = other + 1e-9 * abs(error) + 1e-30
                    assert abs(error - one) <= doubt
                case _:
                    assert one <= -error <= other


# fmt: off
HUGE: list[tuple[Formula, tuple[float, ...]]] = [  # slopes and products underflow
    (lambda x: 6.0 * (10.1 * x) ** -1.0, (2.257765662253067e217,)),
    (lambda x: tm.acosh(x * 0.1),        (1.7e200,)),
    (lambda x: tm.cbrt(x * 0.7),         (1.1e290,)),
    (lambda x: (x * 0.1) ** 0.5,         (3e-300,)),
]
# fmt: on


@pytest.mark.parametrize(("function", "point"), HUGE)
def test_enclosures_of_huge_numbers_hold(
    function: Formula, point: tuple[float, ...]
) -> None:
    traced = trace(function)
    value, low, high = at(traced, *point, model="enclosure")
    with mp.workdps(900):
        (exact,) = evaluate(traced, tuple(map(mp.mpf, point)), MPMATH)
        assert low <= exact - mp.mpf(value) <= high < math.inf


# fmt: off
JUMPING: list[tuple[Formula, tuple[float, ...]]] = [  # x * 0.1 rounds to a step
    (lambda x: tm.floor(x * 0.1) * 1.0,          (30.0,)),
    (lambda x: (x * 0.1) % 1.0,                  (30.0,)),
    (lambda x: tm.fmod(x * 0.1, 3.0),            (30.0,)),
    (lambda x: tm.remainder(x * 0.1, 1.0),       (35.0,)),
    (lambda x: tm.copysign(x, x * 0.1 - 3.0),    (30.0,)),
    (lambda x: (x * 0.1) // 1.0,                 (30.0,)),
]
# fmt: on


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("function", "point"), JUMPING)
def test_a_step_within_reach_leaves_no_bound(
    function: Formula, point: tuple[float, ...], model: str
) -> None:
    estimates = at(function, *point, model=model)[1:]
    assert not any(map(math.isfinite, estimates)), estimates


# fmt: off
BETWEEN: list[tuple[Formula, float]] = [  # far from a step of its own function
    (lambda x: tm.floor(x / 0.1) * x,        0.25),
    (lambda x: tm.floor(x / 0.1) * x,        -0.25),
    (lambda x: tm.ceil(x / 0.1) * x,         0.25),
    (lambda x: tm.trunc(x / 0.1) * x,        0.25),
    (lambda x: tm.trunc(x / 0.1) * x,        -0.05),
    (lambda x: apply("int", x / 0.1) * x,    0.25),
    (lambda x: apply("int", x / 0.1) * x,    -0.05),
    (lambda x: tm.trunc(x * 0.1 - 0.3) * x,  3.0),
    (lambda x: apply("round", x / 0.1) * x,  0.3),
    (lambda x: apply("round", x / 0.1) * x,  0.32),
    (lambda x: (x / 0.1) // 1.0 * x,         0.25),
    (lambda x: (x / 0.1) % 1.0 * x,          0.25),
    (lambda x: tm.fmod(x / 0.1, 1.0) * x,    0.25),
]
# fmt: on


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("function", "point"), BETWEEN)
def test_a_number_far_from_the_steps_has_a_bound(
    function: Formula, point: float, model: str
) -> None:
    estimates = at(function, point, model=model)[1:]
    assert all(map(math.isfinite, estimates)), estimates


# fmt: off
AT_STEPS: list[tuple[Formula, float]] = [
    (lambda x: tm.ceil(x * 0.1) * x,         30.0),
    (lambda x: tm.trunc(x * 0.1) * x,        30.0),
    (lambda x: tm.trunc(x * 0.1) * x,        -10.0),
    (lambda x: apply("round", x * 0.1) * x,        25.0),
    (lambda x: apply("round", x * 0.1) * x,        -35.0),
]
# fmt: on


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("function", "point"), AT_STEPS)
def test_a_number_at_a_step_has_none(
    function: Formula, point: float, model: str
) -> None:
    estimates = at(function, point, model=model)[1:]
    assert not any(map(math.isfinite, estimates)), estimates


@pytest.mark.parametrize("model", MODELS)
def test_a_step_of_exact_numbers_is_sure(model: str) -> None:
    estimates = at(lambda x: tm.floor(x + 1.0) * 0.5, 2.0, model=model)[1:]
    assert all(map(math.isfinite, estimates))
