"""Differences without digits beyond a sum, as in Newton's iteration, or an exponent."""

from __future__ import annotations

import math
from typing import Any

import pytest
from mpmath import mp
from support import generate, load

CUBE_ROOT = """
# ad: error, error(model=actual)
def f(x: float) -> float:
    y = x
    for k in range(50):
        step = (y**3 - x) / (3 * y * y)
        y -= step
        if abs(step) < 1e-12 * abs(y):
            break
    return y
"""
KEPLER = """
import math

# ad: error, error(model=actual)
def f(m: float) -> float:
    u = m
    while True:
        d = (u - 0.3 * math.sin(u) - m) / (1.0 - 0.3 * math.cos(u))
        u -= d
        if abs(d) < 1e-10:
            return u
"""
DAMPED = """
# ad: error, error(model=actual)
def f(x: float) -> float:
    y = 0.5 * (x + 1.0)
    for k in range(30):
        y = y + 0.75 * ((x - y * y) / y)
    return 1.0 / y
"""


def exact(source: str) -> Any:
    """The function of a source over mpmath's numbers."""
    names: dict[str, Any] = {}
    exec(source.replace("import math", ""), names | {"math": mp}, names)
    return names["f"]


@pytest.mark.parametrize("source", [CUBE_ROOT, KEPLER, DAMPED])
def test_bounds_are_finite_and_hold(source: str) -> None:
    made = load(generate(source))
    with mp.workdps(60):
        for k in range(1, 30):
            x = 0.37 * k
            try:
                truth = exact(source)(mp.mpf(x))
            except ZeroDivisionError:
                continue
            value, bound, rms = made["f_err"](x)
            assert abs(value - truth) <= bound < 1e-13 and rms <= bound
            _, error, unknown = made["f_err_actual"](x)
            assert abs(value - truth - error) <= unknown + 1e-4 * abs(error)
            assert unknown < 1e-14


def test_a_loop_knows_that_an_input_has_no_center() -> None:
    text = generate(CUBE_ROOT.replace("error, error(model=actual)", "error(x)"))
    assert "- 0.0" not in text and ", 0.0), (" not in text


OF_NOISE = """
import math

# ad: error
def f(a: float, b: float, c: float, h: float, s: float) -> float:
    v = s - 0.5 * ((a * b - c) / h){more}
    return {result}
"""


@pytest.mark.parametrize(
    ("more", "result"),
    [("", "math.sqrt(v)"), ("", "1.0 / v"), ("\n    v = v - s", "v * v")],
)
def test_a_sum_that_is_mostly_a_lost_residual_has_no_bound(more, result) -> None:
    made = load(generate(OF_NOISE.format(more=more, result=result)))["f_err"]
    a, b = 1.1, 1.3
    assert made(a, b, a * b, 1e-3, 1e-14)[1] == math.inf


@pytest.mark.parametrize("result", ["math.exp(v)", "1.0 / v"])
def test_a_sum_that_is_large_beside_a_lost_residual_has_one(result) -> None:
    made = load(generate(OF_NOISE.format(more="", result=result)))["f_err"]
    a, b = 1.1, 1.3
    assert made(a, b, a * b, 2.0, 0.75)[1] < 1e-14


EXPONENTS = """
import math

# ad: error, error(model=actual)
def f(t: float, w: float, e: float) -> float:
    return 1.047 ** (t - w) + math.exp(-e * (1.0 / t - 1.0 / w))
"""


@pytest.mark.parametrize("t", [293.15, math.nextafter(293.15, 0.0), 298.15])
def test_exponents_at_a_reference_have_a_bound(t: float) -> None:
    made = load(generate(EXPONENTS))
    with mp.workdps(60):
        at = t, 293.15, 1500.0
        truth = exact(EXPONENTS.replace("1.047", "math.mpf(1.047)"))(*map(mp.mpf, at))
        value, bound, _ = made["f_err"](*at)
        assert abs(value - truth) <= bound < 1e-14
        _, error, unknown = made["f_err_actual"](*at)
        assert abs(value - truth - error) <= unknown + 1e-4 * abs(error)


def test_exponents_with_a_large_error_have_none() -> None:
    made = load(generate(EXPONENTS))["f_err"]
    assert made(293.15, 293.15, 1e15)[1] == math.inf


STEPS = """
def f(x, v):
    return v, 2.0 * (1.0 - x * x) * v - x

def step(x, v, h):
    a1, b1 = f(x, v)
    a2, b2 = f(x + h / 2 * a1, v + h / 2 * b1)
    a3, b3 = f(x + h / 2 * a2, v + h / 2 * b2)
    a4, b4 = f(x + h * a3, v + h * b3)
    x = x + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    return x, v + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)

# ad: error
def g(x: float, v: float, h: float) -> float:
    x, v = step(x, v, h)
    x, v = step(x, v, h)
    x, v = step(x, v, h)
    return x
"""


def test_sums_of_many_differences_are_not_compared_with_each() -> None:
    text = generate(STEPS, inline="always")
    assert len(text.splitlines()) < 1100  # 1,559 where they are
