"""The only number of an array that is made of it is that number."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

SOURCE = """\
import numpy as np


# ad: gradient(b, value=True), hessian(b)
def f(b: "Vector[1]", W: "Matrix[n, 1]", X: "Matrix[m, n]"):
    z = np.tanh(X @ W + b)
    return np.sum(z * z)
"""


def test_no_array_is_made_to_be_read_at_once() -> None:
    text = generate(SOURCE, **ANY_ORDER)
    assert "np.array([float(np.array(" not in text and "])[0])" not in text
    made, plain = load(text), load(SOURCE)
    W, X = np.array([[0.3], [-0.2]]), np.array([[1.0, 2.0], [0.5, -1.0], [0.1, 0.2]])
    b = np.array([0.4])
    value, slope = made["f_value_and_grad"](b, W, X)
    assert value == plain["f"](b, W, X) and slope.shape == (1,)
    up, down = (plain["f"](b + step, W, X) for step in (1e-6, -1e-6))
    assert slope[0] == pytest.approx((up - down) / 2e-6, rel=1e-7)
    assert made["f_hess"](b, W, X).shape == (1, 1)
