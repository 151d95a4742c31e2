"""An item that is taken from a list to be put elsewhere gets no name."""

from __future__ import annotations

import pytest
from support import generate, load

OTHER = """
# ad: gradient(x)
def f(x: "Vector[n]", w: "Vector[n]", k: int):
    u = [1.0]
    for i in range(k):
        u.append(x[i])
        if x[i] < 0.0:
            u.append(w[i])
    return sum(v * v * u[0] for v in u)
"""
SAME = """
# ad: gradient(x)
def f(x: "Vector[n]", k: int):
    u = [v for v in x]
    for i in range(k):
        u.append(u[i])
    return u[-1] * u[0]
"""
TWICE = """
# ad: gradient(x)
def f(x: "Vector[n]", k: int):
    u = [1.0]
    for i in range(k):
        u.append(x[i] + x[i + 1])
        if x[i] < 0.0:
            u.append(2.0)
    return sum(v * v * v for v in u)
"""


def test_it_goes_straight_there() -> None:
    text = generate(OTHER)
    assert "        x_bar[i] = u_bar.pop()\n" in text
    found = load(text)["f_grad"]([1.0, -2.0, 3.0], [4.0, 5.0, 6.0], 3)
    assert found.tolist() == [2.0, -4.0, 6.0]


def test_the_element_of_a_list_is_found_once_the_list_is_shorter() -> None:
    text = generate(SAME)
    assert "u_bar_i = u_bar.pop()\n        u_bar[i] += u_bar_i\n" in text
    assert load(text)["f_grad"]([1.5, -2.0], 3).tolist() == [3.0, 0.0]


def test_what_two_lines_read_has_a_name() -> None:
    text = generate(TWICE)
    assert "u_bar_i = u_bar.pop()\n        x_bar[i + 1] += u_bar_i\n" in text
    found = load(text)["f_grad"]([1.0, -2.0, 4.0], 2)
    assert found == pytest.approx([3.0, 15.0, 12.0])
