"""What two versions of one piece of code have in common."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ad_transform.ir.blocks import shape
from ad_transform.ir.nodes import Apply, Branch, Literal, Operand, Statement

Body = tuple[Statement, ...]
Results = tuple[Operand, ...]


def deed(statement: Statement, args: Iterable[Hashable]) -> Hashable:
    """Equal for operations and branches that do the same to equal arguments."""
    if type(statement) is Apply:  # nearly always
        op = statement.op
        return (op.name, frozenset(args)) if op.commutes else (op.name, *args)
    if type(statement) is Branch:
        return shape(statement.then), shape(statement.orelse), *args
    return statement.outs


def kept(body: Body, older: Body) -> int:
    """How many statements of the older version stand in the body; linear."""
    twins: dict[Operand, Operand] = {}

    def twin(operand: Operand) -> Hashable:
        if type(operand) is Literal:
            return operand.type, repr(operand.value)
        return twins.get(operand, operand)

    known = {deed(s, map(twin, s.inputs)): s.outs for s in older}
    count = 0
    for s in body:
        outs = known.get(deed(s, map(twin, s.inputs)))
        if outs is not None:
            count += 1
            twins.update(zip(s.outs, outs, strict=False))
    return count
