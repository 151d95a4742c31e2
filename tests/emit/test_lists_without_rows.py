"""Parts of a matrix without rows, as the last step of a blocked algorithm has them:
`A[e:, j:e] += ...` of a list of no rows raised `ValueError` in functions by elements.
"""

import numpy as np
import pytest
from support import generate, load

SQUARED = """import numpy as np


# ad: error, gradient(value=True)
def f(A: "Matrix[n, n]", k: int):
    A = A.copy()
    A[k:, :k] = A[k:, :k] * A[k:, :k] + A[0, 0]
    A[:k, k:] = A[:k, k:] / A[0, 0]
    return A[0, 0] + sum(A[i, 0] for i in range(len(A)))
"""
BLOCKED = """import numpy as np


# ad: error, gradient(value=True)
def f(A: "Matrix[n, n]", k: int):
    A = A.copy()
    n = len(A)
    s = 0.0
    for j in range(0, n, k):
        e = min(j + k, n)
        for i in range(j, e):
            A[i + 1 :, i] = A[i + 1 :, i] / A[i, i]
            A[i + 1 :, i + 1 : e] -= np.outer(A[i + 1 :, i], A[i, i + 1 : e])
        L = np.tril(A[j:e, j:e], -1) + np.eye(e - j)
        A[j:e, e:] = np.linalg.solve(L, A[j:e, e:])
        A[e:, e:] = A[e:, e:] - A[e:, j:e] @ A[j:e, e:]
    for i in range(n):
        s += np.log(np.abs(A[i, i]))
    return s
"""


@pytest.mark.parametrize("source", [SQUARED, BLOCKED])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_a_part_may_have_no_rows(source: str, k: int) -> None:
    A = np.random.default_rng(k).uniform(-1.0, 1.0, (4, 4)) + 4.0 * np.eye(4)
    made = load(generate(source))
    value, bound, rms = made["f_err"](A, k)
    assert value == made["f_value_and_grad"](A, k)[0]
    assert value == pytest.approx(load(source)["f"](A, k), rel=1e-14)
    assert 0.0 < rms < bound < 1e-14
