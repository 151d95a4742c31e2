"""`# ad: implicit(residual=g)` where the residual reads arrays of run-time length."""

from __future__ import annotations

import black
import numpy as np
import pytest
from amounts import pairs, search
from support import flat as items_of
from support import generate, load, load_generated, run

ONE_ELEMENT = """\
def g(x, a, k, p):
    return a[k] * x**3 + x - p


# ad: {marks}
def f(a: "Vector[n]", p: float):
    s = 0.0
    for k in range(len(a)):
        x = 1.0
        # ad: implicit(residual=g)
        for _ in range(60):
            x = x - g(x, a, k, p) / (3.0 * a[k] * x * x + 1.0)
        s += x * x * k
    return s + a[0]
"""
ALL_ELEMENTS = """\
def g(x, a, p):
    s = 0.0
    for k in range(len(a)):
        s += a[k] * x ** (k + 1)
    return s + x - p


# ad: {marks}
def f(a: "Vector[n]", p: float):
    x = 0.5
    # ad: implicit(residual=g)
    for _ in range(90):
        x = x - 0.4 * g(x, a, p)
    return x * a[0] + p
"""
SYSTEM = """\
def g(x, y, b, p):
    s, t = 0.0, 0.0
    for v in b:
        s += v * x
        t += v * v * y
    return s + x - p, t + y - 0.2 * x * p


# ad: {marks}
def f(a: "Vector[n]", p: float):
    b = [v * p for v in a]
    x, y = 0.5, 0.5
    # ad: implicit(residual=g)
    for _ in range(200):
        first, second = g(x, y, b, p)
        x, y = x - 0.2 * first, y - 0.2 * second
    for i in range(len(b)):
        b[i] = b[i] * x
    return x * y + b[0] * b[1]
"""
CHANGED_EACH_TRIP = """\
def g(x, b, p):
    s = 0.0
    for v in b:
        s += v * x * x
    return s + x - p


# ad: {marks}
def f(a: "Vector[n]", p: float):
    b = [v * p for v in a]
    t = 0.0
    for k in range(len(b)):
        x = 0.5
        # ad: implicit(residual=g)
        for _ in range(200):
            x = x - 0.25 * g(x, b, p)
        b[k] = b[k] * x + t
        t += x
    return t + b[0] * b[1]
"""
ROWS = """\
def g(x, A, k, p):
    s = 0.0
    for j in range(A.shape[1]):
        s += A[k, j] * x ** (j + 1)
    return s + x - p


# ad: {marks}
def f(A: "Matrix[m, n]", p: float):
    t = 0.0
    for k in range(A.shape[0]):
        x = 0.5
        # ad: implicit(residual=g)
        for _ in range(200):
            x = x - 0.3 * g(x, A, k, p)
        t += x * A[k, 0]
    return t
"""
FUNCTION = """\
def total(a, x):
    s = 0.0
    for v in a:
        s = s * x + v
    return s


def g(x, a, p):
    return total(a, x) + 3.0 * x - p


# ad: implicit(residual=g)
def solve(a, p):
    x = 0.5
    for _ in range(100):
        x = x - 0.25 * g(x, a, p)
    return x


# ad: {marks}
def f(a: "Vector[n]", p: float):
    x = solve(a, p)
    return x * total(a, x) + solve([2.0 * v for v in a], p)
"""
VECTOR = np.array([0.3, 0.4, 0.5])
MATRIX = np.array([[0.3, 0.4, 0.5], [0.7, 0.1, 0.2]])
CASES = [
    (ONE_ELEMENT, VECTOR),
    (ALL_ELEMENTS, VECTOR),
    (SYSTEM, VECTOR),
    (CHANGED_EACH_TRIP, VECTOR),
    (ROWS, MATRIX),
    (FUNCTION, VECTOR),
]


def flat(value):
    return np.array(items_of(value))


def slopes(function, at, step=1e-4):
    """The Jacobian of a function of a vector, by differences of fourth order."""
    columns = []
    for unit in step * np.eye(len(at)):
        near = flat(function(at + unit)) - flat(function(at - unit))
        far = flat(function(at + 2 * unit)) - flat(function(at - 2 * unit))
        columns.append((8.0 * near - far) / (12.0 * step))
    return np.array(columns).T


