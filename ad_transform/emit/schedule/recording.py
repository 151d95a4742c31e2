"""The places in a trip where it records.

y_2 = y2 if fits else y              saved.append(y)
saved.append(y)                      if fits:
y = y_2                                  y = y2

It records before what changes its carries, and behind its way out what is not read of
the trip that leaves.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    Break,
    Do,
    If,
    Line,
    Step,
    Update,
    read_by,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.emit.schedule.reuse import written
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import FLOAT


def recorded_before(lines: list[Line], brief: Set[Var]) -> list[Line]:
    """The lines of a trip that records a carry before the branch that tells what the
    carry becomes, so that the branch may bind it; lists in `brief` apart.
    """
    found = list(lines)
    for line in lines:
        if isinstance(line, Append) and line.var not in brief:
            end = found.index(line)
            place = _before(found, end, line)
            if place < end:
                found.insert(place, found.pop(end))
    return found


def _before(lines: Sequence[Line], end: int, line: Append) -> int:
    """Where a line that records may stand, its own place if it need not go further."""
    read = set(read_by(line))
    becomes = {
        value.var
        for one in lines[end + 1 :]
        if isinstance(one, Update)
        for name, value in zip(one.vars, one.values, strict=True)
        if name in read and value.is_atom
    }
    wanted = end
    for place in range(end - 1, -1, -1):
        one = lines[place]
        inside = walk([one])
        bound = {var for each in inside for var in written(each)}
        stops = any(isinstance(each, Break | Do) for each in inside)
        if stops or not read.isdisjoint(bound):
            break
        if isinstance(one, If) and not becomes.isdisjoint(bound):
            wanted = place
    return wanted


def recorded_behind(
    lines: list[Line], scheduler: Scheduler, brief: Set[Var]
) -> list[Line]:
    """The lines of a trip that records and counts behind its ways out what is brief."""
    places = [k for k, line in enumerate(lines) if _leaves(line)]
    if not brief or not places:
        return lines
    place = places[-1]
    found: list[Line] = []
    late: list[Line] = []
    steps: list[Line] = []
    for k, line in enumerate(lines[:place]):
        if isinstance(line, Step) and line.var in brief:
            steps.append(line)
        elif isinstance(line, Append) and line.var in brief:
            between = walk(lines[k:place])
            pieces = [_kept(piece, between, scheduler, found) for piece in line.values]
            late.append(replace(line, values=tuple(pieces)))
        else:
            found.append(line)
    return [*found, lines[place], *late, *lines[place + 1 :], *steps]


def _kept(
    piece: Piece, between: Sequence[Line], scheduler: Scheduler, lines: list[Line]
) -> Piece:
    """A piece as it is read behind some lines: by a name where these change it."""
    changed = {var for line in between for var in written(line)}
    stays = changed.isdisjoint(values_in((piece,)))
    if stays and not (piece.reads and any(isinstance(one, Do) for one in between)):
        return piece
    named = piece.var or Var(FLOAT)
    held = Var(named.type, named.hint)
    lines.append(Bind(held, piece))
    return scheduler.named(held)


def _leaves(line: Line) -> bool:
    """Whether a line is a way out, or holds one in an arm."""
    waiting = [line]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Break):
            return True
        if isinstance(one, If):
            waiting += (*one.then, *one.orelse)
    return False
