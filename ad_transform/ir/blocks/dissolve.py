"""Programs as they run: the primal in the place of every `Solve`, and the value itself
for an operation that stands for one only while it is differentiated.
"""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Call,
    Function,
    Operand,
    Solve,
    Statement,
)
from ad_transform.ir.trampoline import Task, bounce


def dissolved(function: Function) -> Function:
    """The function with the primal of every `Solve` in its place; linear."""
    block = function.block
    if has_stand_ins(function):
        block = without(block, lambda op: op.stands)
    if Solve in function.block.all_kinds:
        block = bounce(_block(block))
    return function if block is function.block else replace(function, block=block)


def has_stand_ins(function: Function) -> bool:
    """Whether operations stand for their first arguments in a function."""
    every = function.block.every
    return any(some[0].op.stands for b in every for some in b.operations.values())


def without(block: Block, is_gone: Callable[[Elemental], bool]) -> Block:
    """The block with the first arguments of some operations for their values, and with
    plain calls: inert ones stood beside such an operation, which knew their
    derivatives.
    """
    return bounce(_without(block, {}, is_gone))


def _without(
    block: Block, env: dict[Operand, Operand], is_gone: Callable[[Elemental], bool]
) -> Task[Block]:
    body: list[Statement] = []
    for statement in block.body:
        here = statement.over(env)
        if isinstance(here, Apply) and is_gone(here.op):
            env[here.out] = here.args[0]
            continue
        if isinstance(here, Call):
            body.append(replace(here, inert=False))
            continue
        inner: list[Block] = []
        for own in here.blocks:
            inner.append((yield _without(own, {}, is_gone)))
        body.append(here.rebuilt(here.outs, here.inputs, tuple(inner)))
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, tuple(body), results)


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
