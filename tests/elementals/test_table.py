"""The table tests itself: every partial of every row at its points, against mpmath."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from amounts import ANY_ORDER
from elementals.sampling import slope
from exact import MPMATH
from mpmath import mp, mpf
from support import case

from ad_transform.derive.kinds.kinds import derive
from ad_transform.elementals import ALIASES, CONSTANTS, ROWS, TABLE, residuals
from ad_transform.elementals.helpers import HELPERS, needs
from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import CORRECT, EXACT, PYTHON, Elemental, Form, Modulo
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import LEAF, Apply, Block, Function, Parameter, Var
from ad_transform.ir.template import names, parse_template
from ad_transform.ir.types import FLOAT, INT, Type
from ad_transform.ir.typing import result_type
from ad_transform.options import Options

REAL = [
    (row, point)
    for row in ROWS
    for point in row.points
    if row.result in ("float", "promote")
]
STEPS = {"sign", "heaviside", "round_to", "floordiv"}  # their derivative is zero

OPTIONS = Options().override(**ANY_ORDER)


def type_of(value: float) -> Type:
    return INT if isinstance(value, int) else FLOAT


def single(row: Elemental, types: tuple[Type, ...]) -> Function:
    """The function that is one elemental."""
    params = tuple(Var(own, f"a{k}") for k, own in enumerate(types))
    out = Var(result_type(row, params))
    parameters = tuple(Parameter(p.hint, (p,)) for p in params)
    block = Block(params, (Apply(out, row, params),), (out,))
    return Function("f", parameters, block, LEAF)


def derived(row: Elemental, point: tuple[float, ...], kind: str) -> Function:
    """What a row becomes, once for all points of the same types."""
    return _derived(row.name, tuple(map(type_of, point)), kind)


@cache
def _derived(name: str, types: tuple[Type, ...], kind: str) -> Function:
    active = tuple(f"a{k}" for k, own in enumerate(types) if own == FLOAT)
    return derive(single(TABLE[name], types), kind, active, options=OPTIONS).function


@pytest.mark.parametrize(("row", "point"), REAL, ids=lambda x: getattr(x, "name", None))
def test_partials(row: Elemental, point: tuple[float, ...]) -> None:
    found = evaluate(derived(row, point, "jacobian"), point)
    places = [k for k, x in enumerate(point) if isinstance(x, float)]
    for value, k in zip(found, places, strict=True):
        assert mp.almosteq(value, slope(row, point, k), rel_eps=1e-14, abs_eps=1e-15)


@pytest.mark.parametrize(("row", "point"), REAL, ids=lambda x: getattr(x, "name", None))
def test_second_partials(row: Elemental, point: tuple[float, ...]) -> None:
    first = derived(row, point, "gradient")
    found = evaluate(derived(row, point, "hessian"), point)
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


def test_rows_are_complete() -> None:
    for row in ROWS:
        with case(row.name):
            check_complete(row)


def check_complete(row: Elemental) -> None:
    """Nothing that others ask of a row is missing."""
    known = {p.lstrip("*") for p in row.parameters} | {"v"} | set(row.parameters)
    mode = "exec" if row.layout is not None else "eval"  # some change an array
    compile(row.spelling(PYTHON), row.name, mode)
    if row.layout is not None or row.result == "same":  # arrays, or helpers
        is_sum = row.name == "total"  # what catches an overflow beside it is 0 or nan
        zeros = ("1" if is_sum else "0",) * len(row.parameters)
        assert row.partials in (("",), zeros)
        assert not (row.points or row.parts or row.common or row.domain)
        return
    assert len(row.partials) == len(row.parameters)
    for text in (*row.partials, *row.parts, *filter(None, (row.common, row.domain))):
        template = parse_template(text)
        assert set(names(template)) <= known
    assert row.points
    assert not list(missing(row))


MET = {"float", "promote", "int", "bool"}
"""Results of rows that estimates may meet, but for their own."""


def missing(row: Elemental) -> Iterator[str]:
    """What a row lacks that estimates of errors ask for."""
    places, whole = len(row.parameters), Form.WHOLE
    if row.result not in MET or row in residuals.ROWS:
        return
    if row.form is Form.FUNCTION and row.enclosure is None:
        yield "a curve, a box, or the reason why there is none"
    if row.form is Form.REMAINDER and not isinstance(row.enclosure, Modulo):
        yield "where its quotient jumps"
    if CORRECT < row.ulps < math.inf and not row.portable >= row.ulps:
        yield "its error in other libraries"
    if row.ulps not in (EXACT, CORRECT) and not row.source:
        yield "where its error comes from"
    if len(row.guard) not in (0, places) or len(row.cancels) not in (0, places):
        yield "a guard for every partial"
    if (row.form is Form.CHOICE) != bool(row.prefers):
        yield "which argument it takes"
    if row.form is not whole and row.kink.endswith("steps") and not row.jumps:
        yield "that it jumps"


# fmt: off
INCOMPLETE: list[tuple[str, dict[str, object]]] = [
    ("expit", {"enclosure": None}), ("mod", {"enclosure": None}),
    ("tanh", {"portable": 0.0}), ("tanh", {"portable": 1.0}), ("tanh", {"source": ""}),
    ("hypot", {"guard": ("1", "1")}), ("max", {"prefers": ""}),
    ("floordiv", {"jumps": False}),
]
# fmt: on


@pytest.mark.parametrize(("name", "change"), INCOMPLETE, ids=str)
def test_an_incomplete_row_is_refused(name: str, change: dict[str, object]) -> None:
    with pytest.raises(AssertionError):
        check_complete(replace(TABLE[name], **change))  # type: ignore[arg-type]


def test_a_row_without_its_helper_is_refused() -> None:
    with pytest.raises(KeyError):
        printed("nowhere", "x", ("1",), points=((1.0,),), ulps=1.0)


def test_helpers_read_what_math_or_others_have() -> None:
    for name, text in HELPERS.items():
        loaded = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
        scope = {*needs(name), *dir(builtins), *_bound(text)}
        assert loaded <= scope, name


def _bound(text: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(text)))
    names = (n for n in nodes if isinstance(n, ast.Name))
    stored = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return stored | {n.arg for n in nodes if isinstance(n, ast.arg)}


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
