"""Estimates of derivatives whose functions are kept, and of their recorded loops."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import exact
import pytest
from amounts import NUMBERS
from mpmath import mp, mpf
from rounding.test_estimates import MODELS, near
from rounding.test_structured_estimates import holds
from support import generate, load, run

MARK = ", ".join(
    f'error(of="gradient(t)", model="{m}", name="f_{m}")' for m in ("MODEL", *MODELS)
).replace('error(of="gradient(t)", model="MODEL", name="f_MODEL")', "gradient(t)")

# fmt: off
SOURCES = {
    "steps": """def rhs(x, v):
    return v, 0.3 * (1.0 - x * x) * v - x


def step(x, v, h):
    k, m = rhs(x, v)
    p, q = rhs(x + 0.5 * h * k, v + 0.5 * h * m)
    return x + h * p, v + h * q


# ad: MARK
def f(y: "Vector[n]", t: float, k: int):
    x, v = y[0], y[1]
    for _ in range(k):
        x, v = step(x, v, t)
    return x * v
""",
    "lists": """def moved(v, w, s):
    z = [0.0] * len(v)
    for i in range(len(v)):
        z[i] = v[i] * w[i] * s + 0.1 * v[i - 1]
    return z


def total(v, s):
    c = 0.1 * s
    for a in v:
        c = c * 0.5 + a / (1.5 + a * a)
    return c


# ad: MARK
def f(y: "Vector[n]", t: float, k: int):
    v = [a * 1.1 for a in y]
    for _ in range(k):
        v = moved(v, y, t)
        t = total(v, t) - 0.4
    return v[0] * t
""",
    "ways": """def part(v, s):
    if v[0] > 0.3:
        return v[1] * s
    return s / (1.5 + v[0] * v[0])


# ad: MARK
def f(y: "Vector[n]", t: float, k: int):
    for _ in range(k):
        t = part(y, t) * 0.7 + t * t
    return t
""",
    "recursion": """def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half if n % 2 == 0 else x * half * half


# ad: MARK
def f(y: "Vector[n]", t: float, k: int):
    return power(t * y[0] + 0.3, k + 3) - t
""",
    "grown": """# ad: MARK
def f(y: "Vector[n]", t: float, k: int):
    rows = []
    v = [a * t for a in y]
    while len(rows) < k:
        v = [a * a - 0.3 * t for a in v]
        rows.append(v[0] * v[1])
    return sum(rows) + t
""",
}
# fmt: on
POINTS = [([0.3, 0.7], 0.13, 3), ([-1.3, 0.4], 0.7, 2), ([0.9, -0.2], -0.4, 1)]


@cache
def made(name: str, inline: str) -> dict[str, Any]:
    text = generate(SOURCES[name].replace("MARK", MARK), inline=inline, **NUMBERS)
    return load(text)


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("point", POINTS)
def test_estimates_of_derivatives_hold(
    name: str, point: tuple[list[float], float, int]
) -> None:
    y, t, k = point
    f = load(SOURCES[name], exact.modules(), exact.BUILTINS)["f"]
    with mp.workdps(100):
        slope = mp.diff(lambda s: f([mpf(a) for a in y], s, k), mpf(t))
        for inline in ("never", "auto"):
            own = made(name, inline)
            for model in MODELS:
                value, *estimates = own[f"f_{model}"](*point)
                # with records, a gradient of kept functions may add in another order
                rel = 0.0 if inline == "auto" else 1e-14
                assert value == near(own["f_grad"](*point), rel)
                assert holds(model, mpf(value) - slope, tuple(estimates))
                assert all(map(math.isfinite, estimates))


@pytest.mark.parametrize("name", ["steps", "lists", "ways", "recursion"])
def test_the_functions_of_a_derivative_are_kept(name: str) -> None:
    mark = 'error(of="gradient(t)")'
    text = generate(SOURCES[name].replace("MARK", mark), inline="never", **NUMBERS)
    assert "_linear(" in text


ARRAYS = """import numpy as np


def moved(v, s):
    out = np.zeros(len(v))
    for i in range(len(v)):
        out[i] = v[i] * s + v[i - 1]
    return out


# ad: error(of="gradient(t)")
def f(y: "Vector[n]", t: float):
    for _ in range(3):
        t = t * np.sum(moved(y * t, t))
    return t
"""


def test_what_cannot_be_estimated_with_functions_is_written_out() -> None:
    """Where even that is refused, as here, the refusal is that of the inlined one."""
    one, other = (refused(ARRAYS, way) for way in ("never", "always"))
    assert one == other


def refused(source: str, way: str) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in run(source, inline=way).diagnostics]
