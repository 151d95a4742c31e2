"""Linear vertices go first: the optimum stays, and there is less to search."""

from __future__ import annotations

from heapq import heappop, heappush

import pytest
from amounts import amount, seeds
from random_graphs import Numbers, bauer, random_graph, random_labels

from ad_transform.eliminate import EliminateVertex, Sequence, replay
from ad_transform.eliminate.contraction import remaining
from ad_transform.eliminate.linearities import (
    linear_first,
    linear_vertices,
    variable_products,
)
from ad_transform.graph import EdgeClass, Graph

UNIT, CONSTANT, VARIABLE = EdgeClass


def _fewest(graph):
    """The fewest variable products of any elimination of edges, and how many stages a
    search for it meets; Dijkstra's algorithm on the metagraph."""
    ends = {*graph.independents, *graph.dependents}
    edges = zip(graph.edges, graph.classes, strict=True)
    first = frozenset((u, v, cls is VARIABLE) for (u, v), cls in edges)
    waiting, paid = [(0, 0, first)], {first: 0}
    while True:
        cost, _, stage = heappop(waiting)
        inner = [e for e in stage if not {e[0], e[1]} <= ends]
        if not inner:
            return cost, len(paid)
        for edge in inner:
            for side in {0, 1} - {s for s in (0, 1) if edge[s] in ends}:
                following, more = _without(stage, edge, side, ends)
                if cost + more < paid.get(following, cost + more + 1):
                    paid[following] = cost + more
                    heappush(waiting, (cost + more, len(paid), following))


def _without(stage, edge, side, ends):
    """The stage when an edge goes, passed at its start (0) or end (1), and the cost."""
    left = {(u, v): variable for u, v, variable in stage - {edge}}
    others = [e for e in stage if e[1 - side] == edge[side]]
    for other in others:
        u, v = (edge[0], other[1]) if side else (other[0], edge[1])
        left[u, v] = left.get((u, v), False) or edge[2] or other[2]
    while dead := [e for e in left if _dangles(e, left, ends)]:
        for e in dead:
            del left[e]
    cost = sum(edge[2] or other[2] for other in others)
    return frozenset((*e, variable) for e, variable in left.items()), cost


def _dangles(edge, edges, ends):
    starts, stops = {u for u, _ in edges}, {v for _, v in edges}
    return not (edge[0] in stops | ends and edge[1] in starts | ends)


def _cases():
    """Small graphs with linear vertices."""
    graphs = (random_graph(seed, most=4, fan=2).reduced() for seed in seeds(150, 400))
    return [g for g in graphs if linear_vertices(g).steps and len(g.edges) < 10]


def test_the_optimum_is_unchanged_and_the_search_is_smaller():
    cases = _cases()
    whole = [_fewest(graph) for graph in cases]
    rests = [remaining(graph, linear_vertices(graph).steps) for graph in cases]
    left = [_fewest(rest.reduced()) for rest in rests]
    assert [cost for cost, _ in whole] == [cost for cost, _ in left]
    assert len(cases) > amount(15, 50)
    assert 2 * sum(met for _, met in left) < sum(met for _, met in whole)


def test_linear_vertices_cost_no_variable_product_and_leave_fewer_edges():
    for graph in _cases():
        first = linear_vertices(graph)
        rest = remaining(graph, first.steps)
        assert len(rest.edges) < len(graph.edges)
        plan = linear_first(graph)
        assert plan.steps[: len(first)] == first.steps
        after = Sequence(plan.steps[len(first) :])
        assert variable_products(graph, plan) == variable_products(rest, after)


@pytest.mark.parametrize("seed", range(20))
def test_the_jacobian_is_right(seed):
    graph = random_graph(seed, most=12, fan=3)
    labels = random_labels(graph, seed)
    made = replay(graph, labels, linear_first(graph), Numbers())
    assert made == bauer(graph, labels)


def test_a_sum_of_units_is_no_unit():
    """Where units are free, a vertex between units is not always safe: 1 + 1 is 2."""
    edges = {(0, 1): UNIT, (0, 2): UNIT, (1, 2): UNIT, (2, 3): VARIABLE}
    graph = Graph.build(4, [0], [3], edges)
    assert linear_vertices(graph).steps == (EliminateVertex(1),)
    assert remaining(graph, (EliminateVertex(1),)).classes[0] is CONSTANT
