"""The safe reductions against brute force; their proofs stand in the module."""

from itertools import pairwise

from amounts import seeds
from brute import optimum
from random_graphs import random_graph

from ad_transform.eliminate.bits import BitGraph
from ad_transform.eliminate.cuts import Allowance, minimum_cuts
from ad_transform.eliminate.reductions import Side, may_be_last, reduce, settled
from ad_transform.graph.umbrellas import closed_chains


def test_some_optimal_order_starts_with_a_settled_vertex():
    applied, tried = 0, seeds(500, 1500)
    for seed in tried:
        graph = random_graph(seed, most=6, fan=1 + seed % 3)
        bits = BitGraph.of(graph)
        before, after = list(bits.before), list(bits.after)
        cuts = minimum_cuts(before, after, bits.inner, Allowance())
        least = optimum(graph)
        for v in range(bits.count):
            if settled(before, after, v, bits.inner, cuts):
                applied += 1
                assert optimum(graph, [bits.vertices[v]]) == least
    assert applied > len(tried) * 4 // 3


def test_all_reductions_together_leave_the_optimum():
    for seed in seeds(250, 1000):
        graph = random_graph(seed, most=7, fan=2)
        bits = BitGraph.of(graph)
        before, after = list(bits.before), list(bits.after)
        cuts = minimum_cuts(before, after, bits.inner, Allowance())
        order, cost = reduce(before, after, bits.inner, cuts, bits.inner)
        first = [bits.vertices[v] for v in order]
        assert optimum(graph, first) == optimum(graph)
        if len(order) == bits.count:
            assert cost == optimum(graph)


def test_some_optimal_order_ends_with_a_vertex_that_may_be_last():
    """Rule D: what the others cost while it stays, and what it costs then."""
    applied = 0
    for seed in range(700):
        graph = random_graph(seed, most=6, fan=2 + seed % 2)
        bits = BitGraph.of(graph)
        before, after = list(bits.before), list(bits.after)
        cuts = minimum_cuts(before, after, bits.inner, Allowance())
        above = Side.of(before, bits.inner, 1)
        below = Side.of(after, bits.inner, -1)
        for v in range(bits.count):
            if may_be_last(above, below, v, cuts):
                applied += 1
                others = [bits.vertices[u] for u in range(bits.count) if u != v]
                rest = optimum(graph, only=others)
                assert rest + cuts.price(v) == optimum(graph)
    assert applied > 500


def test_some_optimal_order_starts_with_the_interior_of_a_closed_umbrella():
    """Rule C, for every pair of neighbours in every chain."""
    applied = 0
    for seed in range(1200):
        graph = random_graph(seed, most=7, fan=1 + seed % 2).reduced()
        for chain in closed_chains(graph):
            for u, w in pairwise(chain):
                inside = [
                    v
                    for v in range(u + 1, w)
                    if _reaches(graph, u, v) and _reaches(graph, v, w)
                ]
                if 1 < len(inside) < 5:
                    applied += 1
                    assert _best_first(graph, inside) == optimum(graph)
    assert applied > 50


def _reaches(graph, u, v):
    reached = {u}
    for a, b in graph.edges:
        if a in reached:
            reached.add(b)
    return v in reached


def _best_first(graph, inside):
    """The least cost of orders that start with these vertices."""
    orders = [[]]
    for _ in inside:
        orders = [[*o, v] for o in orders for v in inside if v not in o]
    return min(optimum(graph, order) for order in orders)
