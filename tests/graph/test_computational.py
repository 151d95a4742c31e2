"""Graphs: what is refused, what is live, and the text form."""

import pytest
from amounts import seeds
from random_graphs import random_graph
from tracer import trace

from ad_transform.graph import EdgeClass, Graph, format_graph, parse_graph

VARIABLE = EdgeClass.VARIABLE


@pytest.mark.parametrize(
    ("size", "independents", "dependents", "edges", "complaint"),
    [
        (3, [0], [2], [(1, 1)], "not topological"),
        (3, [0], [2], [(2, 1)], "not topological"),
        (3, [0], [2], [(1, 3)], "not topological"),
        (3, [0], [2], [(-1, 1)], "not topological"),
        (3, [0, 1], [2], [(0, 1)], "independent 1 has the predecessor 0"),
        (3, [0], [1, 2], [(1, 2)], "dependent 1 has the successor 2"),
        (3, [0, 0], [2], [], "not distinct"),
        (3, [0], [0], [], "both independent and dependent"),
        (3, [3], [2], [], "independent 3 is not in 0..2"),
        (3, [0], [-1], [], "dependent -1 is not in 0..2"),
    ],
)
def test_build_refuses(size, independents, dependents, edges, complaint):
    with pytest.raises(ValueError, match=complaint):
        Graph.build(size, independents, dependents, dict.fromkeys(edges, VARIABLE))


def test_build_sorts_edges_and_keeps_ends():
    edges = {(1, 3): EdgeClass.UNIT, (0, 3): VARIABLE, (0, 2): EdgeClass.CONSTANT}
    graph = Graph.build(4, [1, 0], [3, 2], edges)
    assert graph.edges == ((0, 2), (0, 3), (1, 3))
    assert graph.classes == (EdgeClass.CONSTANT, VARIABLE, EdgeClass.UNIT)
    assert (graph.independents, graph.dependents) == ((1, 0), (3, 2))
    assert graph.successors() == [[2, 3], [3], [], []]
    assert graph.predecessors() == [[], [], [0], [0, 1]]


def test_reduced_drops_what_is_on_no_path():
    edges = dict.fromkeys([(0, 2), (2, 5), (1, 3), (4, 5), (2, 3)], VARIABLE)
    graph = Graph.build(6, [0, 1], [5], edges)
    assert graph.reduced().edges == ((0, 2), (2, 5))
    assert graph.intermediates() == (2,)
    assert list(graph.live()) == [1, 0, 1, 0, 0, 1]


def test_reduced_of_a_reduced_graph_is_itself():
    for seed in seeds(66, 200):
        graph = random_graph(seed).reduced()
        assert graph.reduced() is graph


def test_text_form_is_read_back():
    for seed in seeds(66, 200):
        graph = random_graph(seed)
        assert parse_graph(format_graph(graph)) == graph


def test_text_form_with_comments_and_without_classes():
    text = "# a\ngraph 3\nindependents 0\n\ndependents 2\nedge 0 1\nedge 1 2 unit # b"
    graph = parse_graph(text)
    assert graph.classes == (VARIABLE, EdgeClass.UNIT)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("edge 0", "line 4: 'edge 0'"),
        ("edge 0 x", "line 4: 'edge 0 x'"),
        ("edge 0 1 large", "line 4: 'edge 0 1 large'"),
        ("edge 0 1\nedge 0 1", "line 5: 'edge 0 1': edge stands twice"),
        ("graph 3", "line 4: 'graph 3': line stands twice"),
        ("vertex 3", "line 4: 'vertex 3': expected"),
    ],
)
def test_text_form_refuses(line, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_graph(f"graph 3\nindependents 0\ndependents 2\n{line}\n")


@pytest.mark.parametrize(
    ("name", "ends", "vertices", "edges"),
    [
        ("robot_arm", (6, 6), 108, 190),
        ("heart_dipole", (8, 8), 78, 144),
        ("propane_combustion", (11, 11), 51, 104),
        ("lighthouse", (4, 2), 7, 15),
    ],
)
def test_published_graphs_have_the_published_sizes(name, ends, vertices, edges):
    graph = trace(name)
    assert (len(graph.independents), len(graph.dependents)) == ends
    assert len(graph.intermediates()) == vertices
    assert graph.reduced().edges == graph.edges
    assert len(graph.edges) == edges


ARRAYS = """
graph 4
independents 0
dependents 3
dims 1 n 3
dims 2 2*n-1
edge 0 1
edge 1 2
edge 2 3
"""


def test_vertices_have_dims_in_canonical_form():
    graph = parse_graph(ARRAYS)
    assert graph.dims == ((), ("n", 3), ("2*n-1",), ())
    assert graph.dims_of(1) == ("n", 3)
    assert graph.elements({"n": 4}) == [1, 12, 7, 1]
    assert graph.elements() == [1, 30, 19, 1]
    other = {v: (" n", 3) if v == 1 else ("n+n-1",) for v in (1, 2)}
    edges = dict.fromkeys(graph.edges, VARIABLE)
    assert Graph.build(4, [0], [3], edges, other) == graph


def test_dims_stay_in_the_text_form_and_in_smaller_graphs():
    graph = parse_graph(ARRAYS + "edge 0 2\ndims 0 2")
    assert parse_graph(format_graph(graph)) == graph
    assert graph.with_edges({(0, 1): VARIABLE}).reduced().dims == graph.dims


def test_a_graph_of_scalars_has_no_dims():
    graph = parse_graph("graph 2\nindependents 0\ndependents 1\nedge 0 1")
    assert graph.dims == () and graph.dims_of(1) == () and graph.elements() == [1, 1]
    assert "dims" not in format_graph(graph)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("dims 4 n", "vertex 4 is not in 0..3"),
        ("dims 0 -2", "vertex 0 has the negative dim -2"),
        ("dims 0", "expected: dims VERTEX DIM"),
        ("dims 1 n", "dims stand twice"),
        ("dims 0 n*", "no polynomial"),
    ],
)
def test_dims_are_checked(line, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_graph(ARRAYS + line)
