"""Sums that lose a part that is 0 in the arm in which they are made.

`totals[k] = totals.get(k, 0.0) + v` is `totals.append(0.0 + v)` where there is no k.
"""

from __future__ import annotations

from collections.abc import Set

from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
)

_ZERO = Literal(0.0)


def nothing_added(function: Function) -> Function:
    """The function with the other part of such sums; those of its value stay as they
    are, for 0.0 + -0.0 is 0.0. Linear.
    """
    if not any(map(_has_zero, function.block.every)):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _less(block, sacred))


def _less(block: Block, sacred: Set[Operand]) -> Block:
    if not _has_zero(block):
        return block
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        other = _other(made)
        if other is None or made.outs[0] in sacred:
            body.append(made)
        else:
            env[made.outs[0]] = other
    return with_body(block, body, env)


def _has_zero(block: Block) -> bool:
    """Whether something is added to 0 in a block, inner ones apart."""
    sums = block.operations.get("add", ())
    some = [s for s in sums for arg in s.args if type(arg) is Literal]
    return any(_other(total) is not None for total in some)


def _other(total: Statement) -> Operand | None:
    """The other part of a sum with a 0; None for any other statement."""
    if not isinstance(total, Apply) or total.op.name != "add":
        return None
    for zero, other in (total.args, total.args[::-1]):
        is_zero = isinstance(zero, Literal) and zero == _ZERO and not zero.name
        if is_zero and other.type == total.out.type and not total.out.notes:
            return other
    return None
