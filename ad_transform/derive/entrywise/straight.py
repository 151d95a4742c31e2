"""Partials of straight runs of statements, by one elimination for each.

Statements wait until partials of their values are asked for: where elements are stored,
before loops and arms that go on with them, and at the end of a block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.accumulate import Task
from ad_transform.derive.entrywise.appending import Appending, Same, Slopes
from ad_transform.derive.entrywise.places import ONE, ZERO
from ad_transform.derive.entrywise.unknown import Unknown
from ad_transform.derive.request import Request, flat
from ad_transform.derive.sweep.dependence import Dependence
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.blocks.free import free
from ad_transform.ir.build import Builder
from ad_transform.ir.laws.patterns import is_number
from ad_transform.ir.nodes import Apply, Operand, Scan, Statement, Var, While
from ad_transform.ir.simplify import LAWS

MOST = 64
"""Columns that a number may have side by side."""


@dataclass(frozen=True, slots=True)
class Store:
    """A change of an element of a result, its row, and whether it replaces entries."""

    change: Apply
    key: int
    row: Operand
    is_over: bool


@dataclass(slots=True, eq=False)
class Straight(Appending):
    """A block in which some statements wait, and some stores of their values."""

    request: Request = field(kw_only=True)
    waiting: list[Statement] = field(default_factory=list)
    stores: list[Store] = field(default_factory=list)

    def is_active(self, value: Operand) -> bool:
        """Whether a number depends on an independent."""
        return value in self.slopes

    def pending(self) -> list[Var]:
        """The numbers whose partials are not known yet, in order."""
        outs = (out for s in self.waiting for out in s.outs)
        return [out for out in outs if self.is_active(out)]

    def note(self, statement: Statement) -> None:
        """Keep a statement that depends on columns waiting."""
        seeds = {x: 1 for x in statement.inputs if self.is_active(x)}
        if not seeds:
            return
        masks = Dependence().within([statement], seeds)
        active = [out for out in statement.outs if out.type.is_real and masks.get(out)]
        if active:
            if self._changes(statement):
                what = "a list is filled in one trip that other trips may read"
                raise Unknown(what, active[0].span)
            self.waiting.append(statement)
            self.slopes.update((out, None) for out in active)

    def _changes(self, statement: Statement) -> bool:
        """Whether a statement may change a list that is not made by waiting ones: their
        values and partials would change, too.
        """
        if isinstance(statement, Apply):
            given = statement.args[:1] if statement.op.consumes else ()
        elif isinstance(statement, Scan | While):
            given = statement.carries
        else:
            given = statement.inputs
        made = {out for s in self.waiting for out in s.outs}
        return any(x.type.dims and x not in made for x in given)

    # --- entries ----------------------------------------------------------------------

    def flush(self, more: Iterable[Operand] = ()) -> None:
        """Find the partials of stored values and some numbers; append entries."""
        stored = [store.change.args[1] for store in self.stores]
        wanted = {v: None for v in (*stored, *more) if self.slopes.get(v, 0) is None}
        if wanted:
            self._eliminate(tuple(wanted))
        self.waiting = []
        stores, self.stores = self.stores, []
        for store in stores:
            self._store(store)
        # a number that nobody asked for may be used no more
        gone = [v for v, slopes in self.slopes.items() if slopes is None]
        for value in gone:
            span = value.span if isinstance(value, Var) else None
            self.slopes[value] = {Same(value, (), span): ONE}

    def _eliminate(self, rows: tuple[Operand, ...]) -> None:
        """Find the partials of numbers by the columns that they depend on."""
        found = free(self.waiting, ())
        columns = tuple(v for v in found if self.slopes.get(v) is not None)
        for one in (*rows, *columns):
            if one.type.is_array:
                span = one.span if isinstance(one, Var) else None
                raise Unknown("a list lies in between", span)
        builder, env = _copied(self.waiting)
        task = Task(columns, tuple(env[row] for row in rows), (flat,), 0)
        outcome = self.request.run(builder, task)
        body = tuple(s.map_blocks(renewed) for s in outcome.body)
        partials = iter(self.text.absorb(body, outcome.results))
        for row in rows:
            slopes: Slopes = {}
            for column in columns:
                partial = next(partials)
                if is_number(partial, 0):
                    continue
                own = self.slopes[column]
                assert own is not None
                for at, slope in own.items():
                    part = self.times(partial, slope)
                    slopes[at] = self.sum(slopes[at], part) if at in slopes else part
            if len(slopes) > MOST:
                span = row.span if isinstance(row, Var) else None
                raise Unknown(f"a number has more than {MOST} columns", span)
            self.slopes[row] = slopes

    def _store(self, store: Store) -> None:
        """Append the entries of a stored element, or of a number added to one."""
        name, key = store.change.op.name, store.key
        array, value, *index = store.change.args
        same = Same(array, tuple(index))
        slopes = self.slopes.get(value) or {}
        if name == "set" and is_number(slopes.get(same, ZERO), 1):
            self.append(key, store.row, value, 1, same)
            return
        if store.is_over:
            self.end(key, store.row)
        self.append(key, store.row, value, -1 if name == "sub_at" else 1)


def _copied(body: Sequence[Statement]) -> tuple[Builder, dict[Operand, Operand]]:
    """A builder with the statements over fresh values, and the map to these."""
    builder, env = Builder(TABLE, LAWS), dict[Operand, Operand]()
    for statement in body:
        outs = tuple(replace(out) for out in statement.outs)
        made = statement.over(env).binding(outs).map_blocks(renewed)
        env.update(zip(statement.outs, outs, strict=True))
        builder.body.append(made)
        if isinstance(made, Apply):
            builder.definition[made.out] = made
    return builder, env
