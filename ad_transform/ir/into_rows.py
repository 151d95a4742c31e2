"""Columns that a loop computes go into the rows of their matrix.

A Jacobian is filled column by column: a loop makes lists of tangents, and others store
these lists in the matrix. Where nothing else reads the lists, the loop that makes them
stores their elements in the matrix, `jac[i][0] = ...` and `jac[i][1] = ...`. A loop
that makes rows does so, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from ad_transform.ir.elemental import Elemental
from ad_transform.ir.inner import each_block, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    node,
)

_ROOM = {"full": 0, "like": 1}
"""What makes room for a list, and the place of what its elements are at first."""


def into_rows(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with elements of columns stored in the rows. Linear. `table` has the
    operations.
    """
    if not any(map(_is_matrix, function.body)):
        return function
    return each_block(function, lambda block: _into_rows(block, table))


def _is_matrix(statement: Statement) -> bool:
    """Whether it makes a matrix of zeros."""
    is_grid = isinstance(statement, Apply) and statement.op.name == "grid"
    return is_grid and statement.inputs[0] == Literal(0.0)


@node
class _Column:
    """A loop that stores a list in a column of a matrix, or in a row: its place, and
    both.
    """

    place: int
    column: tuple[int, bool]
    values: Var
    matrix: Var


class _Body:
    """A body, where its values are made, and how often they are read."""

    def __init__(self, block: Block, table: Mapping[str, Elemental]) -> None:
        self.now: list[Statement | None] = list(block.body)
        self.table = table
        self.made: dict[Operand, int] = {
            out: k for k, s in enumerate(block.body) for out in s.outs
        }
        self.read = Counter(o for s in block.body for o in s.inputs)
        self.read.update(block.results)
        self.columns: dict[Operand, _Column] = {}  # by the matrix before
        self.sooner: dict[int, Statement] = {}  # matrices, by what they are in front of
        for place, statement in enumerate(block.body):
            if isinstance(statement, Scan):
                self._note(place, statement)

    def _note(self, place: int, loop: Scan) -> None:
        """Take note of a loop that fills a column."""
        if (len(loop.carries), len(loop.reads), len(loop.entries)) != (1, 1, 0):
            return
        if loop.start != Literal(0) or loop.step != Literal(1) or loop.stacks:
            return
        index, matrix, values = loop.body.params
        match loop.body.body:
            case (Apply() as get, Apply() as store):
                takes = get.op.name == "get" and get.args == (values, index)
                head, places = store.args[:2], store.args[2:]
                is_set = store.op.name == "set" and head == (matrix, get.out)
                if not (takes and is_set) or loop.body.results != (store.out,):
                    return
                others = [other for other in places if other is not index]
                if len(places) != 2 or len(others) != 1:
                    return
                (column,) = others
                if isinstance(column, Literal):
                    ends = cast(Var, loop.reads[0]), loop.outs[0]
                    which = int(column.value), places[0] is index
                    self.columns[loop.carries[0]] = _Column(place, which, *ends)

    def changed(self) -> Sequence[Statement]:
        """The body, columns stored where they are made."""
        for place, statement in enumerate(self.now):
            if statement is not None and _is_matrix(statement):
                self._store(place, cast(Apply, statement))
        body: list[Statement] = []
        for place, statement in enumerate(self.now):
            if place in self.sooner:
                body.append(self.sooner[place])
            if statement is not None:
                body.append(statement)
        return body

    def _store(self, place: int, matrix: Apply) -> None:
        columns: list[_Column] = []
        end = matrix.out
        while end in self.columns and self.read[end] == 1:
            columns.append(self.columns[end])
            end = columns[-1].matrix
        if len({one.column for one in columns}) < len(columns):
            return
        makers = {self.made.get(one.values, -1) for one in columns}
        source = makers.pop() if len(makers) == 1 else -1
        loop = self.now[source] if source >= 0 else None
        if not isinstance(loop, Scan) or loop.snapshots is not None:
            return
        if any(self.made.get(size, -1) > source for size in matrix.args):
            return
        by_carry = {loop.outs.index(one.values): one.column for one in columns}
        if not all(self._is_only_stored(loop, k) for k in by_carry):
            return
        self.now[source] = self._filling(loop, by_carry, matrix.out, end)
        for one in columns:
            self.now[one.place] = None
        if place > source:
            self.now[place], self.sooner[source] = None, matrix

    def _is_only_stored(self, loop: Scan, carry: int) -> bool:
        """Whether a list of zeros gets elements in a loop, which nothing else reads but
        one that fills a column.
        """
        out, start = loop.outs[carry], loop.carries[carry]
        room = self.now[self.made[start]] if start in self.made else None
        if not isinstance(room, Apply) or room.op.name not in _ROOM:
            return False
        if room.args[_ROOM[room.op.name]] != Literal(0.0) or self.read[start] != 1:
            return False
        param, end = loop.body.params[1 + carry], loop.body.results[carry]
        readers = [s for s in loop.body.body if param in s.inputs]
        if len(readers) != 1 or self.read[out] != 1:
            return False
        store = readers[0]
        is_store = isinstance(store, Apply) and store.op.name == "set"
        if not is_store or store.outs != (end,) or len(store.inputs) != 3:
            return False
        ends = [r for r in loop.body.results if r is end]
        return len(ends) == 1 and not any(end in s.inputs for s in loop.body.body)

    def _filling(
        self,
        loop: Scan,
        columns: Mapping[int, tuple[int, bool]],
        matrix: Var,
        end: Var,
    ) -> Scan:
        """The loop with elements of lists, by its carries, stored in their columns."""
        block, count = loop.body, len(loop.carries)
        index, *params = block.params
        stored: dict[Operand, tuple[int, bool]] = {
            params[carry]: column for carry, column in columns.items()
        }
        rows = first = Var(matrix.type, matrix.hint)
        body: list[Statement] = []
        for statement in block.body:
            if not isinstance(statement, Apply) or not statement.args:
                body.append(statement)
                continue
            array, *rest = statement.args
            if array not in stored:
                body.append(statement)
                continue
            value, place = rest
            column, is_column = stored[array]
            places = place, Literal(column)
            args = (rows, value, *(places if is_column else places[::-1]))
            rows = Var(matrix.type, matrix.hint)
            body.append(Apply(rows, self.table["set"], args))
        kept = [k for k in range(count) if k not in columns]
        return replace(
            loop,
            outs=(*(loop.outs[k] for k in kept), end, *loop.stacks),
            carries=(*(loop.carries[k] for k in kept), matrix),
            body=Block(
                (index, *(params[k] for k in kept), first, *params[count:]),
                tuple(body),
                (*(block.results[k] for k in kept), rows, *block.results[count:]),
            ),
        )


def _into_rows(block: Block, table: Mapping[str, Elemental]) -> Block:
    if not any(map(_is_matrix, block.body)):
        return block
    return with_body(block, _Body(block, table).changed())
