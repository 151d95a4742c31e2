"""A graph as bit sets, for planners that eliminate it thousands of times.

Vertices get new numbers: intermediates 0..p-1 in topological order, then the
independents, then the dependents. A set of vertices is an integer, the bit i for the
vertex i. Dead vertices are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ad_transform.dataclass import dataclass
from ad_transform.graph.computational import Graph


@dataclass(frozen=True, slots=True)
class BitGraph:
    """Predecessor and successor sets by new number; `vertices` has the old numbers.

    `before` and `after` are not to be changed; `eliminate` works on copies of them.
    """

    count: int  # p: the intermediates are the numbers below it
    vertices: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]

    @classmethod
    def of(cls, graph: Graph) -> BitGraph:
        """The live part of a graph. O(edges · size / 64)."""
        live = graph.live()
        middle = graph.intermediates()
        ends = [v for v in graph.independents + graph.dependents if live[v]]
        vertices = (*middle, *ends)
        number = {v: i for i, v in enumerate(vertices)}
        before, after = [0] * len(vertices), [0] * len(vertices)
        for u, v in graph.edges:
            if live[u] and live[v]:
                after[number[u]] |= 1 << number[v]
                before[number[v]] |= 1 << number[u]
        return cls(len(middle), vertices, tuple(before), tuple(after))

    @property
    def inner(self) -> int:
        """The bit set of the intermediates."""
        return (1 << self.count) - 1


@lru_cache(maxsize=1 << 12)
def members(bits: int) -> tuple[int, ...]:
    """The numbers in a bit set, ascending; cached, as searches ask for the same sets
    again.
    """
    found: list[int] = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)


def components(before: list[int], after: list[int], inner: int) -> list[int]:
    """The bit sets of the connected components of the vertices in `inner`, by their
    smallest members. Orders of different components do not influence each other: a
    predecessor or successor set only changes when a neighbour is eliminated."""
    parts: list[int] = []
    while inner:
        part, fresh = 0, inner & -inner
        while fresh:
            part |= fresh
            near = 0
            for v in members(fresh):
                near |= before[v] | after[v]
            fresh = near & inner & ~part
        parts.append(part)
        inner &= ~part
    return parts


def reached(
    sets: Sequence[int], order: Sequence[int], inner: int
) -> tuple[dict[int, int], dict[int, int]]:
    """Per vertex of `inner` the vertices outside that it reaches over `inner`, and
    those inside on the way.

    `order` has the vertices of `inner`, each behind those that it reaches.
    """
    ends: dict[int, int] = {}
    passed: dict[int, int] = {}
    for v in order:
        far, way = sets[v] & ~inner, sets[v] & inner
        for u in members(way):
            far |= ends[u]
            way |= passed[u]
        ends[v], passed[v] = far, way
    return ends, passed


def eliminate(before: list[int], after: list[int], v: int) -> int:
    """Eliminate v from the two lists of sets and return its Markowitz degree."""
    sources, targets, keep = before[v], after[v], ~(1 << v)
    degree = sources.bit_count() * targets.bit_count()
    rest = sources
    while rest:
        low = rest & -rest
        u = low.bit_length() - 1
        after[u] = (after[u] | targets) & keep
        rest ^= low
    rest = targets
    while rest:
        low = rest & -rest
        w = low.bit_length() - 1
        before[w] = (before[w] | sources) & keep
        rest ^= low
    before[v] = after[v] = 0
    return degree
