"""What a lower bound and a proof speak of: orders of vertices, or of edges too."""

from __future__ import annotations

import json
import random

import pytest
from amounts import only_long, seeds
from brute import optimum
from random_graphs import random_graph
from tracer import trace

from ad_transform.eliminate import (
    ORDERS,
    count,
    lower_bound,
    optimise_plain,
    overall_bound,
    solve,
)
from ad_transform.eliminate.edgesearch import fewest_by_edges, fewest_in_parts
from ad_transform.eliminate.metagraph import shortest
from ad_transform.eliminate.order import SEARCHES
from ad_transform.eliminate.plans import vertex_order
from ad_transform.graph import EdgeClass, Graph, parse_graph
from ad_transform.options import Options
from ad_transform.run.explanation import _OVER, as_text
from ad_transform.run.job import explain

FIVEFOLD = parse_graph(
    "graph 9\nindependents 0 1\ndependents 4 5 6 7 8\n"
    "edge 0 2\nedge 1 2\nedge 2 3\nedge 2 4\nedge 3 4\n"
    "edge 3 5\nedge 3 6\nedge 3 7\nedge 3 8\n"
)
SOURCE = """
# ad: jacobian
def f(x, y):
    u = x * y
    v = u * u
    return u * v, v * v, v + 1.0, 2.0 * v, v * v * v
"""


SMALL = """
# ad: jacobian
def f(x, y):
    u = x * y
    v = u * x
    return u * v, v * y
"""


def test_the_graph_of_figure_5_is_proven_over_all_eliminations():
    """Naumann 1999, figure 5: 14 by vertices, 13 by edges."""
    plan = optimise_plain(FIVEFOLD)
    assert (plan.price, plan.bound, plan.over) == (13, 13, "all")
    assert plan.price == count(FIVEFOLD, plan.sequence).multiplications
    assert lower_bound(FIVEFOLD) == 14


@pytest.mark.parametrize("name", ["robot_arm", "heart_dipole", "propane_combustion"])
def test_published_functions_are_proven_over_all_eliminations(name):
    plan = optimise_plain(trace(name))
    assert (plan.over, plan.proven) == ("all", True)


@pytest.mark.parametrize("seed", [4, 9, 41, 60, 216])
def test_small_graphs_are_proven_over_edges_by_search(seed):
    graph = random_graph(seed, most=6, fan=3)
    plan = optimise_plain(graph)
    assert plan.price > overall_bound(graph)
    assert (plan.bound, plan.over) == (plan.price, "edges")


def test_of_equals_an_order_of_vertices_is_chosen_as_it_is_proven():
    """Greedy edges cost 19, as many as the best order of vertices."""
    plan = optimise_plain(random_graph(188, most=14, fan=3))
    assert (plan.name, plan.over, plan.proven) == ("exact", "vertices", True)


def test_no_bound_is_beaten_by_anything_cheaper():
    """What holds for all eliminations holds for edges, and that for vertices."""
    for seed in seeds(15, 40):
        graph = random_graph(seed, most=5, fan=2 + seed % 3)
        edges = count(graph, shortest(graph)).multiplications
        assert overall_bound(graph) <= edges <= optimum(graph)
        found = fewest_by_edges(graph, edges + 1, 20_000)
        assert count(graph, found).multiplications == edges
        assert fewest_by_edges(graph, edges, 20_000) is None
        plan = optimise_plain(graph)
        least = {"all": edges, "edges": edges, "vertices": optimum(graph)}[plan.over]
        assert plan.bound <= least <= plan.price


def copies(graph, times):
    """So many copies side by side; a path leads from every input to every output."""
    ends = *graph.independents, *graph.dependents
    middle = [v for v in range(graph.size) if v not in ends]
    size = len(graph.independents) + times * len(middle) + len(graph.dependents)
    first, last = range(len(graph.independents)), range(size)[-len(graph.dependents) :]
    edges = {}
    for k in range(times):
        number = dict(zip(graph.independents, first, strict=True))
        number |= dict(zip(graph.dependents, last, strict=True))
        inner = range(len(first) + k * len(middle), size)
        number |= dict(zip(middle, inner, strict=False))
        edges |= {(number[u], number[v]): EdgeClass.VARIABLE for u, v in graph.edges}
    return Graph.build(size, first, last, edges)


