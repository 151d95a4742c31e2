"""The engine: its order of products, its result on random sequences, its refusals."""

import pytest
from amounts import seeds
from random_graphs import Numbers, bauer, random_graph, random_labels
from random_steps import random_steps

from ad_transform.eliminate import (
    Count,
    Dearer,
    count,
    count_practical,
    count_vector,
    parse_sequence,
    replay,
)
from ad_transform.eliminate.counting import VectorAlgebra
from ad_transform.eliminate.replay import State
from ad_transform.graph import EdgeClass, Graph, parse_graph

FIGURE_5 = parse_graph("""
    graph 9
    independents 0 1      # a b
    dependents 4 5 6 7 8  # y1 .. y5
    edge 0 2              # k = 2, i = 3
    edge 1 2
    edge 2 3
    edge 2 4
    edge 3 4
    edge 3 5
    edge 3 6
    edge 3 7
    edge 3 8
    """)


# fmt: off
FIGURE_5_COUNTS = [
    ("vertex 2; vertex 3",                                14),
    ("vertex 3; vertex 2",                                15),
    ("contract 2 3",                                      15),
    ("back 3 4; vertex 2; vertex 3",                      13),
    ("split 3 9 : 2 : 4; vertex 9; vertex 2; vertex 3",   13),
]
# fmt: on


@pytest.mark.parametrize(("text", "multiplications"), FIGURE_5_COUNTS)
def test_figure_5_of_naumann(text, multiplications):
    found = count(FIGURE_5, parse_sequence(text.replace("; ", "\n")))
    assert found.multiplications == multiplications
    assert found.fill_in == found.multiplications - found.additions


class Text:
    """The algebra of texts, which shows the order of products and sums."""

    unit = "1"

    def multiply(self, out_edge, in_edge, u, v, w):
        return f"({out_edge}*{in_edge})"

    def add(self, old, new, u, w):
        return f"({old} + {new})"


def _replay_text(text):
    edges = [(0, 2), (1, 2), (0, 3), (2, 3), (2, 4), (3, 4), (2, 5), (3, 5)]
    graph = Graph.build(6, [0, 1], [4, 5], dict.fromkeys(edges, EdgeClass.VARIABLE))
    names = dict(zip(sorted(edges), "ABCDEFGH", strict=True))
    return replay(graph, names, parse_sequence(text), Text())


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("vertex 3\nvertex 2", "((G*B) + ((E + (G*D))*A))"),
        ("vertex 2\nvertex 3", "((E*A) + (G*(B + (D*A))))"),
        ("front 2 3\nvertex 2\nvertex 3", "(((E + (G*D))*A) + (G*B))"),
        ("back 3 4\nback 3 5\nvertex 2", "((G*B) + ((E + (G*D))*A))"),
        ("copy 2 3 6\nvertex 6\ncontract 2 3", "((G*B) + ((E + (G*(D*1)))*A))"),
        ("contract 2 3", "((G*B) + ((E + (G*D))*A))"),
    ],
)
def test_products_and_sums_are_formed_in_the_documented_order(text, entry):
    assert _replay_text(text)[0, 4] == entry


def test_entries_come_by_independent_then_dependent():
    assert list(_replay_text("vertex 3\nvertex 2")) == [(0, 4), (0, 5), (1, 4), (1, 5)]


