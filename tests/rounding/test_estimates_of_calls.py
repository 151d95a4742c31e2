"""Estimates of functions that call themselves."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from amounts import NUMBERS
from rounding.array_programs import estimates
from rounding.test_estimates import MODELS, near
from support import generate, load, load_generated, run

CHAIN = """def chain(x, n):
    if n == 0:
        return x
    y = chain(x, n - 1)
    return 3.7 * y * (1.0 - y)


# ad: MARK
def f(x: float, n: int):
    return chain(x, n)


# ad: MARK
def g(x: float):
    for _ in range(5):
        x = 3.7 * x * (1.0 - x)
    return x
"""
NAMES = {"linear": "err", "iri": "err_iri", "actual": "err_actual"}


@pytest.mark.parametrize("model", NAMES)
def test_a_function_is_what_it_unrolls_to(model: str) -> None:
    mark = f'error(model="{model}", uncertainties="x=1e-9")'
    made = load_generated(CHAIN.replace("MARK", mark))
    one = made[f"f_{NAMES[model]}"](0.3, 5)
    other = made[f"g_{NAMES[model]}"](0.3)
    assert one[0] == other[0]
    assert one[1:] == near(other[1:], rel=1e-6, abs=1e-30)


def test_decimals_in_functions_count() -> None:
    mark = 'error(model="actual", literals="decimal")'
    made = load_generated(CHAIN.replace("MARK", mark))
    one, other = made["f_err_actual"](0.3, 5), made["g_err_actual"](0.3)
    assert one == near(other, rel=1e-9)
    assert one[1] != estimates_of_doubles(0.3)


def estimates_of_doubles(x: float) -> float:
    made = load_generated(CHAIN.replace("MARK", 'error(model="actual")'))
    error: float = made["f_err_actual"](x, 5)[1]
    return error


@pytest.mark.parametrize("model", MODELS)
def test_a_function_that_may_take_another_way_is_flagged(model: str) -> None:
    (_, *own), _ = estimates("pair", (0.7, 4), model)
    assert all(map(math.isfinite, own))
    wide = ', uncertainties="x=1.0"'
    (_, *own), _ = estimates("pair", (0.7, 4), model, wide)
    assert not any(map(math.isfinite, own))


def test_reports_are_refused() -> None:
    said, *_ = run(CHAIN.replace("MARK", "error(report=True)")).diagnostics
    assert said.code == "AD031" and "report" in said.message


HORNER = """def horner(a, x, k):
    if k == 0:
        return 1.0
    y = horner(a, x, k - 1)
    return y * x + a[k - 1] / 3.0


# ad: MARK
def f(a: "Vector[n]", x: float):
    total = 0.0
    for v in a:
        total += horner(a, x * v, len(a))
    return total


# ad: MARK
def g(a: "Vector[n]", x: float):
    total = 0.0
    for v in a:
        u, y = x * v, 1.0
        for c in a:
            y = y * u + c / 3.0
        total += y
    return total
"""
COEFFICIENTS = [0.7, -1.3, 0.4, 0.9]


@pytest.mark.parametrize("model", NAMES)
def test_a_function_may_read_a_list_at_each_level(model: str) -> None:
    made = load_generated(HORNER.replace("MARK", f'error(model="{model}")'))
    one = made[f"f_{NAMES[model]}"](COEFFICIENTS, 0.8)
    other = made[f"g_{NAMES[model]}"](COEFFICIENTS, 0.8)
    assert one[0] == other[0]
    assert one[1:] == near(other[1:], rel=1e-6, abs=1e-30)


def test_an_enclosure_holds_where_a_list_is_read_at_each_level() -> None:
    made = load_generated(HORNER.replace("MARK", 'error(model="enclosure")'))
    value, low, high = made["f_err_enclosure"](COEFFICIENTS, 0.8)
    total = Fraction(0)
    for v in map(Fraction, COEFFICIENTS):
        y = Fraction(1)
        for c in map(Fraction, COEFFICIENTS):
            y = y * Fraction(0.8) * v + c / 3
        total += y
    assert low <= total - Fraction(value) <= high < 1e-14


@pytest.mark.parametrize(
    ("mark", "given"), [("error", "[2.0 * v for v in a]"), ("error(a)", "a")]
)
def test_lists_with_errors_are_refused_where_recursion_reads_them(
    mark: str, given: str
) -> None:
    source = HORNER.replace("horner(a, x * v", f"horner({given}, x * v")
    found = run(source.replace("MARK", mark)).diagnostics
    assert {one.code for one in found} == {"AD031"}
    assert "gives or is given" in found[0].message


def test_parameters_of_one_name_have_errors_of_their_own() -> None:
    source = """def half(g, a, n):
    return g(a) if n <= 0 else half(g, 0.5 * a, n - 1) + half(g, a + 0.5, n - 1)

# ad: error
def f(a, k, n: int):
    return half(lambda t: k * t * a, k, n)
"""
    value, bound, _ = load(generate(source, **NUMBERS))["f_err"](0.7, 0.3, 2)
    assert value == load(source)["f"](0.7, 0.3, 2)
    assert 0.0 < bound < 1e-14
