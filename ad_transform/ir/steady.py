"""What a loop hands from trip to trip as it is: behind the loop it is what it was.

A loop that does no more is none, and where there are no trips it is the same.
"""

from __future__ import annotations

from dataclasses import replace

from ad_transform.ir.inner import with_block
from ad_transform.ir.live import live
from ad_transform.ir.nodes import Block, Function, Operand, Scan, Statement, While
from ad_transform.ir.trampoline import Task, bounce

Env = dict[Operand, Operand]


def without_steady(function: Function) -> Function:
    """The function without such carries. Linear.

    Lists stay, for they may change in place.
    """
    found: list[bool] = []
    block = bounce(_without(function.block, found))
    if not found:
        return function
    body = live(block.body, block.results)
    return with_block(function, replace(block, body=body))


def _without(block: Block, found: list[bool]) -> Task[Block]:
    env: Env = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env)
        if made.blocks:
            inner: list[Block] = []
            for own in made.blocks:
                inner.append((yield _without(own, found)))
            made = made.rebuilt(made.outs, made.inputs, tuple(inner))
        if isinstance(made, Scan | While):
            env.update(_steady(made))
        body.append(made)
    if env:
        found.append(True)
    results = tuple(env.get(result, result) for result in block.results)
    return replace(block, body=tuple(body), results=results)


def _steady(loop: Scan | While) -> Env:
    """What stands behind a loop for what it is given."""
    params = loop.body.params[isinstance(loop, Scan) :]
    every = zip(loop.outs, loop.carries, params, loop.body.results, strict=False)
    return {
        out: carry
        for out, carry, param, result in list(every)[: len(loop.carries)]
        if result is param and carry.type == out.type and not out.type.dims
    }
