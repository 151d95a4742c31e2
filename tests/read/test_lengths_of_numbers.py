"""Lengths of arrays that are computed from numbers, sooner or later."""

from __future__ import annotations

import pytest
from amounts import NUMBERS
from support import generate, load

SOURCE = """\
import numpy as np


# ad: gradient(x){more}
def f(x: float, k: int):
    u = {array}
    u[0] = x
    u[k] = x * x
    return u[0] * u[1] + len(u)
"""
LENGTHS = ("max(3, 4)", "pow(2, 2)", "min(10**70, 4)", "int(2**2.0)")
ARRAYS = tuple(f"[0.0] * {n}" for n in LENGTHS) + tuple(
    f"np.zeros({n})" for n in LENGTHS
)


@pytest.mark.parametrize("array", ARRAYS)
def test_they_are_known_or_not(array: str) -> None:
    made = load(generate(SOURCE.format(array=array, more=", hvp(x)"), **NUMBERS))
    assert made["f_grad"](0.5, 1) == 3 * 0.5**2
    assert made["f_hvp"](0.5, 1.0, 1) == 6 * 0.5


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_so_they_are_in_other_languages(target: str) -> None:
    for array in ARRAYS:
        assert generate(SOURCE.format(array=array, more=""), target=target, **NUMBERS)


def test_arrays_that_fill_the_memory_are_not_made_here() -> None:
    text = generate(SOURCE.format(array="[0.0] * 10**15", more=""), effort=0)
    assert "[0.0] * 1000000000000000" in text


def test_of_a_number_numpy_says_one() -> None:
    head = "import numpy as np\n\n\n# ad: gradient(x)\ndef f(x: float):\n"
    made = load(generate(head + "    return x * np.size(x) * x + np.size(x)\n"))
    assert made["f_grad"](0.5) == 1.0
