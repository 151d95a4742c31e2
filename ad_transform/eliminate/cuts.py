"""Minimum vertex cuts between the ends of a graph and each of its vertices.

The predecessors of v at the time of its elimination separate v from the independents:
every path to v entered v through one of them, and eliminating vertices only shortens
paths. So |P(v)| is never below the minimum vertex cut, whatever the order; likewise for
|S(v)| and the dependents. Nor does a cut ever shrink in the course of elimination: a
cut of the remaining graph is one of the graph before.
"""

from __future__ import annotations

from collections.abc import Sequence as Row
from typing import NamedTuple, Protocol

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import members

WORK = 3_000_000
"""The number of vertex visits that all cuts of a graph may take together."""


class Rows(Protocol):
    """Lists of neighbours by vertex."""

    def __getitem__(self, v: int, /) -> list[int]: ...


class Flags(Protocol):
    """A number by vertex, 0 for no."""

    def __getitem__(self, v: int, /) -> int: ...


class NeighbourLists(dict[int, list[int]]):
    """Bit sets as lists, made when they are asked for."""

    def __init__(self, sets: Row[int]) -> None:
        self.sets = sets

    def __missing__(self, v: int) -> list[int]:
        row = self[v] = list(members(self.sets[v]))
        return row


class BitRows(dict[int, int]):
    """Neighbours in bit sets; a vertex that is gone gives way to its own neighbours."""

    def __init__(self, sets: Row[int], gone: int) -> None:
        self.sets = sets
        self.gone = gone

    def __missing__(self, v: int) -> int:
        near = self.sets[v]
        passed = fresh = near & self.gone
        while fresh:
            for u in members(fresh):
                near |= self.sets[u]
            fresh = near & self.gone & ~passed
            passed |= fresh
        row = self[v] = near & ~passed
        return row


class Allowance:
    """The visits that are left; a search that runs out of them ends with its result so
    far.
    """

    def __init__(self, visits: int = WORK) -> None:
        self.visits = visits


@dataclass(frozen=True, slots=True)
class Cuts:
    """Per intermediate v the minimum cuts from the independents and to the dependents.

    Lower bounds of these where the allowance ran out; the cut is a set of vertices
    other than v, ends included.
    """

    before: Flags
    after: Flags

    def price(self, v: int) -> int:
        """The least that eliminating v can cost."""
        return self.before[v] * self.after[v]


def minimum_cuts(
    before: Row[int], after: Row[int], inner: int, allowance: Allowance
) -> Cuts:
    """The cuts of the vertices in the bit set `inner`; all others are taken for ends.

    0 for a vertex that is not in `inner`. Each takes as many searches of the graph as
    it is large, and one that fails.
    """
    within = [inner >> v & 1 for v in range(len(before))]
    above = [list(members(bits)) for bits in before]
    below = [list(members(bits)) for bits in after]
    return Cuts(_all(above, within, allowance), _all(below, within, allowance))


def _all(
    neighbours: list[list[int]], within: list[int], allowance: Allowance
) -> tuple[int, ...]:
    return tuple(
        cut(neighbours, near, v, within, allowance) if within[v] else 0
        for v, near in enumerate(neighbours)
    )


def cut(
    neighbours: Rows,
    first: list[int],
    barred: int,
    within: Flags,
    allowance: Allowance,
) -> int:
    """The greatest number of paths from `first` to vertices that are not `within`; the
    paths share no vertex and avoid `barred`.

    By Menger's theorem this is the size of a smallest set of vertices that every such
    path meets. Paths are augmented one by one (Ford & Fulkerson) in the graph with
    every vertex x split into an entry 2x and an exit 2x + 1.
    """
    if len(first) < 2:
        return len(first)
    onward: dict[int, int] = {}  # the next vertex on the path through a vertex
    origin: dict[int, int] = {}  # the vertex before it, -1 at the start of a path
    paths = 0
    while paths < len(first):
        found = _search(neighbours, first, barred, within, onward, origin, allowance)
        if not found:
            break
        _augment(found, onward, origin)
        paths += 1
    return max(paths, 1)


class MinimumCut(NamedTuple):
    """A smallest set of vertices that every such path meets, and the vertices that it
    separates from the ends; both as bits.
    """

    cut: int
    near: int


