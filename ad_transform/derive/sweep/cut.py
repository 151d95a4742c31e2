"""The values that a backward pass is handed: a minimum vertex cut.

Between the forward statements and those that depend on adjoints stand statements that
may run on either side, partials mostly. Of all ways to divide them, the
one that hands over the fewest values is taken; ties leave them on the backward side. An
array of numpy counts as several numbers, with each axis more: its rows are handed over,
and not a matrix that would have to stay as it is for them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from ad_transform.dataclass import dataclass
from ad_transform.derive.sweep.measured import measured
from ad_transform.derive.sweep.stacks import records_states
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.nodes import Operand, Statement, Var

WORK = 4_000_000
"""Edges looked at in search of a cut; after that the values are handed over as they
stand."""


@dataclass(frozen=True, slots=True)
class Split:
    """Statements for the way forth, values handed over, statements for the way back."""

    early: tuple[Statement, ...]
    saved: tuple[Var, ...]
    late: tuple[Statement, ...]


def split(
    back: Sequence[Statement],
    results: Iterable[Operand],
    seeds: Iterable[Operand],
    free: Iterable[Operand],
) -> Split:
    """The division of the backward statements.

    They are there for the `results`; `seeds` are known only backwards, values in `free`
    on both sides. All else that they read is known forwards.
    """
    results, seeds, free = tuple(results), tuple(seeds), tuple(free)
    back = measured(back, (*free, *seeds))
    bound = {out for s in back for out in s.outs}
    late: set[Operand] = set(seeds)  # values that can be known only backwards
    for statement in back:
        if not late.isdisjoint(statement.inputs) or records_states(statement):
            late.update(statement.outs)
    movable = [s for s in back if late.isdisjoint(s.outs) and s.outs]
    fixed = [s for s in back if not late.isdisjoint(s.outs) or not s.outs]
    network = Network()
    known = late.union(free)
    for operand in results:
        if operand not in known and isinstance(operand, Var):
            network.sink(operand)
    for statement in fixed:
        for operand in statement.inputs:
            if operand not in known and isinstance(operand, Var):
                network.sink(operand)
    for statement in movable:
        for operand in statement.inputs:
            if operand not in known and isinstance(operand, Var):
                for out in statement.outs:
                    network.connect(operand, out)
    sources = [v for v in network.values if v not in bound]
    saved = network.cut(sources)
    if saved is None:
        saved = sources
    return _as_they_are(back, results, sources, saved, late)


def _as_they_are(
    back: Sequence[Statement],
    results: Sequence[Operand],
    sources: Sequence[Var],
    saved: Sequence[Var],
    late: Collection[Operand],
) -> Split:
    """The division for some saved values, but none of an array that the way forth
    changes: what reads it in front of the change is handed over in its place.
    """
    consumption = Consumption()
    while True:
        part = _divided(back, results, saved)
        gone = consumption.by_all(part.early).intersection(part.saved)
        if not gone:
            return part
        readers = [s for s in part.late if not gone.isdisjoint(s.inputs)]
        outs = [out for s in readers for out in s.outs]
        if not gone.isdisjoint(results) or not outs or any(out in late for out in outs):
            return _divided(back, results, sources)
        saved = [*(v for v in part.saved if v not in gone), *outs]


def _divided(
    back: Sequence[Statement], results: Iterable[Operand], saved: Sequence[Var]
) -> Split:
    """The division for some saved values: statements that make these go forward, those
    that the results still need stay. A statement that both need is done twice.
    """
    handed = dict.fromkeys(saved)
    needed = set(results)
    late: list[Statement] = []
    for statement in reversed(back):
        wanted = [o for o in statement.outs if o in needed and o not in handed]
        if wanted and not handed.keys().isdisjoint(statement.outs):
            handed.update(dict.fromkeys(wanted))  # its values come together
        elif wanted or not statement.outs:
            late.append(statement)
            needed.update(statement.inputs)
    before: set[Operand] = set(handed)
    early: list[Statement] = []
    for statement in reversed(back):
        if not before.isdisjoint(statement.outs):
            early.append(statement)
            before.update(statement.inputs)
    return Split(tuple(reversed(early)), tuple(handed), tuple(reversed(late)))


class Network:
    """Values as vertices with their sizes as capacities, in order of first sight.

    The flow enters value k at half-vertex 2k + 2 and leaves it at 2k + 3. A `unit` is
    the capacity of a number.
    """

    def __init__(self, unit: int = 1) -> None:
        self.unit = unit
        self.values: dict[Var, int] = {}
        self.room: list[dict[int, int]] = [{}, {}]  # room for flow on an edge

    def _number(self, value: Var) -> int:
        number = self.values.setdefault(value, len(self.values))
        if len(self.room) == 2 * number + 2:
            self.room += {}, {}
            self._edge(2 * number + 2, 2 * number + 3, self.unit * _size(value))
        return number

    def _edge(self, u: int, v: int, room: int) -> None:
        self.room[u][v] = room
        self.room[v].setdefault(u, 0)

    def source(self, value: Var, room: int) -> None:
        """Let flow enter a value: so much does it cost to make it behind the cut."""
        self._edge(_START, 2 * self._number(value) + 2, room)

    def sink(self, value: Var) -> None:
        """Let flow leave a value: it is needed behind the cut."""
        self._edge(2 * self._number(value) + 3, _END, _ANY)

    def connect(self, value: Var, made: Var) -> None:
        """Let flow go from a value to one that is made of it."""
        u, v = self._number(value), self._number(made)
        self._edge(2 * u + 3, 2 * v + 2, _ANY)

    def cut(self, sources: Sequence[Var]) -> list[Var] | None:
        """The minimum cut nearest to the sources; None if that is too much work."""
        for value in sources:
            enters = 2 * self.values[value] + 2
            self._edge(_START, enters, _ANY)
            if _END in self.room[enters + 1]:  # it has to be handed over
                self._flow((_START, enters, enters + 1, _END))
        work = 0
        while _END in (reached := self._reach()):
            work += sum(len(self.room[u]) for u in reached)
            if work > WORK:
                return None
            path = [_END]
            while path[-1] != _START:
                path.append(reached[path[-1]])
            self._flow(path[::-1])
        names = enumerate(self.values)
        # entered but not left: the value is on the cut
        return [
            v for k, v in names if 2 * k + 2 in reached and 2 * k + 3 not in reached
        ]

    def _flow(self, path: Sequence[int]) -> None:
        """Let as much flow along a path as it has room for."""
        room = min(self.room[u][v] for u, v in pairwise(path))
        for u, v in pairwise(path):
            self.room[u][v] -= room
            self.room[v][u] += room

    def _reach(self) -> dict[int, int]:
        """The half-vertices that more can flow to, each with the one before it."""
        reached = {_START: _START}
        queue = deque([_START])
        while queue:
            u = queue.popleft()
            for v, room in self.room[u].items():
                if room and v not in reached:
                    reached[v] = u
                    if v == _END:
                        return reached
                    queue.append(v)
        return reached


def _size(value: Var) -> int:
    """The cost of handing a value over."""
    return _SIZES[len(value.type.shape)]


_SIZES = (1, 4, 16, 64)
"""The cost of handing a value over, by its axes."""

_START, _END = 0, 1
_ANY = 1 << 60
