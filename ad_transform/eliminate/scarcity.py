"""Elimination that stops where the graph has fewest edges (Griewank & Vogel 2005).

Every graph that the elimination passes through gives products of the Jacobian with
vectors, at a multiplication for each of its edges. A Jacobian can have far more entries
than the graph had edges: n inputs -> one value -> m outputs has n + m edges and n m
entries. So a graph is preaccumulated for products only as far as that lowers its edges.
"""

from __future__ import annotations

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bits import BitGraph, eliminate, members
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.growth import min_edge_growth
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.eliminate.steps import EliminateVertex, Sequence
from ad_transform.graph.computational import Edge, Graph


def fewest_edges(graph: Graph) -> tuple[Sequence, tuple[Edge, ...]]:
    """A partial elimination, and the edges that it leaves: no more than there were.

    The vertices are taken by smallest growth of the number of edges, through growth and
    all, up to the first place where there are fewest. Dead edges are left out.
    """
    bits = BitGraph.of(graph)
    number = {v: i for i, v in enumerate(bits.vertices)}
    before, after = list(bits.before), list(bits.after)
    best, order, kept = _edges(bits, after), _vertices(min_edge_growth(graph)), 0
    for place, v in enumerate(order, 1):
        eliminate(before, after, number[v])
        if sum(row.bit_count() for row in after) < len(best):
            best, kept = _edges(bits, after), place
    return vertex_sequence(order[:kept]), best


def fewest_edges_first(graph: Graph, limit: int | None = None) -> Sequence:
    """The planner: `fewest_edges`, then the cheaper sweep over the remaining graph.

    With one independent that is the forward sweep, with one dependent the reverse one:
    the sequence costs the preaccumulation and a multiplication for every edge left.
    """
    head = _vertices(fewest_edges(graph)[0])
    rest = [v for v in graph.intermediates() if v not in set(head)]
    best: Sequence | None = None
    for tail in (rest[::-1], rest):
        sequence = vertex_sequence([*head, *tail])
        try:
            limit = count(graph, sequence, limit).multiplications - 1
        except Dearer:
            continue
        best = sequence
    if best is None:
        raise Dearer
    return best


def _vertices(sequence: Sequence) -> list[int]:
    return [step.vertex for step in sequence if isinstance(step, EliminateVertex)]


def _edges(bits: BitGraph, after: list[int]) -> tuple[Edge, ...]:
    names = bits.vertices
    edges = ((names[u], names[w]) for u, row in enumerate(after) for w in members(row))
    return tuple(sorted(edges))
