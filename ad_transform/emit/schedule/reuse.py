"""New values of a carry are bound to its name as soon as the old one is read no more.

Instead of `x_2 = x + h`, then `x = x_2` at the end of the trip, a loop says
`x = x + h`, as people write it; and `p = p + q`, then `p = (1.0 - gain) * p`, where the
source does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.emit.schedule.lines import (
    Bind,
    Line,
    Update,
    bound_by,
    inner,
    pieces,
    read_by,
    walk,
)
from ad_transform.emit.schedule.seen import seen
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import Type

_SPARE = 2
"""The columns of a number behind a hint, which the name of a carry seldom has."""


def fits(name: Var, value: Var, columns: Callable[[Var], int]) -> bool:
    """Whether the name of a carry is as short as the expected name of a value."""
    return columns(name) <= columns(value) + _SPARE


def reads(lines: Sequence[Line]) -> Iterator[Var]:
    """The named values that lines read, inner ones included."""
    for line in walk(lines):
        yield from read_by(line)


def written(line: Line) -> tuple[Var, ...]:
    """The values that a line binds, or binds again."""
    return line.vars if isinstance(line, Update) else bound_by(line)


def writes(lines: Sequence[Line], value: Var) -> int:
    """The number of lines that bind a value, inner ones included."""
    return sum(value in written(line) for line in walk(lines))


def binds(line: Line, value: Var) -> bool:
    """Whether a line binds a value, inner ones included."""
    waiting = [line]
    while waiting:
        one = waiting.pop()
        if value in written(one):
            return True
        for body in reversed(inner(one)):
            waiting += reversed(body)
    return False


def rename(lines: Sequence[Line], names: Mapping[Var, Var]) -> None:
    """Let the readers of values read the names that these go by."""
    stack = [piece for line in walk(lines) for piece in pieces(line)]
    while stack:
        piece = stack.pop()
        if piece.is_atom and piece.var is not None and piece.var in names:
            piece.var = names[piece.var]
        stack += piece.args


def reused(lines: list[Line], columns: Callable[[Var], int]) -> list[Line]:
    """The lines of a trip with values bound to the names of carries: values of the
    source with the same name, and new values of carries. Linear, but for the carries
    that have one name.
    """
    trip = _Trip.of(lines)
    for place, line in enumerate(lines):
        if isinstance(line, Bind) and not line.annotated:
            for name in trip.wanted(line.var):
                if fits(name, line.var, columns) and trip.is_free(place, name):
                    trip.take(place, name)
                    break
    if not trip.names:
        return lines
    rename(lines, trip.names)
    found = (trip.bound.get(place, line) for place, line in enumerate(lines))
    return [line for line in found if not _is_idle(line)]


@dataclass(slots=True)
class _Trip:
    """The lines of a trip, the places that read and bind values, inner lines at the
    place of the line that holds them, and the values bound to names of carries.
    """

    lines: Sequence[Line]
    read: dict[Var, list[int]]
    written: dict[Var, list[int]]
    carries: dict[tuple[str, Type], list[Var]]
    becomes: dict[Var, list[Var]]  # carries, by the value that they are bound to
    names: dict[Var, Var] = field(default_factory=dict)
    bound: dict[int, Update] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Sequence[Line]) -> _Trip:
        """A trip in which nothing has been bound anew."""
        found = cls(lines, {}, {}, {}, {})
        for line, bound, read, place, _, _ in seen(lines):
            for var in read:
                found.read.setdefault(var, []).append(place)
            for var in line.vars if isinstance(line, Update) else bound:
                found.written.setdefault(var, []).append(place)
        for line in lines:
            if isinstance(line, Update):
                for name, value in zip(line.vars, line.values, strict=True):
                    alike = found.carries.setdefault((name.hint, name.type), [])
                    if name not in alike:
                        alike.append(name)
                    if value.is_atom and value.var and len(line.vars) == 1:
                        found.becomes.setdefault(value.var, []).append(name)
        return found

    def wanted(self, value: Var) -> list[Var]:
        """The carries that a value may be bound to."""
        becomes = self.becomes.get(value, [])
        alike = self.carries.get((value.hint, value.type), [])
        if value.named:
            return alike
        return [name for name in becomes if not value.hint or name in alike]

    def is_free(self, place: int, name: Var) -> bool:
        """Whether a name can take the value bound at a place. Its old value must not be
        read from there on, nor the new one once the name has changed again.
        """
        line = self.lines[place]
        assert isinstance(line, Bind)
        changes = [k for k in self.written.get(name, ()) if k > place]
        if not changes or len(self.written[line.var]) != 1:
            return False
        change = min(changes)
        update = self.lines[change]
        if not isinstance(update, Update):
            return False
        if any(place < k <= change for k in self.read.get(name, ())):
            return False
        last = max(self.read.get(line.var, [place]))
        return last <= change or _hands_on(update, name, line.var)

    def take(self, place: int, name: Var) -> None:
        """Bind the value of a place to a name."""
        line = self.lines[place]
        assert isinstance(line, Bind)
        self.names[line.var] = name
        self.bound[place] = Update((name,), (line.value,), line.notes)
        self.read.setdefault(name, []).extend(self.read.get(line.var, ()))
        self.written[name].append(place)


def _hands_on(line: Update, name: Var, value: Var) -> bool:
    """Whether a line is `name = value`."""
    first, *_ = line.values
    return line.vars == (name,) and first.is_atom and first.var is value


def _is_idle(line: Line) -> bool:
    return isinstance(line, Update) and _hands_on(line, line.vars[0], line.vars[0])