def test_components_are_searched_one_by_one():
    """Eight times figure 5 between the same ends: 13 by edges, 14 by vertices."""
    graph = copies(FIVEFOLD, 8)
    assert len(graph.edges) == 72
    plan = optimise_plain(graph)
    assert (plan.price, plan.over, plan.proven) == (8 * 13, "all", True)
    assert plan.price == count(graph, plan.sequence).multiplications


@pytest.mark.parametrize("seed", [4, 9, 41, pytest.param(60, marks=only_long), 216])
def test_components_cost_what_each_costs_alone(seed):
    graph = random_graph(seed, most=6, fan=3)
    edges = count(graph, shortest(graph)).multiplications
    both = copies(graph, 2)
    order = both.intermediates()
    found, proven = fewest_in_parts(both, order, 20_000)
    assert (count(both, found).multiplications, proven) == (2 * edges, True)
    found, proven = fewest_in_parts(both, order, 1)
    assert not proven and vertex_order(found) is not None
    assert sorted(vertex_order(found)) == sorted(order)


NAMES = ("robot_arm", "heart_dipole", "propane_combustion", "lighthouse", "roe_flux")


@pytest.mark.parametrize(
    ("merged", "name"),
    [
        *((merged, name) for merged in (False, True) for name in NAMES[1:]),
        (False, "robot_arm"),
        pytest.param(True, "robot_arm", marks=only_long),
    ],
)
def test_no_order_of_the_portfolio_beats_a_bound_of_the_corpus(name, merged):
    """All orders but greedy edges eliminate vertices."""
    graph = trace(name, merged=merged)
    costs = {o: count(graph, ORDERS[o](graph)).multiplications for o in ORDERS}
    assert overall_bound(graph) <= min(costs.values())
    del costs["greedy-edge"]
    assert solve(graph, 0, None, 3_000).bound <= min(costs.values())


@pytest.mark.parametrize("effort", [0, 1, 2])
def test_no_bound_is_beaten_by_what_it_stands_beside(effort):
    (figures,) = explain(
        SOURCE.encode(), "m.py", Options(cost="fma", effort=effort)
    ).objects
    chosen = figures["chosen"]
    assert chosen["bound"] <= chosen["cost"]
    assert _OVER[chosen["over"]] in " ".join(as_text([figures]).split())
    assert json.loads(json.dumps(chosen)) == chosen


def test_the_bound_for_all_eliminations_stands_behind_a_narrower_one():
    (figures,) = explain(SOURCE.encode(), "m.py", Options(cost="fma", effort=0)).objects
    chosen = figures["chosen"]
    assert (chosen["over"], chosen["bound"], chosen["overall"]) == ("vertices", 15, 14)
    text = " ".join(as_text([figures]).split())
    assert "lower bound 15 for orders of vertices" in text
    assert "of them, 14 for all eliminations" in text


@pytest.mark.parametrize("order", [*ORDERS, *SEARCHES])
def test_orders_asked_for_have_bounds_too(order):
    options = Options(cost="fma", order=order)
    source = SMALL if order in SEARCHES else SOURCE
    (figures,) = explain(source.encode(), "m.py", options).objects
    chosen = figures["chosen"]
    assert chosen["bound"] <= chosen["cost"] == figures["orders"][order]


PRODUCTS = """
import math

# ad: {kind}
def f(a: float, b: float, c: float, d: float):
    u = a * b + c * d
    v = math.sin(u) * a
    return u * v, v / b, u + v * c, math.exp(v) * d
"""


@pytest.mark.parametrize("kind", ["jacobian", "jvp", "vjp"])
@pytest.mark.parametrize("effort", [0, 1, pytest.param(2, marks=only_long)])
def test_products_are_counted_with_their_seeds(kind, effort):
    """The product takes 20 multiplications, the Jacobian at least 31; all expressions
    are different, so what is counted is printed.
    """
    source = PRODUCTS.format(kind=kind).encode()
    options = Options(cost="fma", effort=effort)
    (figures,) = explain(source, "m.py", options).objects
    chosen, printed = figures["chosen"], figures["printed"]
    assert printed["order"] == chosen["order"]
    assert printed["cost"] == [chosen["cost"]]
    assert printed["edges"] == [figures["counted"]["edges"]]
    assert chosen["overall"] <= chosen["bound"] <= chosen["cost"]
    if kind != "jacobian":
        assert (chosen["cost"], chosen["proven"], chosen["over"]) == (20, True, "all")


