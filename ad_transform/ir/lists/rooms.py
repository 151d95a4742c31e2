"""New lists stand in front of their first reader, not among the numbers before it.

`x_bar = [0.0] * n` and `scale = 2.0 * k` in front of a loop change places: the list is
made where the loop begins, and may be made by a comprehension.
"""

from __future__ import annotations

from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.nodes import Apply, Block, Function, Operand, Statement

_MADE = frozenset({"full", "like"})


def rooms_late(function: Function) -> Function:
    """The function with new lists where they are first read. Linear."""
    return each_block(function, _late)


def _late(block: Block) -> Block:
    if _MADE.isdisjoint(block.operations) or not any(map(_is_new, block.body)):
        return block
    waiting: dict[Operand, Statement] = {}
    body: list[Statement] = []
    for statement in block.body:
        if _is_new(statement) and waiting.keys().isdisjoint(statement.inputs):
            waiting[statement.outs[0]] = statement
            continue
        if not _is_number(statement) or not waiting.keys().isdisjoint(statement.inputs):
            body += waiting.values()
            waiting = {}
        body.append(statement)
    return with_body(block, [*body, *waiting.values()])


def _is_new(statement: Statement) -> bool:
    is_made = isinstance(statement, Apply) and statement.op.name in _MADE
    return is_made and not statement.outs[0].named


def _is_number(statement: Statement) -> bool:
    """Whether it only computes a number."""
    if not isinstance(statement, Apply) or statement.op.consumes:
        return False
    return not any(operand.type.dims for operand in (statement.out, *statement.args))
