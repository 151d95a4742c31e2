"""The meaning of names behind a loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.read.arrays import rebinding
from ad_transform.read.branches import maybe
from ad_transform.read.branches.flags import RESULT
from ad_transform.read.loops.trip_ends import OTHER, UNBOUND, refuse_kinds
from ad_transform.read.machine.drafts import Carry
from ad_transform.read.machine.fields import home_of
from ad_transform.read.values.frames import Promise, made_at
from ad_transform.read.values.regrouping import CARRIED, kind_of, regroup
from ad_transform.read.values.storage import Array, Deque
from ad_transform.read.values.structured import Dict, Object
from ad_transform.read.values.values import (
    Draft,
    Maybe,
    Number,
    Special,
    Value,
    is_whole,
)

if TYPE_CHECKING:
    from ad_transform.read.loops.loops import Loop


def promised(loop: Loop, name: str) -> Promise:
    """A promise of the value of a name behind the loop."""

    def make(span: Span) -> Value:
        end = loop.ends.get(name)
        value = made_at(end, span)
        if value is Special.REFUSED:
            return value
        if name in loop.heads:
            found = _outs(loop, name, loop.heads[name], iter(loop.leaves[name]))
        elif value is None:
            return Special.REFUSED
        else:
            found = _tail(loop, name, value, span)
        _note_views(loop, name, found)
        return found

    return Promise(make, (loop.old.get(name), loop.ends.get(name)))


def _note_views(loop: Loop, name: str, found: Value) -> None:
    """Remember that a whole array behind the loop may be one from before it, or the one
    that the last trip gave the name.
    """
    outs = list(filter(is_whole, rebinding.inside([found])))
    if not outs:
        return
    ends = loop.old.get(name), loop.ends.get(name)
    parts = tuple(filter(is_whole, rebinding.inside(ends)))
    loop.flat.views.update((out, parts) for out in outs if out not in parts)


def _outs(loop: Loop, name: str, head: Value, leaves: Iterator[Carry]) -> Value:
    """The value behind the loop of the shape that it has at the head of a trip."""
    if loop.references.is_one(name, head):
        return head
    home = home_of(head)
    if home is not None:
        place = _outs(loop, name, home.place, leaves)
        return home.at(cast(Number, place))
    if isinstance(head, Object):
        items = tuple(_outs(loop, name, item, leaves) for item in head.items)
        return loop.references.behind(head, items)
    if isinstance(head, CARRIED):
        items = tuple(_outs(loop, name, item, leaves) for item in head.items)
        return regroup(kind_of(head), items, getattr(head, "site", None))
    if isinstance(head, Maybe):
        is_given = _outs(loop, name, head.given, leaves)
        value = _outs(loop, name, head.value, leaves)
        return Maybe(cast(Number, is_given), value, head.unbound)
    if isinstance(head, Deque) and (name, OTHER) in loop.types.wide:
        return replace(head, inner=_outs(loop, name, head.inner, leaves))
    if isinstance(head, Dict):
        entries = tuple(_outs(loop, name, item, leaves) for item in head.items)
        last = loop.last_dicts.get(head.identity, head.identity)
        return Dict(head.keys, entries, head.which(Dict((), (), last)))
    if isinstance(head, Array) and head.cell in loop.givers:
        end = loop.last_cells.get(head.cell) or head.cell
        giver = loop.givers[head.cell]
        return loop.cells.out(name, next(leaves), giver, head.cell, end)
    if isinstance(head, Array) and head.is_beside(head):
        numbers = [_outs(loop, name, number, leaves) for number in head.numbers]
        return head.moved(cast(list[Number], numbers))
    return next(leaves).out if isinstance(head, Draft) else head


def _tail(loop: Loop, name: str, end: Value, span: Span) -> Value:
    """The value behind the loop of a name that no trip reads: only the last trip
    counts.
    """
    old = loop.old.get(name)
    start = made_at(old, span)
    is_new = start is None and name != RESULT and not loop.surely
    if is_new and loop.frame.hazy:
        return Special.REFUSED
    word = loop.references.word(name)
    first = Special.UNBOUND if is_new else start or Special.UNUSED
    if loop.surely and maybe.is_open(first):
        first = Special.UNUSED
    found = loop.tails.paired(first, end, word)
    if found is None and is_new:
        message = f"{name!r} is not bound where the loop makes no trip"
        return loop.flat.refuse("AD103", message, span, UNBOUND)
    if found is None:
        return refuse_kinds(loop, word, (start or Special.NONE, end), span)
    return found
