"""Estimates through whole arrays of run-time shape, against sixty digits."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import exact_numpy
import numpy as np
import pytest
from amounts import NUMBERS
from mpmath import mp
from rounding.test_estimates import MODELS
from rounding.test_structured_estimates import holds
from support import generate, load

from ad_transform.derive.rounding.wholes import element_by_element
from ad_transform.diagnostics import Refusal
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import LEAF, Apply, Block, Function, Var
from ad_transform.ir.types import FLOAT, Type

HEAD = "import numpy as np\n\n\n"
MARK = "# ad: " + ", ".join(f'error(model="{m}", name="f_{m}")' for m in MODELS)
SOURCE = """def f(x: "Vector[n]", A: "Matrix[m, n]", t: float, k: int):
    w = A @ x + t
    kept = np.where(w > 0.0, np.log(abs(w)), 0.1 * w)
    for _ in range(k):
        x = x.copy()
        x[1:] += np.exp(-x[:-1])
    x[x > 1.0] *= 0.7
    y = A.T @ kept * np.cumsum(x)
    G = A @ A.T * np.prod(x)
    far = np.linalg.norm(y - np.max(A, axis=0))
    return far / np.mean(A[:, [-1, 0]] @ x[:2]) + G[0, 1]
"""
X = [0.3, 0.9, -0.4]
POINTS: list[tuple[Any, ...]] = [
    (X, [[0.4, -1.1, 0.7], [1.3, 0.2, 0.6]], 0.3, 2),
    (X[:2], [[0.4, 1.1], [1.3, 0.2], [-0.8, 0.7], [0.1, 0.3]], -0.7, 0),
]


@cache
def made() -> dict[str, Any]:
    return load(generate(f"{HEAD}{MARK}\n{SOURCE}", **NUMBERS))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("point", POINTS)
def test_estimates_hold(point: tuple[Any, ...], model: str) -> None:
    exact = load(HEAD + SOURCE, exact_numpy.modules())["f"]
    value, *found = made()[f"f_{model}"](*point)
    error = mp.mpf(value) - exact(*map(exact_numpy.lifted, point))
    assert holds(model, error, tuple(found)) and all(map(math.isfinite, found))
    plain = load(HEAD + SOURCE)["f"]
    assert value == pytest.approx(plain(*map(np.array, point)), rel=1e-13)


def estimates(result: str, x: list[float]) -> tuple[float, ...]:
    marks = '# ad: error, error(model="actual")'
    text = f'{HEAD}{marks}\ndef f(x: "Vector[n]"):\n    return {result}\n'
    made = load(generate(text, **NUMBERS))
    return *made["f_err"](x), *made["f_err_actual"](x)


def test_a_sum_is_that_of_numpy_and_its_error_is_what_it_did() -> None:
    x = [math.sin(k) for k in range(100)]
    value, bound, _, _, err, unc = estimates("np.sum(x)", x)
    error = mp.mpf(value) - mp.fsum(x)
    assert value == np.sum(x) and unc == 0.0
    assert err == pytest.approx(float(error)) and bound == pytest.approx(abs(err))


def test_elements_of_whole_arrays_count_as_inputs() -> None:
    mark = '# ad: error(uncertainties="x=1e-3, A=1e-2")\n'
    head = 'def f(x: "Vector[n]", A: "Matrix[m, n]"):\n'
    text = f"{HEAD}{mark}{head}    return np.sum(A * A) - x @ x\n"
    x, A = np.array([0.5, -2.0]), np.array([[1.0, 2.0], [-3.0, 0.5], [0.0, 1.0]])
    _, bound, _ = load(generate(text, **NUMBERS))["f_err"](x, A)
    worst = 2.0 * (1e-2 * np.sum(abs(A)) + 1e-3 * np.sum(abs(x)))
    assert bound == pytest.approx(worst, rel=1e-9)


def test_a_sum_that_has_lost_its_digits_and_divides_is_of_unknown_error() -> None:
    _, bound, _, _, _, unc = estimates("1.0 / np.sum(x)", [1e16, 1.5, -1e16, 1.0])
    assert bound == unc == math.inf


def test_an_operation_without_a_form_in_elements_is_refused() -> None:
    """`gathered` stands in derivatives only while these are made."""
    out, x = (Var(Type(FLOAT.kind, (), (n,))) for n in (1, "n"))
    block = Block((x,), (Apply(out, TABLE["gathered"], (x, out)),), (out,))
    with pytest.raises(Refusal, match="not estimated yet"):
        element_by_element(Function("f", (), block, LEAF, 1))


def test_elements_are_listed_once() -> None:
    head = 'def f(A: "Matrix[m, n]", x: "Vector[n]"):\n'
    text = generate(f"{HEAD}# ad: error\n{head}    return A @ (x * x)\n", effort=0)
    assert text.count(".tolist()") == 2 and "+ 0.0" not in text


def test_products_of_rows_are_those_of_each_row() -> None:
    source = f'{HEAD}# ad: error\ndef f(A: "Matrix[n, 3]", B: "Matrix[n, 3]"):\n'
    source += "    return np.cross(A, B)\n"
    a, b = np.array([[1.0, 2.5, -0.5], [0.3, 0.7, 2.0]]), np.ones((2, 3))
    value, bound, _ = load(generate(source))["f_err"](a, b)
    assert (value == np.cross(a, b)).all() and (bound < 1e-14).all()


@pytest.mark.parametrize("n", [0, 4])
def test_places_of_nothing_are_whole_numbers(n: int) -> None:
    """`np.array([])` is an array of floats, by which numpy takes nothing."""
    source = """# ad: error
def f(a: float, n: int):
    u = [(a * (k % 2), a - k) for k in range(n)]
    s = 0.0
    for p, q in sorted(u):
        s = 0.5 * s + p * q
    return s
"""
    value, bound, _ = load(generate(source, effort=0))["f_err"](0.7, n)
    assert value == load(source)["f"](0.7, n)
    assert bound < 1e-14
