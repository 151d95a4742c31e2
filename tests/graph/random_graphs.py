"""Random computational graphs and labels from a seed, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ad_transform.graph import Edge, EdgeClass, Graph

_MASK = (1 << 64) - 1


def splitmix(seed: int) -> Iterator[int]:
    """The 64-bit numbers of splitmix64."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        yield z ^ (z >> 31)


def random_graph(seed: int, most: int = 8, fan: int = 2) -> Graph:
    """A graph of up to `most` intermediates, each with up to `fan` predecessors.

    A few vertices are dead; some predecessors are recent, some are not.
    """
    bits = splitmix(seed)
    n, p, m = 1 + next(bits) % 3, 1 + next(bits) % most, 1 + next(bits) % 3
    edges: dict[Edge, EdgeClass] = {}
    for v in range(n, n + p + m):
        for _ in range(1 + next(bits) % fan):
            below = min(v, n + p)
            reach = below if next(bits) % 2 else min(below, 4)
            u = below - 1 - next(bits) % reach
            edges[u, v] = EdgeClass(next(bits) % 3)
    used = {u for u, _ in edges}
    for v in range(n, n + p):
        if v not in used and next(bits) % 8:
            edges[v, v + 1 + next(bits) % (n + p + m - v - 1)] = EdgeClass.VARIABLE
    return Graph.build(n + p + m, range(n), range(n + p, n + p + m), edges)


def random_labels(graph: Graph, seed: int) -> dict[Edge, Fraction]:
    """A small non-zero number per edge."""
    bits = splitmix(seed)
    return {edge: Fraction(next(bits) % 17 - 20, 7) for edge in graph.edges}


class Numbers:
    """The algebra of exact numbers."""

    unit = Fraction(1)

    def multiply(
        self, out_edge: Fraction, in_edge: Fraction, u: int, v: int, w: int
    ) -> Fraction:
        return out_edge * in_edge

    def add(self, old: Fraction, new: Fraction, u: int, w: int) -> Fraction:
        return old + new


def bauer(graph: Graph, labels: dict[Edge, Fraction]) -> dict[Edge, Fraction]:
    """The Jacobian by forward accumulation of whole rows (Bauer's formula)."""
    rows: list[dict[int, Fraction]] = [{} for _ in range(graph.size)]
    for x in graph.independents:
        rows[x][x] = Fraction(1)
    for u, v in graph.edges:
        for x, entry in rows[u].items():
            rows[v][x] = rows[v].get(x, Fraction(0)) + labels[u, v] * entry
    return {(x, y): rows[y][x] for y in graph.dependents for x in rows[y]}
