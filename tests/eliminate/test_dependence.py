"""Lemma 2 of the Notes: which face goes before which, and circles of faces."""

from __future__ import annotations

import pytest
from amounts import seeds
from random_graphs import random_graph

from ad_transform.eliminate import (
    ORDERS,
    Dearer,
    dependences,
    parse_sequence,
)
from ad_transform.graph import EdgeClass, Graph


def _graph(size, independents, dependents, *edges):
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    return Graph.build(size, independents, dependents, classes)


CHAIN = _graph(4, [0], [3], (0, 1), (1, 2), (2, 3))
"""a b c: the faces are (a, b) at 1 and (b, c) at 2."""


@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 1)])
def test_what_stands_in_parentheses_goes_first(first, second):
    faces = {1: ((0, 1), (1, 2)), 2: ((1, 2), (2, 3))}
    found = dependences(CHAIN, parse_sequence(f"vertex {first}\nvertex {second}"))
    assert found.before == {faces[first]: (), faces[second]: (faces[first],)}
    assert (found.count, found.circle) == (1, ())


def test_parentheses_that_differ_by_path_are_a_circle():
    """b c d is (b c) d on the path from 0, and b (c d) on that from 1."""
    graph = _graph(6, [0, 1], [5], (0, 2), (1, 2), (2, 3), (3, 4), (4, 5))
    apart = "split 2 6 : 0 : 3\nsplit 3 7 : 6 : 4\nsplit 4 8 : 7 : 5\n"
    steps = ("vertex 7", "vertex 8", "vertex 6", "vertex 4", "vertex 3", "vertex 2")
    found = dependences(graph, parse_sequence(apart + "\n".join(steps)))
    assert set(found.circle) == {((2, 3), (3, 4)), ((3, 4), (4, 5))}


def test_orders_of_vertices_have_no_circle():
    for seed in seeds(20, 60):
        graph = random_graph(seed, most=6, fan=2)
        for order in ("forward", "markowitz", "reverse"):
            assert dependences(graph, ORDERS[order](graph)).circle == ()


def test_more_paths_than_the_limit_are_given_up():
    with pytest.raises(Dearer):
        dependences(CHAIN, parse_sequence("vertex 1\nvertex 2"), limit=1)