TURNS = "gradient, hessian, jvp", "gradient, vjp, hvp"
"""The kinds that an equation has in turn, or all of them with `--long`."""


@pytest.mark.parametrize(("case", "marks"), pairs(range(len(CASES)), TURNS, 2))
def test_an_equation_may_depend_on_an_array(case, marks):
    source, a = CASES[case]
    marked = source.format(marks=marks)
    text = generate(marked, **search(marked))
    assert black.format_str(text, mode=black.Mode()) == text
    made, plain = load(text), load(source.format(marks="gradient"))
    at = np.array([*a.flat, 0.9])

    def taken_apart(name):
        return lambda z: made[name](z[:-1].reshape(a.shape), z[-1])

    value = plain["f"](a, 0.9)
    gradient = flat(made["f_grad"](a, 0.9))
    by_differences = slopes(lambda z: plain["f"](z[:-1].reshape(a.shape), z[-1]), at)
    assert gradient == pytest.approx(by_differences[0], rel=1e-8, abs=1e-9)
    curved = slopes(taken_apart("f_grad"), at)
    dot = np.linspace(0.5, -1.0, len(at))
    seeds = a, 0.9, dot[:-1].reshape(a.shape), dot[-1]
    if marks == TURNS[0]:
        assert made["f_hess"](a, 0.9) == pytest.approx(curved, rel=1e-7, abs=1e-8)
        found, along = made["f_jvp"](*seeds)
        assert found == value
        assert along == pytest.approx(gradient @ dot, rel=1e-12)
        return
    assert flat(made["f_hvp"](*seeds)) == pytest.approx(curved @ dot, rel=1e-6)
    found, *back = made["f_vjp"](a, 0.9, 3.0)
    assert found == value
    assert flat(back) == pytest.approx(3.0 * gradient, rel=1e-12)


TWO_RECORDS = """\
def g(x, p, n):
    s = 0.0
    for _ in range(n):
        s = s * x + 0.1 * s * s + p
    return s + 3.0 * x - p


# ad: gradient
def f(p: float, n: int):
    x = 0.5
    # ad: implicit(residual=g)
    for _ in range(100):
        x = x - 0.25 * g(x, p, n)
    t = x
    for _ in range(n):
        t = t * x * x + x
    return t
"""


def test_loops_of_a_residual_record_beside_those_around():
    made, plain = load_generated(TWO_RECORDS), load(TWO_RECORDS)
    by_differences = slopes(lambda z: [plain["f"](z[0], 3)], np.array([0.7]))
    assert made["f_grad"](0.7, 3) == pytest.approx(by_differences[0, 0], rel=1e-8)


BESIDE_RECURSION = """\
def power(x, k):
    if k == 0:
        return 1.0
    return x * power(x, k - 1)


def cube(x):
    return x * x * x


def g(x, p):
    return cube(x) + 3.0 * x - p


def solve(p):
    x = 0.5
    # ad: implicit(residual=g)
    for _ in range(100):
        x = x - 0.2 * g(x, p)
    return x


# ad: gradient
def f(p: float, n: int):
    return power(solve(p), n) + cube(p)
"""


@pytest.mark.parametrize("inline", ["auto", "never"])
def test_functions_are_written_out_in_an_equation_only(inline):
    made = load_generated(BESIDE_RECURSION, inline=inline)
    x = load(BESIDE_RECURSION)["solve"](0.7)
    slope = 3.0 * x**2 / (3.0 * x**2 + 3.0) + 3.0 * 0.7**2
    assert made["f_grad"](0.7, 3) == pytest.approx(slope, rel=1e-12)


def test_recursion_in_a_residual_is_refused():
    endless = "return x if x > 1.0 else cube(2.0 * x)"
    found = run(BESIDE_RECURSION.replace("return x * x * x", endless)).diagnostics
    assert [one.code for one in found] == ["AD120"]
    assert "where an equation is solved" in found[0].message
