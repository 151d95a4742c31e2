"""Logarithms of exponentials are known: `log(u)` is x for `u = exp(x)`.

The slope of `u**y` by y is `v * (log(u) if v != 0 else 0)`. That is `v * x`, which is
0 where v is.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.ir.arms.guarded_powers import arguments, gives
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.types import FLOAT


def known_logs(function: Function) -> Function:
    """The function without such logarithms. Linear."""
    return each_block(function, _changed, leaves=False)


def _changed(block: Block) -> Block:
    if Branch not in block.kinds:
        return block
    makers: dict[Operand, Statement] = {out: s for s in block.body for out in s.outs}
    found: dict[Operand, Operand] = {
        s.outs[0]: exponent
        for s in block.body
        if type(s) is Branch and (exponent := _exponent(s, makers)) is not None
    }
    for statement in block.body if found else ():
        for value in found.keys() & set(statement.inputs):
            if not _is_zero_anyway(statement, value, makers):
                del found[value]
    for result in block.results if found else ():
        found.pop(result, None)
    if not found:
        return block
    body = [s.over(found) for s in block.body if found.keys().isdisjoint(s.outs)]
    return with_body(block, body)


def _exponent(branch: Branch, makers: Mapping[Operand, Statement]) -> Operand | None:
    """x of `log(exp(x)) if v != 0 else 0`."""
    arm = branch.then.body
    if len(branch.outs) != 1 or len(arm) != 1 or not gives(branch.orelse, 0):
        return None
    (log,) = arm
    if not isinstance(log, Apply) or log.op.name != "log":
        return None
    env = arguments(branch, branch.then)
    made = makers.get(env.get(log.args[0], log.args[0]))
    is_there = branch.then.results == (log.out,) and log.out.type == FLOAT
    if not is_there or not isinstance(made, Apply) or made.op.name != "exp":
        return None
    (x,) = made.args
    return x if x.type == FLOAT else None


def _is_zero_anyway(
    statement: Statement, value: Operand, makers: Mapping[Operand, Statement]
) -> bool:
    """Whether a statement multiplies a value by one that is 0 where that one is."""
    if not isinstance(statement, Apply) or statement.op.name != "mul":
        return False
    (other,) = [a for a in statement.args if a is not value] or (value,)
    branch = makers[value]
    test = makers.get(branch.test) if isinstance(branch, Branch) else None
    if not isinstance(test, Apply) or test.op.name != "ne":
        return False
    tested, zero = test.args
    is_tested = isinstance(zero, Literal) and zero.value == 0
    return is_tested and _has_factor(other, tested, makers)


def _has_factor(
    product: Operand, factor: Operand, makers: Mapping[Operand, Statement]
) -> bool:
    """Whether a value is a product with some factor."""
    stack = [product]
    while stack:
        value = stack.pop()
        if value is factor:
            return True
        made = makers.get(value) if isinstance(value, Var) else None
        if isinstance(made, Apply) and made.op.name == "mul":
            stack += made.args
    return False
