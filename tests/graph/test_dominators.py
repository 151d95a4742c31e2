"""Dominator trees against networkx."""

import networkx
from amounts import seeds
from random_graphs import random_graph

from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.dominators import DEAD, ROOT, dominators, post_dominators


def _oracle(graph, ends, turned):
    live = graph.live()
    net = networkx.DiGraph()
    net.add_node(ROOT)
    for u, v in graph.edges:
        if live[u] and live[v]:
            net.add_edge(*((v, u) if turned else (u, v)))
    net.add_edges_from((ROOT, end) for end in ends if live[end])
    found = networkx.immediate_dominators(net, ROOT)
    return tuple(found.get(v, DEAD) for v in range(graph.size))


def test_dominators_are_those_of_networkx():
    for seed in seeds(100, 300):
        graph = random_graph(seed, most=20, fan=1 + seed % 3)
        assert dominators(graph) == _oracle(graph, graph.independents, False)


def test_post_dominators_are_those_of_networkx():
    for seed in seeds(100, 300):
        graph = random_graph(seed, most=20, fan=1 + seed % 3)
        assert post_dominators(graph) == _oracle(graph, graph.dependents, True)


def test_long_chains_cost_little():
    length = 10_000
    edges = {(v, v + 1): EdgeClass.VARIABLE for v in range(length)}
    edges |= {(0, v): EdgeClass.VARIABLE for v in range(2, length)}
    edges |= {(v, length): EdgeClass.VARIABLE for v in range(1, length - 1)}
    graph = Graph.build(length + 1, [0], [length], edges)
    assert dominators(graph)[2:] == (0,) * (length - 1)
    assert post_dominators(graph)[-3:] == (length, length, ROOT)
