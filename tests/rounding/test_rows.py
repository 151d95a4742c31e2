"""Every row that estimates may meet has what they need of it, and that never raises."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest

from ad_transform.derive.rounding.curves import BOXES, CURVES, UNBOUNDED
from ad_transform.derive.rounding.guards import guarded
from ad_transform.derive.rounding.shift_rules import RULES
from ad_transform.elementals import ROWS, TABLE
from ad_transform.elementals.residuals import ROWS as OWN
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Elemental
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


def test_every_row_has_a_rule_a_curve_or_a_reason() -> None:
    for row in MET:
        assert row.name in {*RULES, *CURVES} or UNBOUNDED.get(row.name), row
    assert set(UNBOUNDED).isdisjoint({*RULES, *CURVES})
    assert {*RULES, *CURVES, *UNBOUNDED} <= {row.name for row in MET}


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
    wanted = [t for t in guarded(row, sheet.args, curved).partials if "*" not in t[:1]]
    return sheet.program([t for t in wanted if "count_equal" not in t])


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


@pytest.mark.parametrize("name", CURVES)
def test_no_curve_raises_where_the_row_has_a_value(name: str) -> None:
    curve = CURVES[name]
    program = Sheet(TABLE[name], "d").program((curve.slope, curve.turn))
    for place in with_value(TABLE[name]):
        for d in REACHES:
            evaluate(program, (*place, d))


@pytest.mark.parametrize("name", BOXES)
def test_no_box_raises_where_the_row_has_a_value(name: str) -> None:
    program = Sheet(TABLE[name], "de").program((BOXES[name],))
    for place in with_value(TABLE[name]):
        for d, e in zip(REACHES, (*REACHES[1:], 0.0), strict=True):
            evaluate(program, (*place, d, e))
