"""New arrays are changed where they stand if nothing reads them afterwards."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

SOURCE = """
import numpy as np


# ad: gradient(x, value=True), jvp(x)
def f(x: "Vector[n]", w: "Vector[m]"):
    n = len(x)
    u = np.zeros(n + 1)
    u[1:] = np.cumsum(x)
    C = np.ones((n, 2))
    C[:, 0] = x * x
    return u[1:] @ x + np.sum(C * C) + u[-1]


# ad: gradient(x, value=True), jvp(x)
def g(x: "Vector[n]", w: "Vector[m]"):
    y = x * w[0]
    z = y[1:]
    s = y[0] * np.sum(z)
    y[1:] = np.sin(z) * s
    return np.sum(y * y)


# ad: gradient(x, value=True), jvp(x)
def h(x: "Vector[n]", w: "Vector[m]"):
    y = x * w[0]
    z = y * y
    y[1:] = z[:-1] * y[-1]
    return y @ z
"""


def test_no_array_is_copied_that_is_new_and_only_looked_at_before() -> None:
    text = generate(SOURCE, **ANY_ORDER)
    grad, jvp = text.split("\ndef f_")[1:3]
    for one in (grad, jvp):
        assert "np.array(u)" not in one and "np.array(C)" not in one
        assert "    u[1:] = " in one and "    C[:, 0] = " in one


@pytest.mark.parametrize("name", ["f", "g", "h"])
def test_derivatives_are_right(name: str) -> None:
    made, plain = load(generate(SOURCE, **ANY_ORDER)), load(SOURCE)
    x, w = np.array([0.3, -0.7, 1.1, 0.4]), np.array([1.3, 0.2])
    x_dot = np.array([0.1, 0.2, -0.5, 0.3])
    value, slope = made[f"{name}_value_and_grad"](x, w)
    assert value == plain[name](x, w)
    assert made[f"{name}_jvp"](x, x_dot, w) == pytest.approx((value, slope @ x_dot))
    step = 1e-6 * x_dot
    along = (plain[name](x + step, w) - plain[name](x - step, w)) / 2e-6
    assert along == pytest.approx(slope @ x_dot, rel=1e-7)


def test_shapes_that_are_read_later_are_read_before() -> None:
    source = """
import numpy as np


# ad: gradient(x, value=True), jvp(x)
def f(x: "Vector[n]", w: "Vector[m]"):
    u = np.sin(x)
    u[1:] = u[:-1] * x[1:]
    v = np.zeros_like(u)
    v[:-1] = x[1:] * x[:-1]
    z = np.zeros_like(v)
    z[0] = v @ u
    return np.sum(z) + np.sum(v * z)
"""
    text = generate(source, **ANY_ORDER)
    made, plain = load(text), load(source)
    x, w = np.array([0.3, -0.7, 1.1, 0.4]), np.array([1.3, 0.2])
    value, slope = made["f_value_and_grad"](x, w)
    assert value == plain["f"](x, w)
    assert made["f_jvp"](x, x, w) == pytest.approx((value, slope @ x))
    assert "np.array(u)" not in text.split("\ndef f_jvp")[1]
