"""Sizes of new lists and ends of ranges as Python takes them.

`[0.0] * n` and `range(n)` are empty where n is below 0.
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.nodes import Apply, Block, Function, Literal, Operand, Scan

_SIZED = frozenset({"full", "grid"})
_ZERO, _ONE = Literal(0), Literal(1)


def unclipped(function: Function) -> Function:
    """The function with new lists as long as n where they are as long as max(n, 0), and
    with loops over `range(n)` in place of `range(max(n, 0))`. Linear.
    """
    return each_block(function, _unclipped)


def _unclipped(block: Block) -> Block:
    if "max" not in block.operations:
        return block
    body = list(block.body)
    clipped: dict[Operand, Operand] = {}
    for place, statement in enumerate(body):
        if isinstance(statement, Scan):
            stop = clipped.get(statement.stop)
            is_plain = statement.snapshots is None
            if stop and is_plain and (statement.start, statement.step) == (_ZERO, _ONE):
                body[place] = replace(statement, stop=stop)
        if not isinstance(statement, Apply):
            continue
        if statement.op.name == "max" and _ZERO in statement.args:
            others = [arg for arg in statement.args if arg != _ZERO]
            if len(others) == 1:
                clipped[statement.out] = clipped.get(others[0], others[0])
        elif statement.op.name in _SIZED:
            value, *sizes = statement.args
            if not clipped.keys().isdisjoint(sizes):
                args = (value, *(clipped.get(size, size) for size in sizes))
                body[place] = replace(statement, args=args)
    return with_body(block, body)
