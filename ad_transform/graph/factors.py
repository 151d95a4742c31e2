"""Common factor subgraphs, by dominators and post-dominators (D*, Guenter 2007).

The derivative of one dependent with respect to one independent lives on the graph of
the paths between the two. In it, let c have several predecessors and b be its immediate
dominator; or let b have several successors and c be its immediate post-dominator. Then
the part between b and c is a factor subgraph: all paths into it enter at b, and it can
be replaced by one edge. A factor subgraph may occur in many of these graphs; it is then
computed once. Source: Guenter 2007, quoted in Notes on Jacobian accumulation, section
1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from ad_transform.dataclass import dataclass
from ad_transform.graph.computational import Edge, EdgeClass, Graph
from ad_transform.graph.dominators import dominators, post_dominators


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor subgraph from `source` to `sink`, and in how many derivatives it is."""

    source: int
    sink: int
    count: int


def pair_graph(graph: Graph, x: int, y: int) -> Graph:
    """The graph of the paths from the independent x to the dependent y."""
    edges = dict(zip(graph.edges, graph.classes, strict=True))
    ends = {*graph.independents, *graph.dependents} - {x, y}
    kept = {e: cls for e, cls in edges.items() if ends.isdisjoint(e)}
    return Graph.build(graph.size, [x], [y], kept).reduced()


def factors_of(graph: Graph) -> tuple[Edge, ...]:
    """The factor subgraphs of a graph with one independent and one dependent: sorted
    pairs of their first and last vertices. O(edges log size)."""
    above, below = dominators(graph), post_dominators(graph)
    indegree, outdegree = [0] * graph.size, [0] * graph.size
    for u, v in graph.edges:
        outdegree[u] += 1
        indegree[v] += 1
    found = {(above[c], c) for c in range(graph.size) if indegree[c] > 1}
    found |= {(b, below[b]) for b in range(graph.size) if outdegree[b] > 1}
    return tuple(sorted(found))


def ranked(found: Iterable[Iterable[Edge]]) -> tuple[Factor, ...]:
    """The factor subgraphs found in some graphs, the most common ones first; of equally
    common ones those with the nearest ends, then those with the smallest."""
    counts = Counter(chain.from_iterable(found))
    order = sorted(counts, key=lambda pair: (-counts[pair], pair[1] - pair[0], pair))
    return tuple(Factor(b, c, counts[b, c]) for b, c in order)


def common_factors(graph: Graph) -> tuple[Factor, ...]:
    """The factor subgraphs of all derivatives of a graph, as `ranked` orders them.

    O(edges log size) for every pair of an independent and a dependent.
    """
    return ranked(
        factors_of(pair_graph(graph, x, y))
        for x in graph.independents
        for y in graph.dependents
    )


def inside(graph: Graph, factor: Edge) -> tuple[Edge, ...]:
    """The edges on the paths between the ends of a factor, sorted."""
    b, c = factor
    led, leading = bytearray(graph.size), bytearray(graph.size)
    led[b] = leading[c] = 1
    for u, v in graph.edges:
        led[v] |= led[u]
    for u, v in reversed(graph.edges):
        leading[u] |= leading[v]
    return tuple((u, v) for u, v in graph.edges if led[u] and leading[v])


def contracted(graph: Graph, factor: Edge) -> Graph:
    """The graph after one of its factors has been replaced by an edge.

    If b dominates c, all paths to c run through the factor, and the in-edges of c are
    dropped; else all paths from b do, and its out-edges are dropped. Edges inside that
    other paths need stay. Required: a graph with one independent and one dependent.
    """
    b, c = factor
    classes = dict(zip(graph.edges, graph.classes, strict=True))
    if dominators(graph)[c] == b:
        kept = {edge: cls for edge, cls in classes.items() if edge[1] != c}
    else:
        kept = {edge: cls for edge, cls in classes.items() if edge[0] != b}
    kept[b, c] = EdgeClass.VARIABLE
    ends = graph.independents, graph.dependents
    return Graph.build(graph.size, *ends, kept).reduced()
