"""What is taken from a record has the name of what was recorded: nothing else may."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

SOURCE = """
import numpy as np

# ad: gradient(x, p, value=True)
def f(x: "Vector[n]", p: float, k: int):
    u = np.sin(x)
    w = u.copy()
    for t in range(k):
        u = np.tanh(u * p)
        w = {kept}
        u = np.tanh(u * p)
{rest}    return np.sum(u * w)
"""
RESTS = ["", "        if p > 0.9:\n            return 2.5\n"]


@pytest.mark.parametrize("rest", RESTS)
@pytest.mark.parametrize("kept", ["u", "u.copy()", "u * 1.5"])
def test_a_carry_of_a_loop_back_is_not_called_as_what_it_takes(kept, rest):
    """`for u, u_3 in zip(...)` took the name of the carry `u`, whose value was lost."""
    source = SOURCE.format(kept=kept, rest=rest)
    value = load(source)["f"]
    made = load(generate(source, container="array", **ANY_ORDER))["f_value_and_grad"]
    x, p, h = np.array([0.3, 1.1]), 0.6, 1e-6
    for k in (1, 2, 4):
        found, (x_bar, p_bar) = made(x, p, k)
        assert found == pytest.approx(value(x, p, k), rel=1e-12)
        slope = (value(x, p + h, k) - value(x, p - h, k)) / (2.0 * h)
        assert p_bar == pytest.approx(slope, rel=1e-6)
        for i in (0, 1):
            step = np.array([h * (i == 0), h * (i == 1)])
            slope = (value(x + step, p, k) - value(x - step, p, k)) / (2.0 * h)
            assert x_bar[i] == pytest.approx(slope, rel=1e-6)


TWICE = """
import math

# ad: hessian
def f(p: float, n: int):
    s = p
    for i in range(n):
        for _ in range(i):
            s = math.sin(s - s + math.tanh(s))
    return s
"""


def test_what_is_taken_from_two_records_of_one_value_has_two_names():
    """C had two variables of one name."""
    loops = [
        n
        for n in ast.walk(ast.parse(generate(TWICE, **ANY_ORDER)))
        if isinstance(n, ast.For)
    ]
    assert len(loops) == 4
    for loop in loops:
        names = [n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)]
        assert len(set(names)) == len(names)
