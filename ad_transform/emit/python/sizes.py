"""Sizes of new lists as Python takes them: `[0.0] * n` is empty where n is below 0."""

from __future__ import annotations

from dataclasses import replace

from ad_transform.ir.inner import changed_inside, is_same, with_block
from ad_transform.ir.nodes import Apply, Block, Function, Literal, Operand
from ad_transform.ir.trampoline import Task, bounce

_SIZED = frozenset({"full", "grid"})
_ZERO = Literal(0)


def unclipped(function: Function) -> Function:
    """The function with new lists as long as n where they are as long as max(n, 0).

    Linear.
    """
    return with_block(function, bounce(_unclipped(function.block)))


def _unclipped(block: Block) -> Task[Block]:
    inner = [*(yield from changed_inside(block.body, _unclipped))]
    clipped: dict[Operand, Operand] = {}
    for place, statement in enumerate(inner):
        if not isinstance(statement, Apply):
            continue
        if statement.op.name == "max" and _ZERO in statement.args:
            others = [arg for arg in statement.args if arg != _ZERO]
            if len(others) == 1:
                clipped[statement.out] = others[0]
        elif statement.op.name in _SIZED:
            value, *sizes = statement.args
            if not clipped.keys().isdisjoint(sizes):
                args = (value, *(clipped.get(size, size) for size in sizes))
                inner[place] = replace(statement, args=args)
    return block if is_same(inner, block.body) else replace(block, body=tuple(inner))
