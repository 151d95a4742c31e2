"""Every row that estimates may meet has what they need of it, and that never raises."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from elementals.sampling import points as sampled
from elementals.sampling import slope
from exact import MPMATH
from mpmath import mp, mpf

from ad_transform.derive.rounding.guards import guarded
from ad_transform.elementals import ROWS, TABLE
from ad_transform.elementals.residuals import ROWS as OWN
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Box, Curve, Elemental, Modulo
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import LEAF, Block, Function, Operand, Parameter, Var
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.ir.types import FLOAT, INT

MET = [
    row
    for row in ROWS
    if row.result in ("float", "promote", "int", "bool") and row not in OWN
]
FLOATING = [row for row in MET if row.result in ("float", "promote")]
# fmt: off
_EDGES = (
    *(0.0, -0.0, 5e-324, 1e-310, 1e-253, 1e-160, 1e-20, 0.5, 0.9999999999999999),
    *(1.0, 1.4616321449683622, 2.0, 3.0, 170.5, 1e17, 1e160, 1.7e308, math.inf),
)
# fmt: on
EDGES = (*_EDGES, *(-x for x in _EDGES[2:]), math.nan)
REACHES = (0.0, 5e-324, 1e-17, 0.1, 1e300, math.inf)
Failure = (ArithmeticError, ValueError, TypeError)


CURVED = [row for row in MET if isinstance(row.enclosure, Curve)]
BOXED = [row for row in MET if isinstance(row.enclosure, Box)]


class Sheet:
    """Templates over the arguments of a row, its result and further numbers."""

    def __init__(self, row: Elemental, further: str = "") -> None:
        self.builder = Builder(TABLE, LAWS_TO_THE_BIT)
        self.args = tuple(
            Var(INT if isinstance(x, int) else FLOAT, f"a{k}")
            for k, x in enumerate(row.points[0])
        )
        self.params = (*self.args, *(Var(FLOAT, name) for name in ("v", *further)))
        bound = row.bind(self.args)
        self.env: dict[str, Operand] = {
            name: arg[0] if isinstance(arg, tuple) else arg
            for name, arg in bound.items()
        }
        self.env |= {p.hint: p for p in self.params[len(self.args) :]}

    def program(self, templates: Sequence[str]) -> Function:
        """The function of arguments, result and further numbers to the templates."""
        made = [
            instantiate(parse_template(t), self.env, self.builder) for t in templates
        ]
        block = Block(self.params, tuple(self.builder.body), tuple(made))
        own = tuple(Parameter(p.hint, (p,)) for p in self.params)
        return Function("f", own, block, LEAF)


@cache
def partials(row: Elemental, curved: bool) -> Function:
    sheet = Sheet(row)
    wanted = [
        t for t in guarded(row, sheet.args, curved, curved).partials if "*" not in t[:1]
    ]
    return sheet.program([t for t in wanted if "count_equal" not in t])


@cache
def curve_of(row: Elemental) -> Function:
    assert isinstance(row.enclosure, Curve)
    return Sheet(row, "d").program((row.enclosure.slope, row.enclosure.turn))


@cache
def box_of(row: Elemental) -> Function:
    assert isinstance(row.enclosure, Box)
    return Sheet(row, "de").program((row.enclosure.reach,))


def points(row: Elemental) -> list[tuple[float, ...]]:
    """Edges in every argument, thinned where there are many."""
    model = row.points[0]
    sides = [(1, 2, 3) if isinstance(x, int) else EDGES for x in model]
    return list(product(*sides))[:: (1, 1, 3, 499, 9973)[len(model)]]


def with_value(row: Elemental) -> list[tuple[float, ...]]:
    """The points at which the row has a value, and that value behind them."""
    found = []
    for point in points(row):
        try:
            value = row.compute(*point)
        except Failure:
            continue
        if not isinstance(value, complex):
            found.append((*point, value))
    return found


@pytest.mark.parametrize("row", FLOATING, ids=lambda row: row.name)
def test_no_partial_raises_where_the_row_has_a_value(row: Elemental) -> None:
    for place in with_value(row):
        for curved in (False, True):
            evaluate(partials(row, curved), place)


@pytest.mark.parametrize("row", CURVED, ids=lambda row: row.name)
def test_no_curve_raises_where_the_row_has_a_value(row: Elemental) -> None:
    program = curve_of(row)
    for place in with_value(row):
        for d in REACHES:
            evaluate(program, (*place, d))


@pytest.mark.parametrize("row", BOXED, ids=lambda row: row.name)
def test_no_box_raises_where_the_row_has_a_value(row: Elemental) -> None:
    program = box_of(row)
    for place in with_value(row):
        for d, e in zip(REACHES, (*REACHES[1:], 0.0), strict=True):
            evaluate(program, (*place, d, e))


# --- what curves, boxes, guards and flags say is true ---------------------------------

REFUSED = {"sum", "sum_from", "fsum", "max_of", "min_of"}
"""Rows whose guards are those of their terms."""


def near_points(row: Elemental) -> list[tuple[float, ...]]:
    """The row's own points and some others where it is computed."""
    drawn = (*row.points, *sampled(row, 20, "near"))
    return [p for p in drawn if all(1e-6 < abs(x) < 10.0 for x in p)]


