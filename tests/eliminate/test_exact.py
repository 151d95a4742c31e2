"""Proven optimal vertex elimination: against brute force, and within budgets."""

import pytest
from amounts import seeds
from brute import optimum
from random_graphs import random_graph
from tracer import trace

from ad_transform.eliminate import ORDERS, Dearer, count, parse_sequence
from ad_transform.eliminate.bits import BitGraph
from ad_transform.eliminate.bounds import lower_bound
from ad_transform.eliminate.clusters import Clusters
from ad_transform.eliminate.exact import solve
from ad_transform.eliminate.searched import searched
from ad_transform.graph import EdgeClass, Graph


def test_exact_is_brute_force_on_small_graphs():
    for seed in seeds(500, 2000):
        graph = random_graph(seed, most=6, fan=1 + seed % 3)
        solution = solve(graph)
        assert solution.proven
        assert solution.cost == optimum(graph)
        assert count(graph, solution.sequence).multiplications == solution.cost


def test_exact_is_brute_force_on_eight_intermediates():
    for seed in seeds(20, 60):
        graph = random_graph(7_000 + seed, most=8, fan=3)
        assert solve(graph).cost == optimum(graph)


def test_with_clusters_exact_is_brute_force_too(monkeypatch):
    """Components as small as those of brute force are else searched without them."""
    monkeypatch.setattr("ad_transform.eliminate.exact.SMALL", 0)
    monkeypatch.setattr("ad_transform.eliminate.kernel.SMALL", 1)
    monkeypatch.setattr("ad_transform.eliminate.kernel.PATIENT", 1)
    searched, tried = 0, seeds(30, 250)
    for seed in tried:
        monkeypatch.setattr("ad_transform.eliminate.exact.WIDTH", 2 + seed % 3)
        graph = random_graph(seed, most=8, fan=3)
        least = optimum(graph)
        solution = solve(graph, 4_000, None, 3_000)
        assert solution.cost == solution.bound == least
        assert count(graph, solution.sequence).multiplications == least
        assert solve(graph, seed % 7, None, 3_000).bound <= least
        searched += solution.kernel > 3
    assert searched > len(tried) // 12


OPTIMA = {"robot_arm": 221, "heart_dipole": 148, "propane_combustion": 88}
OPTIMA |= {"lighthouse": 18}


@pytest.mark.parametrize(("name", "cost"), OPTIMA.items())
def test_published_graphs_are_solved(name, cost):
    solution = solve(trace(name))
    assert (solution.cost, solution.bound, solution.proven) == (cost, cost, True)


@pytest.mark.parametrize("seed", [5, 14, 29, 34])
def test_kernels_of_more_than_twenty_are_proven(seed):
    solution = solve(random_graph(seed, most=40, fan=2 + seed % 2), 4_000, None, 4_000)
    assert solution.kernel > 20
    assert solution.proven


def test_the_merged_robot_arm_is_proven():
    solution = solve(trace("robot_arm", merged=True), 4_000, None, 4_000)
    assert (solution.cost, solution.bound, solution.kernel) == (189, 189, 29)


def test_an_exhausted_budget_leaves_a_gap_and_no_proof():
    graph = trace("robot_arm", merged=True)
    solution = solve(graph, nodes=50)
    assert lower_bound(graph) <= solution.bound < solution.cost
    assert not solution.proven


def test_an_exhausted_search_has_a_better_order_than_the_simple_ones():
    """It is found by annealing before the search."""
    graph = random_graph(27, most=40, fan=3)
    solution = solve(graph, 300, None, 3_000)
    assert not solution.proven
    assert (solution.cost, solve(graph, 0).cost) == (119, 125)


def test_an_exhausted_search_has_raised_the_bound():
    """What was asked before the budget ended has been answered."""
    graph = random_graph(11, most=40, fan=3)
    bits = BitGraph.of(graph)
    least = Clusters.of(list(bits.before), list(bits.after), bits.inner, 3_000)
    solution = solve(graph, 300, None, 3_000)
    assert not solution.proven
    assert least.bound(bits.inner) + 5 < solution.bound


def test_no_planner_undercuts_a_bound_or_a_proven_cost():
    for seed in range(30):
        graph = random_graph(seed, most=25, fan=2)
        solution = solve(graph, nodes=2_000)
        for name in ("forward", "reverse", "markowitz-latest", "min-edge-growth"):
            cost = count(graph, ORDERS[name](graph)).multiplications
            assert solution.bound <= solution.cost <= cost


def test_a_known_order_is_taken_up():
    graph = trace("robot_arm", merged=True)
    best = solve(graph, nodes=0).sequence
    worse = ORDERS["reverse"](graph)
    cost = count(graph, best).multiplications
    assert solve(graph, 0, worse).cost <= count(graph, worse).multiplications
    assert solve(graph, 0, best).cost <= cost


def test_only_vertex_steps_can_be_known():
    graph = trace("lighthouse")
    with pytest.raises(ValueError, match="not a sequence of vertex steps"):
        solve(graph, 0, parse_sequence("front 0 4"))


def _repeated(block, times):
    """Disjoint copies of a graph as one."""
    size = block.size
    edges = {
        (u + i * size, v + i * size): EdgeClass.VARIABLE
        for i in range(times)
        for u, v in block.edges
    }
    ends = [
        [v + i * size for i in range(times) for v in end]
        for end in (block.independents, block.dependents)
    ]
    return Graph.build(size * times, *ends, edges)


def test_repeated_blocks_are_solved_once():
    block = next(
        graph
        for graph in (random_graph(seed, most=40, fan=3) for seed in seeds(133, 400))
        if solve(graph, 0).kernel == 11 and not solve(graph, 0).proven
    )
    nodes = 1
    while not solve(block, nodes).proven:
        nodes *= 2
    graph = _repeated(block, 30)
    assert solve(graph, nodes).proven
    assert solve(graph, nodes).cost == 30 * solve(block, nodes).cost


def test_the_planner_keeps_its_limit():
    graph = trace("lighthouse")
    assert count(graph, ORDERS["exact"](graph, 18)).multiplications == 18
    with pytest.raises(Dearer):
        ORDERS["exact"](graph, 17)


def test_a_kernel_is_searched_once():
    graph = random_graph(36, most=14, fan=4)
    searched.cache_clear()
    first = solve(graph)
    made = searched.cache_info().misses
    assert made > 0
    assert solve(graph) == first
    assert searched.cache_info().misses == made
