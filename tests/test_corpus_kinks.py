"""Stated conventions at kinks, and what must not become NaN or raise."""

from __future__ import annotations

import math

import pytest
from support import flat, generate, load

ORDERS = ("forward", "reverse", "auto")


def gradient(body: str, order: str, **point: float):
    """The gradient of an expression of x and perhaps y."""
    names = ", ".join(point)
    source = f"import math\n\n\n# ad: gradient\ndef f({names}):\n    return {body}\n"
    return flat(load(generate(source, order=order))["f_grad"](**point))


def hessian(body: str, order: str, **point: float):
    names = ", ".join(point)
    source = f"import math\n\n\n# ad: hessian\ndef f({names}):\n    return {body}\n"
    text = generate(source, order=order, container="tuple")
    return flat(load(text)["f_hess"](**point))


# fmt: off
AT_KINKS = [
    # expression                          point                 gradient
    ("abs(x)",                            {"x": 0.0},           [0.0]),
    ("abs(x)",                            {"x": -0.0},          [0.0]),
    ("math.fabs(x) * 3.0",                {"x": 0.0},           [0.0]),
    ("max(x, y)",                         {"x": 1.0, "y": 1.0}, [1.0, 0.0]),
    ("min(x, y)",                         {"x": 1.0, "y": 1.0}, [1.0, 0.0]),
    ("max(y, x)",                         {"x": 1.0, "y": 1.0}, [0.0, 1.0]),
    ("max(x, 0.0)",                       {"x": 0.0},           [1.0]),
    ("max(0.0, x)",                       {"x": 0.0},           [0.0]),
    ("max(x, y, 1.0)",                    {"x": 1.0, "y": 1.0}, [1.0, 0.0]),
    ("math.copysign(x, y)",               {"x": 0.0, "y": 2.0}, [0.0, 0.0]),
    ("math.floor(x) * x",                 {"x": 2.0},           [2.0]),
    ("x % 2.0",                           {"x": 4.0},           [1.0]),
    ("math.copysign(x, y) * y",           {"x": 2.0, "y": -3.0}, [3.0, -2.0]),
    # powers at and below zero
    ("x ** 2",                            {"x": 0.0},           [0.0]),
    ("x ** 1",                            {"x": 0.0},           [1.0]),
    ("x ** 0",                            {"x": 0.0},           [0.0]),
    ("x ** 3",                            {"x": -2.0},          [12.0]),
    ("x ** -1",                           {"x": -2.0},          [-0.25]),
    ("x ** 2.0",                          {"x": -3.0},          [-6.0]),
    ("x ** 1.5",                          {"x": 0.0},           [0.0]),
    ("math.pow(x, 3)",                    {"x": -2.0},          [12.0]),
    ("pow(x, 2)",                         {"x": 0.0},           [0.0]),
    ("2.0 ** x",                          {"x": 0.0},           [math.log(2.0)]),
    ("x ** y",                            {"x": 2.0, "y": 0.0}, [0.0, math.log(2.0)]),
    ("0.0 ** x",                          {"x": 2.0},           [0.0]),
    ("x ** y",                            {"x": 0.0, "y": 2.0}, [0.0, 0.0]),
    # zero times infinity does not happen where the other factor is a structural zero
    ("math.hypot(x, y)",                  {"x": 3.0, "y": 0.0}, [1.0, 0.0]),
    ("math.atan2(y, x)",                  {"x": 0.0, "y": 2.0}, [-0.5, 0.0]),
    ("math.atan2(y, x)",                  {"x": -1.0, "y": 0.0}, [0.0, -1.0]),
    # arms that are not taken contribute nothing
    ("max(math.exp(x), y)",               {"x": 1.0, "y": 1e9}, [0.0, 1.0]),
    ("math.tanh(x)",                      {"x": 800.0},         [0.0]),
    ("math.erf(x)",                       {"x": 1e200},         [0.0]),
    ("math.exp(-x * x)",                  {"x": 1e4},           [0.0]),
]
# fmt: on


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("body", "point", "want"), AT_KINKS)
def test_conventions(body, point, want, order):
    assert gradient(body, order, **point) == pytest.approx(want, rel=1e-15, abs=0.0)


SECOND = [
    ("abs(x) * x", {"x": -2.0}, [-2.0]),
    ("max(x, 0.0) ** 2", {"x": -1.0}, [0.0]),
    ("max(x, 0.0) ** 2", {"x": 1.0}, [2.0]),
    ("x ** 3", {"x": 0.0}, [0.0]),
    ("x ** 2", {"x": 0.0}, [2.0]),
    ("x ** 1", {"x": 0.0}, [0.0]),
    ("x ** y", {"x": 2.0, "y": 0.0}, [0.0, 0.5, 0.5, math.log(2.0) ** 2]),
    ("math.pow(x, y)", {"x": 2.0, "y": 0.0}, [0.0, 0.5, 0.5, math.log(2.0) ** 2]),
    ("x ** (x - 1.0)", {"x": 1.0}, [2.0]),
    ("x ** y", {"x": 0.0, "y": 3.0}, [0.0, 0.0, 0.0, 0.0]),
    ("max(x, y) * min(x, y)", {"x": 2.0, "y": 3.0}, [0.0, 1.0, 1.0, 0.0]),
    ("x ** 2 * y", {"x": 0.0, "y": 0.0}, [0.0, 0.0, 0.0, 0.0]),
    ("math.copysign(x * x, y)", {"x": 3.0, "y": -1.0}, [-2.0, 0.0, 0.0, 0.0]),
]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("body", "point", "want"), SECOND)
def test_second_order(body, point, want, order):
    assert hessian(body, order, **point) == pytest.approx(want, rel=1e-15, abs=0.0)


# fmt: off
RAISING = [
    ("1.0 / x",          {"x": 0.0},   ZeroDivisionError),
    ("math.sqrt(x)",     {"x": 0.0},   ZeroDivisionError),
    ("math.sqrt(x)",     {"x": -1.0},  ValueError),
    ("math.asin(x)",     {"x": 1.0},   ZeroDivisionError),
    ("math.exp(x)",      {"x": 1e3},   OverflowError),
    ("math.hypot(x, x)", {"x": 0.0},   ZeroDivisionError),
]
# fmt: on


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("body", "point", "error"), RAISING)
def test_pythons_own_errors(body, point, error, order):
    with pytest.raises(error):
        gradient(body, order, **point)


def test_what_is_decided_is_not_asked_again():
    source = "# ad: hessian\ndef f(x, y):\n    return max(x, y) * max(x, y)\n"
    text = generate(source, container="tuple")
    assert text.count(" if ") == 2
    assert flat(load(text)["f_hess"](2.0, 3.0)) == [0.0, 0.0, 0.0, 2.0]
    assert flat(load(text)["f_hess"](3.0, 2.0)) == [2.0, 0.0, 0.0, 0.0]
