"""Estimates of functions that may end at many places: text near that of their parts."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from mpmath import mp
from sized_sources import exits
from support import generate, load, marked, same_bits


def source(count: int) -> str:
    """A loop that may be left at so many places."""
    head = "def f(x: float, y: float, n: int):"
    return exits(count, head, "for i in range(n):", ("x", "y", "y"))


@cache
def estimate(count: int, target: str = "math") -> str:
    return generate(marked(source(count), "f", "error"), target=target)


@pytest.mark.parametrize(("target", "most"), [("math", 2200), ("c", 2600)])
def test_residuals_and_doubts_take_a_line_each(target: str, most: int) -> None:
    text = estimate(10, target)
    assert len(text.splitlines()) < most
    assert "y_high" not in text
    assert text.count("undecided(") >= 10
    assert "1.0000001 * plus" not in text


def exact(x: float, y: float, n: int) -> Any:
    """The exact value for ten exits."""
    s = mp.mpf(x)
    for _ in range(n):
        for k in range(10):
            if s > k + 1.5:
                s = s * y + k + 0.25
                if y > k + 2.0:
                    if k % 3 == 0:
                        return s * 1.5
                    if k % 3 == 1:
                        return s * y
                    break
            s = s + mp.sin(s * y + k)
    return s * y


def test_bounds_hold_at_each_exit() -> None:
    model, made = load(source(10))["f"], load(estimate(10))["f_err"]
    drawn, finite = random.Random(3), 0
    with mp.workdps(60):
        for _ in range(60):
            x, n = drawn.uniform(-1.0, 11.0), drawn.randint(0, 3)
            y = drawn.choice([drawn.uniform(0.1, 1.2), drawn.uniform(1.5, 12.0)])
            value, bound, rms = made(x, y, n)
            assert same_bits(value, model(x, y, n))
            wanted = exact(x, y, n)
            if bound < float("inf"):
                finite += 1
                assert abs(mp.mpf(value) - wanted) <= bound * (1 + 1e-6)
                assert rms <= bound
    assert finite > 40
