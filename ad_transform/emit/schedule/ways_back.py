"""Comments on loops back: they stand where several loops go back, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.lines import For, If, Line, Loop, walk
from ad_transform.ir.nodes import Back
from ad_transform.ir.trampoline import Task, bounce


def told(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines without the comments on a loop that alone goes back in its body: the
    loop that it goes back through is plain to see. Linear.
    """
    if not any(map(_goes_back, walk(lines))):
        return lines
    return bounce(_told(lines))


def _told(lines: Sequence[Line]) -> Task[list[Line]]:
    several = sum(map(_goes_back, lines)) > 1
    found: list[Line] = []
    for line in lines:
        made = line
        if isinstance(line, If):
            then = yield _told(line.then)
            orelse = yield _told(line.orelse)
            made = replace(line, then=then, orelse=orelse)
        elif isinstance(line, For | Loop):
            body = yield _told(line.body)
            notes = line.notes
            if not several:
                notes = tuple(note for note in notes if not isinstance(note, Back))
            made = replace(line, body=body, notes=notes)
        found.append(made)
    return found


def _goes_back(line: Line) -> bool:
    """Whether a line is a loop that goes back through one of the source."""
    if not isinstance(line, For | Loop):
        return False
    return any(isinstance(note, Back) for note in line.notes)
