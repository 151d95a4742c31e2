"""`# ad: implicit(residual=g)` where the unknowns are small arrays."""

from __future__ import annotations

import black
import numpy as np
import pytest
from amounts import pairs, search
from support import flat, generate, load, load_generated, run

TWO = """\
import numpy as np


def g(x, p, q):
    {residual}


def slopes(x):
    return np.array([[2.0 * x[0], 1.0], [1.0, -2.0 * x[1]]])


{solver}
"""
PAIR = "return x[0] ** 2 + x[1] - p, x[0] - x[1] ** 2 - q"
ARRAY = "return np.array([x[0] ** 2 + x[1] - p, x[0] - x[1] ** 2 - q])"
FILLED = """\
r = np.zeros(2)
    r[0] = x[0] ** 2 + x[1] - p
    r[1] = x[0] - x[1] ** 2 - q
    return r"""
LOOP = """\
# ad: {marks}
def f(p: float, q: float):
    x = np.array([1.0, 0.5])
    # ad: implicit(residual=g)
    for _ in range(30):
        x = x - np.linalg.solve(slopes(x), np.array(g(x, p, q)))
    return x[0] * x[1]"""
IN_PLACE = LOOP.replace("x = x -", "x -=")
WHILE = """\
# ad: {marks}
def f(p: float, q: float):
    x = np.array([1.0, 0.5])
    # ad: implicit(residual=g)
    while True:
        step = np.linalg.solve(slopes(x), np.array(g(x, p, q)))
        x = x - step
        if np.max(np.abs(step)) < 1e-14:
            break
    return x[0] * x[1]"""
FUNCTION = """\
# ad: implicit(residual=g)
def solve(p, q):
    x = np.array([1.0, 0.5])
    for _ in range(30):
        x = x - np.linalg.solve(slopes(x), np.array(g(x, p, q)))
    return x


# ad: {marks}
def f(p: float, q: float):
    x = solve(p, q)
    return x[0] * x[1]"""
ELEMENTS = """\
# ad: {marks}
def f(p: float, q: float):
    x = [1.0, 0.5]
    z = x
    # ad: implicit(residual=g)
    while True:
        step = np.linalg.solve(slopes(x), np.array(g(x, p, q)))
        for i in range(2):
            x[i] -= step[i]
        if abs(step[0]) + abs(step[1]) < 1e-14:
            break
    z[0] *= z[1]
    return x[0]"""
CALLED = """\
def solve(x, p, q):
    # ad: implicit(residual=g)
    for _ in range(30):
        step = np.linalg.solve(slopes(x), np.array(g(x, p, q)))
        x[0] -= step[0]
        x[1] = x[1] - step[1]


# ad: {marks}
def f(p: float, q: float):
    x = np.array([1.0, 0.5])
    for k in range(3):
        solve(x, p + 2 - k, q)
    return x[0] * x[1]"""
CHANGED_BEHIND = """\
# ad: {marks}
def f(p: float, q: float):
    x = np.zeros(2)
    x[0], x[1] = 1.0, 0.5
    # ad: implicit(residual=g)
    for _ in range(30):
        x = x - np.linalg.solve(slopes(x), np.array(g(x, p, q)))
    x[0] *= x[1]
    return x[0]"""
RETURNED = """\
# ad: implicit(residual=g)
def solve(p, q):
    x = np.array([1.0, 0.5])
    for _ in range(30):
        step = np.linalg.solve(slopes(x), np.array(g(x, p, q)))
        x[0] -= step[0]
        x[1] -= step[1]
    return x


# ad: {marks}
def f(p: float, q: float):
    x = solve(p, q)
    x[0] *= x[1]
    return x[0]"""
LISTED = FUNCTION.replace("    return x\n", "    return [x[0], x[1]]\n")
MARKS = "gradient, hessian, jvp", "vjp, hvp"
"""The kinds that a solver has in turn, or all of them with `--long`."""


def exact(p, q):
    """Gradient and Hessian of x y where x^2 + y = p and x - y^2 = q, by implicit
    differentiation of u' = J^-1 (dp, dq), written out.
    """
    z = np.array([1.0, 0.5])
    for _ in range(50):
        j = np.array([[2.0 * z[0], 1.0], [1.0, -2.0 * z[1]]])
        z = z - np.linalg.solve(j, [z[0] ** 2 + z[1] - p, z[0] - z[1] ** 2 - q])
    first = np.linalg.inv(j)  # d z / d (p, q)
    gradient = z[1] * first[0] + z[0] * first[1]
    hessian = np.outer(first[0], first[1]) + np.outer(first[1], first[0])
    for a in range(2):
        for b in range(2):
            bent = [2.0 * first[0, a] * first[0, b], -2.0 * first[1, a] * first[1, b]]
            second = -first @ bent
            hessian[a, b] += z[1] * second[0] + z[0] * second[1]
    return gradient, hessian


SOLVED = [
    *((LOOP, residual) for residual in (PAIR, ARRAY, FILLED)),
    *((solver, ARRAY) for solver in (IN_PLACE, WHILE, FUNCTION, LISTED)),
    *((solver, ARRAY) for solver in (ELEMENTS, CALLED, CHANGED_BEHIND, RETURNED)),
]


