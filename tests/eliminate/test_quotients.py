"""The quotient graph: classes as vertices with dims, and orders of whole classes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from amounts import seeds
from random_graphs import random_graph, splitmix

from ad_transform.eliminate import SEARCHES, count
from ad_transform.eliminate.chains import chain_order
from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.quotient import layers, quotient


def _layered(widths):
    """A graph of full layers: a chain of matrices."""
    starts = [sum(widths[:i]) for i in range(len(widths) + 1)]
    rows = [range(a, b) for a, b in pairwise(starts)]
    edges = {(u, v) for one, two in pairwise(rows) for u in one for v in two}
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    return Graph.build(starts[-1], rows[0], rows[-1], classes), rows


def test_a_layered_graph_is_a_chain_of_its_layers():
    graph, rows = _layered([1, 3, 2, 1])
    found = quotient(graph, rows[1:-1])
    assert found.graph.edges == ((0, 1), (1, 2), (2, 3))
    assert found.graph.elements() == [1, 3, 2, 1]
    assert found.classes == tuple(map(tuple, rows))
    assert sorted(map(tuple, layers(graph))) == [tuple(row) for row in rows[1:-1]]


def test_layers_cost_what_the_chain_of_matrices_costs():
    bits = splitmix(3)
    for _ in range(20):
        widths = [1 + next(bits) % 4 for _ in range(5)]
        graph, _ = _layered(widths)
        order = SEARCHES["quotient"](graph)
        assert count(graph, order).multiplications == chain_order(widths)[1]


def test_layers_never_lead_to_each_other_in_a_circle():
    for seed in seeds(20, 60):
        graph = random_graph(seed, most=9, fan=3)
        whole = quotient(graph, layers(graph))
        elements = whole.graph.elements()
        inside = [elements[c] for c in whole.graph.intermediates()]
        assert sum(inside) == len(graph.intermediates())


@pytest.mark.parametrize(
    ("classes", "complaint"),
    [
        ([[1, 3]], "in a circle"),
        ([[1, 2], [2]], "two classes"),
        ([[0]], "intermediate"),
    ],
)
def test_classes_that_are_none_are_refused(classes, complaint):
    edges = dict.fromkeys([(0, 1), (1, 2), (2, 3), (3, 4)], EdgeClass.VARIABLE)
    with pytest.raises(ValueError, match=complaint):
        quotient(Graph.build(5, [0], [4], edges), classes)


@pytest.mark.parametrize("name", ["path-lengths", "quotient"])
def test_heuristics_of_the_papers_end_on_every_graph(name):
    for seed in range(30):
        graph = random_graph(seed, most=12, fan=3)
        assert len(SEARCHES[name](graph)) == len(graph.intermediates())
        count(graph, SEARCHES[name](graph))
