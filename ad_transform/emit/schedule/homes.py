"""Homes: the loops that values live in, so that other loops may use their names again.

`for t in range(n): f = ...` and `for t in reversed(range(n)): f = ...` on the way back
may both say t and f, for no trip of either loop sees the other's values. The same is
true of two loops inside one trip of a third.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    For,
    Line,
    Reverse,
    Step,
    Take,
    Update,
)
from ad_transform.emit.schedule.seen import Seen
from ad_transform.ir.nodes import Var


@dataclass(slots=True)
class Tenants:
    """The loops where values with one name live, and all loops around these. The loops
    that share the name start behind line `behind`.
    """

    homes: set[int] = field(default_factory=set)
    around: set[int] = field(default_factory=set)
    behind: int = -1


class Homes:
    """The innermost loop around all lines with a number, for numbers that live in loops
    only. Loops have numbers; outer ones have smaller numbers.

    `alike` are entries of lists, by the value whose name they have: it lives where they
    do as well. Linear times the depth of the loops.
    """

    def __init__(
        self, lines: Sequence[Seen], results: Iterable[Var], alike: Mapping[Var, Var]
    ) -> None:
        self._outer = {s.own: s.home for s in lines if s.own != s.home}
        self._places = {s.own: s.place for s in lines if s.own != s.home}
        places: dict[Var, int] = {}
        bound: set[Var] = set()
        stay = {*results}
        for line, names, read, _, home, own in lines:
            for var in names:
                bound.add(var)
                at = places.get(var, own)
                places[var] = own if at == own else self._common(at, own)
            if type(line) is Bind:
                if line.annotated:
                    stay.update(names)
            elif type(line) is not For:
                stay.update(names)
            for var in (*read, *touched(line)):
                at = places.get(var, home)
                places[var] = home if at == home else self._common(at, home)
        self._found: dict[Var, tuple[int, ...]] = {
            var: (place,)
            for var, place in places.items()
            if place and var in bound and var not in stay and not var.type.dims
        }
        for entry, value in alike.items():
            first, more = self._found.get(value), self._found.get(entry)
            if first is not None and more is not None:
                self._found[value] = (*first, *more)
            elif first is not None:
                del self._found[value]

    def of(self, var: Var) -> tuple[int, ...] | None:
        """The loops where a value lives; None if it lives outside of loops, too."""
        return self._found.get(var)

    def enter(self, homes: Iterable[int], tenants: Tenants) -> bool:
        """Let a value live with others under one name, unless a trip has both."""
        every = [[*self._around(home)] for home in homes]
        if any(
            self._places[around[0]] <= tenants.behind
            or around[0] in tenants.around
            or not tenants.homes.isdisjoint(around)
            for around in every
        ):
            return False
        for around in every:
            tenants.homes.add(around[0])
            tenants.around.update(around)
        return True

    def _around(self, loop: int) -> Iterable[int]:
        """A loop and those around it, the innermost first."""
        while loop:
            yield loop
            loop = self._outer[loop]

    def _common(self, a: int, b: int) -> int:
        """The innermost loop that holds two, 0 where none does."""
        while a != b:
            if a > b:
                a = self._outer[a]
            else:
                b = self._outer[b]
        return a


class Shared:
    """The names of one wish, in order, with the loops where their values live.

    Nobody moves out: a value that cannot share a name now never can. So the search for
    each home goes on from the last name found, and a loop may have thousands of values.
    """

    def __init__(self, homes: Homes) -> None:
        self._homes = homes
        self._now: dict[str, Tenants] = {}
        self._order: list[tuple[str, Tenants]] = []  # also those that are gone
        self._first: dict[tuple[int, ...], int] = {}

    def let_in(self, own: tuple[int, ...]) -> str:
        """Let a value share the first name that it may; the name, or "" if there is
        none.
        """
        k = self._first.get(own, 0)
        while k < len(self._order):
            name, tenants = self._order[k]
            if self._now.get(name) is tenants and self._homes.enter(own, tenants):
                break
            k += 1
        self._first[own] = k
        return self._order[k][0] if k < len(self._order) else ""

    def add(self, name: str, own: tuple[int, ...] = (), behind: int = -1) -> None:
        """Add a name, unless it is there, and a value that lives under it."""
        if name not in self._now:
            self._now[name] = Tenants(behind=behind)
            self._order.append((name, self._now[name]))
        self._homes.enter(own, self._now[name])

    def drop(self, name: str) -> None:
        """Let nobody share a name any more."""
        self._now.pop(name, None)


def touched(line: Line) -> tuple[Var, ...]:
    """The names and lists that a line changes and does not bind."""
    match line:
        case Update(vars=vars):
            return vars
        case Append(var=var) | Step(var=var) | Reverse(var=var) | Take(held=var):
            return (var,)
    return ()
