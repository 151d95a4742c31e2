"""Indices that are products are called after what they are made of."""

from __future__ import annotations

import re

from amounts import ANY_ORDER
from support import generate, load

SOURCE = """\
# ad: gradient(u, value=True)
def f(u: "Vector[n]", ny: int):
    e = 0.0
    for k in range(len(u) // 2):
        e += u[2 * k] * u[2 * k] * u[2 * k + 1] ** 2
    for i in range(1, 4):
        for j in range(1, ny):
            e += u[i * ny + j] ** 3 * u[i * ny + j - 1]
    return e
"""


def test_products_and_quotients_of_whole_numbers() -> None:
    text = generate(SOURCE, **ANY_ORDER)
    assert "k_times_2 = 2 * k\n" in text
    assert "k_times_2_plus_1 = k_times_2 + 1\n" in text
    assert "i_times_ny_plus_j = i * ny + j\n" in text


def test_no_name_of_an_index_is_long() -> None:
    names = re.findall(r"\w+_times_\w+", generate(SOURCE, **ANY_ORDER))
    assert names and all(len(name) <= 20 for name in names)


def test_no_name_begins_with_a_number() -> None:
    source = """\
import numpy as np


# ad: jacobian(w, value=True)
def f(w: "Vector[3]", v: "Vector[3]"):
    W = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    return (np.eye(3) + W + W @ W) @ v
"""
    text = generate(source, **ANY_ORDER)
    assert "0 * 0" in text
    value, slope = load(text)["f_value_and_jac"]([0.0, 0.0, 1.0], [1.0, 2.0, 3.0])
    assert value.tolist() == [-2.0, 1.0, 3.0]
    assert slope.tolist() == [[3.0, 3.0, -4.0], [-3.0, 3.0, -3.0], [3.0, 1.0, 0.0]]
