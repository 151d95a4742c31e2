"""Decisions of the last trip of a loop alone, as functions are flattened.

A name that no trip reads has a value before the loop and one at the end of a trip:
behind the loop it is one of both. Numbers in them are paired by carries that nobody
reads on the way, each pair once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import STR
from ad_transform.read.branches import (
    fillers,
    maybe,
    widening,
)
from ad_transform.read.branches.flags import FALSE
from ad_transform.read.machine.drafts import Carry
from ad_transform.read.machine.fields import are_one, home_of, homes_of
from ad_transform.read.values.regrouping import CARRIED, Carried, kind_of, regroup
from ad_transform.read.values.storage import Array, Deque
from ad_transform.read.values.structured import Dict, Group, Object, is_list
from ad_transform.read.values.values import (
    Draft,
    Number,
    Special,
    Value,
    is_whole,
)

if TYPE_CHECKING:
    from ad_transform.read.loops.loops import Loop


@dataclass(slots=True, eq=False)
class Tails:
    """The pairs of a loop; `outs` are the numbers behind it, by those before it and at
    the end of a trip.
    """

    loop: Loop
    outs: dict[tuple[Number, Number], Draft] = field(default_factory=dict)

    def paired(self, start: Value, end: Value, name: str) -> Value | None:
        """The value behind the loop of one that is `start` before it and `end` after
        every trip; None where one value cannot be both.
        """
        if start is end or (isinstance(start, Literal) and start == end):
            return end
        if Special.REFUSED in (start, end):
            return Special.REFUSED
        if end is Special.UNUSED or (start is Special.UNUSED and end is Special.NONE):
            return end
        if maybe.is_open(start) or maybe.is_open(end):
            return self._paired_open(start, end, name)
        if isinstance(end, Object):
            return self._paired_objects(start, end, name)
        if isinstance(end, CARRIED):
            return self._paired_items(start, end, name)
        if isinstance(end, Deque):
            return self._paired_deques(start, end, name)
        if isinstance(end, Dict):
            return self._paired_dicts(start, end, name)
        if isinstance(start, Array) and is_whole(end):
            self.loop.flat.remake(start)
        if isinstance(end, Array):
            return self._paired_arrays(start, end, name)
        if isinstance(end, Draft | Literal):
            return self._paired_numbers(start, end, name)
        return None

    def _paired_items(self, start: Value, end: Carried, name: str) -> Value | None:
        """The same for tuples and lists, item by item."""
        firsts: Sequence[Value] = [start] * len(end.items)
        if isinstance(start, CARRIED) and kind_of(start) == kind_of(end):
            firsts = start.items
        elif start is not Special.UNUSED:
            if isinstance(start, Array) and isinstance(end, Group):
                self.loop.flat.refit(end)
            return None
        if len(firsts) != len(end.items):
            if is_list(end):
                self.loop.flat.refit(end)
            return None
        pairs = zip(firsts, end.items, strict=True)
        items = [self.paired(a, b, name) for a, b in pairs]
        found = tuple(item for item in items if item is not None)
        whole = len(found) == len(items)
        site = getattr(end, "site", None)
        return regroup(kind_of(end), found, site) if whole else None

    def _paired_deques(self, start: Value, end: Deque, name: str) -> Value | None:
        """The same for deques, by the lists inside."""
        if start is not Special.UNUSED and not end.is_like(start):
            return None
        first = start.inner if isinstance(start, Deque) else start
        inner = self.paired(first, end.inner, name)
        return None if inner is None else replace(end, inner=inner)

    def _paired_arrays(self, start: Value, end: Array, name: str) -> Value | None:
        """The same for arrays and views of them."""
        if is_whole(start):
            self.loop.flat.remake(end)
        is_new = start is Special.UNUSED and end.is_beside(end)
        if not is_new and not end.is_beside(start):
            return self.loop.cells.tail(name, start, end)
        return self._paired_views(start, end, name)

    def _paired_numbers(self, start: Value, end: Number, name: str) -> Value | None:
        """The same for numbers and whole arrays."""
        if start is Special.UNUSED:
            if isinstance(end, Literal):
                return end
            for carry in self.loop.draft.carries:
                if carry.end is end:
                    return carry.out  # nobody looks at it where no trip is made
            before = self.loop.draft.before
            start = fillers.like(self.loop.flat, before, end.type, self.loop.span)
        if not isinstance(start, Draft | Literal) or not are_alike(start, end):
            return None
        return self._last(start, end, name)

    def _paired_open(self, start: Value, end: Value, name: str) -> Value | None:
        """The value behind the loop where one of both is None or unbound, or may be."""
        if maybe.are_mixed(start, end):
            return None
        unbound = maybe.is_unbound(start) or maybe.is_unbound(end)
        ends = maybe.given_of(start), maybe.given_of(end)
        is_given = self.paired(*ends, f"{name}_given")
        first, last = maybe.value_of(start), maybe.value_of(end)
        if last is Special.UNUSED:
            return maybe.of(is_given, first, unbound)
        return maybe.of(is_given, self.paired(first, last, name), unbound)

    def _paired_objects(self, start: Value, end: Object, name: str) -> Value | None:
        if are_one(start, end):
            return end
        home, pair = home_of(end), homes_of(start, end)
        if home is None and home_of(start) is not None:
            return None
        if home is not None:
            if pair is None and start is not Special.UNUSED:
                return None
            first = pair[0].place if pair is not None else Special.UNUSED
            place = self.paired(first, home.place, f"{name}_index")
            return home.at(place) if isinstance(place, Draft | Literal) else place
        is_like = isinstance(start, Object) and start.of is end.of
        if not is_like and start is not Special.UNUSED:
            return None
        firsts, lasts, own = self.loop.references.tail(start, end)
        pairs = zip(firsts, lasts, strict=True)
        items = [self.paired(a, b, name) for a, b in pairs]
        found = tuple(item for item in items if item is not None)
        return Object(end.of, found, own) if len(found) == len(items) else None

    def _paired_views(self, start: Value, end: Array, name: str) -> Value | None:
        """The view behind the loop of two of one list from before it."""
        if end.cell.key not in self.loop.cells.old:
            return None
        firsts: Sequence[Value] = [Special.UNUSED] * len(end.numbers)
        if isinstance(start, Array):
            firsts = start.numbers
        pairs = zip(firsts, end.numbers, strict=True)
        items = [self.paired(a, b, name) for a, b in pairs]
        found = [item for item in items if isinstance(item, Draft | Literal)]
        return end.moved(found) if len(found) == len(items) else None

    def _paired_dicts(self, start: Value, end: Dict, name: str) -> Value | None:
        firsts: Sequence[Value] = [Special.UNUSED] * len(end.items)
        identity = end.identity
        if start is not Special.UNUSED:
            if not end.is_like(start):
                return None
            firsts, identity = start.items, end.which(start)
        pairs = zip(firsts, end.items, strict=True)
        items = [self.paired(a, b, name) for a, b in pairs]
        found = tuple(item for item in items if item is not None)
        return Dict(end.keys, found, identity) if len(found) == len(items) else None

    def _last(self, start: Number, end: Number, name: str) -> Draft:
        """The number behind the loop, by a carry."""
        if (start, end) not in self.outs:
            wide = widening.joint(start.type, end.type)
            carry = self.loop.carry(start, wide, name)
            carry.end = widening.typed(self.loop.draft.body, end, wide, self.loop.span)
            self.outs[start, end] = carry.out
        return self.outs[start, end]

    def flag(self, end: Value, name: str) -> Carry:
        """The carry of a flag, which is down before the loop."""
        assert isinstance(end, Draft | Literal)
        out = self._last(FALSE, end, name)
        return next(c for c in self.loop.draft.carries if c.out is out)


def are_alike(one: Number, other: Number) -> bool:
    """Whether one carry can hold both: two texts, or two that are none."""
    return (one.type == STR) is (other.type == STR)
