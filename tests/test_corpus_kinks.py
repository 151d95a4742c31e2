"""Stated conventions at kinks, and what must not become NaN or raise."""

from __future__ import annotations

import itertools
import math
import struct

import pytest
from amounts import part
from support import flat, generate, load, load_generated

HEAD = "import math\nimport numpy as np\n\n\n"
ORDERS = ("forward", "reverse", "auto")


def ordered(cases):
    """Each case in both orders, and one in three with a search of all."""
    plain = [(*case, order) for order in ORDERS[:2] for case in cases]
    return [*plain, *((*case, "auto") for case in part(cases, 3))]


def gradient(body: str, order: str, **point: float):
    """The gradient of an expression of x and perhaps y."""
    names = ", ".join(point)
    source = f"{HEAD}# ad: gradient\ndef f({names}):\n    return {body}\n"
    return flat(load_generated(source, order=order)["f_grad"](**point))


def hessian(body: str, order: str, **point: float):
    names = ", ".join(point)
    source = f"{HEAD}# ad: hessian\ndef f({names}):\n    return {body}\n"
    made = load_generated(source, order=order, container="tuple")
    return flat(made["f_hess"](**point))


# fmt: off
AT_KINKS = [
    # expression                          point                 gradient
    ("abs(x)",                            {"x": 0.0},           [0.0]),
    ("abs(x)",                            {"x": -0.0},          [0.0]),
    ("math.fabs(x) * 3.0",                {"x": 0.0},           [0.0]),
    # at a tie the equal arguments share the derivative
    ("max(x, y)",                         {"x": 1.0, "y": 1.0}, [0.5, 0.5]),
    ("min(x, y)",                         {"x": 1.0, "y": 1.0}, [0.5, 0.5]),
    ("3.0 * max(y, x)",                   {"x": 1.0, "y": 1.0}, [1.5, 1.5]),
    ("max(x, 0.0)",                       {"x": 0.0},           [0.5]),
    ("max(0.0, x)",                       {"x": -0.0},          [0.5]),
    ("max(0, x) * x",                     {"x": 0.0},           [0.0]),
    ("max(x, y, 1.0)",                    {"x": 1.0, "y": 1.0}, [1 / 3, 1 / 3]),
    ("max((x, y, 1.0))",                  {"x": 1.0, "y": 0.5}, [0.5, 0.0]),
    ("min(y, x, y, 3.0)",                 {"x": 1.0, "y": 1.0}, [1 / 3, 2 / 3]),
    ("6.0 * max(x, y, x + y, 0.0)",       {"x": 0.0, "y": 0.0}, [3.0, 3.0]),
    # a maximum of a maximum shares twice
    ("max(max(x, y), 1.0)",               {"x": 1.0, "y": 1.0}, [0.25, 0.25]),
    ("max(1.0, max(x, y))",               {"x": 1.0, "y": 0.5}, [0.5, 0.0]),
    ("np.maximum(x, y)",                  {"x": 1.0, "y": 1.0}, [0.5, 0.5]),
    ("np.minimum(x, y)",                  {"x": 1.0, "y": 1.0}, [0.5, 0.5]),
    ("np.minimum(x, 1)",                  {"x": 1.0},           [0.5]),
    ("np.fmax(x, y)",                     {"x": 1.0, "y": 1.0}, [0.5, 0.5]),
    ("np.fmin(y, x)",                     {"x": 1.0, "y": 1.0}, [0.5, 0.5]),
    ("np.fmax(0.0, x)",                   {"x": 0.0},           [0.5]),
    ("np.clip(x, 0.0, 1.0)",              {"x": 0.0},           [0.5]),
    ("np.clip(x, 0.0, 1.0)",              {"x": 1.0},           [0.5]),
    ("np.clip(x, 0.0, 1.0)",              {"x": 0.25},          [1.0]),
    ("np.clip(x, y, 2.0)",                {"x": 1.0, "y": 1.0}, [0.5, 0.5]),
    # what is smooth has its slope, however it is spelled
    ("math.log1p(math.exp(-abs(x))) + max(x, 0.0)", {"x": 0.0}, [0.5]),
    ("math.log1p(math.exp(-abs(x))) + max(0, x)", {"x": -0.0},  [0.5]),
    ("max(x, 0.0) - max(-x, 0.0)",        {"x": 0.0},           [1.0]),
    ("max(x, 0.0) + min(x, 0.0)",         {"x": 0.0},           [1.0]),
    ("max(x, y) + min(x, y)",             {"x": 2.0, "y": 2.0}, [1.0, 1.0]),
    ("(x + abs(x)) / 2",                  {"x": 0.0},           [0.5]),
    ("(x > 0) * x",                       {"x": 0.0},           [0.0]),
    ("(x >= 0) * x",                      {"x": 0.0},           [1.0]),
    ("math.hypot(x, y)",                  {"x": 0.0, "y": 0.0}, [0.0, 0.0]),
    ("math.hypot(x, x)",                  {"x": 0.0},           [0.0]),
    ("math.dist((x, 1.0), (2.0, y))",     {"x": 2.0, "y": 1.0}, [0.0, 0.0]),
    # what is not taken may be infinite
    ("max(x, y) * math.sqrt(y)",          {"x": 1.0, "y": 4.0}, [0.0, 3.0]),
    ("math.exp(2.0 * max(x, y))",         {"x": 1.0, "y": 1.0}, [math.exp(2.0)] * 2),
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


@pytest.mark.parametrize(("body", "point", "want", "order"), ordered(AT_KINKS))
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
    # a kink has no second derivative: its pieces count
    ("max(x, y) * x", {"x": 1.0, "y": 1.0}, [1.0, 0.5, 0.5, 0.0]),
    ("max(x, y, 1.0) ** 2", {"x": 1.0, "y": 1.0}, [2 / 9] * 4),
    ("math.hypot(x, y)", {"x": 0.0, "y": 0.0}, [0.0] * 4),
    ("np.clip(x, 0.0, 1.0) ** 2", {"x": 1.0}, [0.5]),
    ("math.copysign(x * x, y)", {"x": 3.0, "y": -1.0}, [-2.0, 0.0, 0.0, 0.0]),
]


