"""Random structured sources: the value is Python's, slopes are those of forward mode.

The points are drawn at random, so that no condition holds by a hair.
"""

from __future__ import annotations

import random

import duals
import pytest
from amounts import NUMBERS, seeds
from sources import source
from support import load, run, same_bits

from ad_transform.ir.evaluate import evaluate
from ad_transform.read import read

POINTS = 4


def _points(number: int) -> list[tuple[float, float, float, int]]:
    seed = random.Random(-1 - number)
    return [
        (*(seed.uniform(-1.5, 1.5) for _ in range(3)), seed.randint(0, 4))
        for _ in range(POINTS)
    ]


def check(number: int, size: int = 10, **options: str) -> None:
    """The source with a number is differentiated rightly."""
    text = source(number, size)
    result = run(text, container="tuple", **NUMBERS | options)
    assert result.text is not None, result.diagnostics
    ours = load(result.text)["f_value_and_grad"]
    plain, sloped = load(text)["f"], load(text, duals.modules())["f"]
    for point in _points(number):
        value, gradient = ours(*point)
        assert same_bits(value, plain(*point)), point
        for k, got in enumerate(gradient):
            slopes = [1.0 if k == j else 0.0 for j in range(3)]
            at = [duals.Dual(x, s) for x, s in zip(point, slopes, strict=False)]
            want = duals.dual(sloped(*at, point[3])).slope
            assert abs(got - want) <= 1e-9 * (1 + abs(want)), (point, k, got, want)


@pytest.mark.parametrize("number", seeds(20, 60))
def test_what_is_read_is_what_python_runs(number: int) -> None:
    text = source(number)
    found = read(text.encode(), "model.py")
    assert not found.diagnostics
    program, plain = found.requests[0].function, load(text)["f"]
    for point in _points(number):
        assert same_bits(evaluate(program, point), (plain(*point),)), point


@pytest.mark.parametrize("number", seeds(7, 20))
def test_value_and_gradient(number: int) -> None:
    check(number)


@pytest.mark.parametrize("number", seeds(7, 20))
def test_functions_that_are_kept(number: int) -> None:
    check(20 + number, inline="never")


def test_a_loop_that_changes_no_adjoint_is_not_run_back() -> None:
    check(2378, 8)
