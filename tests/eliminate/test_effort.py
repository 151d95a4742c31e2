"""Efforts: figures to reach, monotony, certificates."""

from dataclasses import replace

import pytest
from amounts import only_long, seeds
from random_graphs import random_graph
from tracer import trace

from ad_transform.eliminate import (
    ORDERS,
    count,
    count_practical,
    kernel,
    levels,
)
from ad_transform.eliminate.effort import optimise, optimise_plain
from ad_transform.eliminate.levels import EFFORTS
from ad_transform.graph import EdgeClass, Graph

OPTIMA = {"robot_arm": 221, "heart_dipole": 148, "propane_combustion": 88}
OPTIMA |= {"lighthouse": 18}


@pytest.mark.parametrize(("name", "cost"), OPTIMA.items())
def test_default_effort_proves_the_published_graphs(name, cost):
    plan = optimise_plain(trace(name))
    assert (plan.price, plan.bound, plan.proven) == (cost, cost, True)


def _practical(graph):
    return lambda sequence, limit: (
        count_practical(graph, sequence, limit).multiplications
    )


@pytest.fixture
def brief(monkeypatch):
    """Efforts with a small part of the steps and nodes."""
    less = tuple(
        replace(
            level,
            nodes=level.nodes // 20,
            steps=level.steps // 5,
            work=level.work // 10,
            clones=level.clones // 2,
            splits=level.splits // 2,
            runs=min(level.runs, 2),
        )
        for level in EFFORTS
    )
    monkeypatch.setattr(levels, "EFFORTS", less)


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        pytest.param("robot_arm", 128, marks=only_long),
        pytest.param("heart_dipole", 48, marks=only_long),
        ("propane_combustion", 24),
    ],
)
def test_effort_2_comes_near_the_practical_figures_even_when_brief(brief, name, cost):
    """The full budgets reach 126, 48 and 24."""
    graph = trace(name, merged=True)
    assert optimise(graph, _practical(graph), 2).price <= cost


def test_a_search_by_counts_has_a_twentieth_of_its_nodes_where_a_price_decides(
    monkeypatch,
):
    """The merged robot arm needs more of them for its proof."""
    spent, spend = [], kernel.Budget.spend

    def counted(budget, nodes=1):
        spend(budget, nodes)
        spent.append(nodes)

    monkeypatch.setattr(kernel.Budget, "spend", counted)
    graph = trace("robot_arm", merged=True)
    optimise(graph, _practical(graph), 1)
    assert sum(spent) == EFFORTS[1].nodes // 20


def test_more_effort_is_never_dearer(brief):
    for seed in seeds(1, 3):
        graph = random_graph(seed, most=9, fan=3)
        plain = [optimise_plain(graph, level) for level in range(4)]
        assert [p.price for p in plain] == sorted(
            (p.price for p in plain), reverse=True
        )
        for over in ("vertices", "all"):
            bounds = [p.bound for p in plain if p.over == over]
            assert bounds == sorted(bounds)
        practical = [optimise(graph, _practical(graph), e).price for e in range(4)]
        assert practical == sorted(practical, reverse=True)


def test_plans_cost_what_they_say_and_beat_the_simple_orders(brief):
    for seed in range(20):
        graph = random_graph(seed, most=20, fan=2)
        plan = optimise_plain(graph, 1)
        assert plan.price == count(graph, plan.sequence).multiplications
        assert plan.bound <= plan.price
        for name in ("forward", "reverse", "markowitz", "single-use-reverse"):
            cost = count(graph, ORDERS[name](graph)).multiplications
            assert plan.price <= cost


BELOW_VERTICES = {  # graphs on which single edges are cheaper than vertices
    "figure 5 of Naumann 1999": ([3, 4], [4, 5, 6, 7, 8], 14, 13),
    "lion": ([3, 4], [4, 5, 6, 7], 12, 11),
}


@pytest.mark.parametrize(("near", "far", "vertices", "edges"), BELOW_VERTICES.values())
def test_effort_2_splits_vertices(brief, near, far, vertices, edges):
    found = [(0, 2), (1, 2), *((2, v) for v in near), *((3, y) for y in far)]
    classes = dict.fromkeys(found, EdgeClass.VARIABLE)
    graph = Graph.build(far[-1] + 1, [0, 1], far, classes)
    assert optimise(graph, _plain(graph), 1).price == vertices
    assert optimise_plain(graph, 0).over == "vertices"
    plan = optimise(graph, _plain(graph), 2)
    assert (plan.price, plan.name) == (edges, "splits")
    plan = optimise_plain(graph, 2)
    assert (plan.price, plan.over, plan.proven) == (edges, "all", True)
    assert count(graph, plan.sequence).multiplications == edges


def _plain(graph):
    return lambda sequence, limit: count(graph, sequence, limit).multiplications


def test_a_graph_without_intermediates_is_done():
    graph = Graph.build(2, [0], [1], {(0, 1): EdgeClass.UNIT})
    for level in range(4):
        assert len(optimise_plain(graph, level).sequence) == 0
        assert optimise(graph, _plain(graph), level).price == 0


@pytest.mark.parametrize("level", [-1, 4])
def test_there_are_four_efforts(level):
    with pytest.raises(ValueError, match="effort is 0 to 3"):
        optimise_plain(trace("lighthouse"), level)
