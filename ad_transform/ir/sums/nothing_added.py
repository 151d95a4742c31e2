"""Sums that lose a part that is 0 in the arm, or the trips, in which they are made.

`totals[k] = totals.get(k, 0.0) + v` is `totals.append(0.0 + v)` where there is no k.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from itertools import chain
from typing import TypeGuard

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
)

_ZERO = Literal(0.0)


def nothing_added(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with the other part of such sums, or its negative; those of its
    value stay as they are, for 0.0 + -0.0 is 0.0. Linear. `table` has the operations.
    """
    if not any(map(_has_zero, function.block.every)):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _less(block, sacred, table))


def _less(block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]) -> Block:
    if not _has_zero(block):
        return block
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        other = _other(made)
        if other is None or made.outs[0] in sacred:
            body.append(made)
        elif _is_negated(made):
            body.append(replace(made, op=table["neg"], args=(other,)))
        else:
            env[made.outs[0]] = other
    return with_body(block, body, env)


def _has_zero(block: Block) -> bool:
    """Whether there is a sum with a 0 in a block, inner ones apart."""
    found = block.operations
    sums = chain(found.get("add", ()), found.get("sub", ()))
    some = [s for s in sums for arg in s.args if type(arg) is Literal]
    return any(_other(total) is not None for total in some)


def _other(total: Statement) -> Operand | None:
    """The other part of a sum with a 0; None for any other statement."""
    if not isinstance(total, Apply) or total.op.name not in ("add", "sub"):
        return None
    for zero, other in (total.args, total.args[::-1]):
        is_zero = isinstance(zero, Literal) and zero == _ZERO and not zero.name
        if is_zero and other.type == total.out.type and not total.out.notes:
            return other
    return None


def _is_negated(total: Statement) -> TypeGuard[Apply]:
    """Whether a sum with a 0 takes the other part from it."""
    if not isinstance(total, Apply) or total.op.name != "sub":
        return False
    return total.args[0] == _ZERO and total.args[1] != _ZERO
