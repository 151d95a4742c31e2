"""A product with `1.0 / x` that nothing else reads is a quotient, of arrays, too."""

from __future__ import annotations

import numpy as np
from support import generate, load

SOURCE = """\
import numpy as np


# ad: hessian(b)
def logit(b: "Vector[k]", X: "Matrix[n, k]", y: "Vector[n]"):
    eta = X @ b
    return np.sum(np.log1p(np.exp(-np.abs(eta))) - y * eta)
"""


def test_no_reciprocal_is_multiplied() -> None:
    text = generate(SOURCE)
    assert "1.0 /" not in text and "+ where_eta / minus_eta" in text
    b, y = np.array([0.3, -0.8]), np.array([1.0, 0.0, 1.0])
    X = np.array([[1.0, 0.2], [-0.4, 1.1], [0.7, -0.3]])
    p = 1.0 / (1.0 + np.exp(-X @ b))
    wanted = X.T @ ((p * (1.0 - p))[:, None] * X)
    np.testing.assert_allclose(load(text)["logit_hess"](b, X, y), wanted, 1e-12)
