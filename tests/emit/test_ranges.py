"""Ranges that loops go over, forwards and backwards."""

from __future__ import annotations

import math

import pytest
from amounts import ANY_ORDER
from support import generate, load

from ad_transform.emit.python.ranges import range_of, reversed_range

# fmt: off
FORTH = [
    (["0", "n", "1"],       "range(n)"),
    (["1", "n", "1"],       "range(1, n)"),
    (["n", "0", "-1"],      "range(n, 0, -1)"),
]
BACK = [
    (["n - 1", "-1", "-1"],     "range(n)"),
    (["n - 2", "-1", "-1"],     "range(n - 1)"),
    (["n", "-1", "-1"],         "range(n + 1)"),
    (["n + 1", "-1", "-1"],     "range(n + 2)"),
    (["k - n", "-1", "-1"],     "range(k - n + 1)"),
    (["2 * n - 3", "-1", "-1"], "range(2 * n - 2)"),
    (["a[n - 1]", "-1", "-1"],  "range(a[n - 1] + 1)"),
    (["7", "-1", "-1"],         "range(8)"),
    (["n if a else k", "-1", "-1"], "reversed(range(n if a else k, -1, -1))"),
    (["n - 1", "0", "-1"],      "reversed(range(n - 1, 0, -1))"),
    (["0", "n", "1"],           "reversed(range(n))"),
]
# fmt: on


@pytest.mark.parametrize(("bounds", "text"), FORTH)
def test_a_range(bounds: list[str], text: str) -> None:
    assert range_of(bounds, lambda name: name.removeprefix("builtins.")) == text


@pytest.mark.parametrize(("bounds", "text"), BACK)
def test_a_range_from_its_end(bounds: list[str], text: str) -> None:
    found = reversed_range(bounds, lambda name: name.removeprefix("builtins."))
    assert found == text
    names = {"n": 5, "k": 7, "a": [0, 1, 2, 3, 4]}
    own = range_of(bounds, lambda name: name.removeprefix("builtins."))
    assert list(eval(found, names)) == list(reversed(eval(own, names)))


def test_a_loop_back_through_a_loop_down_counts_up() -> None:
    source = """\
# ad: gradient(x, value=True)
def f(x: "Vector[n]", a: float):
    y = list(x)
    for i in range(len(x) - 2, -1, -1):
        y[i] = y[i] - a * y[i + 1] * y[i + 1]
    return sum(y)
"""
    text = generate(source, **ANY_ORDER)
    assert "reversed(range(" not in text
    value, slope = load(text)["f_value_and_grad"]([1.0, 2.0, 0.5], 0.1)
    assert value == pytest.approx(1.0 - 0.1 * 1.975**2 + 1.975 + 0.5)
    assert slope == pytest.approx([1.0, 0.605, 1.0 - 0.1 * 0.605])


def test_a_range_is_empty_where_its_end_is_below_0() -> None:
    source = """\
import numpy as np

# ad: gradient(x, value=True)
def f(x: "Vector[n]"):
    m = 2 * (len(x) - 1)
    u = np.zeros(m)
    u[-1] = x[0] * x[1]
    v = np.sin(u[2:])
    return v @ v + sum(x)
"""
    text = generate(source, **ANY_ORDER)
    assert "u_i_list = [u[i + 2] for i in range(m_minus_2)]" in text
    made = load(text)["f_value_and_grad"]
    assert made([2.0, 3.0])[0] == 5.0
    assert made([2.0, 3.0, 1.0])[0] == 6.0 + math.sin(6.0) ** 2
