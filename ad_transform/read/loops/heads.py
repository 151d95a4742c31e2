"""The meaning of names at the head of a trip: carries, made when they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import Type
from ad_transform.read.arrays import rebinding
from ad_transform.read.branches import (
    fillers,
    maybe,
)
from ad_transform.read.loops import (
    handed,
    unbound,
)
from ad_transform.read.loops.trip_ends import GIVEN, HELD, OTHER, Place, end_of
from ad_transform.read.machine.drafts import Carry
from ad_transform.read.machine.fields import home_of
from ad_transform.read.machine.naming import entry_name, item_names
from ad_transform.read.values.frames import Promise, made_at
from ad_transform.read.values.regrouping import CARRIED, kind_of, regroup
from ad_transform.read.values.storage import Array, Deque
from ad_transform.read.values.structured import Dict, Group, Object, OneOf, among
from ad_transform.read.values.values import Draft, Maybe, Number, Special, Value

if TYPE_CHECKING:
    from ad_transform.read.loops.loops import Loop


def promised(loop: Loop, name: str) -> Callable[[Span], Value]:
    """A function that makes the carries of a name when it is first read."""

    def make(span: Span) -> Value:
        old = loop.old[name]
        if isinstance(old, Promise):
            old.at(span)  # which may make these carries
        if name not in loop.heads and loop.settled:
            _late(loop, name, span)
        elif name not in loop.heads:
            loop.heads[name] = _taken(loop, name, span)
            if loop.closed:
                end_of(loop, name, span)
        return loop.heads[name]

    return make


def _late(loop: Loop, name: str, span: Span) -> None:
    """Make the carries of a name behind a loop, which is not run again. An error
    refuses the name: a report may be lost where a loop that reads it first is run
    again.
    """
    with loop.flat.module.shared.apart() as report:
        loop.heads[name] = _taken(loop, name, span)
        end_of(loop, name, span)
        handed.give_up(loop)
    loop.flat.module.report.extend(report.sorted())
    if report.has_error or loop.stale:
        loop.heads[name], loop.stale = Special.REFUSED, False


def _taken(loop: Loop, name: str, span: Span) -> Value:
    """The value of a name at the head of a trip, made of carries."""
    old = loop.old[name]
    loop.leaves[name] = []
    if old is None and loop.frame.hazy:
        return Special.REFUSED
    start = made_at(old, span) or Special.UNBOUND
    if start is Special.UNBOUND and (name, ()) not in loop.types.absent:
        absent = unbound.filler(loop.ends.get(name))
        start = start if absent is None else _perhaps(loop, start, absent)
    is_field = name in loop.references.keys
    return _carried(loop, name, start, loop.references.word(name) * is_field)


def _perhaps(loop: Loop, start: Value, absent: Value) -> Maybe:
    """A value that is as before the loop, or in another trip one like `absent`."""
    is_given, value = maybe.given_of(start), maybe.value_of(start)
    if value is Special.UNUSED:
        value = maybe.made(absent, partial(_unused, loop))
    return Maybe(cast(Number, is_given), value, maybe.is_unbound(start))


def _one_of(loop: Loop) -> OneOf:
    """The identity of a dict that was there before the loop, or that an earlier trip
    has made; it is none that this trip makes.
    """
    flat, own = loop.flat, loop.frame
    held: list[rebinding.Held] = [*flat.stack, *flat.heap.fields.held(())]
    held += [*loop.old.values()]
    held += [value for name, value in own.names.items() if name not in loop.old]
    running = takewhile(lambda frame: frame is not own, (*flat.callers, flat.frame))
    for frame in (*running, *rebinding.around(own.around)):
        held += frame.names.values()
    found = [one for one in rebinding.inside(held) if isinstance(one, Dict)]
    identity = OneOf(frozenset().union(*(among(one.identity) for one in found)))
    loop.last_dicts[identity] = identity
    return identity


def _unused(loop: Loop, type_: Type) -> Value:
    """A whole array before the loop that nobody looks at."""
    return fillers.unused(loop.flat, loop.draft.before, type_, loop.span)


def _let_be_named(loop: Loop, carries: Sequence[Carry], items: Sequence[Value]) -> None:
    """Let items that would have the name of their group have names of the trip's own: x
    and y by `x, y = state`.
    """
    for carry in carries:
        if carry.param in items:
            carry.param.of = carry.out
            for draft in (carry.param, carry.out):
                draft.depth = loop.frame.depth + 1


def _carried(
    loop: Loop, name: str, start: Value, hint: str = "", place: Place = ()
) -> Value:
    """Carries for a name; numbers in it are called `hint`."""
    absent = loop.types.absent.get((name, place))
    if absent is not None:
        start = _perhaps(loop, start, absent)
        return _open(loop, name, start, hint, place)
    if loop.references.is_one(name, start):
        return start
    home = home_of(start)
    if home is not None:
        word = f"{hint or name}_index"
        index = _carried(loop, name, home.place, word, (*place, HELD))
        return home.at(cast(Number, index))
    if isinstance(start, Object):
        own = item_names(start, hint or name)
        held = loop.references.starts(start)
        items = _items(loop, name, held, own, place)
        return Object(start.of, items, loop.references.head(name, start))
    if isinstance(start, CARRIED):
        own = item_names(start, hint or name)
        items = _items(loop, name, start.items, own, place)
        if isinstance(start, Group) and start.of is None:
            _let_be_named(loop, loop.leaves[name], items)
        return regroup(kind_of(start), items, getattr(start, "site", None))
    if isinstance(start, Maybe):
        return _open(loop, name, start, hint, place)
    if isinstance(start, Deque) and (name, OTHER) in loop.types.wide:
        return replace(start, inner=_carried(loop, name, start.inner, hint, place))
    if isinstance(start, Dict):
        own = [entry_name(hint or name, key) for key in start.keys]
        entries = _items(loop, name, start.items, own, place)
        is_one = (name, OTHER) not in loop.types.wide and not start.is_open
        identity = start.identity if is_one else _one_of(loop)
        return Dict(start.keys, entries, identity)
    if isinstance(start, Array) and start.is_whole:
        leaf = len(loop.leaves[name])
        taken = loop.cells.taken(name, start, leaf, hint or name)
        if taken is None:
            return Special.REFUSED
        loop.leaves[name].append(taken[0])
        loop.givers[taken[1].cell] = start.cell
        return taken[1]
    if isinstance(start, Array) and start.is_beside(start):
        numbers = _items(loop, name, start.numbers, [""] * len(start.numbers), place)
        return start.moved(cast(Sequence[Number], numbers))
    if not isinstance(start, Draft | Literal):
        return start  # it may not change
    leaves = loop.leaves[name]
    type_ = loop.types.wide.get((name, len(leaves)), start.type)
    carry = loop.carry(start, type_, hint or name)
    leaves.append(carry)
    return carry.param


def _items(
    loop: Loop, name: str, items: Sequence[Value], hints: Sequence[str], place: Place
) -> tuple[Value, ...]:
    """Carries for the items of a value."""
    pairs = enumerate(zip(items, hints, strict=True))
    return tuple(_carried(loop, name, v, own, (*place, k)) for k, (v, own) in pairs)


def _open(loop: Loop, name: str, start: Maybe, hint: str, place: Place) -> Maybe:
    """Carries for a value that may be None."""
    word = f"{hint or name}_given"
    is_given = _carried(loop, name, start.given, word, (*place, GIVEN))
    value = _carried(loop, name, start.value, hint, (*place, HELD))
    return Maybe(cast(Number, is_given), value, start.unbound)
