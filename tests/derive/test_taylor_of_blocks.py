"""Taylor coefficients through branches, loops, calls, equations and arrays.

`expanded.txt` holds the bodies of functions; mpmath expands them with sixty digits.
"""

from functools import cache
from pathlib import Path

import exact
import exact_numpy
import pytest
from amounts import ANY_ORDER
from mpmath import mp
from support import Namespace, generate, load

BODIES = (Path(__file__).parent / "expanded.txt").read_text().split("---\n")
DEGREE = 4
HEAD = """
import numpy as np
from math import copysign, exp, floor, fmod, hypot, sin, sqrt

def power(a, n: int):
    if n == 0:
        return 1.0
    if n % 2:
        return a * power(a, n - 1)
    return power(a, n // 2) ** 2

def summed(a, b, n: int):
    for i in range(n):
        a = a * b + 1.0 / (a + i)
    return a

def total(v: "Vector[m]"):
    s = 0.0
    for a in v:
        s += a * a
    return s

def both(p, q, t, k):
    return p * p + q * q - t - 2.0, p * q - 0.3 * k
"""
AT = (0.4, 1.3, 5, [0.3, -1.1, 0.7])


@cache
def source() -> str:
    made = [HEAD]
    for case, body in enumerate(BODIES):
        made.append(f"\n# ad: taylor(t, degree={DEGREE})\n")
        made.append(f'def f{case}(t: float, k: float, n: int, x: "Vector[m]"):\n')
        made += [f"    {line}\n" for line in body.splitlines()]
    return "".join(made)


@cache
def loaded() -> tuple[Namespace, Namespace]:
    digits = {**exact.modules(), **exact_numpy.modules()}
    text = generate(source(), inline="never", **ANY_ORDER)
    return load(text), load(source(), digits, exact.BUILTINS)


@pytest.mark.parametrize("case", range(len(BODIES)))
def test_coefficients_are_those_of_the_series(case: int) -> None:
    made, digits = loaded()
    found = made[f"f{case}_taylor"](*AT)
    with mp.workdps(60):
        rest = [exact_numpy.lifted(a) for a in AT[1:]]
        wanted = mp.taylor(
            lambda t: digits[f"f{case}"](t, *rest), mp.mpf(AT[0]), DEGREE
        )
    assert found == pytest.approx([float(w) for w in wanted], rel=1e-11, abs=1e-12)
