"""Brute force: the least cost of vertex elimination for small graphs, by definition."""

from __future__ import annotations

from functools import cache


def optimum(graph, first=(), only=None):
    """The least plain count over all orders that start with the vertices `first`, of
    all intermediates or `only` of some, while the others stay.

    Dynamic programming over sets of eliminated vertices; sets are recomputed from the
    paths of the graph, nothing of the package is used.
    """
    live = graph.live()
    edges = [(u, v) for u, v in graph.edges if live[u] and live[v]]
    middle = graph.intermediates() if only is None else only

    def degree(v, gone):
        return len(_ends(edges, v, gone, 0)) * len(_ends(edges, v, gone, 1))

    @cache
    def least(gone):
        left = [v for v in middle if v not in gone]
        costs = [degree(v, gone) + least(gone | {v}) for v in left]
        return min(costs, default=0)

    gone, cost = frozenset(), 0
    for v in first:
        cost += degree(v, gone)
        gone |= {v}
    return cost + least(gone)


def _ends(edges, v, gone, side):
    """What lies before (side 0) or behind (1) v over eliminated vertices."""
    found, waiting = set(), [v]
    while waiting:
        x = waiting.pop()
        for edge in edges:
            if edge[1 - side] == x and edge[side] not in found:
                found.add(edge[side])
                if edge[side] in gone:
                    waiting.append(edge[side])
    return found - gone
