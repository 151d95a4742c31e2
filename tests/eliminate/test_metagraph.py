"""The metagraph: Naumann's figures 5 and 10, shortest paths against planners."""

import pytest
from brute import optimum
from random_graphs import Numbers, bauer, random_graph, random_labels

from ad_transform.eliminate import Dearer, count, parse_sequence, replay
from ad_transform.eliminate.metagraph import RESTRICTIONS, metagraph, shortest
from ad_transform.graph import EdgeClass, Graph


def _graph(size, independents, dependents, edges):
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    return Graph.build(size, independents, dependents, classes)


FIGURE_10 = _graph(5, [0, 1], [4], [(1, 2), (0, 3), (2, 3), (3, 4), (2, 4)])
FIGURE_5 = _graph(
    9, [0, 1], range(4, 9), [(0, 2), (1, 2), (2, 3), (2, 4), (3, 4)]
    + [(3, y) for y in range(5, 9)]
)  # fmt: skip


@pytest.mark.parametrize(
    ("restriction", "stages"),
    [("forward", 7), ("backward", 8), ("vertex", 4), ("edge", 14), ("general", 14)],
)
def test_stages_of_figure_10(restriction, stages):
    found = metagraph(FIGURE_10, restriction)
    assert len(found.stages) == stages
    sinks = {*range(stages)} - {move[0] for move in found.moves}
    assert [found.stages[i] for i in sinks] == [frozenset([(0, 4), (1, 4)])]


@pytest.mark.parametrize(
    ("restriction", "cost"), [("forward", 13), ("backward", 14), ("vertex", 14)]
)
def test_shortest_paths_of_figure_5(restriction, cost):
    sequence = shortest(FIGURE_5, restriction)
    assert count(FIGURE_5, sequence).multiplications == cost


def test_the_surprise_of_figure_5():
    assert shortest(FIGURE_5) == parse_sequence("back 3 4\nvertex 2\nvertex 3")


def test_shortest_vertex_paths_are_the_optimum():
    for seed in range(150):
        graph = random_graph(seed, most=5, fan=3)
        sequence = shortest(graph, "vertex")
        assert count(graph, sequence).multiplications == optimum(graph)


@pytest.mark.parametrize("restriction", RESTRICTIONS)
def test_shortest_paths_give_the_jacobian_and_undercut_restrictions(restriction):
    tried = 0
    for seed in range(60):
        graph = random_graph(seed, most=4, fan=2)
        labels = random_labels(graph, seed)
        try:
            general = shortest(graph, "general", 500)
            sequence = shortest(graph, restriction, 500)
        except Dearer:
            continue
        tried += 1
        assert replay(graph, labels, sequence, Numbers()) == bauer(graph, labels)
        cost = count(graph, sequence).multiplications
        assert count(graph, general).multiplications <= cost
    assert tried > 40


def test_too_many_stages_are_refused():
    with pytest.raises(Dearer):
        metagraph(FIGURE_5, "edge", 100)
    with pytest.raises(Dearer):
        shortest(FIGURE_5, "edge", 20)


def test_two_vertices_cost_at_most_a_fifth_more_than_their_edges():
    """Naumann 1999, section 2.4: the ratio is no more than 1 / (2 (sqrt(2) - 1))."""
    dearer = 0
    for m in range(3, 6):
        for near in range(m + 1):
            ends = range(4, 4 + m)
            edges = [(0, 2), (1, 2), (2, 3), *((3, y) for y in ends)]
            graph = _graph(4 + m, [0, 1], ends, edges + [(2, y) for y in ends[:near]])
            cost = count(graph, shortest(graph)).multiplications
            assert cost <= optimum(graph) <= cost / (2 * (2**0.5 - 1))
            dearer += cost < optimum(graph)
    assert dearer > 2
