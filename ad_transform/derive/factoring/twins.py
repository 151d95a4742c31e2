"""The common part of two versions of one piece of code."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from ad_transform.ir.blocks.blocks import shape
from ad_transform.ir.nodes import Apply, Branch, Literal, Operand, Statement

Body = tuple[Statement, ...]
Results = tuple[Operand, ...]


def deed(statement: Statement, args: Iterable[Hashable]) -> Hashable:
    """A key, equal for operations and branches that do the same to equal arguments."""
    if type(statement) is Apply:  # nearly always
        op = statement.op
        return (op.name, frozenset(args)) if op.commutes else (op.name, *args)
    if type(statement) is Branch:
        return shape(statement.then), shape(statement.orelse), *args
    return statement.outs


def counter(older: Body) -> Callable[[Body], int]:
    """A function that counts the statements of the older version in a body; linear."""
    known = {deed(s, map(_as_it_is, s.inputs)): s.outs for s in older}

    def kept(body: Body) -> int:
        twins: dict[Operand, Operand] = {}
        twin = twins.get
        count = 0
        for s in body:
            args = [
                _as_it_is(a) if type(a) is Literal else twin(a, a) for a in s.inputs
            ]
            outs = known.get(deed(s, args))
            if outs is not None:
                count += 1
                twins.update(zip(s.outs, outs, strict=False))
        return count

    return kept


def _as_it_is(operand: Operand) -> Hashable:
    if type(operand) is Literal:
        return operand.type, repr(operand.value)
    return operand
