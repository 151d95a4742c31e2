"""Arrays that all trips have alike stand in front of the loop; none records them."""

from __future__ import annotations

import numpy as np
import pytest
from support import generate, load

SOURCE = """
import numpy as np


# ad: gradient(c, value=True)
def rows(c: "Vector[m]", n: int):
    A = np.zeros((len(c), n))
    for i in range(len(c)):
        A[i, :] = np.sin(c[i] * np.arange(n))
    return np.sum(A * A[0])
"""


def test_numbers_in_order_are_made_once() -> None:
    text = generate(SOURCE)
    assert text.count("np.arange(n)") == 1 and "append" not in text
    assert "\n        indices" not in text
    made, plain, c = load(text), load(SOURCE)["rows"], np.array([0.5, 1.25, -0.75])
    value, grad = made["rows_value_and_grad"](c, 5)
    assert value == plain(c, 5)
    each = 1e-6 * np.eye(3)
    rise = [(plain(c + e, 5) - plain(c - e, 5)) / 2e-6 for e in each]
    assert grad == pytest.approx(rise, rel=1e-7)
    assert made["rows_value_and_grad"](c, 0)[1].tolist() == [0.0, 0.0, 0.0]
