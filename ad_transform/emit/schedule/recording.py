"""The places in a trip where it records.

y_2 = y2 if fits else y              saved.append(y)
saved.append(y)                      if fits:
y = y_2                                  y = y2

It records before its carries change, and behind its way out if nothing reads the record
of the trip that leaves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.leaving import asked_at_once
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
from ad_transform.emit.schedule.reuse import reads, written
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import FLOAT, Type


def recorded_before(lines: list[Line], brief: Set[Var]) -> list[Line]:
    """The lines of a trip that records a carry before the branch that decides its new
    value, so that the branch may bind the carry; records in `brief` stay. Linear, but
    for the branches that bind one value.
    """
    trip = _Trip(lines)
    earlier: dict[int, list[Line]] = {}
    moved: set[int] = set()
    for end, line in enumerate(lines if trip.branches else ()):
        if isinstance(line, Append) and line.var not in brief:
            place = trip.before(end, line)
            if place < end:
                earlier.setdefault(place, []).append(line)
                moved.add(end)
    found: list[Line] = []
    for place, line in enumerate(lines):
        found += earlier.get(place, ())
        if place not in moved:
            found.append(line)
    return found


def recorded_at_once(lines: list[Line], brief: Set[Var]) -> list[Line]:
    """The lines of a trip that records copies where it makes them, before u changes:
    `us.append(u.copy())`; records in `brief`, and copies with names of the user's,
    stay. Linear.
    """
    places = {
        line.var: k
        for k, line in enumerate(lines)
        if isinstance(line, Bind) and line.var.type.dims and line.value.reads
        if not (line.var.named or line.notes)
    }
    if not places:
        return lines
    count = Counter(reads(lines))
    leaving = [k for k, line in enumerate(lines) if _leaves(line)]
    found: list[Line | None] = [*lines]
    for end, line in enumerate(lines):
        if not isinstance(line, Append) or line.var in brief:
            continue
        made = [places.get(v.var, -1) if v.var else -1 for v in line.values]
        first = min(made)
        if first < 0 or _last(leaving, end) > first:
            continue
        if sorted(made) != [*range(first, first + len(made))]:
            continue  # something stands between
        binds = [lines[k] for k in made]
        if all(isinstance(b, Bind) and count[b.var] == 1 for b in binds):
            values = tuple(b.value for b in binds if isinstance(b, Bind))
            for k in made:
                found[k] = None
            found[max(made)] = replace(line, values=values)
            found[end] = None
    return [line for line in found if line is not None]


class _Trip:
    """The lines of a trip by place: its ways out, the lines and branches that bind each
    value, and the new values of carries. Lines that record bind nothing.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self.stops: list[int] = []
        self.bound: dict[Var, list[int]] = {}
        self.branches: dict[Var, list[int]] = {}
        self.becomes: dict[Var, list[tuple[int, Var]]] = {}
        self.alike: dict[tuple[str, Type], list[Var]] = {}
        for place, outer in enumerate(lines):
            every = (outer,) if type(outer) is Bind else walk((outer,))
            for var in dict.fromkeys(v for line in every for v in written(line)):
                self.bound.setdefault(var, []).append(place)
                if isinstance(outer, If):
                    self.branches.setdefault(var, []).append(place)
            if any(isinstance(line, Break | Do) for line in every):
                self.stops.append(place)
            if isinstance(outer, Update):
                for name, value in zip(outer.vars, outer.values, strict=True):
                    if value.is_atom and value.var is not None:
                        self.becomes.setdefault(name, []).append((place, value.var))
                        alike = self.alike.setdefault((name.hint, name.type), [])
                        alike.append(name)

    def before(self, end: int, line: Append) -> int:
        """The place in front of which a record may stand: its own place, `end`, if it
        need not go further.
        """
        read = set(read_by(line))
        limit = max((_last(self.bound.get(v, ()), end) for v in read), default=-1)
        limit = max(limit, _last(self.stops, end))
        names = {n for v in read for n in (v, *self.alike.get((v.hint, v.type), ()))}
        becomes = (b for name in names for b in self.becomes.get(name, ()))
        chosen = {value for place, value in becomes if place > end}
        places = (k for value in chosen for k in self.branches.get(value, ()))
        return min((k for k in places if limit < k < end), default=end)