def minimum_cut(rows: BitRows, first: int, within: int) -> MinimumCut:
    """The cut between `first` and all that is not `within`, nearest to `first`.

    All sets are bits, `rows` those of neighbours. Paths are augmented as in `cut`; the
    cut is where a search ends that finds none: at entries, but not at exits.
    """
    direct = first & ~within  # each a path of its own
    start = first & within
    origin: dict[int, int] = {}  # the vertex before one on a path, -1 at its start
    for _ in members(start):
        met, near = _augmented(rows, start, within, direct, origin)
        if met:
            return MinimumCut(direct | met & ~near, near)
    return MinimumCut(first, 0)


def _augmented(
    rows: BitRows, start: int, within: int, barred: int, origin: dict[int, int]
) -> tuple[int, int]:
    """Find one more path: (0, 0) if there is one. Otherwise the vertices at whose
    entries and at whose exits the search has been.
    """
    used = 0
    for x in origin:
        used |= 1 << x
    met, near = start, 0
    before: dict[int, int] = {}  # by entry the vertex whose exit leads there
    undone: dict[int, int] = {}  # by exit the vertex to which a step is undone
    waiting: list[int] = []
    fresh, x = start, -1
    while True:
        for y in members(fresh):
            before[y] = x
            back = origin[y] if used >> y & 1 else y
            if back >= 0 and not near >> back & 1:
                near |= 1 << back
                undone[back] = y
                waiting.append(back)
        if not waiting:
            return met, near
        x = waiting.pop()
        fresh = rows[x]
        if used >> x & 1:
            fresh |= 1 << x  # back through x
        fresh &= ~met & ~barred
        ends = fresh & ~within & ~used
        if ends:
            y = ends.bit_length() - 1
            steps = [(y, x)]
            while x >= 0:
                y = undone[x]
                if y != x:
                    del origin[y]
                x = before[y]
                if x != y:
                    steps.append((y, x))
            origin.update(steps)
            return 0, 0
        met |= fresh


_START = -1


def _search(
    neighbours: Rows,
    first: list[int],
    barred: int,
    within: Flags,
    onward: dict[int, int],
    origin: dict[int, int],
    allowance: Allowance,
) -> list[int]:
    """The nodes of an augmenting path, last to first; none if there is none."""
    parent = {2 * y: _START for y in first if y != barred}
    stack = list(parent)
    while stack:
        node = stack.pop()
        allowance.visits -= 1
        if allowance.visits < 0:
            return []
        x = node >> 1
        if node & 1:  # at the exit: on to any neighbour, or back through x if x is used
            following = [2 * y for y in neighbours[x] if y != barred]
            if x in origin:
                following.append(2 * x)
        elif x in origin:  # at the entry of a used vertex: undo the step that led to it
            before = origin[x]
            following = [2 * before + 1] if before != _START else []
        elif not within[x]:
            found = [node]
            while parent[node] != _START:
                node = parent[node]
                found.append(node)
            return found
        else:
            following = [2 * x + 1]
        for other in following:
            if other not in parent:
                parent[other] = node
                stack.append(other)
    return []


def _augment(nodes: list[int], onward: dict[int, int], origin: dict[int, int]) -> None:
    steps = list(zip(nodes[1:], nodes, strict=False))  # from, to
    for a, b in steps:
        if b & 1 and not a & 1 and a != b - 1:  # an entry to another vertex's exit
            del origin[a >> 1]
            del onward[b >> 1]
    for a, b in steps:
        if a & 1 and not b & 1 and b != a - 1:
            onward[a >> 1] = b >> 1
            origin[b >> 1] = a >> 1
    origin[nodes[-1] >> 1] = _START


class KnownCuts(dict[tuple[int, ...], int]):
    """Minimum cuts on one side, by the vertex and the neighbour sets of the vertices on
    the way.
    """

    def cut(self, sets: Row[int], v: int, way: int) -> int:
        """The cut between v and the ends; `way` are the vertices between them."""
        if not way:
            return sets[v].bit_count()
        key = (v, sets[v], *[sets[u] for u in members(way)])
        known = self.get(key)
        if known is None:
            rows = NeighbourLists(sets)
            within = Within(way)
            known = self[key] = cut(rows, rows[v], v, within, Allowance())
        return known


class Within:
    """A bit set as flags by vertex."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __getitem__(self, v: int, /) -> int:
        return self.bits >> v & 1
