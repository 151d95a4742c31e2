"""What a lower bound and a proof speak of: orders of vertices, or of edges too."""

from __future__ import annotations

import json

import pytest

from ad_transform.eliminate import ORDERS, count, entry_bound, optimise_plain
from ad_transform.eliminate.order import SEARCHES
from ad_transform.graph import parse_graph
from ad_transform.options import Options
from ad_transform.run.explanation import as_text
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


def test_an_order_of_vertices_is_proven_among_its_own():
    plan = optimise_plain(FIVEFOLD)
    assert (plan.price, plan.bound, plan.over, plan.proven) == (
        14,
        14,
        "vertices",
        True,
    )


def test_an_order_of_edges_has_the_bound_of_edges():
    plan = optimise_plain(FIVEFOLD, effort=2)
    assert plan.price == 13 == count(FIVEFOLD, plan.sequence).multiplications
    assert (plan.over, plan.bound) == ("edges", entry_bound(FIVEFOLD))
    assert plan.bound <= plan.price


@pytest.mark.parametrize("effort", [0, 1, 2])
def test_no_bound_is_beaten_by_what_it_stands_beside(effort):
    (figures,) = explain(
        SOURCE.encode(), "m.py", Options(cost="fma", effort=effort)
    ).objects
    chosen = figures["chosen"]
    assert chosen["bound"] <= chosen["cost"]
    assert chosen["over"] in ("vertices", "edges")
    assert f"for orders of {chosen['over']}" in " ".join(as_text([figures]).split())
    assert json.loads(json.dumps(chosen)) == chosen


@pytest.mark.parametrize("order", [*ORDERS, *SEARCHES])
def test_orders_asked_for_have_bounds_too(order):
    options = Options(cost="fma", order=order)
    source = SMALL if order in SEARCHES else SOURCE
    (figures,) = explain(source.encode(), "m.py", options).objects
    chosen = figures["chosen"]
    assert chosen["bound"] <= chosen["cost"] == figures["orders"][order]


def test_without_the_plain_count_nothing_is_proven():
    (figures,) = explain(SOURCE.encode(), "m.py", Options()).objects
    chosen = figures["chosen"]
    assert (chosen["bound"], chosen["proven"], chosen["over"]) == (None, None, None)