@pytest.mark.parametrize("order", ["reverse", "greedy-edge", "linear-first"])
@pytest.mark.parametrize("kind", ["jvp", "vjp"])
def test_orders_asked_for_products_are_those_that_are_printed(kind, order):
    source = PRODUCTS.format(kind=kind).encode()
    (figures,) = explain(source, "m.py", Options(cost="fma", order=order)).objects
    cost = figures["orders"][order]
    assert figures["printed"]["cost"] == [cost] == [figures["chosen"]["cost"]]
    assert figures["chosen"]["bound"] == 20 <= cost


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("jvp", "the tangent alone, on the graph with its seed (19 edges)"),
        ("vjp", "the adjoint alone, on the graph with its seed (16 edges)"),
        ("hvp", "the gradient alone, of which the hvp is derived"),
        ("hessian", "the gradient alone, of which the hessian is derived"),
        ("gradient", ""),
    ],
)
def test_the_page_says_what_is_counted(kind, said):
    source = PRODUCTS.format(kind=kind).replace("u * v, v / b, ", "u * v + v / b  # ")
    (figures,) = explain(source.encode(), "m.py", Options(cost="fma")).objects
    lines = as_text([figures]).splitlines()
    counted = [line for line in lines if line.startswith("  counted")]
    assert counted == ([f"  counted       {said}"] if said else [])


def test_of_taylor_coefficients_nothing_is_counted():
    source = b"# ad: taylor(t, degree=3)\ndef f(t: float):\n    return t * t * t\n"
    (figures,) = explain(source, "m.py", Options(cost="fma")).objects
    assert figures["counted"] is None and figures["chosen"]["bound"] is None
    assert set(figures["orders"].values()) == {None}


SINES = """
import math

# ad: jacobian
def f(a: float, b: float):
    u = math.sin(a * b)
    v = math.exp(u)
    return v * u, v + u, math.cos(v), math.sin(v) / u, v * v * u
"""


@pytest.mark.parametrize("effort", [0, 1, 2])
@pytest.mark.parametrize("source", [SOURCE, SINES, PRODUCTS.format(kind="jvp")])
def test_auto_is_never_dearer_than_what_is_listed(source, effort):
    options = Options(cost="fma", effort=effort)
    (figures,) = explain(source.encode(), "m.py", options).objects
    listed = {n: cost for n, cost in figures["orders"].items() if cost is not None}
    assert figures["chosen"]["cost"] <= min(listed.values())
    assert (set(listed) == {"reverse", "forward"}) == (effort == 0)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=only_long)])
def test_an_unproven_order_is_not_dearer_than_exact(seed):
    """The search of an effort begins from the best order, that of `exact` does not."""
    graph = sparse_graph(seed, 30 + 10 * seed)
    plan = optimise_plain(graph)
    assert not plan.proven
    assert plan.price <= count(graph, ORDERS["exact"](graph)).multiplications


def sparse_graph(seed, intermediates):
    """Vertices of two predecessors each, which are near them."""
    numbers = random.Random(seed)
    first, last = 5, 5 + intermediates
    edges = {}
    for v in range(first, last + 5):
        near = range(max(0, v - 12), min(v, last))
        edges |= {(u, v): EdgeClass.VARIABLE for u in numbers.sample(near, 2)}
    for u in range(last):
        if not any(a == u for a, _ in edges):
            w = numbers.randrange(max(u + 1, last), last + 5)
            edges[u, w] = EdgeClass.VARIABLE
    return Graph.build(last + 5, range(first), range(last, last + 5), edges).reduced()


TWICE = """
# ad: jacobian
def f(x, y):
    u = (x * y) * (x * y)
    v = (x * y) * u
    return u * v, u * x, v * y
"""


def test_what_is_counted_and_what_is_printed_stand_side_by_side():
    """Counted as written, x * y has three vertices; printed, it has one."""
    (figures,) = explain(TWICE.encode(), "m.py", Options(cost="fma")).objects
    assert figures["chosen"]["order"] == "forward" and figures["chosen"]["cost"] == 16
    assert figures["printed"] == {"order": "markowitz", "edges": [11], "cost": [11]}
    lines = as_text([figures]).splitlines()
    assert "  printed       markowitz at 11, on the merged graph (11 edges)" in lines


def test_without_the_plain_count_nothing_is_proven():
    (figures,) = explain(SOURCE.encode(), "m.py", Options()).objects
    chosen = figures["chosen"]
    assert (chosen["bound"], chosen["proven"], chosen["over"]) == (None, None, None)
    assert figures["printed"] is None
