"""Loops of known trips in which names are of another kind after each trip."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from reading import codes
from support import generate, load

SOURCE = """
import numpy as np
# ad: jacobian
def gram_schmidt(A: "Matrix[3, 3]"):
    Q = np.zeros((3, 3))
    for j in range(3):
        v = A[:, j]
        for i in range(j):
            v = v - (Q[:, i] @ A[:, j]) * Q[:, i]
        Q[:, j] = v / np.linalg.norm(v)
    return Q
# ad: jacobian
def bezier(P: "Matrix[4, 2]", t: float):
    pts = P.copy()
    while len(pts) > 1:
        pts = (1 - t) * pts[:-1] + t * pts[1:]
    else:
        pts = 2.0 * pts
    return pts[0]
"""
POINTS = {
    "gram_schmidt": (np.array([[2.0, 0.5, 0.2], [0.3, 1.5, -0.4], [0.1, 0.7, 1.1]]),),
    "bezier": (np.array([[0.0, 0.1], [1.0, 2.0], [2.5, -1.0], [3.0, 0.4]]), 0.3),
}


@pytest.mark.parametrize("name", POINTS)
def test_derivatives_are_those_of_the_loop(name: str) -> None:
    f, jacobian = load(SOURCE)[name], load(generate(SOURCE, **NUMBERS))[f"{name}_jac"]
    first, *rest = POINTS[name]
    step = 1e-6 * np.cos(np.arange(first.size)).reshape(first.shape)
    moved = f(first + step, *rest) - f(first - step, *rest)
    wanted = jacobian(first, *rest)[:, : first.size] @ (2.0 * step.ravel())
    assert np.ravel(moved) == pytest.approx(wanted, rel=1e-6, abs=1e-14)


def test_others_are_refused_as_loops() -> None:
    body = "    while len(x) > n:\n        x = x[:-1]\n    return x.sum()\n"
    source = f'# ad: gradient\ndef f(x: "Vector[4]", n: int):\n{body}'
    assert codes(source) == ["AD107"]
