"""A number that many arms of a branch give a value is given in front of the branch.

if left:                         times_s = times_y = 0.0
    s_bar = 1.0                  if left:
    times_s = 0.0                    s_bar = 1.0
    times_y = 0.0                else:
else:                                ...
    ...                              if left_2:
    if left_2:                           s_bar = 2.0
        s_bar = 2.0                  else:
        times_y = 0.0                    ...
    else:
        ...

A function that may end at many places has such arms: each gives numbers to the values
of all those behind it, and the text would grow with the square of their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field
from itertools import pairwise

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.schedule.homes import touched
from ad_transform.emit.schedule.lines import (
    Bind,
    BindAll,
    If,
    Line,
    bound_by,
    read_by,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import RECORD

_ARMS = 2
"""Arms that give a value one number, for which it is given in front of them."""

_VALUES = 12
"""Values that get their numbers so: where there are few, as in a table of arms, it is
easier to read them in place.
"""

_MANY = 24
"""Statements that a branch has to lose by that."""

_Path = tuple[int, ...]
"""The place of a line: those of lines and arms around it in turn."""


def beforehand(lines: Sequence[Line]) -> list[Line]:
    """The lines of a function with such numbers in front of branches that stand in no
    loop; linear in the lines times their depth.
    """
    seen: set[Var] = set()
    found: list[Line] = []
    for line in lines:
        numbers = _numbers(line, seen) if isinstance(line, If) else {}
        if numbers:
            found += _starts(numbers)
            found += bounce(_without((line,), numbers))
        else:
            found.append(line)
        for each in walk((line,)):
            seen.update(bound_by(each), touched(each), read_by(each))
    return found


def _starts(numbers: Mapping[Var, Piece]) -> Iterator[BindAll]:
    """The lines that give the numbers, one for each of them."""
    values = {piece.text: piece for piece in numbers.values()}
    for text, piece in values.items():
        own = tuple(var for var, one in numbers.items() if one.text == text)
        yield BindAll(own, piece)


@dataclass(slots=True)
class _Places:
    """The places in a branch that give each value something; `others` are the values
    that do not get all of it by such lines in arms.
    """

    by_value: dict[Var, list[tuple[_Path, Bind]]] = field(default_factory=dict)
    others: set[Var] = field(default_factory=set)

    def enter(self, lines: Sequence[Line], path: _Path) -> None:
        """Look at the lines of a body."""
        waiting = [(lines, path)]
        while waiting:
            body, around = waiting.pop()
            for k, line in enumerate(body):
                here = (*around, k)
                if isinstance(line, If):
                    waiting += [(line.then, (*here, 0)), (line.orelse, (*here, 1))]
                elif isinstance(line, Bind):
                    self.by_value.setdefault(line.var, []).append((here, line))
                else:
                    for each in walk((line,)):
                        self.others.update(bound_by(each), touched(each))


def _numbers(branch: If, seen: Set[Var]) -> Mapping[Var, Piece]:
    """The numbers that may stand in front of a branch, by the values that get them."""
    places = _Places()
    places.enter((branch,), ())
    found: dict[Var, Piece] = {}
    fewer = 0
    for var, rows in places.by_value.items():
        if len(rows) < _ARMS or var in seen or var in places.others:
            continue
        given = [line.value for _, line in rows if _is_number(line)]
        times = Counter(piece.text for piece in given)
        text, most = max(times.items(), key=lambda one: one[1], default=("", 0))
        if most < _ARMS or not _exclude(sorted(path for path, _ in rows)):
            continue
        found[var] = next(piece for piece in given if piece.text == text)
        fewer += most
    is_long = len(found) >= _VALUES and fewer - len(found) >= _MANY
    return found if is_long else {}


def _is_number(line: Bind) -> bool:
    """Whether a line gives a value a number, and says nothing else."""
    own = line.var.type
    plain = not own.dims and own != RECORD and not line.notes and not line.annotated
    return plain and line.value.is_atom and line.value.var is None


def _exclude(paths: Sequence[_Path]) -> bool:
    """Whether places, in order, are in different arms, so that one of them is reached
    at most.
    """
    for one, other in pairwise(paths):
        ahead = (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
        if next(ahead, 0) % 2 == 0:  # a line behind the other one
            return False
    return True


def _without(lines: Sequence[Line], numbers: Mapping[Var, Piece]) -> Task[list[Line]]:
    """The lines without those that give such numbers; no `then` is left empty."""
    found: list[Line] = []
    for line in lines:
        if isinstance(line, If):
            then = yield _without(line.then, numbers)
            orelse = yield _without(line.orelse, numbers)
            found.append(replace(line, then=then or line.then[:1], orelse=orelse))
        elif not isinstance(line, Bind) or not _gives(line, numbers.get(line.var)):
            found.append(line)
    return found


def _gives(line: Bind, number: Piece | None) -> bool:
    """Whether a line gives a value a number that it has already."""
    return number is not None and _is_number(line) and line.value.text == number.text
