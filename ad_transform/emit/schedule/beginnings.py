"""The first value of a carry bears the name of the carry.

Instead of `case_x = 1.0` in the arms of a branch and `x_bar = case_x` behind it, the
arms say `x_bar = 1.0`.
"""

from __future__ import annotations

from ad_transform.ir.blocks.inner import each_block
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Function,
    Operand,
    Scan,
    Var,
    While,
)


def with_beginnings(function: Function) -> Function:
    """The function with names for values that branches give to loops alone. Linear."""
    if not any(isinstance(s, Branch) for s in function.nested):
        return function
    return each_block(function, _named, leaves=False)


def _named(block: Block) -> Block:
    if Branch not in block.kinds or block.kinds.isdisjoint((Scan, While)):
        return block
    given = {
        out
        for s in block.body
        if isinstance(s, Branch)
        for out in s.outs
        if not out.hint and not out.type.is_array
    }
    loops = [s for s in block.body if isinstance(s, Scan | While)]
    if not given or not loops:
        return block
    read = block.times_read
    named: dict[Var, Var] = {}
    for loop in loops:
        for out, start in zip(loop.outs, loop.carries, strict=False):
            if not (isinstance(start, Var) and start in given and read[start] == 1):
                continue
            if out.hint and out.type == start.type:
                named[start] = Var(out.type, out.hint)
    if not named:
        return block
    env: dict[Operand, Operand] = dict(named.items())
    body = tuple(
        s.over(env).binding(tuple(named.get(out, out) for out in s.outs))
        if isinstance(s, Branch | Scan | While)
        else s
        for s in block.body
    )
    return Block(block.params, body, block.results)
