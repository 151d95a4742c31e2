"""The D* strategy: common factor subgraphs are computed once for all derivatives.

Every entry of the Jacobian has a graph of its own, so this is no sequence of
eliminations on one graph, but one step, `Factorise`. Source: Guenter 2007, quoted in
Notes on Jacobian accumulation, section 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from ad_transform.eliminate.algebra import Algebra
from ad_transform.eliminate.counting import within
from ad_transform.eliminate.steps import Factorise, Sequence
from ad_transform.graph.computational import Edge, Graph
from ad_transform.graph.factors import (
    contracted,
    factors_of,
    inside,
    pair_graph,
    ranked,
)

L = TypeVar("L")


def d_star_order(graph: Graph, limit: int | None = None) -> Sequence:
    """The whole elimination as one step of D*; Dearer if it costs more than `limit`."""
    return within(graph, Sequence((Factorise(),)), limit)


def d_star(
    graph: Graph, labels: Mapping[Edge, L], algebra: Algebra[L]
) -> dict[Edge, L]:
    """The Jacobian by repeatedly replacing the most common factor subgraph by an edge,
    in all graphs of single derivatives that have it.

    Equal products and sums of labels are formed once. A factor is summed up from its
    first vertex on; what is left of a derivative's graph is a chain, multiplied up from
    the independent. For small graphs: one pass over all pairs of ends for every factor.
    """
    race = _Factored(graph, labels, algebra)
    while race.factor():
        pass
    return race.entries()


class _Factored(Generic[L]):
    """The graphs of the derivatives and the factors in them, with numbers for labels:
    equal numbers mean equal labels."""

    def __init__(
        self, graph: Graph, labels: Mapping[Edge, L], algebra: Algebra[L]
    ) -> None:
        self.algebra = algebra
        self.values = [labels[edge] for edge in graph.edges]
        number = {edge: i for i, edge in enumerate(graph.edges)}
        self.known: dict[tuple[str, int, int], int] = {}
        self.graphs: dict[Edge, Graph] = {}
        self.factors: dict[Edge, tuple[Edge, ...]] = {}
        self.labels: dict[Edge, dict[Edge, int]] = {}
        for x in graph.independents:
            for y in graph.dependents:
                part = pair_graph(graph, x, y)
                if part.edges:
                    self.graphs[x, y] = part
                    self.factors[x, y] = factors_of(part)
                    self.labels[x, y] = {e: number[e] for e in part.edges}

    def factor(self) -> bool:
        """Replace the most common factor everywhere; False if there is none."""
        found = ranked(self.factors.values())
        if not found:
            return False
        factor = found[0].source, found[0].sink
        for pair, part in self.graphs.items():
            if factor in self.factors[pair]:
                label = self._sum(inside(part, factor), factor, self.labels[pair])
                self.graphs[pair] = left = contracted(part, factor)
                self.factors[pair] = factors_of(left)
                self.labels[pair][factor] = label
        return True

    def entries(self) -> dict[Edge, L]:
        """The products of the chains that are left."""
        return {
            pair: self.values[self._sum(part.edges, pair, self.labels[pair])]
            for pair, part in self.graphs.items()
        }

    def _sum(self, edges: tuple[Edge, ...], ends: Edge, labels: dict[Edge, int]) -> int:
        """The number of the sum over all paths between the ends."""
        sums: dict[int, int] = {}
        b, c = ends
        for u, v in edges:  # sorted by source, so u is complete
            term = labels[u, v]
            if u != b:
                term = self._product(term, sums[u], b, u, v)
            sums[v] = self._added(sums[v], term, b, v) if v in sums else term
        return sums[c]

    def _product(self, out_edge: int, in_edge: int, u: int, v: int, w: int) -> int:
        key = ("*", out_edge, in_edge)
        if key not in self.known:
            values = self.values[out_edge], self.values[in_edge]
            self.known[key] = len(self.values)
            self.values.append(self.algebra.multiply(*values, u, v, w))
        return self.known[key]

    def _added(self, old: int, new: int, u: int, w: int) -> int:
        key = ("+", old, new)
        if key not in self.known:
            values = self.values[old], self.values[new]
            self.known[key] = len(self.values)
            self.values.append(self.algebra.add(*values, u, w))
        return self.known[key]
