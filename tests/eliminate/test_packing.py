"""Bounds by disjoint blocks of products: against brute force, and where they prove."""

from functools import cache

import pytest
from amounts import amount, seeds
from brute import optimum
from random_graphs import random_graph
from tracer import trace

from ad_transform.eliminate import Dearer, count, overall_bound, solve
from ad_transform.eliminate.effort import explained, optimise_plain
from ad_transform.eliminate.facesearch import shortest_faces
from ad_transform.eliminate.markowitz import markowitz_latest
from ad_transform.eliminate.metagraph import shortest
from ad_transform.eliminate.packing import packing
from ad_transform.eliminate.plans import vertex_order


def _spared(block):
    """Whether a binary tree over the path has no triple of the block."""
    path = block.path

    @cache
    def spared(i, j):
        return j == i + 1 or any(
            (path[i], path[k], path[j]) not in block.products
            and spared(i, k)
            and spared(k, j)
            for k in range(i + 1, j)
        )

    return spared(0, len(path) - 1)


def test_blocks_are_disjoint_and_meet_every_tree():
    found = 0
    for seed in seeds(30, 100):
        graph = random_graph(seed, most=12, fan=3)
        order = vertex_order(markowitz_latest(graph))
        blocks = packing(graph, order, 200).blocks
        products = [product for block in blocks for product in block.products]
        assert len(products) == len(set(products))
        assert not any(map(_spared, blocks))
        found += len(blocks)
    assert found > amount(100, 300)


def test_no_elimination_of_edges_or_faces_is_below_the_bound():
    """Brute force over both; the bound is often better than that of cuts, and met."""
    better, met, tried = 0, 0, seeds(120, 600)
    for seed in tried:
        graph = random_graph(seed, most=5, fan=2 + seed % 3)
        found = solve(graph)
        assert found.cost == optimum(graph)
        bound = packing(graph, vertex_order(found.sequence), 300).bound
        edges = count(graph, shortest(graph)).multiplications
        assert bound <= edges
        better += bound > overall_bound(graph)
        met += bound == edges
        try:
            faces = shortest_faces(graph, 300)
        except Dearer:
            continue
        assert bound <= count(graph, faces).multiplications
    assert met > len(tried) * 9 // 10
    assert better > len(tried) // 50


def test_any_order_gives_a_bound():
    """A dear order has more triples than disjoint blocks can have."""
    for seed in seeds(60, 200):
        graph = random_graph(seed, most=5, fan=3)
        order = sorted(graph.intermediates(), key=lambda v: (v * 7 + seed) % 5)
        edges = count(graph, shortest(graph)).multiplications
        assert packing(graph, order, 200).bound <= edges


@pytest.mark.parametrize(
    ("name", "merged", "cost"),
    [("robot_arm", True, 189), ("lighthouse", False, 18), ("lighthouse", True, 15)],
)
def test_published_functions_are_proven_over_all_eliminations(name, merged, cost):
    graph = trace(name, merged=merged)
    assert optimise_plain(graph).over != "all"
    plan = explained(graph)
    assert (plan.price, plan.bound, plan.over) == (cost, cost, "all")
    assert plan.overall == cost


def test_without_steps_or_for_long_orders_there_are_no_blocks(monkeypatch):
    graph = trace("lighthouse")
    order = graph.intermediates()
    assert packing(graph, order, 100).blocks
    assert packing(graph, order, 0).blocks == ()
    monkeypatch.setattr("ad_transform.eliminate.packing.MOST", 5)
    assert packing(graph, order, 100).blocks == ()
