"""A body with the coefficients of its values.

Coefficients are made as they are asked for, behind the body's statements; a statement
with blocks gives way to one that also takes the coefficients of its inputs and gives
those of its values. At last all are put in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.partials import partial_of, transmits
from ad_transform.derive.sweep.context import Callees
from ad_transform.derive.sweep.forward import whole
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.taylor.lists import on_arrays
from ad_transform.derive.taylor.series import (
    RULES,
    ZERO,
    Series,
    by_partials,
    powers,
    product,
)
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Statement,
    Var,
    hint_of,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.ir.trampoline import Task

Operands = tuple[Operand, ...]
BlockRule = Callable[["Expansion", Any], Task[None]]
"""The expansion of a statement with blocks, or of a call: the coefficients of its
values are entered, and the statement in its place."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The expansion of statements, by type; `chosen` gives one coefficient of a value
    of a branch that stays in its place.
    """

    statements: Mapping[type, BlockRule]
    chosen: Callable[[Expansion, Branch, int, int], Operand]


class Expansion:
    """A body under expansion up to a degree; `rules` expand its statements."""

    def __init__(
        self,
        builder: Builder,
        degree: int,
        rules: Rules,
        callees: Callees,
    ) -> None:
        self.builder = builder
        self.degree = degree
        self.rules = rules
        self.callees = callees
        self._entered: dict[Operand, Series] = {}
        self._instead: dict[Statement, Statement] = {}
        self._rates: dict[Operand, Var] = {}

    @property
    def degrees(self) -> range:
        """The degrees that are asked for."""
        return range(1, self.degree + 1)

    def enter(self, value: Operand, coefficients: Sequence[Operand]) -> None:
        """Enter the coefficients of a value from degree 1 on."""
        self._entered[value] = Series([value, *coefficients])

    def replace(self, statement: Statement, other: Statement) -> None:
        """Put another statement in the place of one."""
        self._instead[statement] = other

    def series(self, value: Operand) -> Series:
        """The series of a value, constant if the independent does not matter."""
        found = self._entered.get(value)
        if found is None and isinstance(value, Var):
            found = self._made(value)
        return Series([value]) if found is None else found

    def coefficients(self, value: Operand) -> Operands:
        """The coefficients of a value from degree 1 on."""
        return self.up_to(self.degree, value)

    def up_to(self, degree: int, value: Operand) -> Operands:
        """The same expansion up to a lower degree."""
        series = self.series(value)
        return tuple(series.at(j) for j in range(1, degree + 1))

    def whole(self, value: Operand, coefficient: Operand) -> Operand:
        """A coefficient as an array, if its value is one."""
        body, (found,) = whole((), (coefficient,), (value,))
        self.builder.body += body
        return found

    def expanded(self) -> Task[None]:
        """Enter all values of the body, with all their coefficients."""
        for statement in tuple(self.builder.body):
            yield self._follow(statement)
            for out in statement.outs:
                self.coefficients(out)

    def rate(self, value: Operand) -> Var:
        """The derivative x' of a value x, as a value with a series of its own."""
        if value not in self._rates:
            series, rate = self.series(value), Var(value.type)
            self._rates[value] = rate
            self._entered[rate] = Series([rate], lambda j: self._slower(series, j))
        return self._rates[value]

    def _slower(self, series: Series, j: int) -> Operand:
        return product(self.builder, Literal(float(j + 1)), series.at(j + 1))

    def block(self, params: tuple[Var, ...], results: Sequence[Operand]) -> Block:
        """A block of the statements that results need, in order, and the results."""
        first: dict[Operand, Operand] = {
            rate: self.whole(value, self.series(value).at(1))
            for value, rate in self._rates.items()
        }
        body = [self._instead.get(s, s).over(first) for s in self.builder.body]
        ends = tuple(first.get(r, r) for r in results)
        return Block(params, live(ordered(body), ends), ends)

    def inner(self, block: Block, degree: int) -> tuple[Expansion, Operands]:
        """The expansion of an inner block, whose parameters are still to be entered;
        and the results of the block in it.
        """
        builder = Builder(TABLE, LAWS)
        results = builder.absorb(block.body, block.results)
        return Expansion(builder, degree, self.rules, self.callees), results

    def _follow(self, statement: Statement) -> Task[None]:
        """Enter the values of a statement of the body."""
        if isinstance(statement, Apply):
            if statement.out not in self._entered:
                self._operation(statement)
        elif statement.outs and any(map(self._moves, statement.inputs)):
            yield self.rules.statements[type(statement)](self, statement)

    def _moves(self, value: Operand) -> bool:
        return not self.series(value).is_constant

    def _made(self, value: Var) -> Series | None:
        """The series of a value made on the way, by an operation or a branch."""
        maker = self.builder.definition.get(value)
        if isinstance(maker, Apply):
            return self._operation(maker)
        if isinstance(maker, Branch):
            branch, place = maker, maker.outs.index(value)
            made = Series([value], lambda j: self.rules.chosen(self, branch, place, j))
            return self._entered.setdefault(value, made)
        return None

    def _operation(self, statement: Apply) -> Series:
        op, out = statement.op, statement.out
        series = self._entered[out] = Series([out])
        args = [self.series(arg) for arg in statement.args]
        moved = [k for k, arg in enumerate(args) if not arg.is_constant]
        if not out.type.is_real or not any(transmits(statement, k) for k in moved):
            return series
        rule = RULES.get(op.form)
        if op.layout is not None:
            series.more = lambda j: on_arrays(self, statement, j)
        elif rule is not None:
            series.more = lambda j: rule(self.builder, series, args, j)
        elif op.form is Form.POWER and args[1].is_constant:
            series.more = powers(self.builder, args[0], out, statement.args[1]).at
        else:
            slope = self._slopes(statement)
            series.more = lambda j: by_partials(self.builder, args, slope, j)
        return series

    def _slopes(self, statement: Apply) -> Callable[[int], Series]:
        """The partials of an operation by the places of its arguments."""

        @cache
        def slope(k: int) -> Series:
            if not transmits(statement, k):
                return Series([ZERO])
            return self.series(self._partial(statement, k))

        return slope

    def _partial(self, statement: Apply, k: int) -> Operand:
        if statement.op.form is not Form.POWER:
            return partial_of(self.builder, statement, k)
        x, y = statement.args
        env = {"x": x, "y": y, "v": statement.out}
        return instantiate(parse_template(_OF_POWER[k]), env, self.builder)


_OF_POWER = ("y * v / x", "v * log(x)")
"""Partials of a power with an exponent that moves: x is positive."""


def named(value: Operand, j: int) -> str:
    """The name for the coefficient of degree j of a value."""
    hint = hint_of(value)
    return f"{hint}_{j}" if hint else ""
