"""Arrays of zeros and ones are made as people write it: `np.zeros(n)`, `np.ones(n)`."""

from __future__ import annotations

import pytest
from support import generate

# fmt: off
CASES = [
    ("np.zeros(n)",             "np.zeros(n)"),
    ("np.ones(n)",              "np.ones(n)"),
    ("np.full(n, 0.0)",         "np.zeros(n)"),
    ("np.full(n, 2.0)",         "np.full(n, 2.0)"),
    ("np.full(n, -0.0)",        "np.full(n, -0.0)"),
    ("np.full(n, NONE)",        "np.full(n, NONE)"),
]
# fmt: on


@pytest.mark.parametrize(("made", "printed"), CASES)
def test_an_array_of_equal_numbers(made: str, printed: str):
    source = f"""\
import numpy as np
NONE = 0.0

# ad: gradient(x, value=True)
def f(x: "Vector[n]") -> float:
    n = len(x)
    u = {made}
    u[1:] = x[:-1] * x[1:]
    return u @ x
"""
    assert f"    u = {printed}\n" in generate(source)


def test_a_matrix_of_zeros():
    source = """\
import numpy as np

# ad: gradient(x, value=True)
def f(x: "Vector[n]") -> float:
    n = len(x)
    A = np.zeros((n, n))
    A[1:, 1:] = np.outer(x[1:], x[:-1])
    return x @ A @ x
"""
    assert "    A = np.zeros((n, n))\n" in generate(source)
