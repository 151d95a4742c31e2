"""A trip that leaves its loop does so where that is found out.

done = abs(f) < 1e-12                if abs(f) < 1e-12:
if done:                                 saved.append(0.0)
    step = 0.0                           break
else:                                step = f / slope
    step = f / slope                 saved.append(step)
saved.append(step)                   x = x - step
...
if done:
    break
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    Break,
    If,
    Line,
    Step,
    Update,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.reuse import reads, writes
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import Literal, Var


def left_at_once(
    lines: list[Line], scheduler: Scheduler, idle: Set[Var], brief: Set[Var]
) -> list[Line]:
    """The lines of a trip that ends with a way out, which is put into the arm that
    leads there where all that the trip does besides is to record and to hand on.

    Nothing behind the loop reads the carries in `idle`, and what leaves it puts nothing
    on the lists in `brief`.
    """
    end = lines[-1] if lines else None
    if not isinstance(end, If) or end.orelse:
        return lines
    if not end.then or not isinstance(end.then[-1], Break):
        return lines
    flag = end.test.var if end.test.is_atom else None
    places = [k for k, line in enumerate(lines[:-1]) if _asks(line, flag)]
    if flag is None or len(places) != 1:
        return lines
    (place,) = places
    branch, between = lines[place], lines[place + 1 : -1]
    assert isinstance(branch, If)
    if flag in set(reads((*branch.then, *branch.orelse))) or not branch.orelse:
        return lines
    known = _Known({flag: scheduler.composer.literal(Literal(True))})
    last = [line for line in between if not _is_on(line, brief)]
    leaving = known.after((*branch.then, *last), idle)
    staying = _Known({flag: scheduler.composer.literal(Literal(False))})
    recorded = [
        staying.line(line) or (line if _is_on(line, brief) else None)
        for line in between
    ]
    if leaving is None or None in recorded or branch.notes:
        return lines
    way_out = replace(branch, then=[*leaving, *end.then], orelse=[])
    rest = [*branch.orelse, *(line for line in recorded if line is not None)]
    return _asked_at_once([*lines[:place], way_out, *rest], place, flag)


def _asks(line: Line, flag: Var | None) -> bool:
    return isinstance(line, If) and line.test.is_atom and line.test.var is flag


def _is_on(line: Line, lists: Set[Var]) -> bool:
    return isinstance(line, Append) and line.var in lists


class _Known:
    """What names stand for on a way, names and literals."""

    def __init__(self, pieces: dict[Var, Piece]) -> None:
        self.pieces = pieces

    def after(self, lines: Sequence[Line], idle: Set[Var]) -> list[Line] | None:
        """Lines without names that stand for others, and carries that nothing reads
        behind the loop; None where they compute.
        """
        found: list[Line] = []
        for line in lines:
            made = self.line(line)
            if made is None:
                return None
            if isinstance(made, Bind):
                self.pieces[made.var] = made.value
                continue
            if isinstance(made, Update):
                (name,), (value,) = made.vars, made.values
                if value.var is name or name in idle:
                    continue
                if any(piece.var is name for piece in self.pieces.values()):
                    return None
            found.append(made)
        return found

    def line(self, line: Line) -> Line | None:
        """A line that records or hands on, over what is known; None if it does more."""
        match line:
            case Append(values=values):
                known = self._known(values)
                return None if known is None else replace(line, values=known)
            case Update(vars=(_,), values=values) if not line.notes:
                known = self._known(values)
                return None if known is None else replace(line, values=known)
            case Bind(value=value) if not line.notes and not line.annotated:
                known = self._known((value,))
                return None if known is None else replace(line, value=known[0])
            case Step():
                return line
        return None

    def _known(self, pieces: Sequence[Piece]) -> tuple[Piece, ...] | None:
        if not all(piece.is_atom for piece in pieces):
            return None
        return tuple(
            piece if piece.var is None else self.pieces.get(piece.var, piece)
            for piece in pieces
        )


def _asked_at_once(lines: list[Line], place: int, flag: Var) -> list[Line]:
    """The lines with a test in its `if` that only this one asks."""
    before, branch = lines[place - 1] if place else None, lines[place]
    sole = isinstance(before, Bind) and before.var is flag and not before.notes
    if not sole or list(reads(lines)).count(flag) != 1 or writes(lines, flag) != 1:
        return lines
    assert isinstance(before, Bind) and isinstance(branch, If)
    return [
        *lines[: place - 1],
        replace(branch, test=before.value),
        *lines[place + 1 :],
    ]
