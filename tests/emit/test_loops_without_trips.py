"""Loops that are known to make no trip leave nothing behind in C and Fortran."""

from __future__ import annotations

import re

import numpy as np
from amounts import ANY_ORDER, NUMBERS
from in_c import COUNTING, compiled, functions
from in_fortran import compiled as compiled_by_fortran
from support import flat, generate, load
from targets import Targets

SOURCE = """

import numpy as np


# ad: vjp(unroll=0)
def gauss(A: "Matrix[3, 3]", b: "Vector[3]"):
    A, x, n = A.copy(), b.copy(), len(b)
    for k in range(n):
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k:] -= f * A[k, k:]
            x[i] -= f * x[k]
    for k in range(n - 1, -1, -1):
        x[k] = (x[k] - A[k, k + 1 :] @ x[k + 1 :]) / A[k, k]
    return x
"""


def test_elimination_compiles_without_a_warning(tmp_path):
    targets = Targets(SOURCE)
    (library,) = compiled([COUNTING + targets.text("c")], tmp_path)
    found = functions(library, targets.flat("c"))["gauss_vjp"]
    A = [[4.0, 1.0, 2.0], [1.0, 5.0, 1.5], [0.5, 1.0, 6.0]]
    given = {"A": A, "b": [1.0, 2.0, 3.0], "gauss_bar": [1.0, -1.0, 0.5]}
    wanted = flat(load(generate(SOURCE, **NUMBERS))["gauss_vjp"](*given.values()))
    assert np.allclose(found(given), wanted, rtol=1e-13, atol=1e-14)
    assert np.allclose(found(given)[:3], np.linalg.solve(A, given["b"]))
    compiled_by_fortran(targets.text("fortran"), tmp_path)


GROWN = """\
from math import cos


# ad: gradient(x)
def f(x: float, k: int):
    items = [x]
    if k > 1:
        items.append(cos(sum(items[1:])))
    return sum(items)
"""


def test_what_is_summed_of_no_items_is_not_differentiated(tmp_path):
    targets = Targets(GROWN)
    (library,) = compiled([targets.text("c")], tmp_path)
    assert functions(library, targets.flat("c"))["f_grad"]({"x": 0.5, "k": 2}) == [1.0]
    assert "for " not in targets.text("math")


PART = """
# ad: hvp(p, q)
def f(x: "Vector[m]", p: float, q: float, n: int):
    s, total = p, 0.0
    taken = [p]
    for z in x:
        if z != z:
            continue
        for k in range(n):
            s += taken.pop()
            if p > z:
                total += s * q
    return total
"""


def test_an_arm_makes_no_list_that_nobody_reads():
    """The tangents of an empty record went over that record; C warned of it."""
    text = generate(PART, **ANY_ORDER)
    for name in re.findall(r"(\w+): list\[.*\] = \[\]", text):
        assert len(re.findall(rf"\b{name}\b", text)) > 1
