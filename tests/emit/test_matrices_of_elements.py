"""Matrices that single loops fill element by element, and that are read as a whole, are
arrays of numpy; those that loops in loops fill are lists of rows.
"""

from __future__ import annotations

import numpy as np
import pytest
from support import generate, load

SOURCE = """
import numpy as np


# ad: gradient(g, value=True), hvp(g)
def nodal(g: "Vector[m]", a: "Vector[m, int]", b: "Vector[m, int]", i: "Vector[n]"):
    n = len(i)
    Y = np.zeros((n, n))
    for k in range(len(g)):
        p, q = a[k], b[k]
        Y[p, p] += g[k] ** 2
        if p != q:
            Y[q, q] += g[k]
            Y[p, q] -= g[k] * Y[p, p]
            Y[q, p] -= g[k]
    Y[0, :] = 0.0
    Y[0, 0] = 1.0 + Y[1, 1]
    return i @ np.linalg.solve(Y, i)
"""
DENSE = SOURCE.replace(
    "    Y[0, :] = 0.0\n",
    "    for p in range(n):\n        for q in range(n):\n            Y[p, q] += 1.0\n",
)


def _values() -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    ends = [np.array([0, 1, 2, 0, 3, -1]), np.array([1, 2, 3, 2, 3, 0])]
    return [np.array([0.7, 1.3, 0.9, 1.1, 0.4, 0.8]), *ends, np.arange(4.0) - 1.2]


@pytest.mark.parametrize("source", [SOURCE, DENSE])
def test_both_give_the_value_and_its_derivatives(source: str) -> None:
    made, plain = load(generate(source)), load(source)["nodal"]
    g, *others = _values()
    value, grad = made["nodal_value_and_grad"](g, *others)
    assert value == plain(g, *others)
    h, each = 1e-6, np.eye(len(g))
    rise = [plain(g + h * e, *others) - plain(g - h * e, *others) for e in each]
    assert grad == pytest.approx(np.array(rise) / (2.0 * h), rel=1e-7, abs=1e-7)
    ends = [made["nodal_value_and_grad"](g + s * each[1], *others)[1] for s in (h, -h)]
    wanted = (ends[0] - ends[1]) / (2.0 * h)
    got = made["nodal_hvp"](g, each[1], *others)
    assert got == pytest.approx(wanted, rel=1e-6, abs=1e-6)


def test_a_matrix_with_few_changes_is_no_list() -> None:
    text = generate(SOURCE)
    assert "    Y = np.zeros((n, n))\n" in text
    assert "Y[p, p] += " in text and "float(Y_bar[q, p])" in text
    assert "_grid" not in text and "np.array(Y)" not in text
    assert ".tolist()\n    Y_bar" not in text
    assert "np.linalg.solve(Y, i)" in text


def test_a_matrix_that_loops_in_loops_change_is_a_list() -> None:
    text = generate(DENSE)
    assert "Y = _grid(0.0, n, n)" in text and "Y[p][q] += 1.0" in text


def test_no_numpy_means_lists() -> None:
    source = SOURCE.replace("value=True", 'value=True, container="tuple"', 1)
    text = generate(source.replace(", hvp(g)", ""))
    assert "import numpy" not in text
    g, *others = _values()
    got = load(text)["nodal_value_and_grad"](g.tolist(), *(o.tolist() for o in others))
    assert got[0] == pytest.approx(load(source)["nodal"](g, *others), rel=1e-12)


GRID = """
import numpy as np


# ad: gradient(q, value=True)
def poisson(q: "Vector[m]", n: int):
    A, b = np.zeros((n * n, n * n)), np.zeros(n * n)
    for i in range(n):
        for j in range(n):
            r = i * n + j
            A[r, r] = 4.0 + q[r % len(q)]
            if i > 0:
                A[r, r - n] = -1.0
                A[r - n, r] -= q[r % len(q)]
            if j > 0:
                A[r, r - 1] = A[r - 1, r] = -1.0
            b[r] = q[r % len(q)] ** 2
    return np.sum(np.linalg.solve(A, b))
"""


def test_loops_in_loops_may_change_a_few_elements() -> None:
    text, q = generate(GRID), np.array([0.5, 1.25, 0.75, 2.0])
    assert "A = np.zeros((" in text and "A[r, r] = " in text
    made, plain = load(text), load(GRID)["poisson"]
    value, grad = made["poisson_value_and_grad"](q, 3)
    assert value == plain(q, 3)
    each = 1e-6 * np.eye(len(q))
    rise = [(plain(q + e, 3) - plain(q - e, 3)) / 2e-6 for e in each]
    assert grad == pytest.approx(rise, rel=1e-7)
