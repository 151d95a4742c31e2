"""What a test is known to be where code stands in its arm, or behind its check.

    if away:                             if away:
        if away:                             keys.append(key)
            keys.append(key)             if lost:
    if lost:                                 raise KeyError(key)
        raise KeyError(key)              values[place] += x
    if lost:
        values.append(x)
    else:
        values[place] += x

Such tests come from code that is read in several places, like that of dicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from ad_transform.ir.blocks import alike_in_both
from ad_transform.ir.decided import facts
from ad_transform.ir.inner import changed_at, is_same, with_block
from ad_transform.ir.live import live
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Operand,
    Statement,
)
from ad_transform.ir.trampoline import Task, bounce

Env = dict[Operand, Operand]


def told_tests(function: Function) -> Function:
    """The function without branches on what is known. Linear in the statements, and in
    what is handed on through branches.
    """
    if not any(isinstance(s, Branch) for s in function.nested):
        return function
    block = bounce(_told(function.block, {}))
    if block is function.block:
        return function
    body = live(block.body, block.results)
    return with_block(function, Block(block.params, body, block.results))


def _told(block: Block, known: Mapping[Operand, Operand]) -> Task[Block]:
    """A block where some values are known."""
    if not known and Branch not in block.kinds and not block.holders:
        return block
    env: Env = dict(known)
    makers: dict[Operand, Statement] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        if isinstance(made, Branch) and isinstance(made.test, Literal):
            arm = made.then if made.test.value else made.orelse
            given = zip(arm.params, made.args, strict=True)
            inner: Block = yield _told(arm, dict(given))
            body += inner.body
            makers.update((out, s) for s in inner.body for out in s.outs)
            env.update(zip(made.outs, inner.results, strict=True))
            continue
        if isinstance(made, Branch):
            made = yield _in_arms(made, makers)
            env.update(alike_in_both(made))
        elif made.blocks:
            (made,) = yield from changed_at((0,), (made,), _from_outside)
        elif _is_not(made) and isinstance(made.args[0], Literal):
            env[made.out] = Literal(not made.args[0].value)
            continue
        elif isinstance(made, Check):
            if made.test == Literal(True):
                continue
            env.update(facts(makers, made.test, True))
        body.append(made)
        makers.update((out, made) for out in made.outs)
    if not env and is_same(body, block.body):
        return block
    results = tuple(env.get(result, result) for result in block.results)
    return Block(block.params, tuple(body), results)


def _is_not(statement: Statement) -> TypeGuard[Apply]:
    return isinstance(statement, Apply) and statement.op.name == "not"


def _from_outside(block: Block) -> Task[Block]:
    """A trip, which knows nothing of what is around it."""
    return _told(block, {})


def _in_arms(branch: Branch, makers: Mapping[Operand, Statement]) -> Task[Branch]:
    """A branch whose arms know its test."""
    arms: list[Block] = []
    for arm, holds in zip(branch.blocks, (True, False), strict=True):
        found = facts(makers, branch.test, holds)
        given = zip(arm.params, branch.args, strict=True)
        pairs = ((param, found.get(arg, arg)) for param, arg in given)
        known: Env = {param: arg for param, arg in pairs if isinstance(arg, Literal)}
        arms.append((yield _told(arm, known)))
    if is_same(arms, branch.blocks):
        return branch
    return branch.rebuilt(branch.outs, branch.inputs, tuple(arms))
