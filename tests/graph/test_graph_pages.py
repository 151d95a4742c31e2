"""Pages: every path is on exactly one of them."""

from collections import Counter

import networkx
from amounts import seeds
from random_graphs import bauer, random_graph, random_labels

from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.pages import pages


def _page_graph(graph, page):
    classes = dict.fromkeys(page.edges, EdgeClass.VARIABLE)
    return Graph.build(graph.size, graph.independents, graph.dependents, classes)


def _paths(graph):
    net = networkx.DiGraph(graph.edges)
    return [
        tuple(path)
        for x in graph.independents
        for y in graph.dependents
        if x in net and y in net
        for path in networkx.all_simple_paths(net, x, y)
    ]


def test_every_path_is_on_one_page_and_runs_through_its_waist():
    for seed in seeds(25, 150):
        graph = random_graph(seed, most=9, fan=2)
        found = []
        for page in pages(graph):
            on_page = _paths(_page_graph(graph, page))
            found += on_page
            waist = {page.lower, page.upper} - {None}
            assert all(waist <= {*path} for path in on_page)
        assert sorted(found) == sorted(_paths(graph))


def test_the_jacobian_is_the_sum_of_the_pages():
    for seed in seeds(25, 150):
        graph = random_graph(seed, most=14, fan=2)
        labels = random_labels(graph, seed)
        total = Counter()
        for page in pages(graph):
            part = _page_graph(graph, page)
            for pair, value in bauer(part, labels).items():
                total[pair] += value
        assert dict(total) == bauer(graph.reduced(), labels)


def test_pages_without_a_waist_serve_one_pair():
    for seed in seeds(25, 150):
        graph = random_graph(seed, most=9, fan=2)
        for page in pages(graph):
            if page.upper is None:
                part = _page_graph(graph, page)
                assert len(bauer(part, random_labels(part, 1))) == 1


def test_a_waist_gets_a_page_of_its_own():
    edges = [(0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (0, 4), (1, 5)]
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    graph = Graph.build(6, [0, 1], [4, 5], classes)
    first, *rest = pages(graph)
    assert (first.lower, first.upper) == (2, 3)
    assert first.edges == ((0, 2), (1, 2), (2, 3), (3, 4), (3, 5))
    assert [page.edges for page in rest] == [((0, 4),), ((1, 5),)]
