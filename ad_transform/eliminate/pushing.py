"""Orders of pairs on graphs that are their own mirror image: Hessians.

A vertex goes together with its image, see `mirrored`. That of vertex v is size - 1 - v,
and vertices past the middle are images. If the only source is a direction, whose
product with the Hessian is asked for, inputs are vertices like others, and go last.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from contextlib import suppress
from heapq import heapify, heappop, heappush

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.counting import count, within
from ad_transform.eliminate.markowitz import join, live_sets
from ad_transform.eliminate.steps import EliminatePair, EliminateVertex, Sequence
from ad_transform.graph.computational import Graph


def edge_pushing(graph: Graph, limit: int | None = None) -> Sequence:
    """The latest value first, with its image: edge pushing (Gower & Mello 2012)."""
    return within(graph, _pairs(graph, reversed(_originals(graph))), limit)


def symmetric_markowitz(graph: Graph, limit: int | None = None) -> Sequence:
    """The pair that takes fewest products first; the latest breaks ties.

    Vertices made of several inputs go last if that takes fewer products in all: once
    such a vertex is gone, each of its edges is one from each of the inputs.
    """
    plan = _pairs(graph, _greedy(graph, frozenset()))
    fewer = count(graph, plan).multiplications - 1
    with suppress(Dearer):
        late = _pairs(graph, _greedy(graph, _inputs(graph)))
        return within(graph, late, fewer if limit is None else min(fewer, limit))
    return within(graph, plan, limit)


def _greedy(graph: Graph, late: Set[int]) -> list[int]:
    """The intermediate vertices, the cheapest pair first; a vertex made of several
    `late` ones alone waits for the end. A pair whose neighbours change is looked at
    again.
    """
    before, after = live_sets(graph)
    last = graph.size - 1

    def key(v: int) -> tuple[bool, int, int]:
        waits = len(before[v]) > 1 and before[v] <= late
        return waits, products(before[v], after[v], v, last), -v

    current = {v: key(v) for v in _originals(graph)}
    heap = list(current.values())
    heapify(heap)
    order: list[int] = []
    while heap:
        least = heappop(heap)
        v = -least[-1]
        if current.get(v) != least:
            continue
        del current[v]
        order.append(v)
        near = before[v] | after[v]
        for u in (last - v, v):
            join(before, after, u)
            before[u], after[u] = set(), set()
        for u in {min(u, last - u) for u in near} & current.keys():
            if (new := key(u)) != current[u]:
                current[u] = new
                heappush(heap, new)
    return order


def products(before: set[int], after: set[int], v: int, last: int) -> int:
    """The products that eliminate v and its image, given v's predecessors and
    successors.
    """
    n, image = len(before), last - v
    fewer, more = (before, after) if n <= len(after) else (after, before)
    both = sum([last - u in more for u in fewer])
    if image in after:
        outside = n * (len(after) - 1 - both)
        return outside + n + n * (n + 1) // 2 + both * (both - 1) // 2
    return n * len(after)


def _originals(graph: Graph) -> list[int]:
    """The intermediate vertices of the first half whose images are no ends."""
    last, ends = graph.size - 1, frozenset(graph.dependents)
    inner = graph.intermediates()
    return [v for v in inner if 2 * v < last and last - v not in ends]


def _pairs(graph: Graph, order: Iterable[int]) -> Sequence:
    """The pairs in this order, then the inputs that are intermediate vertices: those of
    a direction.
    """
    last, inputs = graph.size - 1, _inputs(graph)
    pairs = [EliminatePair(v, last - v) for v in order]
    inner = [v for v in graph.intermediates() if v in inputs]
    return Sequence((*pairs, *map(EliminateVertex, inner)))


def _inputs(graph: Graph) -> frozenset[int]:
    """The images of the ends."""
    return frozenset(graph.size - 1 - v for v in graph.dependents)
