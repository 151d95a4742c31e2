"""Indices that are products are called after what they are made of."""

from __future__ import annotations

import re

from amounts import ANY_ORDER
from support import generate

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
