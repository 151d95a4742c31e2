"""Numbers that an array is multiplied by are multiplied with each other first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

SOURCE = """
import numpy as np


# ad: gradient(w, v, value=True)
# ad: hvp(w, v)
def ridge(w: "Vector[n]", v: "Vector[n]", X: "Matrix[m, n]", lam: float):
    q = X @ v - 1.0
    return lam * np.sum(w**2) + 0.5 * lam * np.sum(v**2) + lam * np.sum(q**2) * w[0]
"""
X = np.array([[1.0, 0.5], [-0.25, 2.0], [0.75, -1.0]])
W, V = np.array([0.5, -1.5]), np.array([2.0, 0.25])


def test_an_array_is_multiplied_once() -> None:
    text = generate(SOURCE, **ANY_ORDER)
    gradient = text[text.index("def ridge_value") : text.index("def ridge_hvp")]
    assert "2.0 * lam * w" in gradient and "+ lam * v" in gradient
    assert "lam * (2.0 *" not in text and "(2.0 * w)" not in text


@pytest.mark.parametrize("lam", [0.0, 0.125, -3.0])
def test_derivatives_are_those_of_the_function(lam: float) -> None:
    plain, made = load(SOURCE)["ridge"], load(generate(SOURCE, **ANY_ORDER))
    value, (w_bar, v_bar) = made["ridge_value_and_grad"](W, V, X, lam)
    assert value == plain(W, V, X, lam)
    q = X @ V - 1.0
    unit = np.array([1.0, 0.0])
    assert w_bar == pytest.approx(2.0 * lam * W + lam * (q @ q) * unit, rel=1e-14)
    along = lam * V + 2.0 * lam * (q @ X) * W[0]
    assert v_bar == pytest.approx(along, rel=1e-14)
    products: Any = made["ridge_hvp"](W, V, unit, 0.0 * V, X, lam)
    assert products[0] == pytest.approx(2.0 * lam * unit, rel=1e-14)
    assert products[1] == pytest.approx(2.0 * lam * (q @ X), rel=1e-14)
