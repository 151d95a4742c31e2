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

So does one with several ways out, and one that leaves from an arm inside an arm.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence, Set

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    Break,
    If,
    Line,
    StartList,
    Step,
    Update,
    bound_by,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.reuse import binds, reads, writes, written
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import Literal, Var


def left_at_once(
    lines: list[Line], scheduler: Scheduler, idle: Set[Var], brief: Set[Var]
) -> list[Line]:
    """The lines of a trip that ends with a way out, put into the arms that lead there
    if the rest of the trip only records and hands on.

    Nothing behind the loop reads the carries in `idle`, and a trip that leaves it
    appends nothing to the lists in `brief` and counts nothing there. Linear, times the
    ways out.
    """
    end = lines[-1] if lines else None
    if not isinstance(end, If) or end.orelse or not end.test.is_atom:
        return lines
    if end.test.var is None or not end.then or not isinstance(end.then[-1], Break):
        return lines
    leaving = _Leaving(scheduler, idle, brief, end.test.var, end)
    before = list(map(leaving.turned, lines[:-1]))
    made = leaving.at_once(before)
    is_same = len(made) == len(lines) and all(map(operator.is_, made, before))
    return lines if is_same else made


@dataclass(frozen=True, slots=True)
class _Leaving:
    """The flag that is up in the last trip, and the way out, `end`."""

    scheduler: Scheduler
    idle: Set[Var]
    brief: Set[Var]
    flag: Var
    end: If

    def at_once(self, lines: list[Line]) -> list[Line]:
        """The lines with the way out behind them, or in their arms."""
        places = [k for k, line in enumerate(lines) if self._tells(line)]
        asking = [k for k in places if self._asks(lines[k])]
        if not places or len(asking) > 1:
            return [*lines, self.end]
        place = places[-1]
        branch, between = lines[place], lines[place + 1 :]
        assert isinstance(branch, If)
        if asking:
            found = None if asking != [place] else self._asked(branch, between)
        else:
            found = self._certain(branch, between) or self._inside(branch, between)
        if found is None:
            return [*lines, self.end]
        place, made = _before_the_rest([*lines[:place], *found], place)
        return asked_at_once(made, place, self.flag)

    def turned(self, line: Line) -> Line:
        """A branch on the flag in place of one on its opposite; any other line as it
        is.
        """
        if not isinstance(line, If) or line.test.is_atom:
            return line
        asked = self.scheduler.composer.negated(line.test, None)
        if not asked.is_atom or asked.var is not self.flag:
            return line
        return replace(line, test=asked, then=line.orelse, orelse=line.then)

    def _tells(self, line: Line) -> bool:
        """Whether a branch tests the flag, or sets it."""
        return isinstance(line, If) and (self._asks(line) or self._binds(line))

    def _asks(self, line: Line) -> bool:
        return isinstance(line, If) and line.test.is_atom and line.test.var is self.flag

    def _binds(self, line: If) -> bool:
        return binds(line, self.flag)

    def _asked(self, branch: If, between: Sequence[Line]) -> list[Line] | None:
        """The lines for a branch on the flag: one of its arms is the way out."""
        if self.flag in set(reads((*branch.then, *branch.orelse))):
            return None
        leaving = self._way_out(branch.then, between)
        if leaving is None and not between:
            leaving = [*branch.then, *self.end.then]
        staying = _Known({self.flag: self._literal(False)})
        recorded = [
            staying.line(line) or (line if self._is_brief(line) else None)
            for line in between
        ]
        if leaving is None or None in recorded:
            return None
        way_out = replace(branch, then=leaving, orelse=[])
        begun = {line.var for line in branch.then if isinstance(line, StartList)}
        begun.difference_update(v for line in walk(leaving) for v in bound_by(line))
        rest = [line for line in recorded if line is not None]
        arm = [_first(line, begun) for line in branch.orelse]
        return [way_out, *_without_others(arm, rest)]

    def _certain(self, branch: If, between: Sequence[Line]) -> list[Line] | None:
        """The lines for a branch that surely sets the flag in one arm: that arm is a
        way out, and the other arm goes on to further ones.
        """
        up = [self._said(arm) is True for arm in (branch.then, branch.orelse)]
        if up[0] == up[1]:
            return None
        arm, other = branch.then, branch.orelse
        if up[1]:
            arm, other = other, arm
        leaving = self._way_out(arm, between)
        if leaving is None:
            return None
        composer = self.scheduler.composer
        test = branch.test if up[0] else composer.negated(branch.test, None)
        way_out = replace(branch, test=test, then=leaving, orelse=[])
        return [way_out, *self._on([*other, *between])]

    def _inside(self, branch: If, between: Sequence[Line]) -> list[Line] | None:
        """The branch with the way out in its arms, if no other line is behind it."""
        arms = branch.then, branch.orelse
        few = sum(self._said(arm) is not False for arm in arms) == 1
        if between or not few or self.flag in set(reads(self.end.then)):
            return None
        then, orelse = (self._on(list(arm)) for arm in arms)
        return [replace(branch, then=then, orelse=orelse)]

    def _on(self, lines: list[Line]) -> list[Line]:
        """The lines, with the way out behind them unless they surely go on."""
        said = self._said(lines)
        if said is None:
            return self.at_once(lines)
        known = _Known({self.flag: self._literal(said)})
        found = [*lines, *self.end.then] if said else lines
        kept = [known.line(k) or k for k in found if self.flag not in written(k)]
        return found if self.flag in set(reads(kept)) else kept

    def _said(self, lines: Sequence[Line]) -> bool | None:
        """Whether lines set the flag to True or False; None where only a run tells."""
        telling = [line for line in lines if binds(line, self.flag)]
        match telling:
            case [Bind(value=value)]:  # a loop may put it up later
                return self.scheduler.composer.truth(value)
        return None

    def _way_out(
        self, arm: Sequence[Line], between: Sequence[Line]
    ) -> list[Line] | None:
        """The lines of an arm, and those behind it, that matter to a trip that leaves,
        with the way out. None if a line behind the arm would compute in two places.
        """
        known = _Known({self.flag: self._literal(True)})
        mattering = self._mattering((*arm, *between))
        leaving = known.after(mattering, self.idle, {id(line) for line in arm})
        return None if leaving is None else [*leaving, *self.end.then]

    def _mattering(self, lines: Sequence[Line]) -> list[Line]:
        """The lines that matter to a trip that leaves. Brief records, changes that
        nothing reads behind the loop, and values for these alone do not.
        """
        found: list[Line] = []
        needed = {self.flag, *reads(self.end.then)}
        for line in reversed(lines):
            match line:
                case Append() | Step() if self._is_brief(line):
                    continue
                case StartList(var=var) | Bind(var=var, notes=()):
                    if var not in needed:
                        continue
                case Update(vars=(name,), notes=()) if name in self.idle:
                    if name not in needed:
                        continue
            needed.update(reads([line]))
            found.append(line)
        return found[::-1]

    def _is_brief(self, line: Line) -> bool:
        return isinstance(line, Append | Step) and line.var in self.brief

    def _literal(self, value: bool) -> Piece:
        return self.scheduler.composer.literal(Literal(value))


