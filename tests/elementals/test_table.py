"""The table tests itself: every partial of every row at its points, against mpmath."""

from __future__ import annotations

from typing import Any

import pytest
from exact import MPMATH
from mpmath import mp, mpf

from ad_transform.derive.kinds import derive
from ad_transform.elementals import ALIASES, CONSTANTS, ROWS, TABLE
from ad_transform.elementals.helpers import HELPER_IMPORTS, HELPERS
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import LEAF, Apply, Block, Function, Parameter, Var
from ad_transform.ir.template import names, parse_template
from ad_transform.ir.types import FLOAT, INT, Type
from ad_transform.ir.typing import result_type

REAL = [
    (row, point)
    for row in ROWS
    for point in row.points
    if row.result in ("float", "promote")
]
STEPS = {"sign", "heaviside", "round_to", "floordiv"}  # their derivative is zero


def type_of(value: float) -> Type:
    return INT if isinstance(value, int) else FLOAT


def single(row: Elemental, point: tuple[float, ...]) -> Function:
    """The function that is one elemental."""
    params = tuple(Var(type_of(x), f"a{k}") for k, x in enumerate(point))
    out = Var(result_type(row, params))
    parameters = tuple(Parameter(p.hint, (p,)) for p in params)
    block = Block(params, (Apply(out, row, params),), (out,))
    return Function("f", parameters, block, LEAF)


def active(point: tuple[float, ...]) -> tuple[str, ...]:
    return tuple(f"a{k}" for k, x in enumerate(point) if isinstance(x, float))


def slope(row: Elemental, point: tuple[float, ...], k: int) -> Any:
    """The derivative at a point by the difference quotient with 60 digits."""
    compute, h = MPMATH(row), mpf(10) ** -20
    ends = [[mpf(x) if isinstance(x, float) else x for x in point] for _ in range(2)]
    ends[0][k] -= h
    ends[1][k] += h
    return (compute(*ends[1]) - compute(*ends[0])) / (2 * h)


@pytest.mark.parametrize(("row", "point"), REAL, ids=lambda x: getattr(x, "name", None))
def test_partials(row: Elemental, point: tuple[float, ...]) -> None:
    made = derive(single(row, point), "jacobian", active(point))
    found = evaluate(made.function, point)
    places = [k for k, x in enumerate(point) if isinstance(x, float)]
    for value, k in zip(found, places, strict=True):
        assert mp.almosteq(value, slope(row, point, k), rel_eps=1e-14, abs_eps=1e-15)


@pytest.mark.parametrize(("row", "point"), REAL, ids=lambda x: getattr(x, "name", None))
def test_second_partials(row: Elemental, point: tuple[float, ...]) -> None:
    first = derive(single(row, point), "gradient", active(point)).function
    second = derive(single(row, point), "hessian", active(point)).function
    found = evaluate(second, point)
    places = [k for k, x in enumerate(point) if isinstance(x, float)]
    h = mpf(10) ** -20
    for column, k in enumerate(places):
        ends = [list(map(mpf, point)) for _ in range(2)]
        ends[0][k] -= h
        ends[1][k] += h
        low, high = (evaluate(first, tuple(end), MPMATH) for end in ends)
        for line in range(len(places)):
            exact = (high[line] - low[line]) / (2 * h)
            value = found[line * len(places) + column]
            assert mp.almosteq(value, exact, rel_eps=1e-13, abs_eps=1e-14)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row_is_complete(row: Elemental) -> None:
    known = {p.lstrip("*") for p in row.parameters} | {"v"} | set(row.parameters)
    if row.result in ("element", "same", "pack"):
        return  # arrays: their derivatives are structural
    assert len(row.partials) == len(row.parameters)
    for text in (*row.partials, *row.parts, *filter(None, (row.common, row.domain))):
        template = parse_template(text)
        assert set(names(template)) <= known
    assert row.ulps >= 0
    assert row.points
    compile(row.spelling, row.name, "eval")


@pytest.mark.parametrize("row", [r for r in ROWS if r.common], ids=lambda r: r.name)
def test_two_stages_give_the_partials(row: Elemental) -> None:
    for point in row.points:
        scope = dict(zip(row.parameters, point, strict=True))
        scope["v"] = row.compute(*point)
        common = eval(row.common, {}, scope)
        for part, whole in zip(row.parts, row.partials, strict=True):
            assert common * eval(part, {}, scope) == pytest.approx(
                eval(whole, {}, scope), rel=1e-15
            )


def test_steps_are_flat() -> None:
    for name in STEPS:
        assert set(TABLE[name].partials) <= {"0", "1 if x == 0 else 0"}


def test_qualified_names_are_recognised_once() -> None:
    known = [name for row in ROWS for name in row.known_as]
    assert len({*known, *ALIASES}) == len(known) + len(ALIASES)
    assert not set(CONSTANTS) & {*known, *ALIASES}


def test_aliases_use_known_elementals() -> None:
    for alias in ALIASES.values():
        assert set(names(parse_template(alias.template))) <= set(alias.parameters)


def test_helpers_name_what_they_need() -> None:
    assert set(HELPERS) == set(HELPER_IMPORTS)
    for row in ROWS:
        called = row.spelling.partition("(")[0]
        assert not called.startswith("_") or called in HELPERS
