"""Orders that shorten the paths: numbers of paths as a heuristic.

Every path over a vertex loses an edge when the vertex is eliminated, or becomes one
with another path; so the total length of all paths falls by n^b(v) n^f(v) at least, the
number of paths over v. Source: Naumann 1999, section 2.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeAlias

from ad_transform.eliminate.bits import BitGraph, eliminate, members
from ad_transform.eliminate.counting import count, within
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import Graph

_Key: TypeAlias = Callable[[int, int], tuple[Fraction | int, int]]
"""From the Markowitz degree of a vertex and the paths over it to a key."""

_KEYS: tuple[_Key, ...] = (
    lambda degree, paths: (degree, -paths),
    lambda degree, paths: (Fraction(degree, paths), degree),
)


def path_lengths(graph: Graph, limit: int | None = None) -> Sequence:
    """The cheaper of two greedy orders of vertices, by the plain count.

    One takes the smallest Markowitz degree, of equals that with most paths over it; the
    other the fewest multiplications for each path. Then the latest vertex wins. Every
    step counts all paths again. Raises Dearer above `limit`.
    """
    orders = [_greedy(graph, key) for key in _KEYS]
    best = min(orders, key=lambda order: count(graph, order).multiplications)
    return within(graph, best, limit)


def _greedy(graph: Graph, key: _Key) -> Sequence:
    bits = BitGraph.of(graph)
    before, after, left = list(bits.before), list(bits.after), bits.inner
    order: list[int] = []
    while left:
        into = _paths(before, range(bits.count), left)
        out = _paths(after, reversed(range(bits.count)), left)
        degrees = {
            v: before[v].bit_count() * after[v].bit_count() for v in members(left)
        }
        v = min(degrees, key=lambda v: (key(degrees[v], into[v] * out[v]), -v))
        eliminate(before, after, v)
        order.append(bits.vertices[v])
        left ^= 1 << v
    return vertex_sequence(order)


def _paths(near: list[int], order: Iterable[int], left: int) -> list[int]:
    """Per vertex the paths between it and the ends on the side of `near`."""
    found = [1] * len(near)
    for v in order:
        if left >> v & 1:
            found[v] = sum(found[u] for u in members(near[v]))
    return found
