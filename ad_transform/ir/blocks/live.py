"""Dead code: statements, results, carries, records and arguments that nobody needs."""

from __future__ import annotations

from collections.abc import Iterator

from ad_transform.ir.nodes import (
    Apply,
    Check,
    Literal,
    Operand,
    Statement,
    checks,
    found_inside,
    is_check,
    is_whole,
    sought,
)
from ad_transform.later import later

with later():
    from ad_transform.ir.blocks.wants import needed_part


def live(
    body: tuple[Statement, ...], results: tuple[Operand, ...]
) -> tuple[Statement, ...]:
    """The statements that the results need, checks included; linear.

    Statements with blocks keep only the results, carries, records and arguments that
    are needed, and in their blocks the statements for these; a statement with a check
    inside stays.
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
            found_inside(statement, "is_whole", "has_checks")
            stays = is_whole(statement) and needed.issuperset(sought(statement))
            part = statement if stays else needed_part(statement, needed)
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
    """As `live`, for the statements of the body alone: those with blocks stay whole.

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


def _once(body: list[Statement]) -> Iterator[Statement]:
    """The statements without checks that repeat another, or that hold for certain."""
    done: set[Operand] = set()
    for statement in body:
        if isinstance(statement, Check):
            test = statement.test
            holds = isinstance(test, Literal) and test.value is True
            if (test in done or holds) and not statement.notes:
                continue
            done.add(test)
        yield statement
