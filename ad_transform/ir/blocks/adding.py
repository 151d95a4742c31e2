"""Values and lists that a block only adds to, in any order."""

from __future__ import annotations

from collections.abc import Set

from ad_transform.ir.blocks.carried import changes, has_own_places
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce

_ADDING = frozenset({"add", "sub", "add_at", "sub_at"})
"""Operations that add to their first operand."""


class Sums:
    """Values that blocks only add to; each parameter of a block is looked at once."""

    def __init__(self) -> None:
        self._ends: dict[Var, int | None] = {}
        self._readers: dict[Block, dict[Operand, list[Statement]]] = {}

    def are_all(self, loop: Scan) -> bool:
        """Whether all carries of a loop are sums that no trip reads, or lists of which
        each trip stores an element of its own.
        """
        return bounce(self._are_all(loop))

    def _are_all(self, loop: Scan) -> Task[bool]:
        others: set[int] = set()
        for k, param in enumerate(loop.carry_params):
            end = yield self._end(loop.body, param)
            if end != k:
                others.add(k)
        return not others or others <= _stored(loop)

    def is_sum(self, loop: Scan, k: int) -> bool:
        """Whether carry k of a loop is a sum, perhaps joined of two, that no trip
        reads.
        """
        if k >= len(loop.carries) or loop.snapshots is not None:
            return False
        return bounce(self._found(loop.body, loop.body.params[1 + k])) == k

    def _end(self, block: Block, param: Var) -> Task[int | None]:
        """The place of the result that is a parameter plus addends; None if none is."""
        if param not in self._ends:
            self._ends[param] = yield self._found(block, param)
        return self._ends[param]

    def _found(self, block: Block, param: Var) -> Task[int | None]:
        readers = self._readers_in(block)
        value: Var | None = param
        while value is not None:
            reading = readers.get(value, [])
            places = [k for k, r in enumerate(block.results) if r is value]
            if len(reading) + len(places) != 1:
                return None
            if places:
                return places[0]
            value = yield self._sum(reading[0], value)
        return None

    def _readers_in(self, block: Block) -> dict[Operand, list[Statement]]:
        """The statements that read each value, as often as they do."""
        if block not in self._readers:
            found = self._readers[block] = {}
            for statement in block.body:
                for operand in statement.inputs:
                    if operand in found:
                        found[operand].append(statement)
                    else:
                        found[operand] = [statement]
        return self._readers[block]

    def _sum(self, statement: Statement, value: Var) -> Task[Var | None]:
        """The value that a statement makes of another by adding to it, or None."""
        if isinstance(statement, Apply):
            name = statement.op.name
            is_first = statement.args[0] is value and name in _ADDING
            return statement.out if is_first or name == "add" else None
        if isinstance(statement, Branch) and value in statement.args:
            k = statement.args.index(value)
            end = yield self._end(statement.then, statement.then.params[k])
            if end is None:
                return None
            other = yield self._end(statement.orelse, statement.orelse.params[k])
            return statement.outs[end] if end == other else None
        if not isinstance(statement, Scan | While) or value not in statement.carries:
            return None
        k = statement.carries.index(value)
        if statement.snapshots is not None:
            return None
        if isinstance(statement, While):
            test, param = statement.test, statement.test.params[k]
            if param in self._readers_in(test) or param in test.results:
                return None
        body, first = statement.body, isinstance(statement, Scan)
        end = yield self._end(body, body.params[first + k])
        return statement.outs[k] if end == k else None


def _stored(loop: Scan) -> Set[int]:
    """The carries in which each trip stores an element of its own."""
    if not has_own_places(loop):
        return set()
    place = (loop.body.params[0],)
    made = changes(loop).items()
    return {k for k, one in made if one.op.name == "set" and one.args[2:] == place}
