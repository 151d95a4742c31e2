"""A new value of a carry has its name as soon as the old one is read no more."""

from __future__ import annotations

import re

import pytest
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
}
# fmt: on
POINT = {"x": 0.3, "q": 0.2, "n": 5}


@pytest.mark.parametrize("name", BODIES)
def test_values_are_copied_only_where_the_old_one_is_read(name):
    body, printed = BODIES[name]
    source = LOOP.format(body="".join(f"        {s}\n" for s in body.splitlines()))
    text = generate(source)
    assert re.findall(r"(?m)^ {8}(.*)$", text.partition("range(n):")[2]) == printed
    value, tangent = load(text)["f_jvp"](x_dot=1.0, **POINT)
    ((slope,),) = jacobian(load_exact(source)["f"], POINT, ("x",))
    assert value == load(source)["f"](**POINT)
    assert tangent == pytest.approx(float(slope), rel=1e-13)