@pytest.mark.parametrize(("case", "marks"), pairs(range(len(SOLVED)), MARKS, 2))
def test_a_small_system_may_be_an_array(case, marks):
    solver, residual = SOLVED[case]
    source = TWO.format(residual=residual, solver=solver.format(marks=marks))
    text = generate(source, **search(source))
    assert black.format_str(text, mode=black.Mode()) == text
    made = load(text)
    p, q = 1.3, 0.4
    gradient, hessian = exact(p, q)
    if marks == MARKS[0]:
        assert flat(made["f_grad"](p, q)) == pytest.approx(gradient, rel=1e-12)
        assert np.array(made["f_hess"](p, q)) == pytest.approx(hessian, rel=1e-11)
        along = made["f_jvp"](p, q, 0.5, -2.0)[1]
        assert along == pytest.approx(gradient @ [0.5, -2.0], rel=1e-12)
        return
    assert flat(made["f_vjp"](p, q, 3.0)[1:]) == pytest.approx(3 * gradient, rel=1e-12)
    product = flat(made["f_hvp"](p, q, 0.5, -2.0))
    assert product == pytest.approx(hessian @ [0.5, -2.0], rel=1e-11)


ROOT = """\
import numpy as np


def g(X, A):
    return X @ X - A


# ad: gradient
def f(A: "Matrix[2, 2]"):
    X = np.eye(2)
    # ad: implicit(residual=g)
    for _ in range(40):
        X = 0.5 * (X + np.linalg.inv(X) @ A)
    return X[0, 0] * X[1, 1] - X[0, 1]
"""


def test_an_unknown_may_be_a_matrix():
    made, plain = load_generated(ROOT), load(ROOT)
    A = np.array([[2.0, 0.3], [0.4, 1.5]])
    found = made["f_grad"](A)
    for i in range(2):
        for j in range(2):
            h = np.zeros((2, 2))
            h[i, j] = 1e-4
            slope = (plain["f"](A + h) - plain["f"](A - h)) / 2e-4
            assert found[i, j] == pytest.approx(slope, rel=1e-7)


FIXED_POINT = """\
import numpy as np


def g(x, A, b):
    return x - 0.2 * np.tanh(A @ x) - b


# ad: gradient
def f(A: "Matrix[4, 4]", b: "Vector[4]"):
    x = np.array([0.0, 0.5, 0.0, 0.25])
    # ad: implicit(residual=g)
    for _ in range(60):
        x = 0.2 * np.tanh(A @ x) + b
    return x @ x + x[1]
"""


def test_unknowns_may_be_an_array_that_each_trip_computes_as_a_whole():
    made, plain = load_generated(FIXED_POINT), load(FIXED_POINT)
    A, b = np.arange(16.0).reshape(4, 4) / 20 - 0.3, np.array([0.3, 0.5, 0.1, -0.2])
    by_matrix, by_vector = made["f_grad"](A, b)
    h = np.array([0.0, 1e-4, 0.0, 0.0])
    slope = (plain["f"](A, b + h) - plain["f"](A, b - h)) / 2e-4
    assert by_vector[1] == pytest.approx(slope, rel=1e-7)
    h = np.outer([0.0, 0.0, 1.0, 0.0], h)
    slope = (plain["f"](A + h, b) - plain["f"](A - h, b)) / 2e-4
    assert by_matrix[2, 1] == pytest.approx(slope, rel=1e-7)


def test_an_array_whose_length_only_a_run_knows_is_no_unknown():
    source = ROOT.replace("[2, 2]", "[n, n]").replace("eye(2)", "eye(len(A))")
    (found,) = run(source).diagnostics
    assert found.code == "AD113"
    assert "'X', an unknown of 'g'" in found.message
    assert "np.array([1.0, 0.5])" in found.help


TWO_NAMES = TWO.format(
    residual=ARRAY,
    solver=CHANGED_BEHIND.format(marks="gradient").replace(
        "    # ad", "    z = x\n    # ad"
    ),
)
PART = """\
import numpy as np


def g(x, p):
    return [x[0] ** 2 - p, x[1] - x[0] * p]


# ad: gradient
def f(p: float):
    B = np.ones((2, 2))
    x = B[0]
    # ad: implicit(residual=g)
    for _ in range(40):
        x[0] = 0.5 * (x[0] + p / x[0])
        x[1] = x[0] * p
    return B[0, 0] * B[0, 1]
"""


def test_an_unknown_that_is_another_array_behind_has_no_other_name():
    result = run(TWO_NAMES.replace("return x[0]", "return x[0] + z[1]"))
    (found,) = result.diagnostics
    assert found.code == "AD113"
    assert "'x' has another name" in found.message


def test_an_unknown_is_no_part_of_an_array():
    result = run(PART)
    assert result.text is None
    assert {found.code for found in result.diagnostics} == {"AD113"}
    assert "part of 'B'" in result.diagnostics[0].message
