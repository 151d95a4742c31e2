"""Jacobians and Hessians by columns compute no function of the primal twice: a first
pass records values and partials, and the loop over the columns reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import hyperduals
import numpy as np
import pytest
from hyperduals import Hyper
from support import generate, load, marked

FUNCTIONS = ("exp", "sin", "cos", "tanh", "sqrt", "log")

HEAT = """\
import math


def f(x: "Vector[n]", a, m: int):
    u = list(x)
    n = len(u)
    for _ in range(m):
        v = list(u)
        for i in range(1, n - 1):
            u[i] = v[i] + a * (v[i - 1] - v[i] + v[i + 1]) + 0.01 * math.exp(-v[i])
    return u
"""

ELEMENTS = """\
import math


def f(x: "Vector[n]", a, m: int):
    u = list(x)
    s = 0.2
    for i in range(len(x)):
        s = math.sin(s * x[i] + a)
        u[i] = math.exp(-s) * x[i]
    return u
"""

WHILE = """\
import math


def f(x: "Vector[n]", a, m: int):
    u = list(x)
    for i in range(len(x)):
        k = 0
        s = x[i]
        while k < m and s < 2.0:
            s = s + math.exp(-a * s) * x[0]
            k = k + 1
        u[i] = s
    return u
"""

BRANCH = """\
import math


def f(x: "Vector[n]", a, m: int):
    u = list(x)
    s = 0.5
    for k in range(m):
        for i in range(len(x)):
            if u[i] > s:
                t = math.exp(-s * u[i])
                u[i] = t * x[i] + s
            elif k > 1:
                u[i] = a * math.sin(u[i])
            s = s + 0.1 * u[i]
    return u
"""

INNER = """\
import math


def f(x: "Vector[n]", a, m: int):
    u = list(x)
    for i in range(len(x)):
        if x[i] > 0.3:
            s = x[i]
            for j in range(i):
                s = s * math.exp(-x[j] * s)
            u[i] = s
        else:
            u[i] = math.sin(a * x[i])
    return u
"""

DEEP = """\
import math


def f(x: "Vector[n]", a, m: int):
    u = list(x)
    s, t, r = a, a, a
    for k in range(m):
        for i in range(len(x)):
            for v in x:
                s, t = math.sin(s * v + t), math.exp(-t * s) * v
            r, t = math.sin(r * s) * t, math.exp(-r * t)
            u[i] = s * t * u[i]
        for i in range(len(x)):
            s, r = math.sin(s * x[i]), math.exp(-r * s)
        s, t = math.cos(s * t) + r, math.exp(-s) * t
    return u
"""

STRAIGHT = """\
import math


def f(x: "Vector[n]", a, m: int):
    u = list(x)
    u[0] = math.exp(a * x[0]) * math.sin(x[1])
    return u
"""

SCALAR = """\
import math


def f(x: "Vector[n]", a, m: int):
    s = 0.0
    for i in range(m):
        for v in x:
            s = s + math.exp(-s * v) * a
    return s
"""

CHOSEN = """\
import math


def f(x: "Vector[n]", a, m: int):
    s = a
    k = 0
    while k < m and s < 9.0:
        for v in x:
            if v > 0.3:
                s = s + math.log(1.0 + s * s * v)
            else:
                s = s * math.cos(v)
        k = k + 1
    return s