def exactly(row: Elemental, *point: float) -> mpf | None:
    """The row with sixty digits; None where it has no value."""
    try:
        value = MPMATH(row)(*(x if isinstance(x, int) else mpf(x) for x in point))
    except Failure:
        return None
    return value if isinstance(value, mpf) and mp.isfinite(value) else None


def movements(
    row: Elemental, point: tuple[float, ...], *reach: float
) -> Iterator[tuple[tuple[float, ...], mpf]]:
    """How the row moves as its arguments move in reach: by what, and how far."""
    start = exactly(row, *point)
    for signs in product((-1.0, 1.0), repeat=len(reach)):
        by = tuple(s * d for s, d in zip(signs, reach, strict=True))
        first = len(point) - len(reach) if isinstance(point[0], int) else 0
        to = list(map(mpf, point))
        for k, h in enumerate(by):
            to[first + k] += mpf(h)
        end = exactly(row, *point[:first], *to[first:])
        if start is not None and end is not None:
            yield by, end - start


@pytest.mark.parametrize("row", CURVED, ids=lambda row: row.name)
def test_functions_stay_near_their_curves(row: Elemental) -> None:
    curve, program, held = row.enclosure, curve_of(row), 0
    assert isinstance(curve, Curve)
    for point in near_points(row):
        for share in (1e-9, 0.01, 0.2):
            d = share * abs(point[0])
            try:
                slope, turn = evaluate(program, (*point, row.compute(*point), d))
            except Failure:
                continue
            if not slope - slope == turn - turn == 0.0:
                continue
            held += 1
            for (by,), moved in movements(row, point, d):
                most = abs(by) * (turn + curve.slack * 2.0**-48 + 1e-13 * abs(slope))
                assert abs(moved - slope * by) <= most, (point, by)
    assert held > len(row.points)


@pytest.mark.parametrize("row", BOXED, ids=lambda row: row.name)
def test_functions_stay_in_their_boxes(row: Elemental) -> None:
    program, held = box_of(row), 0
    for point in near_points(row):
        for d, e in ((1e-9, 0.1), (1e-3, 1e-3), (0.1, 1e-9), (0.2, 0.2)):
            whole = isinstance(point[0], int)
            reach = (0.0, e * abs(point[1])) if whole else (d * point[0], e * point[1])
            reach = tuple(map(abs, reach))
            try:
                (most,) = evaluate(program, (*point, row.compute(*point), *reach))
            except Failure:
                continue
            for _, moved in movements(row, point, *reach[whole:]):
                held += most < math.inf
                assert abs(moved) <= most * (1.0 + 2.0**-40), (point, reach)
    assert held > len(row.points)


@pytest.mark.parametrize(
    "row", [r for r in FLOATING if r.name not in REFUSED], ids=lambda row: row.name
)
def test_guards_are_the_partials_or_infinite(row: Elemental) -> None:
    bound = row.bind(tuple(range(len(row.points[0])))).values()
    firsts = [place[0] if isinstance(place, tuple) else place for place in bound]
    finite = set[int]()
    for point, nonlinear in product(row.points, (False, True)):
        found = evaluate(partials(row, nonlinear), (*point, row.compute(*point)))
        for k, value in zip(firsts, found, strict=True):
            if isinstance(point[k], float) and abs(value) < math.inf:
                finite.add(k)
                exact = slope(row, point, k)
                assert mp.almosteq(value, exact, rel_eps=1e-13, abs_eps=1e-15)
    assert finite == {k for k in firsts if isinstance(row.points[0][k], float)}


