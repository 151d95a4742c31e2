"""Changes of whole programs from the innermost blocks outwards.

What does not change stays the same object: a pass tells by that where nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import is_

from ad_transform.ir.live import live
from ad_transform.ir.nodes import Block, Function, Statement
from ad_transform.ir.trampoline import Task


def changed_inside(
    statements: Iterable[Statement], change: Callable[[Block], Task[Block]]
) -> Task[list[Statement]]:
    """The statements with what `change` makes of the blocks in them."""
    body: list[Statement] = []
    for statement in statements:
        blocks = statement.blocks
        if blocks:
            inner: list[Block] = []
            for held in blocks:
                inner.append((yield change(held)))
            if not is_same(inner, blocks):
                outs, inputs = statement.outs, statement.inputs
                body.append(statement.rebuilt(outs, inputs, tuple(inner)))
                continue
        body.append(statement)
    return body


def with_block(function: Function, block: Block) -> Function:
    """The function with what a pass made of its block, without what nobody needs."""
    if block is function.block:
        return function
    body = live(block.body, block.results)
    return replace(function, block=replace(block, body=body))


def is_same(body: Sequence[object], other: Sequence[object]) -> bool:
    """Whether these are the same objects."""
    return len(body) == len(other) and all(map(is_, body, other))