def _first(line: Line, begun: Set[Var]) -> Line:
    """A line that is the first to start a list, if that is among some."""
    if isinstance(line, StartList) and line.var in begun:
        return replace(line, is_first=True)
    return line


def _without_others(arm: Sequence[Line], rest: Sequence[Line]) -> list[Line]:
    """The lines of an arm that stays and the rest, without the second names that values
    of the arm had for the rest. Those of carries stay: a carry may change before.
    """
    every = walk([*arm, *rest])
    times = Counter(v for line in every for v in written(line))
    carries = {v for line in every if isinstance(line, Update) for v in line.vars}
    names: dict[Var, Piece] = {}
    for line in arm:
        match line:
            case Bind(var=var, value=Piece(is_atom=True, var=Var() as other)):
                is_sole = times[var] == times[other] == 1 and other not in carries
                if is_sole and not (line.notes or var.named):
                    names[var] = line.value
    known = _Known(names)
    after = [known.line(line) or line for line in rest]
    kept = set(reads([*arm, *after]))
    return [
        line
        for line in (*arm, *after)
        if not (isinstance(line, Bind) and line.var in names and line.var not in kept)
    ]


class _Known:
    """The known values of names on a way: other names and literals."""

    def __init__(self, pieces: dict[Var, Piece]) -> None:
        self.pieces = pieces

    def after(
        self, lines: Sequence[Line], idle: Set[Var], computing: Set[int]
    ) -> list[Line] | None:
        """Lines without names that stand for others, and carries that nothing reads
        behind the loop; None where others than `computing` ones, by id, compute.
        """
        found: list[Line] = []
        for line in lines:
            made = self.line(line)
            if made is None and id(line) in computing and self._may_stay(line):
                found.append(line)
                continue
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

    def _may_stay(self, line: Line) -> bool:
        """Whether a line that computes reads and changes nothing that is known."""
        if not isinstance(line, Bind | Update):
            return False
        names = {piece.var for piece in self.pieces.values()}
        return self.pieces.keys().isdisjoint(reads([line])) and names.isdisjoint(
            written(line)
        )

    def line(self, line: Line) -> Line | None:
        """A line that records or hands on, over known values; None if it does more."""
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


def _before_the_rest(lines: list[Line], place: int) -> tuple[int, list[Line]]:
    """The place of a way out and the lines, with values that a leaving trip does not
    need moved behind it; statements of the source stay where they are.
    """
    way_out = lines[place]
    if not isinstance(way_out, If) or way_out.orelse or not _leaves(way_out.then):
        return place, lines
    needed = set(reads([way_out]))
    kept: list[Line] = []
    moved: list[Line] = []
    while place and isinstance(line := lines[place - 1], Bind):
        place -= 1
        if line.var.named or line.notes or line.var in needed:
            needed.update(reads([line]))
            kept.append(line)
        else:
            moved.append(line)
    rest = lines[place + len(kept) + len(moved) + 1 :]
    before = [*lines[:place], *kept[::-1]]
    return len(before), [*before, way_out, *moved[::-1], *rest]


def _leaves(lines: Sequence[Line]) -> bool:
    return bool(lines) and isinstance(lines[-1], Break)


def asked_at_once(lines: list[Line], place: int, flag: Var) -> list[Line]:
    """The lines with the test in its `if`, if nothing else reads it."""
    branch = lines[place]
    told = next((k for k in range(place) if flag in written(lines[k])), place)
    test, between = lines[told], lines[told + 1 : place]
    if not isinstance(test, Bind) or test.notes or writes(lines, flag) != 1:
        return lines
    if list(reads(lines)).count(flag) != 1:
        return lines
    read = set(reads([test]))
    for line in between:
        if not isinstance(line, Bind | Append) or line.var in read:
            return lines
    assert isinstance(branch, If)
    asked = replace(branch, test=test.value)
    return [*lines[:told], *between, asked, *lines[place + 1 :]]
