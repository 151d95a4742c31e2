"""Values that the lines of a trip bind and read, by place.

Names are taken over one after another. The answers for that are looked up, not looked
for: a trip may have thousands of lines, and hundreds of values that could go by another
name.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Sequence

from ad_transform.emit.schedule.lines import Bind, Line, inner, pieces, walk
from ad_transform.emit.schedule.pieces import Piece, names_in
from ad_transform.emit.schedule.reuse import reads, written
from ad_transform.ir.nodes import Var

END = 1 << 60
"""A place behind all lines."""


class Values:
    """The places of the lines that bind and read each value; inner lines stand at the
    place of the line that holds them. Linear, times the lines around.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._inside: dict[int, tuple[Line, frozenset[Var]]] = {}
        self._bound: dict[Var, list[int]] = {}
        self._read: dict[Var, list[int]] = {}
        self._atoms: dict[Var, list[Piece]] = {}
        times: list[Var] = []
        for place, outer in enumerate(lines):
            if type(outer) is Bind:  # nearly always
                times.append(outer.var)
                self._enter((outer.var,), (outer.value,), place)
                continue
            every = walk((outer,))
            for line in every:
                times += written(line)
            shown = [piece for line in every for piece in pieces(line)]
            self._enter(self.bound(outer), shown, place)
        self.times = Counter(times)

    def _enter(self, bound: Iterable[Var], shown: Iterable[Piece], place: int) -> None:
        """Enter the values that lines at a place bind, and those that they read with
        the pieces that do.
        """
        for var in bound:
            if var in self._bound:
                self._bound[var].append(place)
            else:
                self._bound[var] = [place]
        for piece in shown:
            for name in names_in(piece):
                read = name.var
                assert read is not None
                if read not in self._atoms:
                    self._atoms[read], self._read[read] = [name], [place]
                    continue
                self._atoms[read].append(name)
                if self._read[read][-1] != place:
                    self._read[read].append(place)

    def bound(self, line: Line) -> frozenset[Var]:
        """The values that a line and those in it bind; new lines are looked at."""
        if type(line) is Bind:
            return frozenset((line.var,))
        waiting = [line]
        while waiting:  # an `elif` has any number of others inside
            one = waiting[-1]
            held = [each for body in inner(one) for each in body]
            new = [x for x in held if type(x) is not Bind and id(x) not in self._inside]
            if new and id(one) not in self._inside:
                waiting += new
                continue
            waiting.pop()
            if id(one) not in self._inside:
                parts = [
                    (x.var,) if isinstance(x, Bind) else self._inside[id(x)][1]
                    for x in held
                ]
                self._inside[id(one)] = one, frozenset(written(one)).union(*parts)
        return self._inside[id(line)][1]

    def places(self, value: Var) -> Sequence[int]:
        """The places where a value is bound, in order."""
        return self._bound.get(value, ())

    def next_bound(self, value: Var, place: int) -> int | None:
        """The first place behind another where a value is bound, if there is one."""
        found = _next(self.places(value), place)
        return None if found == END else found

    def next_read(self, value: Var, place: int) -> int:
        """The first place behind another where a value is read, or END."""
        return _next(self._read.get(value, ()), place)

    def rename(self, value: Var, name: Var) -> None:
        """Let the readers of a value read a name, which takes over its places."""
        atoms = self._atoms.pop(value, [])
        for piece in atoms:
            piece.var = name
        self._atoms.setdefault(name, []).extend(atoms)
        for table in (self._bound, self._read):
            own = table.setdefault(name, [])
            for place in table.pop(value, ()):
                if place not in own:
                    insort(own, place)

    def look(self, name: Var, place: int, line: Line) -> None:
        """Drop the place of a changed line that binds or reads a name no more."""
        if name not in self.bound(line):
            _drop(self._bound, name, place)
        if name not in reads((line,)):
            _drop(self._read, name, place)

    def drop(self, name: Var, place: int) -> None:
        """Drop the place of a line that is gone: it read a name and bound it."""
        _drop(self._bound, name, place)
        _drop(self._read, name, place)


def _next(places: Sequence[int], place: int) -> int:
    k = bisect_right(places, place)
    return places[k] if k < len(places) else END


def _drop(table: dict[Var, list[int]], name: Var, place: int) -> None:
    places = table.get(name, [])
    if place in places:
        places.remove(place)