def test_every_random_sequence_gives_the_jacobian():
    for seed in seeds(133, 400):
        graph = random_graph(seed)
        labels = random_labels(graph, seed)
        sequence = parse_sequence(random_steps(graph, seed))
        assert replay(graph, labels, sequence, Numbers()) == bauer(graph, labels)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("vertex 2", "leaves the intermediate vertex 3"),
        ("vertex 0", "vertex 0 is not intermediate"),
        ("vertex 4", "vertex 4 is not intermediate"),
        ("vertex 9", "there is no vertex 9"),
        ("front 2 4", "vertex 4 is not intermediate"),
        ("back 0 2", "vertex 0 is not intermediate"),
        ("front 0 3", "there is no edge 0 -> 3"),
        ("back 2 5", "there is no edge 2 -> 5"),
        ("copy 2 3 8", "the number 8 is in use"),
        ("copy 2 3 9\ncopy 2 4 9", "the number 9 is in use"),
        ("split 3 9 : 1 : 4", "has no such edges"),
        ("split 2 9 : 0 : 3", "leaves no vertex of the same kind"),
        ("face 0 1", "there is no intermediate face 0 1"),
        ("face 0 2\nvertex 2", "no step of a line graph"),
        ("face 0 2", "leaves the face"),
    ],
)
def test_steps_that_do_not_apply_are_refused(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        count(FIGURE_5, parse_sequence(text))


def test_an_edge_without_a_label_is_refused():
    with pytest.raises(ValueError, match="edge 0 -> 2 has no label"):
        replay(FIGURE_5, {}, parse_sequence("vertex 3\nvertex 2"), Numbers())


def test_eliminating_twice_is_no_work():
    once = count(FIGURE_5, parse_sequence("vertex 2\nvertex 3"))
    assert count(FIGURE_5, parse_sequence("vertex 2\nvertex 2\nvertex 3")) == once


def test_a_limit_stops_the_count():
    sequence = parse_sequence("vertex 2\nvertex 3")
    assert count(FIGURE_5, sequence, 14) == Count(14, 2, 12)
    for model in (count, count_practical):
        with pytest.raises(Dearer):
            model(FIGURE_5, sequence, 13)


def test_practical_count_folds_units_and_constants():
    graph = parse_graph("""
        graph 8
        independents 0
        dependents 7
        edge 0 1 unit
        edge 1 2 constant
        edge 2 3 constant
        edge 3 4 unit
        edge 4 5 variable
        edge 5 6 variable
        edge 6 7 unit
        edge 0 7 constant
        """)
    sequence = parse_sequence("\n".join(f"vertex {v}" for v in range(1, 7)))
    assert count_practical(graph, sequence) == Count(2, 1, 5)


def test_two_units_add_up_to_a_constant():
    text = "graph 4\nindependents 0\ndependents 3\nedge 0 1 unit\nedge 1 2 unit\n"
    graph = parse_graph(text + "edge 0 2 unit\nedge 2 3 variable")
    assert count_practical(graph, parse_sequence("vertex 1\nvertex 2")) == Count(
        1, 0, 1
    )


@pytest.mark.parametrize(
    ("text", "multiplications"),
    [
        ("vertex 3", 7 * 5 * (11 + 13 + 17 + 19 + 23)),
        ("front 2 3", 7 * 5 * (11 + 13 + 17 + 19 + 23)),
        ("back 3 4", 7 * 11 * 5),
        ("back 2 3", 5 * 7 * (2 + 3)),
        ("vertex 2", 5 * (2 + 3) * (7 + 11)),
    ],
)
def test_vector_form_follows_the_ops_formulas_of_naumann(text, multiplications):
    dimensions = dict(enumerate([2, 3, 5, 7, 11, 13, 17, 19, 23]))
    algebra = VectorAlgebra(dimensions)
    state = State(FIGURE_5, dict.fromkeys(FIGURE_5.edges), algebra)
    state.perform_all(parse_sequence(text))
    assert algebra.multiplications == multiplications


def test_vector_form_with_dimension_one_is_the_plain_count():
    for seed in seeds(16, 50):
        graph = random_graph(seed)
        sequence = parse_sequence(random_steps(graph, seed))
        ones = dict.fromkeys(range(graph.size + 3), 1)
        assert count_vector(graph, sequence, ones) == count(graph, sequence)


def test_dims_of_the_graph_are_the_components_that_the_vector_form_counts():
    for seed in range(30):
        graph = random_graph(seed)
        sizes = {v: 1 + (7 * v + seed) % 5 for v in range(graph.size)}
        arrays = Graph.build(
            graph.size,
            graph.independents,
            graph.dependents,
            dict(zip(graph.edges, graph.classes, strict=True)),
            {v: (d,) for v, d in sizes.items()},
        )
        sequence = parse_sequence(random_steps(graph, seed))  # with copies and clones
        found = count_vector(arrays, sequence)
        assert found == count_vector(graph, sequence, sizes)
