"""Dead code: statements, results, carries, records and arguments that nobody needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Check,
    Literal,
    Operand,
    Scan,
    Statement,
    While,
    checks,
    sought,
)
from ad_transform.later import later

with later():
    from ad_transform.ir.wants import is_check, needed_part


def live(
    body: tuple[Statement, ...], results: tuple[Operand, ...]
) -> tuple[Statement, ...]:
    """The statements that the results need, checks included; linear.

    Statements with blocks keep only what is needed of their results, carries, records
    and arguments, and in their blocks what makes these; a statement in which something
    is checked stays.
    """
    needed: set[Operand] = set(results)
    kept: list[Statement] = []
    checked = False
    for statement in reversed(body):
        if type(statement) is Apply:  # nearly always
            if statement.out in needed:
                needed.update(statement.args)
                kept.append(statement)
        elif statement.blocks:
            is_whole = needed.issuperset(sought(statement)) and _is_read(statement)
            part = statement if is_whole else needed_part(statement, needed)
            if part is not None:
                needed.update(part.inputs)
                kept.append(part)
        elif checks(statement) or not needed.isdisjoint(statement.outs):
            needed.update(statement.inputs)
            kept.append(statement)
            checked = checked or is_check(statement)
    kept.reverse()
    return tuple(_once(kept) if checked else kept)


def live_outside(
    body: tuple[Statement, ...], results: tuple[Operand, ...]
) -> tuple[Statement, ...]:
    """The same for the statements of the body alone: those with blocks stay, whole.

    It is for a block in blocks that go through `live` together once they are made.
    Linear in the statements of the body.
    """
    wanted: set[Operand] = set(results)
    kept: list[Statement] = []
    for statement in reversed(body):
        stays = statement.blocks or checks(statement)
        if stays or not wanted.isdisjoint(statement.outs):
            wanted.update(statement.inputs)
            kept.append(statement)
    kept.reverse()
    return tuple(kept)


def _is_read(statement: Statement) -> bool:
    """Whether all that a statement with results holds is read, its results apart.

    Where these are needed, so is everything: what reads a value stands behind it.
    """
    waiting = [statement]
    while waiting:
        holder = waiting.pop()
        if not reads_all(holder):
            return False
        for block in holder.blocks:
            waiting += [block.body[place] for place in block.holders]
    return bool(statement.outs)


def reads_all(holder: Statement) -> bool:
    """Whether what the blocks of a statement make and are given is read in them, inner
    blocks apart.
    """
    blocks = holder.blocks
    if not all(block.is_read for block in blocks):
        return False
    idle = frozenset.intersection(*[block.idle for block in blocks])
    first = FIRST.get(type(holder)) if idle else None
    return first is None or max(idle) < first(holder)


FIRST: dict[type[Statement], Callable[[Any], int]] = {
    Branch: lambda branch: 0,
    Scan: lambda scan: 1 + len(scan.carries),
    While: lambda loop: len(loop.carries),
}
"""From which parameter on those that no block reads go, by the kind of statement."""


def _once(body: list[Statement]) -> Iterator[Statement]:
    """The statements without what has been checked before, in whatever words, and
    without what holds for certain.
    """
    done: set[Operand] = set()
    for statement in body:
        if isinstance(statement, Check):
            test = statement.test
            holds = isinstance(test, Literal) and test.value is True
            if (test in done or holds) and not statement.notes:
                continue
            done.add(test)
        yield statement
