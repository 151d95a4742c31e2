"""Estimates of functions that may end at many places: text near that of their parts."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from mpmath import mp
from support import generate, load, marked, same_bits


def exits(count: int) -> str:
    """A loop that may be left at so many places."""
    lines = ["import math", "", "", "def f(x: float, y: float, n: int):"]
    lines += ["    s = x", "    for i in range(n):"]
    for k in range(count):
        way = ("return s * 1.5", "break", "continue")[k % 3]
        lines += [
            f"        if s > {k + 1.5}:",
            f"            s = s * y + {k}.25",
            f"            if y > {k + 2.0}:",
            f"                {way}",
            f"        s = s + math.sin(s * y + {k}.0)",
        ]
    return "\n".join([*lines, "    return s * y", ""])


@cache
def estimate(count: int, target: str = "math") -> str:
    return generate(marked(exits(count), "f", "error"), target=target)


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
    model, made = load(exits(10))["f"], load(estimate(10))["f_err"]
    source, finite = random.Random(3), 0
    with mp.workdps(60):
        for _ in range(60):
            x, n = source.uniform(-1.0, 11.0), source.randint(0, 3)
            y = source.choice([source.uniform(0.1, 1.2), source.uniform(1.5, 12.0)])
            value, bound, rms = made(x, y, n)
            assert same_bits(value, model(x, y, n))
            wanted = exact(x, y, n)
            if bound < float("inf"):
                finite += 1
                assert abs(mp.mpf(value) - wanted) <= bound * (1 + 1e-6)
                assert rms <= bound
    assert finite > 40
