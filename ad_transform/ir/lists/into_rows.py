"""Columns that a loop computes go into the rows of their matrix.

A Jacobian is filled column by column: a loop makes lists of tangents, and others store
these lists in the matrix. Where nothing else reads the lists, the loop that makes them
stores their elements in the matrix, `jac[i][0] = ...` and `jac[i][1] = ...`. A loop
that makes rows does so, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import cast

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.carried import changes, without_carries
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.dims import ANY
from ad_transform.ir.elemental import Elemental
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


def into_rows(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with elements of columns stored in the rows; matrices of its value
    stay as they are filled. Linear. `table` has the operations.
    """
    if not any(map(_is_matrix, function.body)):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _into_rows(block, sacred, table))


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
    stop: Operand
    values: Var
    matrix: Var


class _Body:
    """A body, where its values are made, and how often they are read."""

    def __init__(
        self, block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
    ) -> None:
        self.now: list[Statement | None] = list(block.body)
        self.sacred, self.table = sacred, table
        self.made: dict[Operand, int] = {
            out: k for k, s in enumerate(block.body) for out in s.outs
        }
        self.read = block.times_read
        self.columns: dict[Operand, _Column] = {}  # by the matrix before
        self.sooner: dict[int, list[Statement]] = {}  # matrices, by the place behind
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
                    one = _Column(place, which, loop.stop, *ends)
                    self.columns[loop.carries[0]] = one

    def changed(self) -> Sequence[Statement]:
        """The body, columns stored where they are made."""
        for place, statement in enumerate(self.now):
            is_free = statement is not None and self.sacred.isdisjoint(statement.outs)
            if is_free and statement and _is_matrix(statement):
                self._store(place, cast(Apply, statement))
        body: list[Statement] = []
        for place, statement in enumerate(self.now):
            body += self.sooner.get(place, ())
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
        by_carry = {loop.outs.index(one.values): one for one in columns}
        made = changes(loop)
        if not all(self._is_moved(loop, k, made, one) for k, one in by_carry.items()):
            return
        self.now[source] = self._filling(loop, by_carry, matrix.out, end)
        for one in columns:
            self.now[one.place] = None
        if place > source:
            self.now[place] = None
            self.sooner.setdefault(source, []).append(matrix)

    def _is_moved(
        self, loop: Scan, k: int, made: Mapping[int, Apply], column: _Column
    ) -> bool:
        """Whether a list of zeros gets elements in a loop, and all of them go into one
        column, and nowhere else.
        """
        start = loop.carries[k]
        room = self.now[self.made[start]] if start in self.made else None
        if not isinstance(room, Apply) or self.read[start] != 1:
            return False
        if not self._is_as_long(room, column.stop) or self.read[column.values] != 1:
            return False
        return k in made and made[k].op.name == "set" and len(made[k].args) == 3

    def _is_as_long(self, room: Apply, stop: Operand) -> bool:
        """Whether zeros are as many as a loop has trips."""
        if room.op.name == "full":
            return room.args == (Literal(0.0), stop)
        size = self.now[self.made[stop]] if stop in self.made else None
        if room.op.name != "like" or room.args[1] != Literal(0.0):
            return False
        if not isinstance(size, Apply) or size.op.name != "size":
            return False
        return size.args[0].type.dims == room.args[0].type.dims[:1] != (ANY,)

    def _filling(
        self,
        loop: Scan,
        columns: Mapping[int, _Column],
        matrix: Var,
        end: Var,
    ) -> Scan:
        """The loop with elements of lists, by its carries, stored in their columns."""
        block = loop.body
        stored: dict[Operand, tuple[int, bool]] = {
            block.params[1 + carry]: one.column for carry, one in columns.items()
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
        filled = replace(block, body=tuple(body))
        made = without_carries(replace(loop, body=filled), columns)
        own, behind = made.body, made.first_read
        return replace(
            made,
            outs=(*made.finals, end, *made.stacks),
            carries=(*made.carries, matrix),
            body=Block(
                (*own.params[:behind], first, *own.params[behind:]),
                own.body,
                (*made.handed_on, rows, *made.records),
            ),
        )


def _into_rows(
    block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Block:
    if not any(_is_matrix(s) and s.outs[0] not in sacred for s in block.body):
        return block
    return with_body(block, _Body(block, sacred, table).changed())
