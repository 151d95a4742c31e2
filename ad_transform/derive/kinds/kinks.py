"""Conventions: the derivative at kinks, and the parts that it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ad_transform.ir.nodes import Apply, Block, Branch, Solve, Statement, Var, walk
from ad_transform.later import later

with later():
    from ad_transform.derive.sweep.active import differentiated_operations

_IMPLICIT = "what solves an equation has the derivatives of the equation"

_TAKEN = "the taken arm of a branch counts"


def kinks_of(
    differentiated: Sequence[tuple[Block, tuple[Var, ...]]],
) -> tuple[str, ...]:
    """The conventions that derivatives of blocks by some values may have used."""
    kinks = {
        operation.op.kink: None
        for block, columns in differentiated
        if any(isinstance(s, Apply) and s.op.kink for s in walk(block.body))
        for operation in differentiated_operations(block, columns)
        if operation.op.kink
    }
    bodies = [block.body for block, _ in differentiated]
    if any(_chooses(s) for body in bodies for s in _differentiated(body)):
        kinks[_TAKEN] = None
    if any(isinstance(s, Solve) for body in bodies for s in walk(body)):
        kinks[_IMPLICIT] = None
    return tuple(kinks)


def _differentiated(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """The statements that have derivatives; those that solve an equation have none."""
    waiting = [iter(body)]
    while waiting:
        for statement in waiting.pop():
            yield statement
            blocks = statement.blocks
            own = blocks[1:] if isinstance(statement, Solve) else blocks
            waiting += (iter(block.body) for block in own)


def _chooses(statement: Statement) -> bool:
    """Whether a statement is a branch that decides about floats."""
    is_branch = isinstance(statement, Branch)
    return is_branch and any(out.type.is_real for out in statement.outs)
