"""Loops over `zip(x, x[1:], t, t[1:])` count to the shortest, which is known."""

import numpy as np
import pytest

from tests.support import generate, load_generated

SOURCE = """
# ad: gradient
def f(x: "Vector[n]", t: "Vector[n]"):
    return sum(0.5 * (a + b) * (q - p) for a, b, p, q in zip({}))
"""


@pytest.mark.parametrize(
    "order", ["x, x[1:], t, t[1:]", "x[:-1], x[1:], t[:-1], t[1:]"]
)
def test_nothing_is_compared(order: str) -> None:
    text = generate(SOURCE.format(order))
    assert "for i in range(len(x_list) - 1):" in text and " < " not in text
    x_bar, t_bar = load_generated(SOURCE.format(order))["f_grad"]([1, 2, 4], [0, 1, 3])
    assert np.array_equal(x_bar, [0.5, 1.5, 1.0])
    assert np.array_equal(t_bar, [-1.5, -1.5, 3.0])
