"""The searches of the papers as orders: code, counts and steps of small graphs."""

from __future__ import annotations

import pytest
from amounts import QUICK
from support import corpus, load_generated, marked

from ad_transform.eliminate import count, parse_sequence
from ad_transform.eliminate.facesearch import shortest_faces
from ad_transform.eliminate.metagraph import metagraph_order
from ad_transform.eliminate.order import SEARCHES
from ad_transform.graph import EdgeClass, Graph
from ad_transform.options import Options
from ad_transform.run.explanation import as_text
from ad_transform.run.job import draw, explain

SOURCE = """\
import math


# ad: jacobian
def f(x: float, y: float):
    u = x * y
    v = math.sin(u) * x
    return v * u, math.exp(v)
"""


SMALL = """\
# ad: jacobian
def f(x: float, y: float):
    u = x * y
    v = u * x
    return u * v, v * y
"""


@pytest.mark.parametrize("order", SEARCHES)
def test_code_comes_from_every_search(order: str) -> None:
    made = load_generated(SMALL, order=order)
    x, y = 0.7, 1.3
    exact = [3 * x * x * y * y, 2 * x**3 * y, 2 * x * y * y, 2 * x * x * y]
    assert made["f_jac"](x, y).ravel() == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("order", SEARCHES)
def test_searches_explain_what_they_chose(order: str) -> None:
    options = Options(order=order, cost="fma")
    (figures,) = explain(SMALL.encode(), "m.py", options).objects
    chosen = figures["chosen"]
    assert chosen["order"] == order
    assert chosen["bound"] <= chosen["cost"] == figures["orders"][order]
    assert chosen["over"] == "all"


SEARCHED_TOO_LONG = """\
from math import sin


# ad: jacobian
def f(a: float, b: float, c: float):
    u = a * b * c
    w = u * c * a
    return u * w * a, u * sin(w), w * b * u
"""


@pytest.mark.parametrize("order", ["metagraph", "faces"])
def test_what_meets_a_bound_is_not_searched(order: str) -> None:
    """Its metagraph has more than 20,000 stages."""
    options = Options(order=order, cost="fma")
    (figures,) = explain(SEARCHED_TOO_LONG.encode(), "m.py", options).objects
    chosen = figures["chosen"]
    assert (chosen["order"], chosen["cost"], chosen["bound"]) == (order, 27, 27)


@pytest.mark.parametrize("order", ["metagraph", "faces"])
def test_chains_have_these_orders(order: str) -> None:
    """100 edges, and nothing is cheaper than an order of vertices."""
    body = "".join("    x = x * x\n" for _ in range(100))
    source = f"# ad: gradient(order={order!r})\ndef f(x: float):\n{body}    return x\n"
    assert load_generated(source)["f_grad"](1.0) == 2.0**100


def test_structures_are_counted() -> None:
    (figures,) = explain(SOURCE.encode(), "m.py", Options()).objects
    assert figures["structure"] == {
        "paths": 8,
        "path_length": 24,
        "parts": 2,
        "blocks": 0,
        "pages": 3,
        "factors": 3,
    }


def test_faces_and_edges_of_figure_5() -> None:
    """Naumann 1999, figure 5: 14 by vertices, 13 by edges and by faces."""
    edges = [(0, 2), (1, 2), (2, 3), (2, 4)] + [(3, y) for y in range(4, 9)]
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    graph = Graph.build(9, [0, 1], range(4, 9), classes)
    assert count(graph, shortest_faces(graph)).multiplications == 13
    assert count(graph, metagraph_order(graph)).multiplications == 13


def test_the_step_of_d_star_is_text_like_all_others() -> None:
    assert str(parse_sequence("vertex 3\nfactorise\n")) == "vertex 3\nfactorise\n"


PRODUCT = " * ".join(["(x * y)"] * 80)
REPEATED = f"""\
# ad: jacobian
def f(x, y):
    u = {PRODUCT}
    v = {PRODUCT}
    return u * v, u * x, v * y
"""


def test_of_a_graph_that_is_too_large_as_written_there_are_no_figures() -> None:
    """Its code is there: the merged graph is small enough."""
    options = Options(order="faces", cost="fma")
    assert "f_jac" in load_generated(REPEATED, order="faces", cost="fma")
    found = explain(REPEATED.encode(), "m.py", options)
    (said,) = found.diagnostics
    assert (said.code, said.span.line, found.objects) == ("AD032", 1, ())
    drawn = draw(REPEATED.encode(), "m.py", options, ".html")
    assert drawn.diagnostics == (said,)


def test_pairs_have_no_plain_count() -> None:
    source = SMALL.replace("jacobian", "hessian").replace(", v * y", "")
    options = Options(order="edge-pushing", cost="fma")
    (said,) = explain(source.encode(), "m.py", options).diagnostics
    assert (said.code, said.help) == ("AD032", "leave `--cost fma` out")


def test_paths_and_parts_are_counted_on_larger_graphs() -> None:
    """A chain of 200 squares has more edges than d-star runs on."""
    body = "".join("    x = x * x\n" for _ in range(200))
    source = f"# ad: gradient\ndef f(x: float):\n{body}    return x\n"
    options = Options(cost="fma", **QUICK)
    (figures,) = explain(source.encode(), "m.py", options).objects
    known = {"paths": 1, "path_length": 200, "parts": 200}
    unknown = dict.fromkeys(("blocks", "pages", "factors"))
    assert figures["structure"] == {**known, **unknown}
    assert "1 path of 200 edges; 200 contractible parts\n" in as_text([figures])


@pytest.mark.parametrize("order", ["reverse", "faces", "exact"])
def test_bounds_do_not_depend_on_the_order(order: str) -> None:
    """The cuts of this graph alone give 7; with what is settled gone it is 10."""
    (bat,) = (case for case in corpus() if case.name == "bat")
    source = marked(bat.source, "bat", "jacobian")
    options = Options(order=order, cost="fma")
    (figures,) = explain(source.encode(), "m.py", options).objects
    assert figures["chosen"]["bound"] == 10
    drawn = draw(source.encode(), "m.py", options, ".html")
    assert drawn.text is not None and 'data-bound="10"' in drawn.text
