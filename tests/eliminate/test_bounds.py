"""Cuts against networkx; bounds never above the optimum; published bounds."""

import networkx
import pytest
from amounts import amount, seeds
from brute import optimum
from random_graphs import random_graph
from tracer import trace

from ad_transform.eliminate.bits import BitGraph
from ad_transform.eliminate.bounds import cut_bound, lower_bound
from ad_transform.eliminate.cuts import Allowance, minimum_cuts
from ad_transform.graph import EdgeClass, Graph


def _oracle(graph, ends, v, turned):
    """The minimum vertex cut between `ends` and v."""
    net = networkx.DiGraph((w, u) if turned else (u, w) for u, w in graph.edges)
    net.add_edges_from(("s", end) for end in ends if end in net)
    return networkx.node_connectivity(net, "s", v)


def test_cuts_are_those_of_networkx():
    for seed in seeds(40, 120):
        graph = random_graph(seed, most=14, fan=1 + seed % 3).reduced()
        bits = BitGraph.of(graph)
        cuts = minimum_cuts(bits.before, bits.after, bits.inner, Allowance())
        for v in range(bits.count):
            vertex = bits.vertices[v]
            above = _oracle(graph, graph.independents, vertex, False)
            below = _oracle(graph, graph.dependents, vertex, True)
            assert (cuts.before[v], cuts.after[v]) == (above, below)


def test_without_allowance_cuts_are_smaller():
    for seed in seeds(20, 60):
        bits = BitGraph.of(random_graph(seed, most=20, fan=3))
        full = minimum_cuts(bits.before, bits.after, bits.inner, Allowance())
        less = minimum_cuts(bits.before, bits.after, bits.inner, Allowance(100))
        for v in range(bits.count):
            assert 1 <= less.before[v] <= full.before[v]
            assert 1 <= less.after[v] <= full.after[v]


def test_bounds_never_exceed_the_optimum():
    met, paired, tried = 0, 0, seeds(300, 700)
    for seed in tried:
        graph = random_graph(seed, most=7, fan=2 + seed % 3)
        least = optimum(graph)
        assert cut_bound(graph) <= lower_bound(graph) <= least
        met += lower_bound(graph) == least
        paired += cut_bound(graph) < lower_bound(graph)
    assert met > len(tried) * 3 // 7
    assert paired > amount(2, 8)


@pytest.mark.parametrize(
    ("name", "bound"),
    [("robot_arm", 221), ("heart_dipole", 148), ("propane_combustion", 88)],
)
def test_published_bounds(name, bound):
    assert cut_bound(trace(name)) == lower_bound(trace(name)) == bound


def test_merged_robot_arm_has_the_measured_bound():
    assert cut_bound(trace("robot_arm", merged=True)) == 173


def test_a_large_graph_gets_a_bound_from_dominators():
    length = 5_000
    edges = {(v, v + 1): EdgeClass.VARIABLE for v in range(length)}
    graph = Graph.build(length + 1, [0], [length], edges)
    assert lower_bound(graph) == length - 1
