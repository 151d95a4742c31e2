"""Lines as the choice of names sees them: the names that each binds and reads.

Several questions go through all lines; the values that an expression reads are found
once for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ad_transform.emit.schedule.lines import (
    Bind,
    For,
    Line,
    Loop,
    bound_by,
    inner,
    read_by,
)
from ad_transform.emit.schedule.pieces import values_in
from ad_transform.ir.nodes import Var


class Seen(NamedTuple):
    """A line with the names that it binds and reads.

    place  that of the outer line that it is or that holds it
    home   the number of the loop around it, 0 is none; inner loops have larger numbers
    own    the number of the loop that its values belong to, which may be itself
    """

    line: Line
    bound: tuple[Var, ...]
    read: Sequence[Var]
    place: int
    home: int
    own: int


def seen(lines: Sequence[Line]) -> list[Seen]:
    """All lines in order, inner ones behind the line that holds them. Linear."""
    found: list[Seen] = []
    loops = 0
    for place, outer in enumerate(lines):
        waiting = [(outer, 0)]
        while waiting:
            line, home = waiting.pop()
            if type(line) is Bind:  # nearly always
                read = values_in((line.value,))
                found.append(Seen(line, (line.var,), read, place, home, home))
                continue
            own = home
            if isinstance(line, For | Loop):
                loops += 1
                own = loops
            for body in reversed(inner(line)):
                waiting += [(each, own) for each in reversed(body)]
            found.append(Seen(line, bound_by(line), read_by(line), place, home, own))
    return found
