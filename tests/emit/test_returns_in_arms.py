"""A branch that ends a function returns in its arms, one behind a loop in the loop."""

from __future__ import annotations

import re
from itertools import product

import black
import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, jacobian, load, load_exact, load_generated

EXITS = """\
# ad: gradient(x, value=True)
def f(x: float, y: float):
    if x < 0.0:
        return x * y
    z = x + y
    if x < 1.0:
        return z * x
    return z
"""
IN_A_LOOP = """\
# ad: jvp(x)
def f(x: float, y: float):
    for k in range(1, 1000):
        x = x + y
        if x > 2.0:
            return x * k
    return x * y
"""
LEFT_TWICE = """\
# ad: jvp(x)
def f(x: float, y: float):
    for k in range(1, 1000):
        x = x + y
        if x > 2.0:
            return x * k
        if x < -2.0:
            break
    return x * y
"""
NAMED_BEHIND = """\
import math

# ad: jvp(x)
def f(x: float, y: float):
    for k in range(1000):
        if x > k:
            return x * k
    return math.sin(x + y)
"""
# fmt: off
WRITTEN = {
    "exits":      (EXITS, ["        ", "        ", "    "], (0, 0)),
    "in a loop":  (IN_A_LOOP, ["            ", "    "], (0, 0)),
    "left twice": (LEFT_TWICE, ["        ", "    "], (1, 0)),
    "named":      (NAMED_BEHIND, ["            ", "    "], (0, 0)),
}
# fmt: on


@pytest.mark.parametrize("name", WRITTEN)
def test_ways_out_are_returns(name):
    """Each as deep as in the source, but where a loop is left in two ways."""
    source, indents, (breaks, others) = WRITTEN[name]
    text = generate(source, **ANY_ORDER)
    assert re.findall(r"(?m)^( +)return ", text) == indents
    assert (text.count("break"), text.count("else:")) == (breaks, others)
    assert black.format_str(text, mode=black.Mode()) == text


@pytest.mark.parametrize("name", WRITTEN)
def test_they_give_what_the_source_gives(name):
    source, *_ = WRITTEN[name]
    plain, made = load(source)["f"], load_generated(source)
    for x, y in product((-1.0, 0.5, 1.5, 3.0), (0.3, -0.7)):
        if source is EXITS:
            value, tangent = made["f_value_and_grad"](x, y)
        else:
            value, tangent = made["f_jvp"](x, 1.0, y)
        ((slope,),) = jacobian(load_exact(source)["f"], {"x": x, "y": y}, ("x",))
        assert value == plain(x, y)
        assert tangent == pytest.approx(float(slope), rel=1e-13)


LOOKED_UP = """\
# ad: gradient
def lookup(x: float, table: "Vector[n]", h: float):
    i = int(x)
    if i < 0:
        return table[0]
    if i >= len(table) - 1:
        return table[-1]
    w = h * (x - i)
    return (1 - w) * table[i] + w * table[i + 1]
"""


def test_arrays_are_returned_in_arms_too():
    text, table = generate(LOOKED_UP, **ANY_ORDER), np.array([1.0, 3.0, 2.0])
    assert text.count("return 0.0, np.array(table_bar, dtype=float), 0.0") == 2
    by_x, by_table, by_h = load(text)["lookup_grad"](0.75, table, 0.5)
    assert (by_x, by_h) == (1.0, 1.5)
    assert by_table.tolist() == [0.625, 0.375, 0.0]


TWICE = """\
# ad: jvp
def f(p: float, q: float, n: int):
    c = 0.0
    for i in range(n):
        if c < 1.0 and p >= 0.3:
            if q <= -0.4:
                return q, q
    return c + q + p, q * c
"""


@pytest.mark.parametrize("q", [0.9, -0.7])
def test_one_value_that_is_returned_twice_is_two_elsewhere(q):
    source, made = load(TWICE)["f"], load_generated(TWICE)["f_jvp"]
    value, tangent = made(1.3, q, 1.0, 1.0, 4)
    assert value == source(1.3, q, 4)
    assert tangent == ((2.0, 0.0) if q > 0.0 else (1.0, 1.0))
