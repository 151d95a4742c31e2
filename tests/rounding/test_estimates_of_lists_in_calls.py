"""Estimates of functions that call themselves with lists in error."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from mpmath import mp, mpf
from support import load, load_generated

DIGITS = 60

FUNCTIONS = """def horner(a, x, k):
    if k == 0:
        return 1.0
    return horner(a, x, k - 1) * x + a[k - 1] / 3.0


def fill(u, i):
    if i >= len(u):
        return 0.0
    u[i] = u[i] * 1.1 + (u[i - 1] / 3.0 if i > 0 else 0.1)
    return fill(u, i + 1) * 0.5 + u[i]


def scaled(u, s, n):
    if n == 0:
        return u
    return [a * s + 0.1 for a in scaled(u, s, n - 1)]


# ad: MARKS
"""

BODIES = {
    "memo": """def f(a: "Vector[n]", x: float):
    memo = {}

    def fib(k):
        if k < 2:
            return x * k + 1.0
        if k not in memo:
            memo[k] = fib(k - 1) + a[0] * fib(k - 2)
        return memo[k]

    return fib(7) * x, memo[5]
""",
    "read": """def f(a: "Vector[n]", x: float):
    return horner([2.1 * v for v in a], x, 3)
""",
    "given": """def f(a: "Vector[n]", x: float):
    return horner(a, x, len(a))
""",
    "changed": """def f(a: "Vector[n]", x: float):
    u = [v * x for v in a]
    s = fill(u, 0)
    return s, u[2]
""",
    "returned": """def f(a: "Vector[n]", x: float):
    w = scaled([v * 0.3 for v in a], x, 3)
    return w[0] * w[1] + w[2], w
""",
    "in a loop": """def f(a: "Vector[n]", x: float):
    s = x
    for k in range(3):
        s = s + horner([v * s for v in a], x, k)
    return s
""",
}


class _Exact(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, float):
            return node
        return ast.Call(ast.Name("mpf", ast.Load()), [node], [])


@cache
def made(name: str, inputs: str) -> dict[str, Any]:
    own = f'"actual"{inputs}', f'"enclosure"{inputs}', f'"iri"{inputs}'
    marks = ", ".join(
        (f'error(model="linear"{inputs})', *(f"error(model={o})" for o in own))
    )
    source = (FUNCTIONS + BODIES[name]).replace("MARKS", marks)
    tree = ast.fix_missing_locations(_Exact().visit(ast.parse(source)))
    exact = load(ast.unparse(tree), names={"mpf": mpf})["f"]
    return {**load_generated(source), "f": load(source)["f"], "exact": exact}


def flat(value: Any) -> list[Any]:
    several = isinstance(value, tuple | list) or getattr(value, "ndim", 0)
    return [w for v in value for w in flat(v)] if several else [value]


POINTS = [([0.3, 0.77, -1.3], 1.13), ([-2.1, 0.01, 5.7], 0.4), ([1.0, 2.0, 0.5], 3.0)]


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize(("a", "x"), POINTS)
def test_estimates_hold(name: str, a: list[float], x: float) -> None:
    found = made(name, "")
    values = flat(found["f"]([*a], x))
    with mp.workdps(DIGITS):
        exact = flat(found["exact"]([*map(mpf, a)], mpf(x)))
        true = [float(mpf(v) - e) for v, e in zip(values, exact, strict=True)]
    bounds = _of(found["f_err"], a, x, values)
    errors = _of(found["f_err_actual"], a, x, values)
    ends = _of(found["f_err_enclosure"], a, x, values)
    assert flat(found["f_err_iri"]([*a], x)[0]) == values
    for k, error in enumerate(true):
        bound, _ = (own[k] for own in bounds)
        value, doubt = (own[k] for own in errors)
        low, high = (own[k] for own in ends)
        assert abs(error) <= bound < 1e-11
        assert doubt == 0.0
        assert value == pytest.approx(error, rel=1e-6, abs=1e-25)
        assert low <= -error <= high
        assert high - low <= 1e-9 * bound


@pytest.mark.parametrize("name", BODIES)
def test_errors_of_lists_that_are_given_count(name: str) -> None:
    a, x = POINTS[0]
    exact, rounded = (
        made(name, own)["f_err"]([*a], x)[1] for own in ("", ", inputs='rounded'")
    )
    assert all(r > e for r, e in zip(flat(rounded), flat(exact), strict=True))


def _of(
    function: Callable[..., Any], a: list[float], x: float, values: list[float]
) -> list[list[float]]:
    """The estimates of each kind, one for each value."""
    value, *found = function([*a], x)
    assert flat(value) == values
    return [flat(each) for each in found]
