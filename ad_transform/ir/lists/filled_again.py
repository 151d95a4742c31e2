"""Loops do not store in a list what all of it was filled with and still holds there.

The block of a Hessian that is 0 is that of a matrix of zeros: no loop goes over it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.blocks.live import live
from ad_transform.ir.lists.unseen import cleared, reading_unchanged
from ad_transform.ir.loops.affine import AffineForms
from ad_transform.ir.loops.meeting import Meeting
from ad_transform.ir.loops.sites import Site
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    walk,
)
from ad_transform.ir.trampoline import bounce

_NUMBER = {"full": 0, "grid": 0, "like": 1, "rows_like": 1}
"""Operations that fill a list with a number, with the place of the number."""
_CHANGES = {"set", "add_at", "sub_at"}


def not_filled_again(function: Function) -> Function:
    """The function without such stores, but for those of its value. Linear in the
    statements, times the loops around them and the stores into one list.
    """
    stores = [s for b in function.block.every for s in b.operations.get("set", ())]
    if not any(_stored(store) is not None for store in stores):
        return function
    if function.block.all_operations.isdisjoint(_NUMBER):
        return function
    sacred = of_value(function)
    consumption = Consumption()
    return each_block(function, lambda block: _without(block, sacred, consumption))


def _without(block: Block, sacred: Set[Operand], consumption: Consumption) -> Block:
    loops = {s for s in block.body if isinstance(s, Scan) and _stores_numbers(s)}
    if not loops:
        return block
    env: dict[Operand, Operand] = {}
    ahead = _Ahead(block, consumption)
    body: list[Statement] = []
    changes = False
    for statement in block.body:
        made = statement.over(env) if env else statement
        if isinstance(statement, Scan) and statement in loops:
            gone = _held_already(statement, ahead, sacred)
            if gone:
                assert isinstance(made, Scan)
                inner = bounce(cleared(statement.body, gone))
                made = reading_unchanged(replace(made, body=inner), env)
                changes = True
        body.append(made)
    if not changes:
        return block
    made_anew = with_body(block, body, env)
    return replace(made_anew, body=live(made_anew.body, made_anew.results))


def _stores_numbers(loop: Scan) -> bool:
    """Whether a loop stores numbers in elements of lists that it carries. An element
    that is read just before is one that something changes.
    """
    if loop.snapshots is not None or not any(c.type.dims for c in loop.carries):
        return False
    every = [s for s in walk(loop.body.body) if type(s) is Apply]
    stores = [s for s in every if s.op.name == "set" and _stored(s) is not None]
    if not stores:
        return False
    read = {s.args for s in every if s.op.name == "get"}
    return any((s.args[0], *s.args[2:]) not in read for s in stores)


def _stored(statement: Statement) -> Literal | None:
    """The number that a statement stores in an element, if it is written out."""
    if not isinstance(statement, Apply) or statement.op.name != "set":
        return None
    value = statement.args[1]
    return value if isinstance(value, Literal) and value.type.is_real else None


def _held_already(loop: Scan, ahead: _Ahead, sacred: Set[Operand]) -> set[Statement]:
    """The stores of a loop of what the elements hold."""
    meeting = ahead.meeting(loop)
    found = Counter(
        statement
        for statement, site in meeting.numbers()
        if statement.out not in sacred and ahead.holds(loop, site, statement.args[1])
    )
    times = Counter(s for s in walk(loop.body.body) if s in found)
    return {s for s, count in found.items() if count == times[s]}


class _Ahead:
    """What lists hold before the loops of a block."""

    def __init__(self, block: Block, consumption: Consumption) -> None:
        self._forms = AffineForms(block.body, {}, naturals=set())
        self._consumption = consumption
        self._makers: dict[Operand, Statement] = {
            out: s for s in block.body for out in s.outs
        }
        self._meetings: dict[Scan, Meeting] = {}

    def meeting(self, loop: Scan) -> Meeting:
        """The sites of a loop."""
        if loop not in self._meetings:
            self._meetings[loop] = Meeting(loop, self._forms, self._consumption)
        return self._meetings[loop]

    def holds(self, loop: Scan, site: Site, number: Operand) -> bool:
        """Whether the list of a site was filled with a number before a loop, and
        nothing else was stored at that place.
        """
        meeting, array = self.meeting(loop), loop.carries[site.array]
        while array in self._makers:
            maker = self._makers[array]
            if isinstance(maker, Apply):
                name, args = maker.op.name, maker.args
                if name in _NUMBER:
                    return args[_NUMBER[name]] == number
                if name not in _CHANGES:
                    return False
                places = map(self._forms.place, args[2:], maker.out.type.dims)
                if _stored(maker) != number and meeting.may_be(site, tuple(places)):
                    return False
                array = args[0]
            elif isinstance(maker, Scan) and array in maker.outs[: len(maker.carries)]:
                k = maker.outs.index(array)
                if not self._stays(maker, k, meeting, site, number):
                    return False
                array = maker.carries[k]
            else:
                return False
        return False

    def _stays(
        self, loop: Scan, k: int, meeting: Meeting, site: Site, number: Operand
    ) -> bool:
        """Whether a loop stores nothing but a number at a place of an array."""
        if loop.snapshots is not None:
            return False
        own = self.meeting(loop)
        return own.is_known(k) and not any(
            meeting.may_be(site, store.index, store.conditions)
            for store, statement in own.stored(k)
            if _stored(statement) != number
        )
