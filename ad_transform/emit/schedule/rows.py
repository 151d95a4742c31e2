"""Rows of matrices with names: `for row in rows:` and `row[j]` in place of
`rows[i][j]`, in loops whose index has no name of the user's.

The matrix has a row for each trip, and nothing changes it in the loop. A trip reads
some elements of its row, or inner loops do.
"""

from __future__ import annotations

from collections.abc import Set

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.items import with_a_row_each
from ad_transform.ir.blocks.carried import counts_up
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce

_FEW = 2
"""Reads of a row from which on it has a name; one in an inner loop is as good."""


def with_rows(function: Function) -> tuple[Function, Set[Var]]:
    """The function with such rows, and these. Linear, times the loops around."""
    rows: set[Var] = set()
    reads = "get" in function.block.all_operations
    if not reads or not any(map(_is_in_row, walk(function.body))):
        return function, rows
    matrices = with_a_row_each(function)

    def changed(block: Block) -> Block:
        body = [
            _over_rows(s, matrices, rows) if isinstance(s, Scan) else s
            for s in block.body
        ]
        return with_body(block, body)

    return each_block(function, changed), rows


def _is_in_row(statement: Statement) -> bool:
    """Whether a statement reads an element of a row."""
    is_read = isinstance(statement, Apply) and statement.op.name == "get"
    return is_read and len(statement.inputs) > 2


def _over_rows(loop: Scan, matrices: Set[Var], rows: set[Var]) -> Scan:
    """A loop with names for rows of matrices that it reads by its index."""
    body, index = loop.body, loop.body.params[0]
    if not counts_up(loop) or index.named or loop.snapshots is not None:
        return loop
    for matrix in loop.read_params:
        if matrix not in matrices:
            continue
        row = Var(matrix.type.entry, f"{matrix.hint}_i" if matrix.hint else "")
        made, gets = bounce(_reading(body, (matrix, index), row))
        if len(gets) >= _FEW:
            taken = replace(gets[0], out=row, args=(matrix, index))
            body = replace(made, body=(taken, *made.body))
            rows.add(row)
    return loop if body is loop.body else replace(loop, body=body)


def _reading(
    block: Block, place: tuple[Var, Var], row: Var
) -> Task[tuple[Block, list[Apply]]]:
    """The block with a row in place of a matrix at an index, and the reads that this
    changes; those of inner loops count twice, and a few are enough.
    """
    gets: list[Apply] = []
    body: list[Statement] = []
    for statement in block.body:
        made = statement
        if isinstance(made, Apply):
            if _is_in_row(made) and made.args[:2] == place:
                gets.append(made)
                made = replace(made, args=(row, *made.args[2:]))
        elif isinstance(made, Scan | While | Branch):
            made, more = yield _reading_inside(made, place, row)
            gets += more
        body.append(made)
    return replace(block, body=tuple(body)), gets[:_FEW]


def _reading_inside(
    statement: Scan | While | Branch, place: tuple[Var, Var], row: Var
) -> Task[tuple[Statement, list[Apply]]]:
    gets: list[Apply] = []
    blocks: list[Block] = []
    for block in statement.blocks:
        own = Var(row.type, row.hint)
        given = {o: p for p, o in handed(statement, block) if o in place}
        made = block
        if len(given) == len(place):
            inner = given[place[0]], given[place[1]]
            made, more = yield _reading(block, inner, own)
            gets += more
        blocks.append(_with(made, own, _end(statement)))
    if not gets:
        return statement, gets
    if isinstance(statement, Branch):
        args = (*statement.args, row)
        return replace(statement, args=args, then=blocks[0], orelse=blocks[1]), gets
    reads = (*statement.reads, row)
    if isinstance(statement, While):
        test, body = blocks
        return replace(statement, reads=reads, test=test, body=body), gets * 2
    return replace(statement, reads=reads, body=blocks[0]), gets * 2


def _end(statement: Scan | While | Branch) -> int:
    """The place of one more read among the parameters of its blocks."""
    if isinstance(statement, Branch):
        return len(statement.args)
    return statement.first_entry


def _with(block: Block, param: Var, at: int) -> Block:
    return replace(block, params=(*block.params[:at], param, *block.params[at:]))
