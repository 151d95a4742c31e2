"""Elements of a list that are computed in loops which change matrices in place."""

from __future__ import annotations

import mpmath
import pytest
from amounts import NUMBERS
from support import load, load_generated

SOURCE = """def solved(A, b):
    A = [row[:] for row in A]
    b = b[:]
    for i in range(3):
        for r in range(i + 1, 3):
            m = A[r][i] / A[i][i]
            for c in range(i + 1, 3):
                A[r][c] -= m * A[i][c]
            b[r] -= m * b[i]
    x = [0.0] * 3
    for i in reversed(range(3)):
        x[i] = (b[i] - sum(A[i][j] * x[j] for j in range(i + 1, 3))) / A[i][i]
    return x


# ad: error
def f(k: "Vector[3]", m: int, n: int):
    y = [1.0, 0.5, 0.25]
    for step in range(m):
        z = list(y)
        for it in range(n):
            A = [[4.0 + k[0], z[1], z[0]], [k[1], 3.0, 0.5 * z[2]], [0.25, k[2], 5.0]]
            z = solved(A, [z[0] + 1.0, z[1] * y[1], y[2] + 2.0])
        y = z
    return y
"""


def test_a_matrix_in_two_loops() -> None:
    plain, made = load(SOURCE)["f"], load_generated(SOURCE, **NUMBERS)
    k = [0.5, 0.3, 0.7]
    values, bounds, deviations = made["f_err"](k, 2, 3)
    assert list(values) == plain(k, 2, 3)
    with mpmath.workdps(40):
        exact = plain([mpmath.mpf(t) for t in k], 2, 3)
        errors = [float(abs(t - v)) for t, v in zip(exact, values, strict=True)]
    for error, bound, deviation in zip(errors, bounds, deviations, strict=True):
        assert error <= bound < 20.0 * 2.0**-53 and 0.0 < deviation < bound
    assert bounds == pytest.approx([7.0889e-17, 7.1447e-17, 3.0235e-16], rel=1e-4)
