"""Face elimination: rules, splits, the Jacobian, the optimum of small graphs."""

import pytest
from amounts import part
from random_graphs import Numbers, bauer, random_graph, random_labels, splitmix

from ad_transform.eliminate import (
    Count,
    Dearer,
    EliminateFace,
    Sequence,
    SplitLineVertex,
    count,
    parse_sequence,
    replay,
)
from ad_transform.eliminate.faces import FaceState
from ad_transform.eliminate.facesearch import shortest_faces
from ad_transform.eliminate.metagraph import shortest
from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.linegraph import line_graph


def _graph(size, independents, dependents, *edges):
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    return Graph.build(size, independents, dependents, classes)


class Zero:
    unit = 0

    def multiply(self, out_edge, in_edge, u, v, w):
        return 0

    def add(self, old, new, u, w):
        return 0


def _state(graph):
    line = line_graph(graph)
    return FaceState(line, dict.fromkeys(line.edges, 0), Zero())


def _random_steps(graph, seed):
    """Random faces, and a few random splits, until nothing is left."""
    bits = splitmix(seed)
    state, steps, splits = _state(graph), [], 0
    while faces := state.faces():
        i, j = faces[next(bits) % len(faces)]
        ins, outs = sorted(state.before[j]), sorted(state.after[i])
        if splits < 3 and next(bits) % 6 == 0 and len(ins) > 1:
            whole = tuple(sorted(state.after[j]))
            steps.append(SplitLineVertex(j, state.fresh, (ins[0],), whole))
            state.split(j, state.fresh, {ins[0]}, set(whole))
            splits += 1
        elif splits < 3 and next(bits) % 6 == 0 and len(outs) > 1:
            whole = tuple(sorted(state.before[i]))
            steps.append(SplitLineVertex(i, state.fresh, whole, (outs[-1],)))
            state.split(i, state.fresh, set(whole), {outs[-1]})
            splits += 1
        else:
            steps.append(EliminateFace(i, j))
            state.eliminate(i, j)
    return Sequence(tuple(steps))


def test_every_random_face_sequence_gives_the_jacobian():
    for seed in range(300):
        graph = random_graph(seed, most=7, fan=2)
        labels = random_labels(graph, seed)
        sequence = _random_steps(graph, seed)
        assert replay(graph, labels, sequence, Numbers()) == bauer(graph, labels)
        found = count(graph, sequence).multiplications
        assert found == sum(isinstance(step, EliminateFace) for step in sequence)


def test_faces_may_follow_other_steps():
    graph = _graph(5, [0, 1], [4], (0, 2), (1, 2), (2, 3), (3, 4), (1, 3))
    labels = random_labels(graph, 1)
    # edges 0 -> 2, 1 -> 2, 1 -> 4, 2 -> 4 are left, the faces are 0 3 and 1 3
    sequence = parse_sequence("vertex 3\nface 1 3\nface 0 3")
    assert replay(graph, labels, sequence, Numbers()) == bauer(graph, labels)
    assert count(graph, sequence) == Count(4, 1, 3)


def test_absorption_fill_in_and_merge():
    graph = _graph(5, [0], [4], (0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (1, 4))
    state = _state(graph)
    ends = lambda: sorted(state.ends[i] for i in state.labels)  # noqa: E731
    assert state.line.edges == ((0, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4))
    state.eliminate(1, 4)  # 1 -> 2 -> 4 is absorbed by 1 -> 4
    assert ends() == [(0, 1), (1, 3), (1, 4), (3, 4)]
    state.eliminate(0, 2)  # 0 -> 1 -> 3 is filled in
    assert ends() == [(0, 1), (0, 3), (1, 4), (3, 4)]
    state.eliminate(0, 3)  # 0 -> 1 -> 4 is filled in
    state.eliminate(8, 5)  # 0 -> 3 -> 4 is absorbed
    assert ends() == [(0, 4)]
    assert state.faces() == []


class Text:
    unit = "1"

    def multiply(self, out_edge, in_edge, u, v, w):
        return f"({out_edge}*{in_edge})"

    def add(self, old, new, u, w):
        return f"({old} + {new})"


def test_vertices_that_become_equal_are_merged():
    edges = (0, 1), (0, 2), (1, 2), (2, 3), (2, 4)
    graph = _graph(5, [0], [3, 4], *edges)
    # 9 is 0 -> 1 -> 2; it has more successors than 1, which is 0 -> 2, until 9 3 goes
    sequence = parse_sequence("face 1 3\nface 0 2\nface 9 3\nface 1 4")
    found = replay(graph, dict(zip(edges, "ABCDE", strict=True)), sequence, Text())
    assert found == {(0, 3): "((D*B) + (D*(C*A)))", (0, 4): "(E*(B + (C*A)))"}
    assert count(graph, sequence) == Count(4, 2, 2)


def test_a_split_shares_the_label_and_parts_the_faces():
    graph = _graph(5, [0], [3, 4], (0, 1), (1, 2), (2, 3), (2, 4))
    state = _state(graph)
    state.split(1, 7, {0}, {3})
    assert sorted(state.ends.values()) == [(0, 1), (1, 2), (1, 2), (2, 3), (2, 4)]
    assert state.faces() == [(0, 1), (0, 7), (1, 2), (7, 3)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("face 0 1", "no intermediate face"),
        ("face 4 0", "no intermediate face"),
        ("divide 0 8 : 4 : 2", "cannot split vertex 0, or 8 is not the next one"),
        ("divide 2 7 : 0 : 6", "cannot be split like that"),
        ("divide 2 7 : 0 : 5", "cannot be split like that"),
    ],
)
def test_faces_that_do_not_apply_are_refused(text, complaint):
    graph = _graph(4, [0, 1], [3], (0, 2), (1, 2), (2, 3))
    graph = _graph(5, [0, 1], [4], (0, 2), (1, 2), (2, 3), (3, 4))
    with pytest.raises(ValueError, match=complaint):
        count(graph, parse_sequence(text))


def test_faces_need_no_more_than_edges():
    tried = 0
    for seed in range(60):
        graph = random_graph(seed, most=3, fan=2)
        try:
            sequence = shortest_faces(graph, 300)
        except Dearer:
            continue
        tried += 1
        assert count(graph, sequence).multiplications == len(sequence)
        assert len(sequence) <= count(graph, shortest(graph)).multiplications
    assert tried > 40


def test_every_graph_of_ten_edges_is_searched_to_the_end():
    """docs/guide-orders.md states that size for `--order faces`."""
    graphs = [random_graph(seed, most=6, fan=2) for seed in range(150)]
    sizes = [len(graph.reduced().edges) for graph in graphs]
    small = [g for g, size in zip(graphs, sizes, strict=True) if 8 <= size <= 10]
    assert len(small) > 30
    for graph in part(small, 3):
        assert (
            len(shortest_faces(graph)) <= count(graph, shortest(graph)).multiplications
        )
