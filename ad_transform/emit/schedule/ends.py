"""Loops over lists alone are as long as the lists: nothing tells them where to end.

The trips of a `while` inside a loop are recorded for its way back. Where that goes over
what the trips have recorded, the number of trips is not needed, and nobody counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ad_transform.emit.schedule.records import needs_index
from ad_transform.ir.inner import changed_inside, is_same, with_block
from ad_transform.ir.nodes import Block, Function, Literal, Scan, Statement, Var
from ad_transform.ir.trampoline import Task, bounce


def without_ends(function: Function) -> Function:
    """The function as it is printed: ends that no loop says are literals, and what was
    computed for them is gone. Linear.
    """
    return with_block(function, bounce(_without(function.block)))


def _without(block: Block) -> Task[Block]:
    inside = yield from changed_inside(block.body, _without)
    body: Sequence[Statement] = [_endless(statement) for statement in inside]
    return block if is_same(body, block.body) else replace(block, body=tuple(body))


def _endless(statement: Statement) -> Statement:
    if not isinstance(statement, Scan) or needs_index(statement):
        return statement
    if not isinstance(statement.stop, Var):
        return statement
    return replace(statement, start=Literal(0), stop=Literal(1), step=Literal(1))
