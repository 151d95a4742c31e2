"""A branch that ends a function returns in its arms, one behind a loop in the loop."""

from __future__ import annotations

import black
import pytest
from support import generate, load

EXITS = """\
# ad: jvp(x)
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
    "exits":      (EXITS, 3, (0, 0)),
    "in a loop":  (IN_A_LOOP, 2, (0, 0)),
    "left twice": (LEFT_TWICE, 2, (1, 0)),
    "named":      (NAMED_BEHIND, 2, (0, 0)),
}
# fmt: on


@pytest.mark.parametrize("name", WRITTEN)
def test_ways_out_are_returns(name):
    source, count, (breaks, others) = WRITTEN[name]
    text = generate(source)
    assert text.count("    return ") == count
    assert (text.count("break"), text.count("else:")) == (breaks, others)
    assert black.format_str(text, mode=black.Mode()) == text


@pytest.mark.parametrize("name", WRITTEN)
def test_they_give_what_the_source_gives(name):
    source, *_ = WRITTEN[name]
    plain, ours = load(source)["f"], load(generate(source))["f_jvp"]
    for x in (-1.0, 0.5, 1.5, 3.0):
        for y in (0.25, -0.75):
            assert ours(x, 1.0, y)[0] == plain(x, y)