@pytest.mark.parametrize(
    "row", [r for r in MET if isinstance(r.enclosure, Modulo)], ids=lambda row: row.name
)
def test_remainders_keep_their_quotients(row: Elemental) -> None:
    modulo, held = row.enclosure, 0
    assert isinstance(modulo, Modulo)
    program = Sheet(row, "q").program((modulo.size, modulo.least))

    def quotient(x: float, y: float) -> int:
        return round((x - row.compute(x, y)) / y)

    for x, y, share in product((-7.3, -0.6, 0.3, 2.9), (-2.0, 0.7), (0.05, 0.3, 0.9)):
        q, v, d = quotient(x, y), row.compute(x, y), share * abs(y)
        size, least = evaluate(program, (x, y, v, float(q)))
        room = d + 1e-9
        if least * abs(y) < size - room and size + room < modulo.most * abs(y):
            held += 1
            assert {quotient(x + d, y), quotient(x - d, y)} == {q}
    assert held


CUT = {
    "atan2": "the sign of y is sure but after cancellation, which is infinite anyway"
}
"""Rows that jump, and are not counted among those that do."""


@pytest.mark.parametrize("row", FLOATING, ids=lambda row: row.name)
def test_rows_that_jump_say_so(row: Elemental) -> None:
    found = any(abs(b - a) > 0.02 for a, b in steps(row))
    assert found <= (row.jumps or row.name in CUT)
    assert not row.jumps or found


def steps(row: Elemental) -> Iterator[tuple[float, float]]:
    """Values on both sides of points where functions are known to jump."""
    sides = [(1, 2) if isinstance(x, int) else SEAMS for x in row.points[0]]
    for point in product(*sides):
        for k, x in enumerate(point):
            ends = ((*point[:k], x + h, *point[k + 1 :]) for h in (-1e-9, 1e-9))
            try:
                a, b = (row.compute(*end) for end in ends)
            except Failure:
                continue
            if isinstance(x, float) and max(abs(a), abs(b)) < 100.0:
                yield a, b


SEAMS = (-3.0, -1.5, -1.0, -0.5, 0.0, 0.25, 1.0, 1.5, 2.0)


@pytest.mark.parametrize("row", FLOATING, ids=lambda row: row.name)
def test_rows_that_are_never_negative(row: Elemental) -> None:
    drawn = [value for *point, value in with_value(row) if row.never_negative]
    assert not any(value < 0.0 for value in drawn)
    if row.keeps_nonnegative:
        kept = (v for *point, v in with_value(row) if all(x >= 0.0 for x in point))
        assert not any(v < 0.0 for v in kept)


# --- a wrong figure fails -------------------------------------------------------------

Check = Callable[[Elemental], None]

# fmt: off
WRONG: list[tuple[Check, str, dict[str, object]]] = [
    (test_no_partial_raises_where_the_row_has_a_value, "sqrt", {"guard": ("0.5 / v",)}),
    (test_guards_are_the_partials_or_infinite, "log", {"guard": ("2 / x",)}),
    (test_guards_are_the_partials_or_infinite, "log", {"guard": ("1e999",)}),
    (test_no_curve_raises_where_the_row_has_a_value, "cbrt",
     {"enclosure": Curve("v / x / 3", 0, "d")}),
    (test_functions_stay_near_their_curves, "sin",
     {"enclosure": Curve("cos(x)", 0, "0")}),
    (test_functions_stay_near_their_curves, "exp", {"enclosure": Curve("x", 0, "d")}),
    (test_functions_stay_near_their_curves, "tanh",
     {"enclosure": Curve("1 - v * v", 1, "1e999")}),
    (test_functions_stay_in_their_boxes, "xlogy", {"enclosure": Box("d + e")}),
    (test_remainders_keep_their_quotients, "mod",
     {"enclosure": Modulo("v", "-1.0", 1.0)}),
    (test_rows_that_jump_say_so, "mod", {"jumps": False}),
    (test_rows_that_jump_say_so, "sin", {"jumps": True}),
    (test_rows_that_are_never_negative, "tanh", {"never_negative": True}),
    (test_rows_that_are_never_negative, "sub", {"keeps_nonnegative": True}),
]
# fmt: on


@pytest.mark.parametrize(
    ("check", "name", "change"), WRONG, ids=lambda x: getattr(x, "__name__", str(x))
)
def test_a_wrong_figure_fails(
    check: Check, name: str, change: dict[str, object]
) -> None:
    with pytest.raises((AssertionError, *Failure)):
        check(replace(TABLE[name], **change))  # type: ignore[arg-type]
