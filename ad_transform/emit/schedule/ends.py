"""Loops over lists alone are as long as the lists: nothing tells them where to end.

The trips of a `while` inside a loop are recorded for its way back. Where that goes over
what the trips have recorded, the number of trips is not needed, and nobody counts them.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from ad_transform.emit.schedule.records import needs_index
from ad_transform.ir.inner import changed_inside, is_same, with_block
from ad_transform.ir.nodes import (
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import INT

_END = "<end>"
"""The name of a literal that stands for an end that no loop says."""


def without_ends(function: Function) -> Function:
    """The function as it is printed: numbers of trips that end loops which do not say
    so are literals, and what was counted and recorded for them is gone. Linear.
    """
    counted = {one for s in walk(function.body) for one in _counted(s)}
    if not counted:
        return function
    made = with_block(function, bounce(_without(function.block, counted)))
    loops = (s for s in walk(made.body) if isinstance(s, Scan))
    unsure = any(_is_end(loop.stop) and needs_index(loop) for loop in loops)
    return function if unsure else made


def _counted(statement: Statement) -> tuple[Operand, ...]:
    """Numbers of trips: of a loop that tests, and those that another has recorded."""
    if isinstance(statement, While):
        return (statement.trips,)
    if isinstance(statement, Scan) and statement.entries:
        entries = statement.body.params[-len(statement.entries) :]
        return tuple(entry for entry in entries if entry.type == INT)
    return ()


def _is_end(operand: Operand) -> bool:
    return isinstance(operand, Literal) and operand.name == _END


def _without(block: Block, counted: Set[Operand]) -> Task[Block]:
    inside = yield from changed_inside(block.body, lambda b: _without(b, counted))
    body = [_endless(statement, counted) for statement in inside]
    return block if is_same(body, block.body) else replace(block, body=tuple(body))


def _endless(statement: Statement, counted: Set[Operand]) -> Statement:
    if not isinstance(statement, Scan) or needs_index(statement):
        return statement
    if statement.stop not in counted:
        return statement
    end = Literal(1, _END)
    return replace(statement, start=Literal(0), stop=end, step=Literal(1))
