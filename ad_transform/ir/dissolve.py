"""Programs without `Solve`: each is what its primal does, as a program runs it."""

from __future__ import annotations

from dataclasses import replace

from ad_transform.ir.blocks import renewed
from ad_transform.ir.nodes import Block, Function, Operand, Solve, Statement, walk
from ad_transform.ir.trampoline import Task, bounce


def dissolved(function: Function) -> Function:
    """The function with the primal of every `Solve` in its place; linear."""
    if not any(isinstance(s, Solve) for s in walk(function.body)):
        return function
    return replace(function, block=bounce(_block(function.block)))


def _block(block: Block) -> Task[Block]:
    body: list[Statement] = []
    env: dict[Operand, Operand] = {}
    for statement in block.body:
        taken = statement.over(env)
        if isinstance(taken, Solve):
            primal = renewed(taken.primal, over=taken.args)
            inner: Block = yield _block(primal)
            body += inner.body
            env.update(zip(taken.outs, inner.results, strict=True))
            continue
        blocks: list[Block] = []
        for one in taken.blocks:
            blocks.append((yield _block(one)))
        kept = taken.rebuilt(taken.outs, taken.inputs, tuple(blocks))
        body.append(kept if blocks else taken)
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, tuple(body), results)
