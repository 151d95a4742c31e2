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


POWERS = """
# ad: gradient(value=True)
def series(x: float, k: int):
    s = 0.0
    for i in range(3):
        if k > i + 1:
            s += x ** (i + 1)
    return s
"""


def test_what_is_known_of_an_index_is_computed() -> None:
    text = generate(POWERS)
    assert all(f"x**{k}" in text and f"k > {k}" in text for k in (1, 2, 3))
    assert "1 + 1" not in text
    assert "!=" not in text  # no power asks whether its exponent is 0
    value, slope = load(text)["series_value_and_grad"](1.5, 3)
    assert (value, slope) == (load(POWERS)["series"](1.5, 3), 1.0 + 2.0 * 1.5)


def test_numbers_that_are_written_stay_as_they_are() -> None:
    source = "# ad: gradient(value=True)\ndef f(x):\n    return x / (24 * 60 * 60)\n"
    assert "24 * 60 * 60" in generate(source)
