"""`math.isclose` of what a run computes is what Python says."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from amounts import NUMBERS
from support import load, load_generated

SOURCE = """import math


# ad: gradient(x, value=True)
def f(x: float, y: float, rel: float = 1e-9, tol: float = 0.0):
    r = x * 2.0
    if math.isclose(x, y, rel_tol=rel, abs_tol=tol):
        r += 10.0 * x
    if math.isclose(x, y):
        r += 100.0
    if math.isclose(x, 1.0, abs_tol=1e-3):
        r += 1000.0
    return r
"""
NUMBERS_TRIED = [
    *(0.0, 1.0, 1.0 + 1e-9, 1.0 + 1.0000001e-9, 0.9995, 1e308, -1e308, 5e-324),
    *(math.inf, -math.inf, math.nan),
]
TOLERANCES = [0.0, 1e-9, 0.5, 1e-3, math.nan, -1.0]


def test_is_what_python_says() -> None:
    theirs, ours = load(SOURCE)["f"], load_generated(SOURCE, **NUMBERS)
    points = product(NUMBERS_TRIED, NUMBERS_TRIED, TOLERANCES, TOLERANCES)
    for point in points:
        wanted = _outcome(theirs, point)
        assert _outcome(ours["f_value_and_grad"], point) == wanted, point


def _outcome(function: Any, point: tuple[float, ...]) -> str:
    """The value, or what is raised, as a text."""
    try:
        found = function(*point)
    except ValueError as error:
        return str(error)
    return repr(found[0] if isinstance(found, tuple) else found)


def test_the_arm_that_is_taken_counts() -> None:
    gradient = load_generated(SOURCE, **NUMBERS)["f_value_and_grad"]
    assert gradient(2.0, 2.0)[1] == 12.0
    assert gradient(2.0, 2.1)[1] == 2.0
