"""Arrays that one trip of a loop changes, and another one has under another name."""

from __future__ import annotations

from collections.abc import Set
from functools import partial
from typing import TYPE_CHECKING

from ad_transform.diagnostics import Span
from ad_transform.elementals.whole import LENGTHS
from ad_transform.read.arrays import rebinding
from ad_transform.read.arrays.rebinding import Base, Changed
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import reads
from ad_transform.read.values.frames import Frame, Refusal
from ad_transform.read.values.values import Draft, Special, Value, is_whole

if TYPE_CHECKING:
    from ad_transform.read.loops.loops import Loop


def refuse_shared(loop: Loop) -> None:
    """Refuse (AD124) where a trip changes an array that has had another name since the
    trip before; arrays that have names outside are noted for `give_up`.
    """
    flat = loop.flat
    changes = flat.changes[loop.changes :]
    if not changes:
        return
    around = rebinding.outside(flat, loop.frame, (*loop.binds, *loop.references.keys))
    told = (loop.frame, *rebinding.frames(flat, loop.frame))
    outer = rebinding.bases(flat, around, told)
    for change in changes:
        for one, head in loop.heads.items():
            if rebinding.bases(flat, [head]).isdisjoint(change.bases):
                continue
            ends = [loop.ends.get(other) for other in loop.heads if other != one]
            others = [
                v for v in ends if not rebinding.are_apart(flat, loop.ends.get(one), v)
            ]
            last = rebinding.bases(flat, [loop.ends.get(one)])
            before = [loop.old.get(other) for other in loop.heads if other != one]
            first = rebinding.bases(flat, [loop.old.get(one)])
            if last & (outer | rebinding.bases(flat, others)) or (
                first & rebinding.bases(flat, before)
            ):
                rebinding.refuse_shared(flat, change.name, change.span)
                return
            starts = (first | _starts(loop, one)) & outer
            loop.shown.update(dict.fromkeys(starts, change))


def _starts(loop: Loop, name: str) -> Set[Base]:
    """The arrays from before the loop that a name may stand for in a later trip, handed
    on from name to name.
    """
    flat = loop.flat
    found: set[Base] = set()
    done, waiting = {name}, [name]
    while waiting:
        ends = rebinding.bases(flat, [loop.ends.get(waiting.pop())])
        for other, head in loop.heads.items():
            if ends & rebinding.bases(flat, [head]):
                found |= rebinding.bases(flat, [loop.old.get(other)])
                waiting += [] if other in done else [other]
                done.add(other)
    return found


def give_up(loop: Loop) -> None:
    """Let nobody read an array by a name outside that the loop may have changed under
    another: `u = x` before, and `u, w = w, u` in each trip (AD124).
    """
    flat, shown = loop.flat, loop.shown
    if not shown:
        return
    loop.shown = {}
    names = _names_of(loop, shown.keys())
    known = {array for _, _, array in names}
    around = rebinding.outside(flat, loop.frame, (*loop.binds, *loop.references.keys))
    others = [value for value in around if not is_whole(value) or value not in known]
    told = (loop.frame, *rebinding.frames(flat, loop.frame))
    beside = rebinding.bases(flat, others, told)
    is_elsewhere = not beside.isdisjoint(shown)
    body = [*loop.draft.test, *loop.draft.body]
    if is_elsewhere or flat.heap.running or not known.isdisjoint(reads(body, LENGTHS)):
        change: Changed = next(iter(shown.values()))
        rebinding.refuse_shared(flat, change.name, change.span)
        return
    for frame, name, _ in names:
        frame.bind(name, Refusal(partial(_stale, flat, name), (Special.REFUSED,)))


def _names_of(loop: Loop, arrays: Set[Base]) -> list[tuple[Frame, str, Draft]]:
    """The names outside a loop that stand for some arrays, or for views of them."""
    flat = loop.flat
    found: list[tuple[Frame, str, Draft]] = []
    for frame in (loop.frame, *flat.callers):
        bound = loop.binds if frame is loop.frame else ()
        for name, value in frame.names.items():
            if name in bound or not is_whole(value):
                continue
            if rebinding.bases(flat, [value]) & arrays:
                found.append((frame, name, value))
    return found


def _stale(flat: Context, name: str, span: Span) -> Value:
    message = f"{name!r} is read after a loop that may change it under another name"
    help_ = f"let the other name be that of a copy before the loop: `{name}.copy()`"
    return flat.refuse("AD124", message, span, help_)


def refuse_view(loop: Loop, name: str, end: Value) -> None:
    """AD124 where a name has become a view of an array whose elements a trip writes,
    perhaps the next one.
    """
    flat = loop.flat
    if not flat.viewed or not is_whole(end):
        return
    bases = rebinding.bases(flat, [end])
    seen = {cell for cell in flat.viewed if cell in bases}
    if seen and loop.cells.wrote(seen):
        rebinding.refuse_shared(flat, name, loop.span)
