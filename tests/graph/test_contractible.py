"""Contractible subgraphs: Proposition 3.1 and the effect of contraction."""

from itertools import combinations

from amounts import seeds
from random_graphs import random_graph

from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.contractible import (
    Subgraph,
    delta,
    finest_decomposition,
    is_contractible,
)


def _graph(*edges):
    size = 1 + max(v for edge in edges for v in edge)
    sources = {u for u, _ in edges} - {v for _, v in edges}
    sinks = {v for _, v in edges} - {u for u, _ in edges}
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    return Graph.build(size, sorted(sources), sorted(sinks), classes)


def test_figure_1_of_murota_and_kubota():
    """f1 = x1 g(x1 x2), f2 = x2 g(x1 x2), where g has many intermediate values."""
    graph = _graph((0, 2), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5))
    graph = _graph(*graph.edges, (0, 6), (5, 6), (1, 7), (5, 7))
    classes = finest_decomposition(graph)
    assert ((2, 3), (2, 4), (3, 5), (4, 5)) not in classes
    assert is_contractible(graph, [(2, 3), (2, 4), (3, 5), (4, 5)])
    g = Subgraph.spanned([(2, 3), (2, 4), (3, 5), (4, 5)])
    assert g.is_closed_umbrella()
    assert (g.minimal, g.interior, g.maximal) == ((2,), (3, 4), (5,))
    assert g.vertices == (2, 3, 4, 5)
    assert delta(g) == 3


def test_the_classes_partition_the_edges_and_are_contractible():
    for seed in seeds(66, 200):
        graph = random_graph(seed, most=10)
        classes = finest_decomposition(graph)
        assert sorted(e for each in classes for e in each) == list(graph.edges)
        assert all(is_contractible(graph, each) for each in classes)
        assert [each[0] for each in classes] == sorted(each[0] for each in classes)


def test_contractible_means_a_union_of_classes():
    for seed in seeds(20, 60):
        graph = random_graph(seed, most=4)
        if len(graph.edges) > 9:
            continue
        classes = finest_decomposition(graph)
        for size in range(len(graph.edges) + 1):
            for chosen in combinations(graph.edges, size):
                union = all(
                    len({*each} - {*chosen}) in (0, len(each)) for each in classes
                )
                assert is_contractible(graph, chosen) == union


def test_delta_is_removed_less_added_edges():
    for seed in seeds(50, 150):
        graph = random_graph(seed, most=8)
        for each in finest_decomposition(graph):
            part = Subgraph.spanned(each)
            kept = [e for e in each if not {*e} & {*part.interior}]
            reached = {(u, v) for u, v in each}
            for v in part.interior:
                ins = [u for u, w in reached if w == v]
                outs = [w for u, w in reached if u == v]
                reached |= {(u, w) for u in ins for w in outs}
            added = [e for e in reached if not {*e} & {*part.interior}]
            removed = len(each) - len(kept)
            assert delta(part) == removed - (len(added) - len(kept))