@pytest.mark.parametrize(("body", "point", "want", "order"), ordered(SECOND))
def test_second_order(body, point, want, order):
    assert hessian(body, order, **point) == pytest.approx(want, rel=1e-15, abs=0.0)


# fmt: off
RAISING = [
    ("1.0 / x",          {"x": 0.0},   ZeroDivisionError),
    ("math.sqrt(x)",     {"x": 0.0},   ZeroDivisionError),
    ("math.sqrt(x)",     {"x": -1.0},  ValueError),
    ("math.asin(x)",     {"x": 1.0},   ZeroDivisionError),
    ("math.exp(x)",      {"x": 1e3},   OverflowError),
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
    assert "Operations: 0 (" in text
    assert flat(load(text)["f_hess"](2.0, 3.0)) == [0.0, 0.0, 0.0, 2.0]
    assert flat(load(text)["f_hess"](3.0, 2.0)) == [2.0, 0.0, 0.0, 0.0]
    assert flat(load(text)["f_hess"](3.0, 3.0)) == [0.5, 0.5, 0.5, 0.5]


@pytest.mark.parametrize("order", ORDERS)
def test_what_is_not_taken_may_be_infinite(order):
    body = "max(math.log(x) * y, 1e308 * 10.0 * z) + max(y * (1e308 * 10.0), 0.0)"
    point = {"x": 1.0, "y": -1.0, "z": -1.0}
    assert gradient(body, order, **point)[::2] == [-1.0, 0.0]


@pytest.mark.parametrize("call", ["max(x, y, z)", "min(x, y, z)", "max([x, y, z])"])
def test_the_value_of_several_is_pythons(call):
    source = f"# ad: gradient(value=True)\ndef f(x, y, z):\n    return {call}\n"
    made = load_generated(source)["f_value_and_grad"]
    numbers = (0.0, -0.0, 1.0, math.nan, math.inf)
    for x, y, z in itertools.product(numbers, repeat=3):
        value, slope = made(x, y, z)
        want = eval(call, {"x": x, "y": y, "z": z})
        assert struct.pack("d", value) == struct.pack("d", want)
        assert math.isnan(want) or sum(slope) == pytest.approx(1.0, rel=1e-15)


@pytest.mark.parametrize("op", ["maximum", "minimum", "fmax", "fmin"])
@pytest.mark.parametrize("bound", ["1.0", "y"])
def test_numpys_care_for_nan(op, bound):
    np = pytest.importorskip("numpy")
    for args in (f"x, {bound}", f"{bound}, x"):
        source = f"{HEAD}# ad: gradient(x, value=True)\ndef f(x, y):\n"
        made = load_generated(f"{source}    return np.{op}({args}) + 0.0 * y\n")
        for x, y in itertools.product((0.5, 1.0, 2.0, math.nan), repeat=2):
            env = {"x": x, "y": y, "np": np}
            want = eval(f"np.{op}({args}) + 0.0 * y", env)
            value, slope = made["f_value_and_grad"](x, y)
            assert value == want or (value != value and want != want)
            assert slope in (0.0, 0.5, 1.0)


def test_clip_reads_well():
    source = f"{HEAD}# ad: gradient\ndef f(x):\n    return np.clip(x, 0.0, 1.0) * x\n"
    assert "!=" not in generate(source)


def test_deep_choices_stay_small():
    """No product is moved into ever more arms."""
    lines = [f"    x = max(x * y, {k}.0) * min(x, {k + 9}.0)" for k in range(8)]
    body = "\n".join(lines)
    source = f"# ad: gradient\ndef f(x, y):\n{body}\n    return x\n"
    assert len(generate(source, order="forward")) < 12_000
