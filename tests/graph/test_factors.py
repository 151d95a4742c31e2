"""Common factor subgraphs: found by definition, counted over derivatives."""

import networkx
from amounts import seeds
from random_graphs import random_graph

from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.factors import (
    Factor,
    common_factors,
    contracted,
    factors_of,
    inside,
    pair_graph,
)


def _graph(size, independents, dependents, *edges):
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    return Graph.build(size, independents, dependents, classes)


def _pairs(graph):
    for x in graph.independents:
        for y in graph.dependents:
            part = pair_graph(graph, x, y)
            if part.edges:
                yield x, y, part


def test_factors_are_those_of_networkx():
    for seed in seeds(50, 150):
        for x, y, part in _pairs(random_graph(seed, most=10, fan=2)):
            net = networkx.DiGraph(part.edges)
            above = networkx.immediate_dominators(net, x)
            below = networkx.immediate_dominators(net.reverse(), y)
            expected = {(above[c], c) for c in net if net.in_degree(c) > 1}
            expected |= {(b, below[b]) for b in net if net.out_degree(b) > 1}
            assert {*factors_of(part)} == expected


def test_contraction_replaces_the_paths_inside_by_one_edge():
    for seed in seeds(50, 150):
        for x, y, part in _pairs(random_graph(seed, most=8, fan=2)):
            paths = [*networkx.all_simple_paths(networkx.DiGraph(part.edges), x, y)]
            for b, c in factors_of(part):
                short = {
                    tuple(
                        v for v in path if not (b in path and c in path and b < v < c)
                    )
                    for path in paths
                }
                after = contracted(part, (b, c))
                net = networkx.DiGraph(after.edges)
                found = {*map(tuple, networkx.all_simple_paths(net, x, y))}
                assert found == short
                assert len(after.edges) <= len(part.edges)
                assert len(inside(part, (b, c))) > 1


def test_the_most_common_factor_comes_first():
    edges = (
        (0, 1),
        (1, 2),
        (1, 3),
        (2, 4),
        (3, 4),
        (4, 5),
        (4, 6),
        (6, 7),
        (5, 7),
        (6, 8),
    )
    graph = _graph(9, [0], [7, 8], *edges)
    assert common_factors(graph) == (Factor(1, 4, 2), Factor(4, 7, 1))
