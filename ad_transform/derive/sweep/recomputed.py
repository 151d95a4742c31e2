"""What is done once more instead of being recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.ir.nodes import Apply, Literal, Operand, Statement

CHAIN = 2
"""Operations in a row that are done once more: recording takes as long."""


def recomputed(forth: Sequence[Statement], free: Iterable[Operand]) -> list[Apply]:
    """The operations over free values that cost less than a record, in order."""
    length: dict[Operand, int] = dict.fromkeys(free, 0)
    found: list[Apply] = []
    for statement in forth:
        if not isinstance(statement, Apply) or statement.op.linear:
            continue
        known = [
            0 if isinstance(a, Literal) else length.get(a, CHAIN)
            for a in statement.args
        ]
        if max(known, default=0) < CHAIN and _is_cheap(statement):
            length[statement.out] = 1 + max(known, default=0)
            found.append(statement)
    return found


def _is_cheap(statement: Apply) -> bool:
    """Whether it is one operation of the machine, or makes a whole number a float."""
    if statement.op.name == "float":
        return True
    classes = statement.op.classes
    return len(classes) <= 1 and not {"call", "pow"} & {*classes}
