"""Planners: published counts, limits, invariance, and the choice among them."""

from importlib import import_module

import pytest
from amounts import amount, seeds
from random_graphs import random_graph, splitmix
from tracer import trace

from ad_transform import options
from ad_transform.diagnostics import Refusal
from ad_transform.eliminate import (
    ORDERS,
    Dearer,
    choose,
    count,
    count_practical,
    order,
    parse_sequence,
)
from ad_transform.eliminate.order import LARGEST, PAIRED, SEARCHES, asked_for
from ad_transform.graph import EdgeClass, Graph

PLANNERS = {**ORDERS, **SEARCHES}

# fmt: off
ROWS = (
    "forward", "reverse", "markowitz", "markowitz-latest", "relative-markowitz-latest"
)
PUBLISHED = {
    "robot_arm":          (397, 301, 288, 221, 221),
    "heart_dipole":       (240, 172, 194, 148, 148),
    "propane_combustion": (151,  90, 111,  88,  88),
    "lighthouse":         ( 22,  24,  20,  18,  22),
}
PRACTICAL = {
    "robot_arm":          (159, 186, 136, 134),
    "heart_dipole":       ( 48,  52,  48,  48),
    "propane_combustion": ( 26,  26,  24,  24),
}
# fmt: on


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_counts(name):
    graph = trace(name)
    found = [count(graph, ORDERS[row](graph)).multiplications for row in ROWS]
    assert found == list(PUBLISHED[name])


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("order", ["single-use-reverse", "single-use-forward"])
def test_single_uses_first_reach_the_optimum(name, order):
    """research/elimination.md, section 3.1: 221, 148, 88 and 18 are optimal."""
    graph = trace(name)
    found = count(graph, ORDERS[order](graph)).multiplications
    assert found == PUBLISHED[name][3]


@pytest.mark.parametrize("name", PRACTICAL)
def test_practical_counts_of_merged_graphs(name):
    graph = trace(name, merged=True)
    found = [
        count_practical(graph, ORDERS[row](graph)).multiplications for row in ROWS[:4]
    ]
    assert found == list(PRACTICAL[name])


def graphs(name, seeds):
    """Random graphs that are small enough for a planner."""
    drawn = (random_graph(seed, most=12, fan=3) for seed in range(seeds))
    return (g for g in drawn if name not in SEARCHES or len(g.reduced().edges) < 9)


@pytest.mark.parametrize("name", [*ORDERS, *SEARCHES])
def test_every_planner_eliminates_every_graph(name):
    for graph in graphs(name, amount(60, 150)):
        count(graph, PLANNERS[name](graph))


@pytest.mark.parametrize("name", [*ORDERS, *SEARCHES])
def test_every_planner_keeps_its_limit(name):
    for graph in graphs(name, amount(25, 60)):
        sequence = PLANNERS[name](graph)
        cost = count(graph, sequence).multiplications
        assert PLANNERS[name](graph, cost) == sequence
        if cost:
            with pytest.raises(Dearer):
                PLANNERS[name](graph, cost - 1)


def _with_dims(graph, seed):
    """The graph with arrays of a few elements for vertices."""
    bits = splitmix(seed)
    edges = dict(zip(graph.edges, graph.classes, strict=True))
    dims = {v: (1 + next(bits) % 5,) for v in range(graph.size)}
    return Graph.build(graph.size, graph.independents, graph.dependents, edges, dims)


def _by_smallest_degree(graph):
    """The order by degrees that are computed anew at every step."""
    d = graph.elements()
    before, after = graph.reduced().predecessors(), graph.reduced().successors()
    left, order = list(graph.intermediates()), []

    def degree(v):
        return d[v] * sum(d[u] for u in before[v]) * sum(d[w] for w in after[v])

    while left:
        v = min(left, key=lambda v: (degree(v), v))
        for u in before[v]:
            after[u] = sorted({*after[u], *after[v]} - {v})
        for w in after[v]:
            before[w] = sorted({*before[w], *before[v]} - {v})
        left.remove(v)
        order.append(v)
    return parse_sequence("\n".join(f"vertex {v}" for v in order))


def test_markowitz_takes_the_smallest_degree_at_every_step():
    for seed in seeds(33, 100):
        graph = random_graph(seed, most=12, fan=3)
        assert ORDERS["markowitz"](graph) == _by_smallest_degree(graph)


def test_markowitz_counts_the_elements_of_arrays():
    for seed in seeds(33, 100):
        graph = _with_dims(random_graph(seed, most=12, fan=3), seed)
        assert ORDERS["markowitz"](graph) == _by_smallest_degree(graph)


