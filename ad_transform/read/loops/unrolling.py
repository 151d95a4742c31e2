"""Loops that are written out, one trip after the other."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.read.branches import (
    branches,
    choices,
)
from ad_transform.read.branches.flags import AWAY, FALSE, FLAGS, RETURNED, TRUE, flag_of
from ad_transform.read.code import Each, Repeat
from ad_transform.read.iterables import once
from ad_transform.read.loops import loop_ends
from ad_transform.read.loops.loops import gone
from ad_transform.read.machine.binding import bind_item
from ad_transform.read.machine.context import Context
from ad_transform.read.remarks import noted
from ad_transform.read.values.series import Once
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Special, Value


def unrolled(
    flat: Context, made: Each, items: Sequence[Value], is_held: bool = False
) -> None:
    """Run one trip after the other; a loop that may be left goes on under a flag. Items
    of a sequence that `is_held` on the stack may have changed, one by one.
    """
    frame = flat.frame
    frame.loops += 1
    first = noted(made.body, made.notes)
    top = len(flat.stack) - 1
    over = flat.stack[top] if is_held else Special.NONE
    is_held = is_held and (not isinstance(over, Once) or once.is_made(over))

    def from_(place: int) -> None:
        for k in range(place, len(items)):
            now = _held(flat.stack[top]).items if is_held else items  # type: ignore[union-attr]
            _passed(flat, now)
            bind_item(flat, frame, made.target, now[k])
            flat.perform(first if k == 0 else made.body)
            last = gone(flat, made.span)
            if AWAY in frame.names:
                frame.bind(AWAY, FALSE)
            if last == TRUE:
                return
            if last != FALSE:
                branches.otherwise(flat, last, lambda k=k: from_(k + 1), made.span)  # type: ignore[misc]
                return

    from_(0)
    frame.loops -= 1
    flags = {name: flag_of(frame.names.get(name)) for name in FLAGS}
    last = gone(flat, made.span)
    for name in FLAGS:
        if name in frame.names:
            frame.bind(name, FALSE)
    loop_ends.may_have_returned(flat, flags[RETURNED])
    loop_ends.otherwise(flat, made.orelse, last, made)


def repeated(flat: Context, made: Repeat, most: int) -> None:
    """A `while` whose test is known each time, `while len(x) > 1:`; AD107 for another
    one, for one that may be left, and for more trips than `most`.
    """
    frame = flat.frame
    frame.loops += 1
    for trips in range(most + 1):
        test = choices.truth(flat, flat.run(made.test), "`while`", made.span)
        if test == FALSE:
            break
        known = test == TRUE and trips < most
        if known:
            flat.perform(made.body)
        if not known or gone(flat, made.span) != FALSE:
            flat.refuse("AD107", "only a run knows the trips", made.span)
            break
    frame.loops -= 1
    for name in FLAGS:
        if name in frame.names:
            frame.bind(name, FALSE)
    loop_ends.otherwise(flat, made.orelse, FALSE, made)


def _held(value: Value) -> Value:
    """The items that a sequence has by now."""
    if isinstance(value, Once):
        return value.held[-1]
    return once.opened(value)


def _passed(flat: Context, items: Sequence[Value]) -> None:
    """Note that a loop has taken one more item of its sequence."""
    held = flat.stack[-1] if flat.stack else None
    made = held.held[-1] if isinstance(held, Once) else held
    if held is not None and isinstance(made, Group) and made.items is items:
        flat.stack[-1] = once.passed(held)