"""

CHOSEN_CALLS = {4: {"cos": 16, "log": 12, "sin": 16}, 2: {"log": 4}, 0: {}}
"""The gradient alone computes cosines and sines of arms once more."""

ARRAYS = (HEAT, ELEMENTS, WHILE, BRANCH, INNER, DEEP, STRAIGHT)
POINTS = (
    ([0.1, 0.4, 0.7, 0.2, 0.5], 0.2, 4),
    ([0.9, 0.35], 0.6, 2),
    ([0.3, 0.8, 0.31], 0.4, 0),
)


@cache
def _counted(text: str) -> tuple[dict[str, Any], list[str]]:
    """A loaded text, and the functions that it calls, by name, as they are called."""
    names, calls = load(text), list[str]()

    def counting(name: str, function: Callable[[float], float]) -> Any:
        def called(v: float) -> float:
            calls.append(name)
            return function(v)

        return called

    for name in FUNCTIONS:
        if name in names:
            names[name] = counting(name, names[name])
    return names, calls


def _calls(text: str, name: str, point: Any) -> tuple[Any, list[str]]:
    names, calls = _counted(text)
    calls.clear()
    result = names[name](*point)
    return result, sorted(calls)


def _of_primal(source: str, point: Any) -> list[str]:
    """The functions that the source calls, in order of their names."""
    text = source.replace("import math", f"from math import {', '.join(FUNCTIONS)}")
    names, calls = _counted(text.replace("math.", ""))
    calls.clear()
    names["f"](*point)
    return sorted(calls)


def _along(source: str, point: Any, one: int, other: int) -> list[Hyper]:
    """The results, with slopes by two of the elements of x and a."""
    x, a, m = point
    given = [
        Hyper(v, float(k == one), float(k == other)) for k, v in enumerate([*x, a])
    ]
    made = load(source, hyperduals.modules())["f"](given[:-1], given[-1], m)
    found = made if isinstance(made, list) else [made]
    return [hyperduals.hyper(v) for v in found]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("source", ARRAYS)
def test_a_jacobian_calls_each_function_as_often_as_the_primal(
    source: str, point: Any
) -> None:
    text = generate(marked(source, "f", "jacobian(value=True)"))
    (value, matrix), calls = _calls(text, "f_value_and_jac", point)
    slopes = [_along(source, point, j, j) for j in range(len(point[0]) + 1)]
    assert list(value) == [v.value for v in slopes[0]]
    wanted = np.array([[v.s for v in column] for column in slopes]).T
    np.testing.assert_allclose(matrix, wanted, rtol=1e-12, atol=1e-14)
    _are_those(calls, _of_primal(source, point))


def _are_those(calls: list[str], primal: list[str]) -> None:
    """A sine has a cosine for its slope, and the other way round; all else is there."""
    of_slopes = {"sin": "cos", "cos": "sin"}
    slopes = [of_slopes[name] for name in primal if name in of_slopes]
    assert calls == sorted([*primal, *slopes])


@pytest.mark.parametrize("point", POINTS)
def test_a_hessian_calls_each_function_as_often_as_the_primal(point: Any) -> None:
    calls = _of_hessian(SCALAR, point)
    assert calls == ["exp"] * len(point[0]) * point[2]


@pytest.mark.parametrize("point", POINTS)
def test_a_hessian_calls_each_function_as_often_as_the_gradient(point: Any) -> None:
    calls = _of_hessian(CHOSEN, point)
    assert Counter(calls) == CHOSEN_CALLS[point[2]]


def _of_hessian(source: str, point: Any) -> list[str]:
    """The functions that a Hessian calls; its numbers are those of hyperduals."""
    text = generate(marked(source, "f", "hessian(value=True)"))
    (value, _, matrix), calls = _calls(text, "f_value_and_hess", point)
    every = range(len(point[0]) + 1)
    bends = [[_along(source, point, i, j)[0] for j in every] for i in every]
    assert value == bends[0][0].value
    wanted = [[v.st for v in row] for row in bends]
    np.testing.assert_allclose(matrix, wanted, rtol=1e-11, atol=1e-13)
    return calls


def test_numbers_go_along_with_the_values() -> None:
    source = """\
import math


# ad: jacobian(x, p, value=True)
def traj(x, p, n: int):
    out = [0.0] * n
    for k in range(n):
        x = x + 0.1 * math.exp(-p * x)
        out[k] = x
    return out
"""
    _, calls = _calls(generate(source), "traj_value_and_jac", (0.1, 0.4, 10))
    assert calls == ["exp"] * 10


def test_two_arrays_share_one_first_pass() -> None:
    source = """\
