"""Loops that are known to make no trip, as the sum of `x[1:]` where `x` has one item:
what they carry is what they began with, and what only they read is not made.
"""

from __future__ import annotations

from dataclasses import replace

from ad_transform.ir.inner import is_same
from ad_transform.ir.nodes import Block, Function, Literal, Operand, Scan, Statement
from ad_transform.ir.trampoline import Task, bounce


def without_tripless(function: Function) -> Function:
    """The function without loops that make no trip and record nothing; linear."""
    block = bounce(_without(function.block))
    return function if block is function.block else replace(function, block=block)


def _without(block: Block) -> Task[Block]:
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        here = statement.over(env) if env else statement
        if isinstance(here, Scan) and _makes_no_trip(here):
            env.update(zip(here.outs, here.carries, strict=True))
            continue
        if here.blocks:
            inner: list[Block] = []
            for held in here.blocks:
                inner.append((yield _without(held)))
            if not is_same(inner, here.blocks):
                here = here.rebuilt(here.outs, here.inputs, tuple(inner))
        body.append(here)
    if is_same(body, block.body):
        return block
    results = tuple(env.get(result, result) for result in block.results)
    return Block(block.params, tuple(body), results)


def _makes_no_trip(loop: Scan) -> bool:
    ends = (loop.start, loop.stop, loop.step)
    known = [int(end.value) for end in ends if isinstance(end, Literal)]
    if len(known) < len(ends) or not known[2] or loop.stacks:
        return False
    return not range(*known)
