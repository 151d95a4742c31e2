"""Estimates of what solves an equation: how far it is from the root."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from mpmath import findroot, mp, mpf
from rounding.test_structured_estimates import holds
from support import load, load_generated, run

CUBIC = """import math


def g(x, p):
    return x * x * x + 0.3 * x - p * p


# ad: MARK
def f(p: float):
    x = p
    # ad: implicit(residual=g)
    while abs(g(x, p)) > 1e-7:
        x = x - g(x, p) / (3.0 * x * x + 0.3)
    return math.sqrt(x) * 1.3 / p
"""

PAIR = """def g(x, y, p):
    return x * x + y - p, y * y - x * 0.1


# ad: MARK
def f(p: float):
    x = p
    y = p
    # ad: implicit(residual=g)
    for _ in range(6):
        u = x * x + y - p
        v = y * y - 0.1 * x
        d = 4.0 * x * y + 0.1
        x, y = x - (2.0 * y * u - v) / d, y - (2.0 * x * v + 0.1 * u) / d
    return x - 2.0 * y
"""
SUFFIXES = {"linear": "err", "actual": "err_actual"}


def cubic(p: Any) -> Any:
    x = findroot(lambda x: x**3 + mpf(0.3) * x - p * p, 0.5)
    return mp.sqrt(x) * mpf(1.3) / p


def pair(p: Any) -> Any:
    def equations(x: Any, y: Any) -> Sequence[Any]:
        return [x * x + y - p, y * y - x * mpf(0.1)]

    x, y = findroot(equations, (p, p))
    return x - 2 * y


@pytest.mark.parametrize("model", SUFFIXES)
@pytest.mark.parametrize("p", [0.3, 0.7, 1.9])
@pytest.mark.parametrize(("source", "root"), [(CUBIC, cubic), (PAIR, pair)])
def test_the_distance_to_the_root(source: str, root: Any, p: float, model: str) -> None:
    made = load_generated(source.replace("MARK", f'error(model="{model}")'))
    value, *own = made[f"f_{SUFFIXES[model]}"](p)
    assert value == load(source)["f"](p) and all(map(math.isfinite, own))
    with mp.workdps(50):
        error = mpf(value) - root(mpf(p))
        slack = abs(error) * 1e-6  # of second order
        assert holds(model, error, (own[0] + slack, own[1] + slack))


def test_inputs_reach_the_root() -> None:
    mark = 'error(uncertainties="p=1e-6")'
    bound = load_generated(CUBIC.replace("MARK", mark))["f_err"](0.7)[1]
    with mp.workdps(50):
        slope = abs(mp.diff(cubic, mpf(0.7)))
    assert 1e-6 * slope < bound < 1.01e-6 * slope + 1e-7


def test_enclosures_are_refused() -> None:
    (said,) = run(CUBIC.replace("MARK", 'error(model="enclosure")')).diagnostics
    assert said.code == "AD031" and "root" in said.message