def test_dims_of_one_change_no_order():
    for seed in seeds(20, 60):
        graph = random_graph(seed, most=12, fan=3)
        edges = dict(zip(graph.edges, graph.classes, strict=True))
        ones = dict.fromkeys(range(graph.size), (1,))
        ends = graph.independents, graph.dependents
        arrays = Graph.build(graph.size, *ends, edges, ones)
        for name in (*ROWS, "level-chains"):
            assert ORDERS[name](arrays) == ORDERS[name](graph)


def _plain(graph):
    return lambda sequence, limit: count(graph, sequence, limit).multiplications


def test_choose_keeps_the_cheapest_and_the_first_of_equals():
    graph = trace("robot_arm")
    choice = choose(graph, list(ORDERS), _plain(graph))
    assert (choice.name, choice.price) == ("markowitz-latest", 221)
    graph = trace("propane_combustion")
    names = ["forward", "relative-markowitz-latest", "markowitz-latest"]
    assert choose(graph, names, _plain(graph)).name == "relative-markowitz-latest"


def test_greedy_edges_are_as_good_as_vertices_on_figure_5():
    edges = [(0, 2), (1, 2), (2, 3), (2, 4)] + [(3, y) for y in range(4, 9)]
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    graph = Graph.build(9, [0, 1], range(4, 9), classes)
    assert count(graph, ORDERS["greedy-edge"](graph)).multiplications == 14


def test_choose_takes_prices_without_a_limit_too():
    graph = trace("lighthouse")
    choice = choose(
        graph, ["reverse", "forward"], lambda s, _: count(graph, s).multiplications
    )
    assert (choice.name, choice.price) == ("forward", 22)


@pytest.mark.parametrize(
    ("names", "complaint"), [(["fastest"], "unknown order 'fastest'"), ([], "no order")]
)
def test_choose_refuses(names, complaint):
    graph = trace("lighthouse")
    with pytest.raises(ValueError, match=complaint):
        choose(graph, names, _plain(graph))


def _long_gradient(length, inputs):
    """A chain of `length` vertices, each with one of `inputs` inputs, one output."""
    edges = {}
    for v in range(inputs, inputs + length):
        edges[v, v + 1] = EdgeClass.VARIABLE
        edges[v * 7919 % inputs, v] = EdgeClass.VARIABLE
    size = inputs + length + 1
    return Graph.build(size, range(inputs), [size - 1], edges)


def test_reverse_order_on_a_long_chain_costs_its_edges():
    graph = _long_gradient(6_000, 1000)
    sequence = ORDERS["reverse"](graph)
    assert count(graph, sequence).multiplications == len(graph.edges) - 1


def test_large_graphs_are_left_to_the_scalable_planners():
    graph = _long_gradient(6_000, 1000)
    choice = choose(graph, list(ORDERS), _plain(graph))
    assert (choice.name, choice.price) == ("reverse", len(graph.edges) - 1)


def test_a_wide_graph_of_many_steps_is_ordered_quickly():
    bits = splitmix(1)
    edges = {}
    for v in range(6, 10_000):
        for _ in range(1 + next(bits) % 2):
            edges[v - 1 - next(bits) % min(v, 20), v] = EdgeClass.VARIABLE
    edges |= {(9_990 + i, 10_000 + i): EdgeClass.VARIABLE for i in range(3)}
    kept = {(u, v): c for (u, v), c in edges.items() if u < 6 or v >= 6}
    graph = Graph.build(10_003, range(6), range(10_000, 10_003), kept)
    choice = choose(graph, ["forward", "reverse", "markowitz-latest"], _plain(graph))
    assert choice.name == "markowitz-latest"


def test_options_name_every_planner():
    assert ("auto", *PLANNERS, *PAIRED) == options.ORDERS


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_of_small_graphs_refuse_large_ones_by_name(name):
    chain = {(v, v + 1): EdgeClass.VARIABLE for v in range(LARGEST[name] + 1)}
    graph = Graph.build(len(chain) + 1, [0], [len(chain)], chain)
    with pytest.raises(Refusal, match=f"'{name}' is for small graphs") as refused:
        asked_for(name, graph)
    assert "`--effort 2`" in refused.value.diagnostics[0].help


def test_a_search_that_meets_too_many_stages_is_refused(monkeypatch):
    def given_up(graph):
        raise Dearer

    monkeypatch.setattr(order, "SEARCHES", {"faces": given_up})
    with pytest.raises(Refusal, match="'faces' is for small graphs: this one has"):
        asked_for("faces", random_graph(3, most=3, fan=2))


def test_planners_whose_plans_are_known_are_not_run(monkeypatch):
    graph = trace("lighthouse")
    plan = ORDERS["forward"](graph)
    module = import_module("ad_transform.eliminate.choose")
    monkeypatch.setattr(module, "ORDERS", {"forward": None})
    choice = choose(graph, ["forward"], _plain(graph), {"forward": plan})
    assert choice.sequence == plan
