"""A number is subtracted from an adjoint of a whole array if that saves a negation."""

from __future__ import annotations

import numpy as np
import pytest
from support import generate, load

MEAN = """
import numpy as np

# ad: gradient
def f(x: "Vector[n]", w: "Vector[n]"):
    return np.sum(w * x) / np.sum(w)
"""


def test_a_number_is_subtracted_from_an_array() -> None:
    text = generate(MEAN)
    assert "neg" not in text and "return over_value * w, over_value * x - " in text
    x, w = np.array([0.5, -1.0, 2.0]), np.array([1.0, 3.0, 0.25])
    x_bar, w_bar = load(text)["f_grad"](x, w)
    assert x_bar == pytest.approx(w / w.sum())
    assert w_bar == pytest.approx((x - (w @ x) / w.sum()) / w.sum())
