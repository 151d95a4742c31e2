"""Rows and columns of a matrix at once: `K[np.ix_(i, j)]` and `K[i[:, None], j]`."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load, run

ASSEMBLED = """
import numpy as np

ELEMENTS = [(0, 1), (1, 2), (2, 3)]
FIXED = [0, 7]
FREE = [i for i in range(8) if i not in FIXED]


# ad: gradient(a), hvp(a)
def f(a: "Vector[3]", k: "Matrix[4, 4]"):
    K = np.zeros((8, 8))
    for e, (i, j) in enumerate(ELEMENTS):
        dofs = [2 * i, 2 * i + 1, 2 * j, 2 * j + 1]
        K[np.ix_(dofs, dofs)] += a[e] ** 2 * k
    return np.linalg.solve(K[np.ix_(FREE, FREE)], np.ones(6))[0]
"""
HEAD = """
import numpy as np


# ad: gradient(a), hvp(a), jvp(a), error, shapes(a=[m, n], i=[k, int], j=[l, int])
def f(a, i, j, t: "Vector[n, bool]"):
"""
BODIES = [
    "return np.sum(a[np.ix_(i, j)] ** 3)",
    "return np.sum(a[i[:, None], j] ** 3 * a[np.ix_(i, [0, 1, 0])])",
    "return np.sum(a[i[:, None], j[None, :]] ** 3) + np.sum(a[np.ix_(i, t)] ** 2)",
    "b = a * 2.0\nb[np.ix_(i, j)] += a[:3, :3] ** 2\nreturn np.sum(b**3)",
    "b = a * 2.0\nb[np.ix_(i, j)] = a[:3, :3] ** 2\nreturn np.sum(b**3)",
    "b = a * 2.0\nnp.add.at(b, np.ix_(i, j), a[:3, :3] ** 2)\nreturn np.sum(b**3)",
    "r, c = np.ix_(i, j)\nb = a[r, c] * 2.0\nreturn np.sum(b**3)",
]
K = np.array([[4.0, -1, 0.5, 0], [-1, 3, 0, 0.1], [0.5, 0, 3, 0.2], [0, 0.1, 0.2, 2]])
A = np.sin(np.arange(1.0, 13.0)).reshape(3, 4)
DOT = np.cos(A)
PLACES = np.array([0, 2, 0]), np.array([3, 1, 1]), np.array([True, False, True, True])


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("body", BODIES)
def test_parts_and_stores(body: str) -> None:
    made, plain = load(generate(source(body), **NUMBERS)), load(source(body))["f"]
    h = 1e-5
    rate = (plain(A + h * DOT, *PLACES) - plain(A - h * DOT, *PLACES)) / (2 * h)
    value, tangent = made["f_jvp"](A, DOT, *PLACES)
    assert value == plain(A, *PLACES)
    assert tangent == pytest.approx(rate, rel=1e-8)
    slope = made["f_grad"]
    assert np.sum(slope(A, *PLACES) * DOT) == pytest.approx(tangent, rel=1e-12)
    change = (slope(A + h * DOT, *PLACES) - slope(A - h * DOT, *PLACES)) / (2 * h)
    assert made["f_hvp"](A, DOT, *PLACES) == pytest.approx(change, rel=1e-7, abs=1e-8)
    assert 0.0 < made["f_err"](A, *PLACES)[2] < 1e-13


def test_stiffness_matrices_are_assembled() -> None:
    made, plain = load(generate(ASSEMBLED, **NUMBERS)), load(ASSEMBLED)["f"]
    x, dot, h = np.array([1.0, 2.0, 1.5]), np.array([0.3, -0.5, 0.7]), 1e-5
    rate = (plain(x + h * dot, K) - plain(x - h * dot, K)) / (2 * h)
    slope = made["f_grad"]
    assert slope(x, K) @ dot == pytest.approx(rate, rel=1e-8)
    change = (slope(x + h * dot, K) - slope(x - h * dot, K)) / (2 * h)
    assert made["f_hvp"](x, dot, K) == pytest.approx(change, rel=1e-7)


def test_refusals() -> None:
    (found,) = run(source("return np.sum(a[np.ix_(a[0], j)])")).diagnostics
    assert (found.code, found.span.line) == ("AD106", 7)
    assert found.help == "annotate them as such: `Vector[k, int]`"
