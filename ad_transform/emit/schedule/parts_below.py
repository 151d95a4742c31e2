"""A comment stands above the first line of its statement.

A statement whose parts have names of their own takes several lines. `r = s * exp(u)`
under `# Arrhenius` may become `r_exp = exp(u)` and `r = s * r_exp`: the comment stands
above both.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.lines import (
    Bind,
    Do,
    For,
    If,
    Line,
    Loop,
    Raise,
    Update,
    read_by,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce


def above_parts(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines with comments moved above the parts of their statements; linear."""
    if not any(_said(line) for line in walk(lines)):
        return lines
    return bounce(_above_parts(lines))


def _above_parts(lines: Sequence[Line]) -> Task[list[Line]]:
    found: list[Line] = []
    for line in lines:
        made = line
        if isinstance(line, If):
            then = yield _above_parts(line.then)
            orelse = yield _above_parts(line.orelse)
            made = replace(line, then=then, orelse=orelse)
        elif isinstance(line, For | Loop):
            body = yield _above_parts(line.body)
            made = replace(line, body=body)
        said = _said(made)
        first = _first_part(found, made) if said else len(found)
        if first < len(found):
            part = found[first]
            assert isinstance(part, Bind)
            found[first] = replace(part, notes=said)
            assert isinstance(made, Bind | Do | If | Raise | Update)
            made = replace(made, notes=made.notes[len(said) :])
        found.append(made)
    return found


def _said(line: Line) -> tuple[str, ...]:
    """The comments above a line; those behind it, and on its arms, stay with it."""
    if not isinstance(line, Bind | Do | If | Raise | Update):
        return ()
    above = 0
    while above < len(line.notes) and type(line.notes[above]) is str:
        above += 1
    return line.notes[:above]


def _first_part(before: Sequence[Line], line: Line) -> int:
    """The place of the first of the lines directly in front of a statement that only
    name parts of it; the end if there is none.
    """
    place = len(before)
    read = set(read_by(line))
    while place:
        part = before[place - 1]
        if not isinstance(part, Bind) or part.notes or part.var.named:
            break
        if part.var not in read:
            break
        read.update(read_by(part))
        place -= 1
    return place
