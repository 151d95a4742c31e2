"""The line graph against networkx."""

import networkx
from amounts import seeds
from random_graphs import random_graph

from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.linegraph import line_graph


def test_faces_are_the_edges_of_the_line_graph_of_networkx():
    for seed in seeds(50, 150):
        graph = random_graph(seed, most=8, fan=2).reduced()
        line = line_graph(graph)
        oracle = networkx.line_graph(networkx.DiGraph(graph.edges))
        faces = [(line.edges[i], line.edges[j]) for i, j in line.intermediate_faces()]
        assert sorted(faces) == sorted(oracle.edges)


def test_ends_are_joined_to_their_edges():
    edges = dict.fromkeys([(0, 2), (1, 2), (2, 3), (2, 4)], EdgeClass.VARIABLE)
    line = line_graph(Graph.build(5, [1, 0], [3, 4], edges))
    assert line.edges == ((0, 2), (1, 2), (2, 3), (2, 4))
    assert line.size == 8
    assert line.faces == (
        (0, 2), (0, 3), (1, 2), (1, 3), (2, 6), (3, 7), (4, 1), (5, 0)
    )  # fmt: skip
    assert line.intermediate_faces() == ((0, 2), (0, 3), (1, 2), (1, 3))
