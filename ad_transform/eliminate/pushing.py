"""Orders of pairs on graphs that are their own mirror image: Hessians.

A vertex goes together with its image, see `mirrored`. That of vertex v is size - 1 - v,
and what is past the middle is an image. Where the only source is a direction, what its
product with the Hessian is asked for, inputs are vertices like others, and go last.
"""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.eliminate.counting import within
from ad_transform.eliminate.markowitz import join, live_sets
from ad_transform.eliminate.steps import EliminatePair, EliminateVertex, Sequence
from ad_transform.graph.computational import Graph


def edge_pushing(graph: Graph, limit: int | None = None) -> Sequence:
    """The latest value first, with its image: edge pushing (Gower & Mello 2012)."""
    return within(graph, _pairs(graph, reversed(_originals(graph))), limit)


def symmetric_markowitz(graph: Graph, limit: int | None = None) -> Sequence:
    """The pair that takes fewest products first; the latest breaks ties.

    Every step looks at all pairs again.
    """
    before, after = live_sets(graph)
    last = graph.size - 1
    left = _originals(graph)
    order: list[int] = []
    while left:
        v = min(left, key=lambda v: (products(before[v], after[v], v, last), -v))
        left.remove(v)
        order.append(v)
        for u in (last - v, v):
            join(before, after, u)
            before[u], after[u] = set(), set()
    return within(graph, _pairs(graph, order), limit)


def products(before: set[int], after: set[int], v: int, last: int) -> int:
    """What it takes to eliminate v and its image; its predecessors and successors."""
    mirrored = {last - u for u in before}
    outside = len(before) * len(after - mirrored - {last - v})
    both, n = len(after & mirrored), len(before)
    if last - v in after:
        return outside + n + n * (n + 1) // 2 + both * (both - 1) // 2
    return outside + both * n


def _originals(graph: Graph) -> list[int]:
    """The intermediate vertices that are no images, and have none that is an end."""
    last, ends = graph.size - 1, frozenset(graph.dependents)
    inner = graph.intermediates()
    return [v for v in inner if 2 * v < last and last - v not in ends]


def _pairs(graph: Graph, order: Iterable[int]) -> Sequence:
    """Pairs in an order, then the inputs, if a direction goes through them."""
    last, ends = graph.size - 1, frozenset(graph.dependents)
    pairs = [EliminatePair(v, last - v) for v in order]
    inputs = [v for v in graph.intermediates() if last - v in ends]
    return Sequence((*pairs, *map(EliminateVertex, inputs)))
