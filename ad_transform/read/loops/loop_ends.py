"""Statements behind a loop: its `else`, and the rest where it has not returned."""

from __future__ import annotations

from ad_transform.read.branches import branches
from ad_transform.read.branches.flags import AWAY, BROKEN, FALSE, RESULT, RETURNED, TRUE
from ad_transform.read.code import Body, Each, Fail, Repeat
from ad_transform.read.compiling.exits import LEAVING
from ad_transform.read.loops import behind
from ad_transform.read.loops.loops import Loop
from ad_transform.read.machine.context import Context
from ad_transform.read.values.values import Special, Value


def go_on(
    flat: Context, loop: Loop, made: Each | Repeat, endless: bool = False
) -> None:
    """Bind the values behind a loop, and run its `else`. An endless one never gets
    there by itself.
    """
    frame = flat.frame
    for name in (*loop.binds, RESULT):
        if name in loop.ends:
            frame.bind(name, behind.promised(loop, name))
    returned, broken = loop.flag(RETURNED), loop.flag(BROKEN)
    may_have_returned(flat, TRUE if endless and broken == FALSE else returned)
    last: Value = FALSE if loop.last is None else loop.last.out
    if not endless:
        otherwise(flat, made.orelse, last, made)
        ends = made.orelse[-1] if made.orelse else None
        loop.surely = loop.surely or isinstance(ends, LEAVING)
        if isinstance(ends, Fail) and broken == FALSE and returned != FALSE:
            may_have_returned(flat, TRUE)


def may_have_returned(flat: Context, returned: Value) -> None:
    """Say that a loop may have returned."""
    if returned in (FALSE, Special.REFUSED):
        return
    flat.frame.bind(AWAY, returned)
    if flat.frame.loops:
        flat.frame.bind(RETURNED, returned)


def otherwise(flat: Context, orelse: Body, last: Value, made: Each | Repeat) -> None:
    """Run the `else` of a loop that has come to its end."""
    if not orelse or last == TRUE:
        return
    if last == FALSE:
        flat.perform(orelse)
    else:
        branches.unless(flat, last, orelse, made.span)
