"""Vertex orders by a greedy key, with lazy heaps; and the two fixed orders.

A planner takes a graph and, optionally, a limit of the plain count; it returns a
sequence, or raises `Dearer` as soon as it knows that the sequence costs more. Where
vertices have dims, Markowitz degrees count elements: the degree of v is d_v times the
sum of d over P(v) times the sum of d over S(v) (Naumann 1999, section 2.5, OPS).
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Protocol

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bits import members
from ad_transform.eliminate.steps import EliminateVertex, Sequence
from ad_transform.graph.computational import Graph
from ad_transform.later import later

with later():
    from ad_transform.eliminate.counting import count


class Planner(Protocol):
    """From a graph to a sequence; raises Dearer past `limit` plain multiplications."""

    def __call__(self, graph: Graph, limit: int | None = None) -> Sequence: ...


def vertex_sequence(order: Iterable[int]) -> Sequence:
    """The sequence that eliminates the vertices in this order."""
    return Sequence(tuple([EliminateVertex(v) for v in order]))


def forward(graph: Graph, limit: int | None = None) -> Sequence:
    """Vertices by increasing number: the forward mode on all directions at once."""
    sequence = vertex_sequence(graph.intermediates())
    if limit is not None:
        count(graph, sequence, limit)
    return sequence


def reverse(graph: Graph, limit: int | None = None) -> Sequence:
    """Vertices by decreasing number: the reverse mode on all weights at once."""
    sequence = vertex_sequence(reversed(graph.intermediates()))
    if limit is not None:
        count(graph, sequence, limit)
    return sequence


def markowitz(graph: Graph, limit: int | None = None) -> Sequence:
    """Smallest Markowitz degree |P(v)| |S(v)| first; the smallest number breaks ties.

    O(M log M) in the multiplications performed. Source: Griewank & Reese 1991.
    """
    return _greedy(graph, [0] * graph.size, range(graph.size), limit)


def markowitz_latest(graph: Graph, limit: int | None = None) -> Sequence:
    """Smallest Markowitz degree first; the latest vertex breaks ties.

    The tie rule alone is worth up to a quarter of the count (research/elimination.md,
    section 3.1). O(M log M) in the multiplications performed.
    """
    return _greedy(graph, [0] * graph.size, range(graph.size - 1, -1, -1), limit)


def relative_markowitz(graph: Graph, limit: int | None = None) -> Sequence:
    """Smallest relative Markowitz degree first; the smallest number breaks ties.

    The relative degree is |P(v)| |S(v)| less the number of independents that reach v
    times the number of dependents that v reaches, which no elimination changes.
    O(M log M + edges (n + m) / 64). Source: Griewank & Walther 2008, section 10.3.
    """
    return _greedy(graph, _reach_products(graph), range(graph.size), limit)


def relative_markowitz_latest(graph: Graph, limit: int | None = None) -> Sequence:
    """As `relative_markowitz`, but the latest vertex breaks ties."""
    ranks = range(graph.size - 1, -1, -1)
    return _greedy(graph, _reach_products(graph), ranks, limit)


def _reach_products(graph: Graph) -> list[int]:
    """Per vertex: reaching independents times reached dependents, with dims all three
    counted by their elements."""
    above = [0] * graph.size
    for i, x in enumerate(graph.independents):
        above[x] = 1 << i
    for u, v in graph.edges:
        above[v] |= above[u]
    below = [0] * graph.size
    for i, y in enumerate(graph.dependents):
        below[y] = 1 << i
    for u, v in reversed(graph.edges):
        below[u] |= below[v]
    if not graph.dims:
        return [
            a.bit_count() * b.bit_count() for a, b in zip(above, below, strict=True)
        ]
    d = graph.elements()
    ends = graph.independents, graph.dependents
    ins, outs = ([d[v] for v in numbers] for numbers in ends)
    return [
        own * sum(ins[i] for i in members(a)) * sum(outs[i] for i in members(b))
        for own, a, b in zip(d, above, below, strict=True)
    ]


def _greedy(
    graph: Graph, offset: list[int], ranks: range, limit: int | None
) -> Sequence:
    """Smallest (degree of v - offset[v], ranks[v]) first.

    The two parts of the key are packed into one integer. A vertex whose key changes is
    pushed again; entries that are not its current key are skipped when popped.
    """
    size = graph.size
    order = graph.intermediates()
    before, after = live_sets(graph)
    d = graph.elements() if graph.dims else None
    current = [-1] * size  # -1: not an intermediate vertex, or eliminated
    shift = max(offset, default=0)  # keeps keys from being negative
    for v in order:
        degree = len(before[v]) * len(after[v])
        if d:
            degree = _degree(d, before, after, v)
        current[v] = (degree + shift - offset[v]) * size + ranks[v]
    heap = [current[v] for v in order]
    heapify(heap)
    plan: list[int] = []
    cost = 0
    while heap:
        key = heappop(heap)
        v = ranks[key % size]  # both ranges are their own inverses
        if current[v] != key:
            continue
        current[v] = -1
        plan.append(v)
        sources, targets = before[v], after[v]
        cost += len(sources) * len(targets)
        if limit is not None and cost > limit:
            raise Dearer
        join(before, after, v)
        # The order of this loop over sets reaches nothing: keys are distinct.
        for x in (sources, targets):
            for u in x:
                if current[u] >= 0:
                    degree = len(before[u]) * len(after[u])
                    if d:
                        degree = _degree(d, before, after, u)
                    key = (degree + shift - offset[u]) * size + ranks[u]
                    if key != current[u]:
                        current[u] = key
                        heappush(heap, key)
        before[v] = after[v] = set()
    return vertex_sequence(plan)


def _degree(d: list[int], before: list[set[int]], after: list[set[int]], v: int) -> int:
    """The Markowitz degree of v in vector mode (Naumann 1999, section 2.5, OPS)."""
    return d[v] * sum(d[u] for u in before[v]) * sum(d[w] for w in after[v])


def join(before: list[set[int]], after: list[set[int]], v: int) -> None:
    """Replace the edges at v by edges from each predecessor to each successor."""
    sources, targets = before[v], after[v]
    for u in sources:
        row = after[u]
        row |= targets
        row.remove(v)
    for w in targets:
        column = before[w]
        column |= sources
        column.remove(v)


def live_sets(graph: Graph) -> tuple[list[set[int]], list[set[int]]]:
    """Predecessor and successor sets per vertex, dead edges left out."""
    before: list[set[int]] = [set() for _ in range(graph.size)]
    after: list[set[int]] = [set() for _ in range(graph.size)]
    live = graph.live()
    for u, v in graph.edges:
        if live[u] and live[v]:
            after[u].add(v)
            before[v].add(u)
    return before, after
