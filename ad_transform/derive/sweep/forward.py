"""The forward sweep of a body: tangents ride along with the values.

A tangent has a number for each direction. A statement with blocks becomes one that also
takes the tangents of its inputs and gives those of its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.accumulate import Matrix
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.sweep.context import Context
from ad_transform.derive.sweep.levels import Level, in_levels, is_operation
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.runs import Run, made_of
from ad_transform.derive.sweep.shaped import zeros
from ad_transform.derive.sweep.shapes import fitted, started
from ad_transform.derive.sweep.stacks import empty_beside, is_empty, with_another
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.laws.signs import definitions
from ad_transform.ir.nodes import Literal, Operand, Scan, Statement, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import Type

Operands = tuple[Operand, ...]
ForwardRule = Callable[["Forward", Any], Task[None]]
"""The sweep of a statement with blocks: its tangents are entered, and its twin."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """Statements, and the tangents of the rows: a row of them for each direction."""

    body: tuple[Statement, ...]
    tangents: Matrix


class Forward:
    """A body with the tangents of `columns`, direction by direction.

    Asked are the tangents of `rows`; the values in `wanted` are read elsewhere.
    """

    def __init__(
        self,
        context: Context,
        body: Sequence[Statement],
        columns: tuple[Var, ...],
        tangents: Matrix,
        rows: Operands,
        wanted: Operands,
    ) -> None:
        self.context = context
        self.zero: Operand = Literal(0.0)
        self.rows = rows
        self.directions = len(tangents)
        seeds: dict[Operand, int] = {c: 1 << k for k, c in enumerate(columns)}
        self.varied = context.dependence.within(body, seeds)
        context.tests.update(definitions(body))
        self.levels = in_levels(body, self.varied).levels
        self.tangents: dict[Operand, Operands] = {}
        for k, column in enumerate(columns):
            self.enter(column, tuple(direction[k] for direction in tangents))
        self.added: list[Statement] = []
        self.read = self._read_elsewhere(wanted)

    def enter(self, value: Operand, tangent: Operands) -> None:
        """Enter the tangent of a value, unless it is zero."""
        if not all(map(is_zero, tangent)):
            self.tangents[value] = tangent

    def tangent(self, value: Operand) -> Operands:
        """The tangent of a value by direction."""
        return self.tangents.get(value, (self.zero,) * self.directions)

    def whole(self, value: Operand, direction: int) -> Operand:
        """The tangent of a value; zeros for an array without one."""
        tangent = self.tangent(value)[direction]
        if not (value.type.dims and is_zero(tangent)):
            return tangent
        (made,), zero = zeros(value)
        out = Var(zero.type, self.context.called(value, direction))
        self.added.append(made.binding((out,)))
        return out

    def start(self, carry: Operand, direction: int, end: Type) -> Operand:
        """The tangent that a loop's carry starts with; `end` is its type behind."""
        tangent = self.whole(carry, direction)
        builder = Builder(TABLE, LAWS)
        start = started(builder, tangent, carry, end)
        for statement in builder.body:
            start = Var(start.type, self.context.called(carry, direction))
            self.added.append(statement.binding((start,)))
        return start

    def _read_elsewhere(self, wanted: Operands) -> set[Operand]:
        """The values that statements outside of their own run read."""
        read: set[Operand] = {*wanted, *self.rows}
        home: dict[Operand, int] = {}
        for k, level in enumerate(self.levels):
            for statement in level.run:
                if is_operation(statement):
                    home.update(dict.fromkeys(statement.outs, k))
        for k, level in enumerate(self.levels):
            for statement in level.run:
                for operand in statement.inputs:
                    if not is_operation(statement) or home.get(operand) != k:
                        read.add(operand)
            for swept in level.swept:
                read.update(swept.inputs)
        return read

    def sweep(self, rules: Mapping[type, ForwardRule]) -> Task[Pushed]:
        """The statements with their tangents."""
        for level in self.levels:
            self._run(level)
            for statement in level.swept:
                yield rules[type(statement)](self, statement)
        found = [self.tangent(row) for row in self.rows]
        matrix = tuple(tuple(t[d] for t in found) for d in range(self.directions))
        return Pushed(ordered(self.added), matrix)

    def _run(self, level: Level) -> None:
        operations = level.operations
        roots = tuple(s.out for s in operations if s.out in self.read)
        own = {s.out for s in operations}
        columns = tuple(
            dict.fromkeys(
                a
                for s in operations
                for a in s.args
                if a in self.tangents and a not in own and isinstance(a, Var)
            )
        )
        rows = tuple(r for r in roots if r in self.varied)
        sacred = made_of(operations, roots)
        self.added += [
            s for s in level.run if not is_operation(s) or not sacred.isdisjoint(s.outs)
        ]
        if not columns or not rows:
            return
        given = [self.tangents[c] for c in columns]
        tangents = tuple(tuple(t[d] for t in given) for d in range(self.directions))
        solved = self.context.solve(Run(operations, roots, columns, rows, tangents))
        self.added += solved.added
        for row, tangent in zip(rows, solved.entries, strict=True):
            self.enter(row, tangent)


def whole(
    body: tuple[Statement, ...], tangents: Sequence[Operand], values: Sequence[Operand]
) -> tuple[tuple[Statement, ...], Operands]:
    """The body and the tangents of some values, with zeros for arrays that have none;
    the body makes these.

    A stack that is empty has an empty one.
    """
    own = [*body]
    places = ((out, k) for k, s in enumerate(body) if is_empty(s) for out in s.outs)
    stacks: dict[Operand, int] = dict(places)
    more: list[Statement] = []
    found: list[Operand] = []
    for tangent, value in zip(tangents, values, strict=True):
        builder = Builder(TABLE, LAWS)
        out = fitted(builder, tangent, value)
        made: list[Statement] = builder.body
        if value in stacks and is_zero(tangent):
            made, out = _beside(own, stacks[value], value)
        elif value.type.dims and is_zero(tangent):
            made, out = zeros(value)
        more += made
        found.append(out)
    return (*own, *more), tuple(found)


def _beside(
    own: list[Statement], place: int, stack: Operand
) -> tuple[list[Statement], Var]:
    """An empty stack beside another, given by the loop of that if it can."""
    loop = own[place]
    assert isinstance(loop, Scan)
    made = with_another(loop, stack)
    if made is None:
        beside = empty_beside(stack)
        return [beside], beside.outs[0]
    own[place], out = made
    return [], out


def handed(tangents: Sequence[Operands]) -> tuple[Var, ...]:
    """The tangents that are values and not numbers, each once."""
    return tuple(
        dict.fromkeys(o for o in chain.from_iterable(tangents) if isinstance(o, Var))
    )
