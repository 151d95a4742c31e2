"""The arrays that a statement consumes: nothing may read them behind it.

An elemental consumes what its row says, a call what the function changes, a record all
that it holds, a loop the arrays that it carries, and a statement with blocks whatever
one of its blocks consumes or gives back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Derivative,
    Function,
    Operand,
    Record,
    Scan,
    Solve,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce

Arrays = frozenset[Operand]

_NONE: Arrays = frozenset()


class Consumption:
    """The arrays that statements consume; every block is looked at once. Linear."""

    def __init__(self) -> None:
        self._gone: dict[Block, Arrays] = {}

    def by(self, statement: Statement) -> Arrays:
        """The arrays that are gone behind a statement."""
        if type(statement) is Apply:  # nearly always
            return _by_apply(statement) if statement.op.consumes else _NONE
        if isinstance(statement, Call):
            return _by_call(statement)
        if isinstance(statement, Record):
            return _by_record(statement)
        for operand in statement.inputs:
            if operand.type.dims:
                return bounce(self._by(statement))
        return _NONE

    def handed(self, statement: Statement, block: Block) -> Iterator[Operand]:
        """The operands of a statement that one of its blocks consumes or gives back."""
        gone = bounce(self._of(block))
        return (o for p, o in handed(statement, block) if p in gone)

    def by_all(self, body: Iterable[Statement]) -> set[Operand]:
        """The arrays that are gone behind some statements."""
        some = [s for s in body if type(s) is not Apply or s.op.consumes]
        return {array for statement in some for array in self.by(statement)}

    def _by(self, statement: Statement) -> Task[Arrays]:
        found: set[Operand] = set()
        for block in statement.blocks:
            gone = yield self._of(block)
            found.update(o for p, o in handed(statement, block) if p in gone)
        if isinstance(statement, Scan | While):
            found.update(c for c in statement.carries if c.type.dims)
        return frozenset(found)

    def _of(self, block: Block) -> Task[Arrays]:
        """The parameters that a block consumes or gives back."""
        known = self._gone.get(block)
        if known is None:
            found = {result for result in block.results if result.type.dims}
            for statement in block.body:
                if type(statement) is Apply:
                    if statement.op.consumes:
                        found |= _by_apply(statement)
                elif isinstance(statement, Call):
                    found |= _by_call(statement)
                elif isinstance(statement, Record):
                    found |= _by_record(statement)
                elif any(operand.type.dims for operand in statement.inputs):
                    found |= yield self._by(statement)
            known = self._gone[block] = frozenset(found.intersection(block.params))
        return known


def _by_apply(statement: Apply) -> Arrays:
    return frozenset(a for a in statement.args if a.type.dims)


def _by_call(call: Call) -> Arrays:
    return frozenset(call.args[k] for k in call.changes)


def _by_record(record: Record) -> Arrays:
    return frozenset(a for a in record.args if a.type.dims)


def changed_by(function: Function) -> tuple[int, ...]:
    """The places of the arrays that a function changes, or gives back."""
    gone = bounce(Consumption()._of(function.block))
    return tuple(k for k, p in enumerate(function.block.params) if p in gone)


def handed(statement: Statement, block: Block) -> Iterator[tuple[Var, Operand]]:
    """Parameters of an inner block with their operands outside."""
    match statement:
        case Branch():
            return zip(block.params, statement.args, strict=True)
        case Scan():
            values = (*statement.carries, *statement.reads, *statement.entries)
            return zip(block.params[1:], values, strict=True)
        case Solve():
            own = len(block.params) - len(statement.args)  # of the residual
            return zip(block.params[own:], statement.args, strict=True)
        case Derivative():
            return zip(block.params, statement.args, strict=True)
    return zip(block.params, statement.inputs, strict=True)
