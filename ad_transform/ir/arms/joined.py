"""Two branches on one test are one, where the first raises something.

if kind == "call":                   if kind == "call":
    x = s - k                            x = s - k
elif kind == "put":                      slope = 1.0
    x = k - s                        elif kind == "put":
else:                                    x = k - s
    raise ValueError(kind)               slope = -1.0
slope = 1.0 if is_call else -1.0     else:
                                         raise ValueError(kind)

Others stay: what is chosen between two expressions is one line.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.ir.arms.gathered import is_of_numbers
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Function,
    Operand,
    Statement,
    Var,
    checks_inside,
)


def joined(function: Function) -> Function:
    """The function with such branches where the first one stands. Linear."""
    if not any(isinstance(s, Branch) for s in function.nested):
        return function
    return each_block(function, _joined, leaves=False)


def _joined(block: Block) -> Block:
    held = [block.body[k] for k in block.holders]
    tests = [s.test for s in held if isinstance(s, Branch)]
    if len(set(tests)) == len(tests):
        return block
    body: list[Statement | None] = list(block.body)
    places: dict[Operand, int] = {}
    raising: dict[Operand, int] = {}
    for k, statement in enumerate(block.body):
        places.update(dict.fromkeys(statement.outs, k))
        if not isinstance(statement, Branch) or not isinstance(statement.test, Var):
            continue
        at = raising.get(statement.test)
        if at is None:
            if checks_inside(statement):
                raising[statement.test] = k
            continue
        first = body[at]
        early = all(places.get(arg, -1) <= at for arg in statement.args)
        if early and is_of_numbers(statement):
            assert isinstance(first, Branch)
            body[at], body[k] = _both(first, statement), None
            places.update(dict.fromkeys(statement.outs, at))
    return with_body(block, [s for s in body if s is not None])


def _both(first: Branch, second: Branch) -> Branch:
    """The branch whose arms run those of the first, then those of the second."""
    known: Sequence[Operand] = (*first.args, *first.outs)
    new = [arg for arg in dict.fromkeys(second.args) if arg not in known]
    arms: list[Block] = []
    for arm, other in zip(first.blocks, second.blocks, strict=True):
        seen: dict[Operand, Operand] = dict(zip(first.args, arm.params, strict=True))
        seen.update(zip(first.outs, arm.results, strict=True))
        given: dict[Operand, Var] = dict(zip(second.args, other.params, strict=True))
        seen.update((arg, given[arg]) for arg in new)
        pairs = zip(other.params, second.args, strict=True)
        env: dict[Operand, Operand] = {param: seen[arg] for param, arg in pairs}
        body = (*arm.body, *(s.over(env) for s in other.body))
        results = (*arm.results, *(env.get(r, r) for r in other.results))
        more = tuple(given[arg] for arg in new)
        arms.append(Block((*arm.params, *more), body, results))
    outs = (*first.outs, *second.outs)
    return Branch(outs, first.test, (*first.args, *new), *arms)
