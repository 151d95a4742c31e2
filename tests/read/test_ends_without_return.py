"""Helpers that come to their end without `return` give None there, as in Python."""

import pytest

from tests.support import generate, load_generated

HELPERS = """
def pair(t):
    if t < 1:
        return t, t * t

def piece(t):
    if t < 1:
        return 2 * t
    elif t < 3:
        return t * t

def place(t, x):
    for k in range(1, len(x)):
        if t < x[k]:
            return t * (x[k] - x[k - 1])

# ad: gradient
def both(t):
    a, b = pair(t)
    return a * b

# ad: gradient
def piecewise(t):
    return piece(t) * 3

# ad: gradient
def otherwise(t):
    y = piece(t)
    return -t if y is None else y

# ad: gradient(t)
def found(t, x: "Vector[n]"):
    return place(t, x) * 2
"""


def test_the_derivative_is_that_of_the_value_returned() -> None:
    made = load_generated(HELPERS)
    assert made["both_grad"](0.5) == 0.75
    assert [made["piecewise_grad"](t) for t in (0.5, 2.0)] == [6.0, 12.0]
    assert [made["otherwise_grad"](t) for t in (0.5, 2.0, 3.5)] == [2.0, 4.0, -1.0]
    assert made["found_grad"](1.5, [0.0, 1.0, 4.0]) == 6.0


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("both_grad", (1.5,)),
        ("piecewise_grad", (3.5,)),
        ("found_grad", (4.5, [0.0, 1.0])),
    ],
)
def test_arithmetic_with_none_is_a_type_error(name: str, values: object) -> None:
    with pytest.raises(TypeError, match="a value is None"):
        load_generated(HELPERS)[name](*values)  # type: ignore[misc]


def test_a_value_that_is_needed_is_tested_once() -> None:
    text = generate(HELPERS)
    assert "    if not t < 1.0:\n" in text and "    return 3.0 * (t * t)\n" in text
    assert "    else:\n        raise TypeError" in text and "elif t < 3.0:" in text


def test_a_loop_that_leaves_trips_alone_comes_to_its_end() -> None:
    made = load_generated(
        """
def scale(u, t):
    for i in range(3):
        if i == 0:
            continue
        u[i] *= t

# ad: gradient
def f(t):
    u = [t, t, 2.0]
    scale(u, t)
    return sum(u)
"""
    )
    assert made["f_grad"](1.5) == 6.0
