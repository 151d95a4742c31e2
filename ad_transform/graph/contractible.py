"""Contractible subgraphs (Murota & Kubota 1989, sections 2 and 3).

A subgraph with the edges E' is contractible if, for every vertex, E' contains none or
all of its out-edges, and none or all of its in-edges. (The scan of the paper garbles
these conditions i and ii; Proposition 3.1 and the text behind them leave no other
reading.) Then every path from a minimal to a maximal vertex of the subgraph stays
inside, and the vertices between can be eliminated beforehand: contraction.
"""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.dataclass import dataclass
from ad_transform.graph.computational import Edge, Graph


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A set of edges and the vertices at their ends, all ascending.

    `minimal` is X(G'), without in-edge in the subgraph; `maximal` is F(G'), without
    out-edge in it; `interior` are the other vertices.
    """

    edges: tuple[Edge, ...]
    minimal: tuple[int, ...]
    interior: tuple[int, ...]
    maximal: tuple[int, ...]

    @classmethod
    def spanned(cls, edges: Iterable[Edge]) -> Subgraph:
        """The subgraph with these edges and no isolated vertex. O(E log E)."""
        ordered = tuple(sorted(edges))
        sources = {u for u, _ in ordered}
        targets = {v for _, v in ordered}
        return cls(
            ordered,
            tuple(sorted(sources - targets)),
            tuple(sorted(sources & targets)),
            tuple(sorted(targets - sources)),
        )

    @property
    def vertices(self) -> tuple[int, ...]:
        """All vertices, ascending."""
        return tuple(sorted(self.minimal + self.interior + self.maximal))

    def is_umbrella(self) -> bool:
        """Whether there is exactly one maximal vertex."""
        return len(self.maximal) == 1

    def is_closed_umbrella(self) -> bool:
        """Whether there are exactly one maximal and one minimal vertex."""
        return len(self.maximal) == len(self.minimal) == 1


def finest_decomposition(graph: Graph) -> tuple[tuple[Edge, ...], ...]:
    """The edge sets of the finest decomposition into contractible subgraphs.

    Two edges belong together if they have the same source or the same target; the
    classes of the transitive closure are returned, each sorted, in the order of their
    first edges. A subgraph without isolated vertices is contractible if and only if it
    is a union of classes. O(size + edges). Source: Murota & Kubota 1989, Prop. 3.1.
    """
    after = _by_end(graph, 0)
    before = _by_end(graph, 1)
    group = [-1] * len(graph.edges)
    groups: list[tuple[Edge, ...]] = []
    for first in range(len(graph.edges)):
        if group[first] >= 0:
            continue
        group[first] = len(groups)
        members = [first]
        for e in members:  # grows while it is read
            u, v = graph.edges[e]
            for other in after[u] + before[v]:
                if group[other] < 0:
                    group[other] = len(groups)
                    members.append(other)
            after[u], before[v] = [], []  # every list is read once
        groups.append(tuple(graph.edges[e] for e in sorted(members)))
    return tuple(groups)


def is_contractible(graph: Graph, edges: Iterable[Edge]) -> bool:
    """Whether these edges form a contractible subgraph of the graph.

    Required: they are edges of the graph. O(size + edges).
    """
    chosen = set(edges)
    for end in (0, 1):
        total, inside = [0] * graph.size, [0] * graph.size
        for edge in graph.edges:
            total[edge[end]] += 1
            inside[edge[end]] += edge in chosen
        if any(b not in (0, a) for a, b in zip(total, inside, strict=True)):
            return False
    return True


def delta(subgraph: Subgraph) -> int:
    """The number of edges that the contraction saves.

    Removed edges less added ones; edges from a minimal to a maximal vertex count in
    both. Never negative for an umbrella. O(edges · minimal vertices / 64). Source:
    Murota & Kubota 1989, section 2.
    """
    above = {x: 1 << i for i, x in enumerate(subgraph.minimal)}
    for u, v in subgraph.edges:  # sorted, so topological
        above[v] = above.get(v, 0) | above[u]
    return len(subgraph.edges) - sum(above[f].bit_count() for f in subgraph.maximal)


def _by_end(graph: Graph, end: int) -> list[list[int]]:
    lists: list[list[int]] = [[] for _ in range(graph.size)]
    for e, edge in enumerate(graph.edges):
        lists[edge[end]].append(e)
    return lists