def _last(places: Sequence[int], end: int) -> int:
    """The last of some places in front of another, -1 if there is none."""
    k = bisect_left(places, end)
    return places[k - 1] if k else -1


def recorded_behind(
    lines: list[Line], scheduler: Scheduler, idle: Set[Var], brief: Set[Var]
) -> list[Line]:
    """The lines of a trip with brief records and counts behind its ways out, and with
    changes there that nothing reads behind the loop.
    """
    places = [k for k, line in enumerate(lines) if _leaves(line)]
    if not brief or not places:
        return lines
    place = places[-1]
    found: list[Line] = []
    late: list[Line] = []
    steps: list[Line] = []
    waiting = _waiting(lines[: place + 1], idle, brief)
    for k, line in enumerate(lines[:place]):
        if isinstance(line, Step) and line.var in brief:
            steps.append(line)
        elif k not in waiting:
            found.append(line)
        elif isinstance(line, Append):
            others = [
                one for n, one in enumerate(lines[k:place], k) if n not in waiting
            ]
            between = walk(others)
            staying = (_staying(v, lines[place], scheduler) for v in line.values)
            pieces = [_kept(piece, between, scheduler, found) for piece in staying]
            late.append(replace(line, values=tuple(pieces)))
        else:
            late.append(line)
    made = [*found, lines[place], *late, *lines[place + 1 :], *steps]
    flag = _flag(lines[place])
    return made if flag is None else asked_at_once(made, len(found), flag)


def _flag(line: Line) -> Var | None:
    """The flag that alone decides whether a trip leaves here."""
    match line:
        case If(test=Piece(is_atom=True, var=Var() as flag), then=[*_, Break()]):
            return None if line.orelse else flag
    return None


def _staying(piece: Piece, way_out: Line, scheduler: Scheduler) -> Piece:
    """A piece in a trip that has stayed: b for `a if left else b`."""
    flag = _flag(way_out)
    if flag is None or piece.is_atom or piece.var not in scheduler.choices:
        return piece
    _, test, other = piece.args
    return other if test.is_atom and test.var is flag else piece


def _waiting(lines: Sequence[Line], idle: Set[Var], brief: Set[Var]) -> Set[int]:
    """The places of lines that may wait for the last one, a way out: brief records, and
    later changes of values that these read, if no other line needs the values.
    """
    found: set[int] = set()
    recorded = {
        k: set(values_in(line.values))
        for k, line in enumerate(lines)
        if isinstance(line, Append) and line.var in brief
    }
    read: set[Var] = set()
    changed: set[Var] = set()
    is_done = False  # lists may have other items
    for k, line in reversed([*enumerate(lines)]):
        match line:
            case Append() if k in recorded:
                found.add(k)
                if is_done or not changed.isdisjoint(recorded[k]):
                    read |= recorded[k]  # by a name that is bound here
                continue
            case Update(vars=(var,), values=(value,)) if var in idle and any(
                n < k and var in names for n, names in recorded.items()
            ):
                seen = set(values_in((value,)))
                is_kept = changed.isdisjoint({var, *seen}) and var not in read
                if is_kept and not (value.reads and is_done):
                    found.add(k)
                    continue
        every = walk([line])
        read.update(reads([line]))
        changed.update(var for one in every for var in written(one))
        is_done = is_done or any(isinstance(one, Do) for one in every)
    return found


def _kept(
    piece: Piece, between: Sequence[Line], scheduler: Scheduler, lines: list[Line]
) -> Piece:
    """A piece as lines behind read it: by a name where they change its values."""
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
