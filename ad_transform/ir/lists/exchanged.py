"""Elements that are exchanged, back as forth.

The way back of `y[k], y[p] = y[p], y[k]` takes `y_bar[p]`, clears it, stores what it
took in `y_bar[k]` and adds what was there to `y_bar[p]`. That is an exchange again.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
    walk,
)

_CHANGES = frozenset({"set", "add_at"})
_ZERO = Literal(0.0)
_MOST = 3
"""Changes of an array behind the one that clears an element."""


def exchanged(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such elements exchanged; those of its value stay as they are,
    for 0.0 + -0.0 is 0.0. Linear. `table` has the operations.
    """
    stores = "set" in function.block.all_operations
    if not stores or not any(map(_clears, walk(function.body))):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _exchanged(block, sacred, table))


def _exchanged(
    block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Block:
    if not {"set", "get"} <= block.operations.keys():
        return block
    chains = _Chains(block)
    body: list[Statement | None] = [*block.body]
    for place, statement in enumerate(block.body):
        if _clears(statement) and sacred.isdisjoint(statement.outs):
            chains.exchange(place, body, table)
    return with_body(block, [s for s in body if s is not None])


def _clears(statement: Statement) -> bool:
    """Whether it stores 0.0 in an element."""
    return (
        isinstance(statement, Apply)
        and statement.op.name == "set"
        and statement.args[1] == _ZERO
        and len(statement.args) == 2 + len(statement.out.type.dims)
    )


class _Chains:
    """The changes of the arrays of a block, and reads of their elements, by array."""

    def __init__(self, block: Block) -> None:
        self._body = block.body
        self._count = block.times_read
        self._changes: dict[Operand, int] = {}
        self._reads: dict[Operand, list[int]] = {}
        for place, statement in enumerate(block.body):
            if not isinstance(statement, Apply) or not statement.args:
                continue
            if statement.op.name in _CHANGES:
                self._changes[statement.args[0]] = place
            elif statement.op.name == "get":
                self._reads.setdefault(statement.args[0], []).append(place)

    def exchange(
        self, place: int, body: list[Statement | None], table: Mapping[str, Elemental]
    ) -> None:
        """Make the exchange that begins where an element is cleared, if there is one,
        in the statements of the body.
        """
        cleared = self._at(place)
        array, _, *first = cleared.args
        taken = [self._at(k) for k in self._reads.get(array, ())]
        mine = [s.out for s in taken if [*s.args[1:]] == first]
        read = self._reads.get(cleared.out, [])
        if len(mine) != 1 or len(read) != 1 or self._count[cleared.out] != 2:
            return
        other = self._at(read[0])
        second = [*other.args[1:]]
        places = self._behind(cleared.out)
        ways = [(self._at(k).op.name, *self._at(k).args[1:]) for k in places]
        stored, added = (mine[0], *second), (other.out, *first)
        if ways[:2] == [("set", *stored), ("add_at", *added)]:
            gone, (one, end) = [place], places[:2]
        elif ways[:1] == [("set", _ZERO, *second)] and sorted(
            ways[1:], key=lambda way: way == ("add_at", *added)
        ) == [("add_at", *stored), ("add_at", *added)]:
            gone, (one, end) = [place, places[0]], places[1:]
        else:
            return
        if self._count[other.out] != 1:
            return
        for k in gone:
            body[k] = None
        first_change, last = self._at(one), self._at(end)
        body[read[0]] = Apply(other.out, other.op, (array, *second))
        op = table["set"]
        body[one] = Apply(first_change.out, op, (array, *stored))
        body[end] = Apply(last.out, op, (first_change.out, *added))

    def _behind(self, array: Operand) -> list[int]:
        """The places of the next changes of an array, three at most, between which
        nothing else reads it.
        """
        found: list[int] = []
        while len(found) < _MOST and array in self._changes:
            if found and self._count[array] != 1:
                break
            found.append(self._changes[array])
            array = self._at(found[-1]).out
        return found

    def _at(self, place: int) -> Apply:
        statement = self._body[place]
        assert isinstance(statement, Apply)
        return statement
