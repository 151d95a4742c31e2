"""Parts of matrices that loops store: no list of that name is made in their place."""

import numpy as np
from support import load_generated

PRODUCT = """
import numpy as np


# ad: jacobian
def f(A: "Matrix[m, n]", x: "Vector[n]"):
    y = np.zeros(len(A))
    for i in range(len(A)):
        for j in range(len(x)):
            y[i] += A[i, j] * x[j]
    return y * y
"""


def test_columns_of_a_matrix_are_stored_in_a_loop() -> None:
    A, x = np.arange(1.0, 7.0).reshape(2, 3), np.array([0.5, 2.0, -1.0])
    found = load_generated(PRODUCT)["f_jac"](A, x)
    y_by_all = np.hstack([np.kron(np.eye(2), x), A])
    assert np.allclose(found, 2.0 * (A @ x)[:, None] * y_by_all, rtol=1e-15)
