"""Objects through loops, as functions are flattened.

A field that a trip changes, of an object that was there before the loop, is carried
like a name. A name that stands for one object all the time is no carry. One that stands
for another object at the end of a trip carries the values of its fields. At the head of
a trip it is an object of its own, and may be any of those that are known to become it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.read.machine.fields import States, may_be_one, refuse_field
from ad_transform.read.values.frames import Promise
from ad_transform.read.values.structured import Identity, Object
from ad_transform.read.values.values import Value

if TYPE_CHECKING:
    from ad_transform.read.loops.loops import Loop


@dataclass(slots=True, eq=False)
class References:
    """The objects of a loop in the making, whose trip begins at a `time`.

    `keys`    the fields that it carries
    `copied`  the names of objects that become others
    `first`   the values of changed fields before the loop
    `last`    their values at the end of a trip
    `ends`    by the objects at the head of a trip, those at its end
    """

    loop: Loop
    keys: tuple[str, ...]
    copied: frozenset[str]
    time: int = field(init=False)
    done: int = 0  # when it ends
    first: States = field(init=False)
    last: States = field(default_factory=dict)
    ends: dict[Identity, list[Identity]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        fields = self.loop.flat.heap.fields
        self.time, self.first = fields.tick(), dict(fields.names)

    def word(self, name: str) -> str:
        """The name that the output gives to a name or a field."""
        is_field = name in self.keys
        return self.loop.flat.heap.fields.word(name) if is_field else name

    # --- a trip -----------------------------------------------------------------------

    def begin(self) -> Iterator[tuple[str, Value | Promise]]:
        """The fields that are carried, with their values before the loop."""
        fields = self.loop.flat.heap.fields
        fields.trail.append({})
        for key in self.keys:
            yield key, fields.names.get(key) or fields.first[key]

    def end(self) -> dict[str, Value | Promise | None]:
        """Take back the changes of a trip. Gives the values at its end of changed
        fields of objects that were there before the loop.
        """
        fields = self.loop.flat.heap.fields
        changed = fields.trail.pop()
        self.last, self.done = dict(fields.names), fields.tick()
        older = [key for key in changed if fields.owners[key].born < self.time]
        found = {key: fields.names.get(key) for key in older}
        fields.restore(changed)
        return found

    def is_one(self, name: str, value: Value) -> bool:
        """Whether a name stands for one object all the time, as far as is known; a copy
        at the head of a trip is none of these.
        """
        own = value.identity if isinstance(value, Object) else None
        return own is not None and own.loop != self.time and name not in self.copied

    # --- copies -----------------------------------------------------------------------

    def starts(self, value: Object) -> tuple[Value, ...]:
        """The values of the fields of an object before the loop."""
        fields = self.loop.flat.heap.fields
        return fields.items(value, self.loop.span, self.first)

    def head(self, name: str, start: Object) -> Identity | None:
        """The identity of a copy at the head of a trip."""
        fields, own = self.loop.flat.heap.fields, start.identity
        more = self.loop.types.givers.get(name, ())
        givers = (*([own] if own else []), *more)
        fixed = own is None or any(one.fixed for one in givers)
        made = fields.new(start.of, givers, self.time, fixed, self.time)
        for time, owner in fields.writes if made else ():
            older = owner.born < self.time < time
            if made and older and may_be_one(owner, made):
                refuse_field(self.loop.flat, owner, self.loop.span)
                break
        return made

    def finals(self, name: str, head: Object, end: Object) -> tuple[Value, ...]:
        """The values of the fields of a copy at the end of a trip."""
        if head.identity is not None:
            self._become(name, head.identity, end.identity)
        fields = self.loop.flat.heap.fields
        return fields.items(end, self.loop.span, self.last)

    def _become(self, name: str, own: Identity, end: Identity | None) -> None:
        """Note that an object becomes `end`. One from before the loop that was not
        known to become it makes another run.
        """
        if end is not None:
            self.ends.setdefault(own, []).append(end)
            known = self.loop.types.givers.setdefault(name, {})
            fresh = [one for one in self._older(end) if one not in known]
            fresh = [one for one in fresh if one not in own.givers]
            known.update(dict.fromkeys(fresh))
            if fresh and self.loop.closed:
                refuse_field(self.loop.flat, own, self.loop.span)
            self.loop.stale |= bool(fresh)
        if end is None or end.fixed:
            own.fixed = True
            written = self.loop.flat.heap.fields.writes
            if any(owner is own for _, owner in written):
                refuse_field(self.loop.flat, own, self.loop.span)

    def _older(self, one: Identity) -> Iterable[Identity]:
        """The objects from before the loop that one may be; one that is never looked at
        is none of them, and is born at no time.
        """
        if one.born < self.time:
            return (one,) if one.born else ()
        found = [self._older(giver) for giver in one.givers]
        return tuple(dict.fromkeys(older for some in found for older in some))

    # --- behind the loop --------------------------------------------------------------

    def behind(self, head: Object, items: tuple[Value, ...]) -> Object:
        """An object that was a copy at the head of each trip."""
        own = head.identity
        if own is None:
            return Object(head.of, items)
        givers = (own, *self.ends.get(own, ()))
        fixed = any(one.fixed for one in givers)
        return Object(
            head.of,
            items,
            self.loop.flat.heap.fields.new(head.of, givers, self.done, fixed),
        )

    def tail(
        self, start: Value, end: Object
    ) -> tuple[tuple[Value, ...], tuple[Value, ...], Identity | None]:
        """The values of the fields before the loop, and at the end of a trip, of a name
        that no trip reads; and the identity of its object behind the loop.
        """
        fields, span = self.loop.flat.heap.fields, self.loop.span
        lasts = fields.items(end, span, self.last)
        firsts: tuple[Value, ...] = (start,) * len(lasts)
        if isinstance(start, Object):
            firsts = self.starts(start)
        return firsts, lasts, fields.joined(end.of, iter((start, end)), self.done)