import math


# ad: jacobian(x, y)
def f(x: "Vector[n]", y: "Vector[k]"):
    u = list(x)
    s = 1.0
    for v in y:
        s = s * math.exp(-v * s)
    for i in range(len(u)):
        u[i] = math.sin(s * x[i])
    return u
"""
    x, y = [0.3, 0.8, 0.5], [0.2, 0.9]
    matrix, calls = _calls(generate(source), "f_jac", (x, y))
    assert calls == ["cos"] * 3 + ["exp"] * 2
    names = load(source.replace("# ad: jacobian(x, y)\n", ""))

    def at(*z: complex) -> Any:
        return np.array(names["f"](list(z[:3]), list(z[3:])))

    h = 1e-5
    for j in range(5):
        z = np.array([*x, *y])
        e = np.eye(5)[j] * h
        slope = (8 * (at(*(z + e)) - at(*(z - e))) - at(*(z + 2 * e))) / 12 / h
        slope += at(*(z - 2 * e)) / 12 / h
        np.testing.assert_allclose(matrix[:, j], slope, rtol=1e-9, atol=1e-10)


def test_a_primal_of_a_few_operations_is_computed_again() -> None:
    source = """\
# ad: jacobian(x)
def f(x: "Vector[n]", a):
    u = list(x)
    for i in range(1, len(x)):
        u[i] = u[i] + a * u[i - 1] * x[i]
    return u
"""
    text = generate(source)
    assert "append" not in text


def test_states_that_a_loop_may_not_hold_are_computed_again() -> None:
    source = HEAT.replace("    for _", "    # ad: checkpoint(snapshots=2)\n    for _")
    text = generate(marked(source, "f", "jacobian(x)"))
    _, calls = _calls(text, "f_jac", POINTS[0])
    assert calls == ["exp"] * 12 * 5


def test_partials_of_a_kept_function_are_computed_once() -> None:
    source = """\
import math


def g(s, v, a):
    t = math.exp(-s * v)
    return t * a + math.sin(t * v)


# ad: jacobian(x, inline="never")
def f(x: "Vector[n]", a):
    u = list(x)
    s = 0.2
    for i in range(len(x)):
        s = s + g(s, x[i], a)
        u[i] = s
    return u
"""
    _, calls = _calls(generate(source), "f_jac", ([0.3, 0.8, 0.5], 0.6))
    assert Counter(calls) == {"exp": 3, "sin": 3, "cos": 3}


def test_records_that_every_column_reads_together_are_tuples() -> None:
    text = generate(marked(CHOSEN, "f", "hessian(value=True)"))
    assert "for saved in saved_list:" in text
    assert "for v, v_dot, (case_v, case_v_2, s_bar_2) in zip(" in text
    assert "case_v_list" not in text


def test_records_of_one_loop_are_tuples_in_the_loop_over_the_columns() -> None:
    source = """\
import math


# ad: jacobian(x)
def f(x: "Vector[n]", a):
    u = list(x)
    s, t = a, a
    for i in range(len(x)):
        s, t = math.sin(s * x[i] + t), math.exp(-t * s) * x[i]
        u[i] = s * t
    return u
"""
    text = generate(source)
    assert text.count("saved.append((") == 1
    column = text[text.index("for j in range(") :]
    assert ") in enumerate(saved):" in column or ", saved):" in column
    assert "exp(" not in column


def test_loops_that_hold_a_list_under_its_own_name_end() -> None:
    source = """\
import math


# ad: jacobian(x, value=True)
def several(x: "Vector[n]", m: int):
    y = 0.5
    z = 1.0
    for k in range(m):
        for v in x:
            y = math.exp(-y * v)
            z = z + y * v
    return y, z
"""
    _, calls = _calls(generate(source), "several_value_and_jac", ([0.3, 0.8], 3))
    assert calls == ["exp"] * 6


RATES = """\
import math
import numpy as np


