"""Copies of whole arrays change as late as possible: behind what reads the originals.

A copy that nothing reads before all its changes may be made behind statements that
follow it. Then the array may be changed itself, for its old elements are not read any
more.
"""

from __future__ import annotations

from collections.abc import Iterator

from ad_transform.derive.wholes.returned import is_shared
from ad_transform.ir.nodes import Apply, Block, Operand, Statement

_STARTS = frozenset({"own", "zeros_beside"})


def late(block: Block) -> Block:
    """The block with copies, and their changes, in front of their first readers. What
    reads a list, or the memory of one, stays where it is. Linear.
    """
    waiting: dict[Operand, list[Apply]] = {}  # by each value of a copy its statements
    lists: set[Operand] = set()  # arrays with the memory of lists
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Apply):
            if any(a.type.dims for a in statement.args) or (
                is_shared(statement) and not lists.isdisjoint(statement.args)
            ):
                lists.add(statement.out)
            copy = _copy_with(statement, waiting, lists)
            if copy is not None:
                for operand in statement.args[1:]:
                    body += _taken(waiting, operand)
                copy.append(statement)
                waiting[statement.out] = copy
                continue
        for operand in statement.inputs:
            body += _taken(waiting, operand)
        body.append(statement)
    for operand in list(waiting):
        body += _taken(waiting, operand)
    return Block(block.params, tuple(body), block.results)


def _copy_with(
    statement: Apply, waiting: dict[Operand, list[Apply]], lists: set[Operand]
) -> list[Apply] | None:
    """The statements of the copy that a statement begins or changes; else None."""
    array, *others = statement.args or (None,)
    if any(o.type.dims or o in lists for o in others if o is not None):
        return None
    if statement.op.name in _STARTS:
        return None if array is None or array in lists or array.type.dims else []
    if statement.op.consumes or statement.op.name == "done":
        return None if array is None else waiting.get(array)
    return None


def _taken(waiting: dict[Operand, list[Apply]], value: Operand) -> Iterator[Statement]:
    """The statements that make a value, if they wait; they do so no more."""
    copy = waiting.get(value)
    if not copy:
        return
    statements = copy[:]
    copy.clear()
    for statement in statements:
        del waiting[statement.out]
    for statement in statements:
        for operand in statement.inputs:
            yield from _taken(waiting, operand)
    yield from statements
