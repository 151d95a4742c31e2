"""A new value of a carry has its name as soon as the old one is read no more."""

from __future__ import annotations

import re

import pytest
from amounts import ANY_ORDER
from support import generate, jacobian, load, load_exact

LOOP = """\
# ad: jvp(x)
def f(x: float, q: float, n: int):
    for _ in range(n):
{body}
    return x
"""
# fmt: off
BODIES = {
    "twice":  ("x = x + q\nx = x * q\n",
               ["x = x + q", "x = x * q", "x_dot = q * x_dot"]),
    "old":    ("y = x\nx = x + q * q\nx = x * y\n",
               ["x_2 = x + sq_q", "x_dot = (x_2 + x) * x_dot", "x = x_2 * x"]),
    "test":   ("x = x + q * x\nif x > 2.0:\n    break\n",
               ["x = x + q * x", "x_dot = plus_q * x_dot", "if x > 2.0:", "    break"]),
    "left":   ("y = x + q * x\nif x > 0.4 or x < 0.1:\n    break\nx = y\n",
               ["y = x + q * x", "times_q = plus_q * x_dot",
                "if x > 0.4 or x < 0.1:", "    break", "x = y", "x_dot = times_q"]),
    # what branches give to carries
    "kept":   ("if x > q:\n    x = x * q\n",
               ["if x > q:", "    x = x * q", "    x_dot = q * x_dot"]),
    "twice in arms": ("if q > 0.1:\n    x = x + q\nelse:\n    x = x - q\n"
                      "if x > 0.4:\n    x = x * x\n",
                      ["if q > 0.1:", "    x = x + q", "else:", "    x = x - q",
                "if x > 0.4:", "    x_dot = 2.0 * (x * x_dot)", "    x = x * x"]),
    "read behind": ("y = x\nif q > 0.1:\n    x = x + q\nelse:\n    x = x - q\n"
                    "if x > 0.4:\n    x = x * y\n",
                    ["if q > 0.1:", "    x_2 = x + q", "else:", "    x_2 = x - q",
                     "if x_2 > 0.4:", "    x_dot = x_dot * (x_2 + x)",
                     "    x = x_2 * x", "else:", "    x = x_2"]),
}
CARRIED = """\
# ad: gradient(x, k)
def f(x: float, k: float, n: int):
    s = 0.0
    for i in range(n):
        if x > i:
            s = s + k * x * i
            x = x + 0.1 * k * x
    return s
"""
# fmt: on
POINT = {"x": 0.3, "q": 0.2, "n": 5}


@pytest.mark.parametrize("name", BODIES)
def test_values_are_copied_only_where_the_old_one_is_read(name):
    body, printed = BODIES[name]
    source = LOOP.format(body="".join(f"        {s}\n" for s in body.splitlines()))
    text = generate(source, **ANY_ORDER)
    assert re.findall(r"(?m)^ {8}(.*)$", text.partition("range(n):")[2]) == printed
    value, tangent = load(text)["f_jvp"](x_dot=1.0, **POINT)
    ((slope,),) = jacobian(load_exact(source)["f"], POINT, ("x",))
    assert value == load(source)["f"](**POINT)
    assert tangent == pytest.approx(float(slope), rel=1e-13)


def test_adjoints_grow_in_the_arm_that_adds_to_them():
    text = generate(CARRIED, **ANY_ORDER)
    back = text.partition("reversed(")[2]
    assert "else:" not in back and "_bar_2" not in back
    assert back.count("\n        if ") == 1
    gradient = load(text)["f_grad"](2.5, 0.3, 5)
    (expected,) = jacobian(load_exact(CARRIED)["f"], {"x": 2.5, "k": 0.3, "n": 5}, "xk")
    assert gradient == pytest.approx(tuple(map(float, expected)), rel=1e-13)


def test_carries_of_inner_loops_have_the_name_that_they_become():
    inner = "x = x + q\nfor _ in range(3):\n    x = x * q + x\nx = x - q\n"
    source = LOOP.format(body="".join(f"        {s}\n" for s in inner.splitlines()))
    text = generate(source, **ANY_ORDER)
    assert "x_2" not in text and "x_dot_2" not in text
    value, tangent = load(text)["f_jvp"](x_dot=1.0, **POINT)
    ((slope,),) = jacobian(load_exact(source)["f"], POINT, ("x",))
    assert value == load(source)["f"](**POINT)
    assert tangent == pytest.approx(float(slope), rel=1e-13)
