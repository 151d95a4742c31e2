"""The D* strategy: common factor subgraphs are computed once for all derivatives.

Every entry of the Jacobian has a graph of its own, so this is no sequence of
eliminations on one graph, but one step, `Factorise`. Source: Guenter 2007, quoted in
Notes on Jacobian accumulation, section 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

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
    first vertex on; the rest of a derivative's graph is a chain, multiplied up from the
    independent. For small graphs: one pass over all pairs of ends for every factor.
    """
    replaced, left = _factored(graph)
    sums = _Sums(graph, labels, algebra)
    for one in replaced:
        own = sums.labels_of(one.pair)
        own[one.factor] = sums.number(one.edges, one.factor, own)
    return {
        pair: sums.values[sums.number(edges, pair, sums.labels_of(pair))]
        for pair, edges in left.items()
    }


class _Replaced(NamedTuple):
    """A factor in the graph of the derivative of a pair, and the edges inside of it."""

    pair: Edge
    factor: Edge
    edges: tuple[Edge, ...]


@lru_cache(maxsize=4)  # a graph is asked for with labels of several kinds
def _factored(
    graph: Graph,
) -> tuple[tuple[_Replaced, ...], Mapping[Edge, tuple[Edge, ...]]]:
    """The replacements in turn, the most common factor first, and the edges of the
    chains that are left, by pairs of an independent and a dependent.
    """
    graphs: dict[Edge, Graph] = {}
    for x in graph.independents:
        for y in graph.dependents:
            part = pair_graph(graph, x, y)
            if part.edges:
                graphs[x, y] = part
    factors = {pair: factors_of(part) for pair, part in graphs.items()}
    replaced: list[_Replaced] = []
    while found := ranked(factors.values()):
        factor = found[0].source, found[0].sink
        for pair, part in graphs.items():
            if factor in factors[pair]:
                replaced.append(_Replaced(pair, factor, inside(part, factor)))
                graphs[pair] = contracted(part, factor)
                factors[pair] = factors_of(graphs[pair])
    return tuple(replaced), {pair: part.edges for pair, part in graphs.items()}


class _Sums(Generic[L]):
    """Sums over paths, with numbers for labels: equal numbers mean equal labels."""

    def __init__(
        self, graph: Graph, labels: Mapping[Edge, L], algebra: Algebra[L]
    ) -> None:
        self.algebra = algebra
        self.values = [labels[edge] for edge in graph.edges]
        self.known: dict[tuple[str, int, int], int] = {}
        self._first = {edge: i for i, edge in enumerate(graph.edges)}
        self._labels: dict[Edge, dict[Edge, int]] = {}

    def labels_of(self, pair: Edge) -> dict[Edge, int]:
        """The numbers of the labels in the graph of the derivative of a pair."""
        if pair not in self._labels:
            self._labels[pair] = self._first.copy()
        return self._labels[pair]

    def number(
        self, edges: tuple[Edge, ...], ends: Edge, labels: dict[Edge, int]
    ) -> int:
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
