"""Diagonals of matrices with more rows than columns, or fewer."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load

SOURCE = """
import numpy as np

# ad: gradient(A, value=True)
def f(A: "Matrix[m, n]", x: "Vector[k]"):
    s = np.sum(np.diag(A) ** 2) + np.sum(np.diag(A, 1) ** 3) + np.trace(A)
    return s + np.sum(A.diagonal(-2)) * np.sum(np.diagflat(x, 1)) + np.diagflat(A)[1, 1]
"""
SHAPES = ((2, 3), (3, 2), (4, 1), (1, 4), (3, 3))


@pytest.mark.parametrize("container", ["array", "tuple"])
def test_of_any_shape(container: str) -> None:
    more = {"container": "tuple"} if container == "tuple" else {}
    ours = load(generate(SOURCE, **NUMBERS, **more))["f_value_and_grad"]
    plain = load(SOURCE)["f"]
    x = np.array([0.5, 2.0])
    for rows, columns in SHAPES:
        A = np.cos(np.arange(rows * columns)).reshape((rows, columns))
        value, slope = ours(A, x)
        assert value == pytest.approx(plain(A, x), rel=1e-14)
        for place in np.ndindex(rows, columns):
            step = np.zeros_like(A)
            step[place] = 1e-5
            rise = plain(A + step, x) - plain(A - step, x)
            assert slope[place[0]][place[1]] == pytest.approx(rise / 2e-5, abs=1e-8)