def rates(c: "Vector[m]", k: "Vector[r]", t):
    out = np.zeros(len(c))
    for j in range(len(k)):
        w = k[j] * math.exp(-t) * c[j]
        out[j] -= w
        out[j + 1] += w
    return out


# ad: jacobian(k)
def f(c: "Vector[m]", k: "Vector[r]", t, n: int):
    y = c.copy()
    for _ in range(n):
        y = y + 0.5 * rates(y + 0.25 * rates(y, k, t), k, t)
    return y
"""


def test_tangents_as_long_as_nothing_in_their_loop_read_the_first_pass() -> None:
    c, k = np.array([1.0, 0.5, 0.2]), np.array([2.0, 3.0])
    found, calls = _calls(generate(RATES), "f_jac", (c, k, 0.5, 3))
    assert calls == ["exp"] * 2 * 2 * 3
    plain = load(RATES)["f"]
    steps = 1e-6 * np.eye(2)
    slopes = [plain(c, k + s, 0.5, 3) - plain(c, k - s, 0.5, 3) for s in steps]
    np.testing.assert_allclose(found.T, np.array(slopes) / 2e-6, rtol=1e-7, atol=1e-9)


RHS = """\
import math
import numpy as np


def rhs(y, p):
    out = np.zeros(len(y))
    for i in range(len(y)):
        out[i] = math.exp(-p[0] * y[i]) - p[1] * y[i]
    return out


# ad: MARK
def f(y: "Vector[n]", p: "Vector[r]", h, end):
    t = 0.0
    while t < end:
        k1 = rhs(y, p)
        k2 = rhs(y + h * k1, p)
        if np.max(np.abs(k2 - k1)) * h > 0.05:
            h = 0.5 * h
        else:
            y = y + 0.5 * h * (k1 + k2)
            t = t + h
    return RESULT
"""

STEPS = ([0.3, 0.8, 0.5], [0.7, 0.4], 0.4, 1.0)


def test_equations_by_a_helper_compute_each_function_once() -> None:
    source = RHS.replace("RESULT", "y")
    primal = source.replace("import math", "from math import exp")
    _, calls = _calls(primal.replace("math.", ""), "f", STEPS)
    amount = len(calls)
    text = generate(source.replace("MARK", "jacobian(y, p)"))
    matrix, calls = _calls(text, "f_jac", STEPS)
    assert len(calls) == amount
    slopes = _slopes(load(source)["f"])
    np.testing.assert_allclose(matrix, slopes, rtol=1e-6, atol=1e-7)


def _slopes(f: Callable[..., Any]) -> Any:
    y, p, h, end = STEPS
    found = []
    for e in 1e-6 * np.eye(5):
        up = f(np.array(y) + e[:3], np.array(p) + e[3:], h, end)
        down = f(np.array(y) - e[:3], np.array(p) - e[3:], h, end)
        found.append((up - down) / 2e-6)
    return np.array(found).T


def test_a_hessian_of_equations_computes_each_function_as_often_as_the_gradient() -> (
    None
):
    source = RHS.replace("RESULT", "np.sum(y * y)")
    text = generate(source.replace("MARK", "gradient(y), hessian(y)"))
    gradient, calls = _calls(text, "f_grad", STEPS)
    amount = len(calls)
    matrix, calls = _calls(text, "f_hess", STEPS)
    assert len(calls) == amount
    grad = load(text)["f_grad"]
    slopes = [
        (grad(np.array(STEPS[0]) + e, *STEPS[1:]) - gradient) / 1e-7
        for e in 1e-7 * np.eye(3)
    ]
    np.testing.assert_allclose(matrix, np.array(slopes), rtol=1e-4, atol=1e-5)


def test_numbers_that_stand_for_arrays_are_no_factors_in_the_columns() -> None:
    source = RHS.replace("RESULT", "np.sum(y * y)").replace("MARK", "hessian(y)")
    text = generate(source)
    assert "broadcast_to(1.0" not in text
    assert "y_bar_dot = 2.0 * y_dot" in text
