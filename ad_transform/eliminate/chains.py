"""Dynamic programming over chains of Jacobians.

A chain of vector valued vertices is a product of matrices, and its vertex eliminations
are the ways to bracket it. A graph whose vertices fall into levels is a chain too, of
the local Jacobians between levels. Source: Naumann 1999, sections 3.1 and 4.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Row

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bits import members
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import Edge, Graph

MOST = 100
"""Levels that are told apart."""


def chain_order(dimensions: Row[int]) -> tuple[tuple[int, ...], int]:
    """The cheapest order in which to eliminate the inner vertices of a chain, and its
    multiplications.

    The chain is 0 -> 1 -> .. -> k, vertex i has `dimensions[i]` components; eliminating
    j between i and l costs d_i d_j d_l. O(k³), and as good as any order (matrix chain
    product). Raises ValueError for fewer than two vertices.
    """
    if len(dimensions) < 2:
        raise ValueError("a chain has at least two vertices")
    d = dimensions
    return bracketed(len(d) - 1, lambda i, j, k: d[i] * d[j] * d[k])


def bracketed(
    last: int, price: Callable[[int, int, int], int]
) -> tuple[tuple[int, ...], int]:
    """The cheapest order of 1..last-1, and its price, where j costs `price(i, j, k)`
    when i and k are its neighbours: the nearest numbers not yet gone.

    O(last³). The smallest last vertex wins ties.
    """
    least = [[0] * (last + 1) for _ in range(last + 1)]
    middle = [[0] * (last + 1) for _ in range(last + 1)]
    for width in range(2, last + 1):
        for i in range(last - width + 1):
            k = i + width
            costs = [
                least[i][j] + least[j][k] + price(i, j, k) for j in range(i + 1, k)
            ]
            least[i][k] = min(costs)
            middle[i][k] = i + 1 + costs.index(least[i][k])
    order: list[int] = []
    waiting = [(0, last)]
    while waiting:  # parents before children, so the order is read backwards
        i, k = waiting.pop()
        if k - i > 1:
            j = middle[i][k]
            order.append(j)
            waiting += [(i, j), (j, k)]
    return tuple(reversed(order)), least[0][last]


def level_chains(graph: Graph, limit: int | None = None) -> Sequence:
    """Whole levels are eliminated, in the order that is best for the chain of levels.

    The level of a vertex is the length of the longest path to it; all dependents are on
    the last level. Eliminating level j while i and k are the nearest ones left costs
    the sum over its vertices of (vertices up to level i that reach it over levels
    between) (vertices from level k on that it reaches likewise), all counted by their
    elements where they have dims; so a chain gets its `chain_order`. That is exact if
    no edge passes over a level, and a guess otherwise; the limit is checked exactly.
    Above MOST levels neighbouring ones are taken together, from the last vertex to the
    first. O(levels · edges + levels² · size + levels³).
    """
    levels, number = _levels(graph.reduced())
    last = len(levels) - 1
    edges = graph.reduced().edges
    d = graph.elements() if graph.dims else None
    above = [_reached(edges, number, i, False, d) for i in range(last + 1)]
    below = [_reached(edges[::-1], number, i, True, d) for i in range(last + 1)]

    def price(i: int, j: int, k: int) -> int:
        ins, outs = above[i], below[k]
        return sum(ins[v] * outs[v] * (d[v] if d else 1) for v in levels[j])

    order, _ = bracketed(last, price)
    sequence = vertex_sequence(v for j in order for v in levels[j])
    if limit is not None and count(graph, sequence, limit).multiplications > limit:
        raise Dearer
    return sequence


def _levels(graph: Graph) -> tuple[list[list[int]], list[int]]:
    """The intermediates by level, descending, with an empty first and last level; and
    the levels of all vertices."""
    number = [0] * graph.size
    for u, v in graph.edges:
        number[v] = max(number[v], number[u] + 1)
    middle = graph.intermediates()
    deepest = max((number[v] for v in middle), default=0)
    if deepest > MOST:
        number = [-(-n * MOST // deepest) for n in number]
    last = 1 + min(deepest, MOST)
    levels: list[list[int]] = [[] for _ in range(last + 1)]
    for v in reversed(middle):
        levels[number[v]].append(v)
    for y in graph.dependents:
        number[y] = last
    return levels, number


def _reached(
    edges: tuple[Edge, ...],
    number: list[int],
    border: int,
    upwards: bool,
    d: list[int] | None,
) -> list[int]:
    """Per vertex the number of vertices at or before level `border` that lead to it
    over levels behind it; `upwards`, of those at or behind it that the vertex leads to.
    They are counted by their elements `d`, if given. The edges come in the order in
    which this spreads.
    """
    sets = [0] * len(number)
    for u, v in edges:
        near, far = (v, u) if upwards else (u, v)
        within = number[near] >= border if upwards else number[near] <= border
        sets[far] |= 1 << near if within else sets[near]
    if d is None:
        return [bits.bit_count() for bits in sets]
    return [sum(d[u] for u in members(bits)) for bits in sets]
