"""Arrays that one trip of a loop changes, and another one has under another name."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from ad_transform.read import rebinding
from ad_transform.read.rebinding import Base
from ad_transform.read.values import Value, is_whole

if TYPE_CHECKING:
    from ad_transform.read.loops import Loop


def refuse_shared(loop: Loop, name: str) -> None:
    """AD124 where a trip changes an array that has had this name, or another one,
    since the trip before, or has a name that no trip binds.
    """
    flat = loop.flat
    for change in flat.changes[loop.changes :]:
        for one in loop.heads:
            others = [other for other in loop.heads if other != one]
            is_head = rebinding.bases(flat, [loop.heads[one]]) & change.bases
            if name in (one, *others) and is_head:
                held = rebinding.outside(flat, loop.frame, loop.binds)
                held += [loop.ends.get(other) for other in others]
                last = rebinding.bases(flat, [loop.ends.get(one)])
                is_seen = last & rebinding.bases(flat, held)
                if is_seen or _starts(loop, one) & _around(loop):
                    rebinding.refuse_shared(flat, change.name, change.span)
                    return


def _around(loop: Loop) -> Set[Base]:
    """The arrays that have a name which no trip binds."""
    held = rebinding.outside(loop.flat, loop.frame, loop.binds)
    return rebinding.bases(loop.flat, held)


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


def refuse_view(loop: Loop, name: str, end: Value) -> None:
    """AD124 where a name has become a view of an array whose elements a trip writes,
    perhaps the next one.
    """
    flat = loop.flat
    if not flat.viewed:
        return
    bases = rebinding.bases(flat, [end])
    seen = {cell for cell in flat.viewed if cell in bases}
    if is_whole(end) and loop.cells.wrote(seen):
        rebinding.refuse_shared(flat, name, loop.span)
