"""Greedy planners that look at fill-in: minimal edge growth, and greedy edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bits import BitGraph, eliminate, members
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.eliminate.steps import (
    BackEliminateEdge,
    FrontEliminateEdge,
    Sequence,
    Step,
)
from ad_transform.graph.computational import Graph


def min_edge_growth(graph: Graph, limit: int | None = None) -> Sequence:
    """Smallest growth of the number of edges first; the latest vertex breaks ties.

    The growth of v is its fill-in less |P(v)| + |S(v)|. Every step looks at all
    vertices, but only counts again where something changed.
    """
    bits = BitGraph.of(graph)
    before, after = list(bits.before), list(bits.after)
    growth = {v: _growth(before, after, v) for v in range(bits.count - 1, -1, -1)}
    plan: list[int] = []
    cost = 0
    while growth:
        v = min(growth, key=growth.__getitem__)  # insertion order: the latest of equals
        del growth[v]
        plan.append(bits.vertices[v])
        near = before[v] | after[v]
        for u in members(before[v]):
            near |= after[u]
        for w in members(after[v]):
            near |= before[w]
        cost += eliminate(before, after, v)
        if limit is not None and cost > limit:
            raise Dearer
        for u in members(near & bits.inner):
            if u in growth:
                growth[u] = _growth(before, after, u)
    return vertex_sequence(plan)


def _growth(before: list[int], after: list[int], v: int) -> int:
    targets = after[v]
    fill = 0
    for u in members(before[v]):
        fill += (targets & ~after[u]).bit_count()
    return fill - before[v].bit_count() - targets.bit_count()


def greedy_edge(graph: Graph, limit: int | None = None) -> Sequence:
    """The cheapest of four greedy edge eliminations, by the plain count.

    At every step the edge elimination, front or back, with the smallest key is
    performed. The keys, later parts breaking ties: multiplications, fill-in; fill-in,
    multiplications; Markowitz degree of the vertex that is passed, multiplications;
    multiplications less fill-in doubled. Then the latest edge wins. Every step looks at
    all vertices, but at edges only where something changed. Source: Naumann 1999,
    section 4; Griewank & Walther 2008, section 10.3.
    """
    best: Sequence | None = None
    for key in _EDGE_KEYS:
        try:
            sequence = _greedy_edges(graph, key, limit)
        except Dearer:
            continue
        limit = count(graph, sequence).multiplications - 1
        best = sequence
    if best is None:
        raise Dearer
    return best


_EdgeKey = Callable[[int, int, int], tuple[int, int]]
"""From multiplications, fill-in and the passed vertex's Markowitz degree to a key."""

_EDGE_KEYS: tuple[_EdgeKey, ...] = (
    lambda cost, fill, degree: (cost, fill),
    lambda cost, fill, degree: (fill, cost),
    lambda cost, fill, degree: (degree, cost),
    lambda cost, fill, degree: (2 * fill - cost, cost),
)


_Found = tuple[tuple[int, int], int, int, bool]
"""The rank of an elimination, by key, -v, less the other end, and its side."""


def _greedy_edges(graph: Graph, key: _EdgeKey, limit: int | None) -> Sequence:
    bits = BitGraph.of(graph)
    before, after = list(bits.before), list(bits.after)
    steps: list[Step] = []
    cost = 0
    cheapest: dict[int, _Found] = {}
    changed = bits.inner
    while True:
        for v in members(changed):
            cheapest.pop(v, None)
            if before[v]:
                cheapest[v] = min(_eliminations(before, after, v, key))
        if not cheapest:
            return Sequence(tuple(steps))
        _, v, end, front = min(cheapest.values())
        v, end = -v, -end
        if front:
            cost += after[v].bit_count()
            changed = _front(before, after, end, v) & bits.inner
            steps.append(FrontEliminateEdge(bits.vertices[end], bits.vertices[v]))
        else:
            cost += before[v].bit_count()
            changed = _front(after, before, end, v) & bits.inner
            steps.append(BackEliminateEdge(bits.vertices[v], bits.vertices[end]))
        if limit is not None and cost > limit:
            raise Dearer


def _eliminations(
    before: list[int], after: list[int], v: int, key: _EdgeKey
) -> Iterator[_Found]:
    """The eliminations of the edges at v, past v."""
    sources, targets = before[v], after[v]
    ins, outs = sources.bit_count(), targets.bit_count()
    for u in members(sources):
        fill = (targets & ~after[u]).bit_count()
        yield key(outs, fill, ins * outs), -v, -u, True
    for w in members(targets):
        fill = (sources & ~before[w]).bit_count()
        yield key(ins, fill, ins * outs), -v, -w, False


def _front(before: list[int], after: list[int], u: int, v: int) -> int:
    """Front eliminate u -> v; with the lists exchanged, back eliminate v -> u.

    Returns the vertices that other eliminations may pass at another price than before.
    """
    targets = after[v]
    near = before[v] | targets | 1 << v
    after[u] = (after[u] | targets) & ~(1 << v)
    before[v] &= ~(1 << u)
    for w in members(targets):
        before[w] |= 1 << u
        near |= before[w]
    if not before[v]:
        for w in members(targets):
            before[w] &= ~(1 << v)
        after[v] = 0
    return near | after[u]
