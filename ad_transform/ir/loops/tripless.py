"""Loops that surely make no trip, as the sum of `x[1:]` where `x` has one item: their
results are their first values, and values that only they read are not made.

More may be known of the length of a list that such a loop began with than of what it
gave: lists that are made of it are as long.
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import is_same
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.typing import DECLARED, result_type


def without_tripless(function: Function) -> Function:
    """The function without loops that make no trip and record nothing; linear."""
    loops = (s for s in function.nested if isinstance(s, Scan))
    if not any(map(_makes_no_trip, loops)):
        return function
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
        if isinstance(here, Apply) and isinstance(statement, Apply):
            here = _as_long(here, statement)
            if here.out is not statement.out:
                env[statement.out] = here.out
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


def _as_long(made: Apply, before: Apply) -> Apply:
    """An operation, its result as long as its arguments have it now."""
    op = made.op
    if made is before or op.result == DECLARED:
        return made
    type_ = result_type(op, made.args)
    if type_ == result_type(op, before.args):
        return made
    return replace(made, out=replace(made.out, type=type_))


def _makes_no_trip(loop: Scan) -> bool:
    ends = (loop.start, loop.stop, loop.step)
    known = [int(end.value) for end in ends if isinstance(end, Literal)]
    if len(known) < len(ends) or not known[2] or loop.stacks:
        return False
    return not range(*known)
