"""The linearised computational graph: integers, adjacency, edge classes.

A vertex is an integer, an edge a local partial of unknown value. Nothing here knows
what a vertex computes (design, law 4). A vertex may be an array: then it has dims, and
the partial is a linear map of arrays (a vector c-graph, Naumann 1999, section 2.5).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from operator import and_
from types import MappingProxyType
from typing import TypeAlias

from ad_transform.dataclass import dataclass, found_once
from ad_transform.ir.dims import Dims, dim, elements

_NONE: Mapping[int, Dims] = MappingProxyType({})
_NO_SIZES: Mapping[str, int] = MappingProxyType({})

Edge: TypeAlias = tuple[int, int]


class EdgeClass(enum.IntEnum):
    """The class of an edge's label; a smaller class is cheaper."""

    UNIT = 0  # +1 or -1
    CONSTANT = 1
    VARIABLE = 2


@dataclass(frozen=True, slots=True)
class Graph:
    """A linearised computational graph on the integers 0..size-1.

    Invariant: vertices are numbered topologically (u < v for every edge u -> v), edges
    are unique and sorted, independents have no predecessor and dependents no successor,
    and no vertex is both. Every other vertex is intermediate. `classes` is aligned with
    `edges`; `dims` has an entry for every vertex, or none at all if all are scalars.
    Use `Graph.build`, which checks this; the constructor does not.

    Source: Naumann 1999, section 1.4; Murota & Kubota 1989, section 2.
    """

    size: int
    independents: tuple[int, ...]
    dependents: tuple[int, ...]
    edges: tuple[Edge, ...]
    classes: tuple[EdgeClass, ...]
    dims: tuple[Dims, ...] = ()

    @classmethod
    def build(
        cls,
        size: int,
        independents: Iterable[int],
        dependents: Iterable[int],
        edges: Mapping[Edge, EdgeClass],
        dims: Mapping[int, Dims] = _NONE,
    ) -> Graph:
        """The checked graph with these vertices and edges.

        The orders of `independents` and `dependents` are kept. `dims` names the
        vertices that are arrays: {2: ("n", 3)} says that vertex 2 is n by 3. Raises
        ValueError if the invariant of the class does not hold, and for an invalid dim.
        """
        ordered = tuple(sorted(edges))
        graph = cls(
            size,
            tuple(independents),
            tuple(dependents),
            ordered,
            tuple(edges[edge] for edge in ordered),
            _dims(size, dims),
        )
        _check(graph)
        return graph

    def dims_of(self, vertex: int) -> Dims:
        """The dims of a vertex, () for a scalar."""
        return self.dims[vertex] if self.dims else ()

    def elements(self, sizes: Mapping[str, int] = _NO_SIZES) -> list[int]:
        """For every vertex its number of elements; a name without a size is nominal."""
        if not self.dims:
            return [1] * self.size
        return [elements(dims, sizes) for dims in self.dims]

    def with_edges(self, edges: Mapping[Edge, EdgeClass]) -> Graph:
        """The checked graph with the same vertices and other edges."""
        dims = dict(enumerate(self.dims))
        return Graph.build(self.size, self.independents, self.dependents, edges, dims)

    def successors(self) -> list[list[int]]:
        """For every vertex a fresh ascending list of its successors."""
        lists: list[list[int]] = [[] for _ in range(self.size)]
        for u, v in self.edges:
            lists[u].append(v)
        return lists

    def predecessors(self) -> list[list[int]]:
        """For every vertex a fresh ascending list of its predecessors."""
        lists: list[list[int]] = [[] for _ in range(self.size)]
        for u, v in self.edges:
            lists[v].append(u)
        return lists

    def live(self) -> bytearray:
        """A byte per vertex: 1 if it lies on a path from an independent to a dependent.

        A path may consist of one vertex only if that is both ends, which the invariant
        excludes, so an independent that no dependent needs is 0. O(size + edges).
        """
        return bytearray(self._live)

    @found_once
    def _live(self) -> bytes:
        """The bytes of `live`, kept: most graphs are asked several times."""
        reached = bytearray(self.size)
        for x in self.independents:
            reached[x] = 1
        for u, v in self.edges:  # sorted by u, and u is settled before its out-edges
            if reached[u]:
                reached[v] = 1
        needed = bytearray(self.size)
        for y in self.dependents:
            needed[y] = 1
        for u, v in reversed(self.edges):
            if needed[v]:
                needed[u] = 1
        return bytes(map(and_, reached, needed))

    def reduced(self) -> Graph:
        """The graph with only the edges that lie on a path from an independent to a
        dependent.

        The numbering, the independents and the dependents stay; a dead vertex is left
        without edges. No entry of the Jacobian changes. O(size + edges).
        """
        live = self._live
        kept = [i for i, (u, v) in enumerate(self.edges) if live[u] and live[v]]
        if len(kept) == len(self.edges):
            return self
        return Graph(
            self.size,
            self.independents,
            self.dependents,
            tuple(self.edges[i] for i in kept),
            tuple(self.classes[i] for i in kept),
            self.dims,
        )

    def intermediates(self) -> tuple[int, ...]:
        """The live vertices that are neither independent nor dependent, ascending."""
        live = self.live()
        for vertex in self.independents + self.dependents:
            live[vertex] = 0
        return tuple(vertex for vertex in range(self.size) if live[vertex])


def _dims(size: int, given: Mapping[int, Dims]) -> tuple[Dims, ...]:
    """The dims by vertex, in canonical form; empty if all vertices are scalars."""
    table: list[Dims] = [()] * size
    for vertex, dims in given.items():
        if not 0 <= vertex < size:
            raise ValueError(f"vertex {vertex} is not in 0..{size - 1}")
        table[vertex] = tuple([a if isinstance(a, int) else dim(a) for a in dims])
        for a in table[vertex]:
            if isinstance(a, int) and a < 0:
                raise ValueError(f"vertex {vertex} has the negative dim {a}")
    return tuple(table) if any(table) else ()


def _check(graph: Graph) -> None:
    for what, ends in (
        ("independent", graph.independents),
        ("dependent", graph.dependents),
    ):
        for vertex in ends:
            if not 0 <= vertex < graph.size:
                raise ValueError(f"{what} {vertex} is not in 0..{graph.size - 1}")
        if len(set(ends)) != len(ends):
            raise ValueError(f"{what} vertices are not distinct: {ends}")
    sources = set(graph.independents)
    sinks = set(graph.dependents)
    for vertex in graph.dependents:
        if vertex in sources:
            raise ValueError(f"vertex {vertex} is both independent and dependent")
    for u, v in graph.edges:
        if not 0 <= u < v < graph.size:
            raise ValueError(
                f"edge {u} -> {v} is not topological in 0..{graph.size - 1}"
            )
        if v in sources:
            raise ValueError(f"independent {v} has the predecessor {u}")
        if u in sinks:
            raise ValueError(f"dependent {u} has the successor {v}")
