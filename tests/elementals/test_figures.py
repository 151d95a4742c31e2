"""The columns `ulps` and `domain` of the table, held against what is computed."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from amounts import ANY_ORDER
from elementals.hard_points import HARD
from elementals.sampling import DIGITS, Failure, Point, error_in_ulps, points
from exact import MPMATH
from mpmath import mp, mpf

from ad_transform.derive.kinds.kinds import derive
from ad_transform.elementals import ROWS, TABLE
from ad_transform.elementals.libraries import LIBRARIES
from ad_transform.ir.elemental import CORRECT, EXACT, PYTHON, Elemental
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import LEAF, Apply, Block, Function, Parameter, Var
from ad_transform.ir.types import FLOAT, INT
from ad_transform.ir.typing import result_type
from ad_transform.options import Options

NUMERIC = [row for row in ROWS if row.result in ("float", "promote") and row.points[:1]]
SPELLED = [row for row in NUMERIC if row.known_as or not row.helper]
"""The rows that a source can name; the others come in derivatives only."""

COUNT = 60
UNBOUNDED = 16.0
"""What estimates count for rows without a relative error, in ulps of 1 and v."""

PROVEN = {
    "log_base": "two logarithms and a quotient, each at its worst",
    "hypot": "what Python promises; it measures 0.5",
    "sumprod": "what Python promises",
}
"""Rows whose figure is a bound, and more than what is measured."""


def slack(row: Elemental) -> float:
    """How many times the figure of a row may be what is measured at a few points."""
    return 8.0 if row.helper else 3.0


def worst(row: Elemental) -> float:
    """The largest error at points of any size and at the hardest that are known."""
    drawn = (*points(row, COUNT), *HARD.get(row.name, ()), *row.points)
    errors = (error_in_ulps(row, point) for point in drawn)
    return max((e for e in errors if e is not None), default=0.0)


@pytest.mark.parametrize("row", SPELLED, ids=lambda row: row.name)
def test_no_error_is_larger_than_the_row_says(row: Elemental) -> None:
    found = worst(row)
    if row.name in ("sum", "sum_from"):
        return  # estimates compute the error of a sum
    assert found <= (UNBOUNDED if row.ulps == math.inf else row.ulps)
    if row.ulps not in (EXACT, CORRECT, math.inf) and row.name not in PROVEN:
        assert row.ulps <= slack(row) * found, f"measured {found}"


WRONG_ULPS = {"tanh": 0.5, "sin": 0.5, "expit": 0.5, "exp": 40.0, "sqrt": 0.25}


@pytest.mark.parametrize("name", WRONG_ULPS)
def test_a_wrong_error_fails(name: str) -> None:
    with pytest.raises(AssertionError):
        test_no_error_is_larger_than_the_row_says(
            replace(TABLE[name], ulps=WRONG_ULPS[name])
        )


def test_libraries_claim_no_less_than_correct_rounding() -> None:
    for library in LIBRARIES.values():
        for name, ulps in library.items():
            assert CORRECT <= ulps < math.inf
            assert TABLE[name].ulps < math.inf


def test_portable_figures_are_no_smaller_than_those_of_glibc() -> None:
    for name, ulps in LIBRARIES["portable"].items():
        assert ulps >= TABLE[name].ulps


def test_printed_helpers_err_more_where_what_they_are_made_of_does() -> None:
    printed = [
        row
        for row in ROWS
        if row.spelling(PYTHON).startswith(f"_{row.name}(")
        and CORRECT < row.ulps < math.inf
        and row.name not in ("sumprod", "fma")
    ]
    assert printed
    for row in printed:
        assert LIBRARIES["portable"].get(row.name, 0.0) > row.ulps, row


# --- domains --------------------------------------------------------------------------

# fmt: off
_GRID = (-2.5, -2.0, -1.75, -1.0, -0.5, 0.0, 0.25, 1.0, 1.5, 2.0, 3.25)
# fmt: on
WIDER = {
    "pow": "whole exponents have a slope in x everywhere",
    "math_pow": "whole exponents have a slope in x everywhere",
}
"""Rows that have more points than their domain says."""

_NAMES = {"abs": abs, "floor": math.floor, "min": min}


def within(row: Elemental, point: Point) -> bool:
    """Whether the domain of a row, in its arguments and its result, has a point."""
    scope: dict[str, Any] = {**_NAMES, **row.bind(point)}
    if "v" in row.domain.split():
        scope["v"] = row.compute(*point)
    return not row.domain or bool(eval(row.domain, {}, scope))


@cache
def programs(row: Elemental) -> tuple[Function, Function]:
    """The elemental as a function, and its partials."""
    params = tuple(
        Var(FLOAT if isinstance(x, float) else INT, f"a{k}")
        for k, x in enumerate(row.points[0])
    )
    out = Var(result_type(row, params))
    block = Block(params, (Apply(out, row, params),), (out,))
    parameters = tuple(Parameter(p.hint, (p,)) for p in params)
    function = Function("f", parameters, block, LEAF)
    names = tuple(p.hint for p in params if p.type.is_real)
    options = Options().override(**ANY_ORDER)
    return function, derive(function, "jacobian", names, options=options).function


def has_all(row: Elemental, point: Point) -> bool:
    """Whether value and partials exist at a point, exactly and in floats."""
    function, slopes = programs(row)
    try:
        with mp.workdps(DIGITS):
            exact = [mpf(x) if isinstance(x, float) else x for x in point]
            found = (
                *evaluate(function, exact, MPMATH),
                *evaluate(slopes, exact, MPMATH),
            )
        floats = (*evaluate(function, point), *evaluate(slopes, point))
    except Failure:
        return False
    return all(
        isinstance(x, mpf | float | int) and mp.isfinite(x) for x in (*found, *floats)
    )


def grid(row: Elemental) -> list[Point]:
    """All points of a grid, thinned where there are many arguments."""
    sides = [_GRID if isinstance(x, float) else (1, 2) for x in row.points[0]]
    return list(product(*sides))[:: 1 if len(sides) < 3 else 97]


@pytest.mark.parametrize("row", NUMERIC, ids=lambda row: row.name)
def test_the_domain_is_where_value_and_partials_are(row: Elemental) -> None:
    for point in row.points:
        assert within(row, point)
        assert has_all(row, point)
    for point in grid(row):
        here = within(row, point)
        if here or row.name not in WIDER:
            assert has_all(row, point) == here, point


WRONG_DOMAINS = {"asin": "x > 7", "gamma": "x > 0", "atan2": "x != 0", "log": ""}


@pytest.mark.parametrize("name", WRONG_DOMAINS)
def test_a_wrong_domain_fails(name: str) -> None:
    with pytest.raises(AssertionError):
        test_the_domain_is_where_value_and_partials_are(
            replace(TABLE[name], domain=WRONG_DOMAINS[name])
        )
