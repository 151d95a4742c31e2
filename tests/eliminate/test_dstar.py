"""The D* strategy gives the Jacobian, and shares what is common."""

from amounts import seeds
from random_graphs import Numbers, bauer, random_graph, random_labels

from ad_transform.eliminate.counting import PlainAlgebra
from ad_transform.eliminate.dstar import d_star
from ad_transform.graph import EdgeClass, Graph


def test_d_star_gives_the_jacobian():
    for seed in seeds(50, 150):
        graph = random_graph(seed, most=9, fan=2)
        labels = random_labels(graph, seed)
        assert d_star(graph, labels, Numbers()) == bauer(graph, labels)


def test_a_common_factor_is_computed_once():
    edges = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (4, 6), (4, 7)]
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    graph = Graph.build(8, [0], [5, 6, 7], classes)
    plain = PlainAlgebra()
    d_star(graph, dict.fromkeys(graph.edges), plain)
    assert plain.multiplications == 2 + 1 + 3
