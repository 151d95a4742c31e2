"""What a loop hands from trip to trip as it is: behind the loop it is what it was.

A loop that does no more is none, and where there are no trips it is the same.
"""

from __future__ import annotations

from ad_transform.ir.inner import changed_inside, is_same, with_block
from ad_transform.ir.nodes import Block, Function, Operand, Scan, Statement, While
from ad_transform.ir.trampoline import Task, bounce

Env = dict[Operand, Operand]


def without_steady(function: Function) -> Function:
    """The function without such carries. Linear.

    Lists stay, for they may change in place.
    """
    return with_block(function, bounce(_without(function.block)))


def _without(block: Block) -> Task[Block]:
    env: Env = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        if made.blocks:
            (made,) = yield from changed_inside((made,), _without)
            if isinstance(made, Scan | While):
                env.update(_steady(made))
        body.append(made)
    if is_same(body, block.body) and not env:
        return block
    results = tuple(env.get(result, result) for result in block.results)
    return Block(block.params, tuple(body), results)


def _steady(loop: Scan | While) -> Env:
    """What stands behind a loop for what it is given."""
    params = loop.body.params[isinstance(loop, Scan) :]
    every = zip(loop.outs, loop.carries, params, loop.body.results, strict=False)
    return {
        out: carry
        for out, carry, param, result in list(every)[: len(loop.carries)]
        if result is param and carry.type == out.type and not out.type.dims
    }
