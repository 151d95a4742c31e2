"""Contraction as steps: the Jacobian stays, the edges get fewer, orders compare."""

from amounts import seeds
from random_graphs import Numbers, bauer, random_graph, random_labels

from ad_transform.eliminate import (
    ORDERS,
    Sequence,
    count,
    format_sequence,
    replay,
)
from ad_transform.eliminate.contraction import (
    closed_contraction,
    contraction,
    contraction_with_copies,
    copied_umbrellas,
    copying_contraction,
    remaining,
    umbrellas_first,
)
from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.contractible import Subgraph, delta, finest_decomposition
from ad_transform.graph.umbrellas import umbrella_counts

GRAPHS = [random_graph(seed, most=12) for seed in seeds(83, 250)]


def _jacobian(graph, steps, labels):
    rest = remaining(graph, steps) if steps else graph
    plan = Sequence((*steps, *ORDERS["reverse"](rest)))
    return replay(graph, labels, plan, Numbers())


def test_contraction_leaves_the_jacobian_unchanged():
    for seed, graph in enumerate(GRAPHS):
        labels = random_labels(graph, seed)
        expected = bauer(graph, labels)
        for steps in (
            closed_contraction(graph),
            copying_contraction(graph),
            contraction_with_copies(graph),
        ):
            assert _jacobian(graph, steps, labels) == expected


def test_contraction_removes_delta_edges():
    for graph in (g.reduced() for g in GRAPHS):
        for edges in finest_decomposition(graph):
            part = Subgraph.spanned(edges)
            if part.interior:
                after = remaining(graph, (contraction(part),))
                assert len(graph.edges) - len(after.edges) == delta(part)


def test_copying_to_the_letter_contracts_no_more_than_without_copies():
    for graph in GRAPHS:
        letter = remaining(graph, contraction_with_copies(graph))
        assert {*copying_contraction(letter)} == {
            step for step in copying_contraction(letter) if step.interior
        }
        ends = remaining(letter, copying_contraction(letter))
        assert ends.edges == remaining(graph, copying_contraction(graph)).edges


def test_umbrellas_are_contracted_as_they_are():
    """The values u, v, w are an umbrella over the inputs; of p, q, r none is inside."""
    edges = [(0, 2), (1, 2), (0, 3), (1, 3), (2, 4), (3, 4)]  # u, v, w
    edges += [(4, 5), (4, 6), (4, 7), (5, 8), (6, 8), (6, 9), (7, 9)]
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    graph = Graph.build(10, [0, 1], [8, 9], classes)
    steps = format_sequence(umbrellas_first(graph)).splitlines()
    assert [line for line in steps if line.startswith("contract")] == ["contract 2 3"]
    assert sum(len(line.split()) - 1 for line in steps) == 6  # all are eliminated


def test_a_variable_that_is_used_elsewhere_is_copied():
    """2 is used by 4, in the umbrella below 5, and by 3 and 6."""
    edges = [(0, 2), (1, 2), (2, 3), (2, 4), (3, 4), (4, 5), (2, 6), (5, 6), (5, 7)]
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    graph = Graph.build(8, [0, 1], [6, 7], classes)
    steps = format_sequence(copied_umbrellas(graph)).splitlines()
    assert steps[:3] == ["copy 2 4 8", "contract 4", "vertex 8"]
    least = count(graph, ORDERS["copying-umbrellas-first"](graph)).multiplications
    assert count(graph, copied_umbrellas(graph)).multiplications == least + 1


def test_after_contraction_no_umbrella_has_an_interior():
    for graph in GRAPHS:
        assert umbrella_counts(remaining(graph, closed_contraction(graph)))[0] == 0
        assert umbrella_counts(remaining(graph, copying_contraction(graph))) == (0, 0)


def test_copying_contraction_is_the_elimination_of_single_uses():
    """Forth et al. 2004: in reverse order, whatever has one successor by then."""
    for graph in (g.reduced() for g in GRAPHS):
        after = [set(row) for row in graph.successors()]
        single = []
        for v in reversed(graph.intermediates()):
            if len(after[v]) == 1:
                single.append(v)
                for u in range(v):
                    if v in after[u]:
                        after[u] = after[u] - {v} | after[v]
        inside = [v for step in copying_contraction(graph) for v in step.interior]
        assert sorted(inside, reverse=True) == single


def test_umbrella_planners_are_never_worse_than_what_they_end_with():
    for graph in GRAPHS:
        for name in ("closed-umbrellas-first", "copying-umbrellas-first"):
            start = {"closed": closed_contraction, "copying": copying_contraction}
            steps = start[name.partition("-")[0]](graph)
            rest = remaining(graph, steps)
            cost = count(graph, ORDERS[name](graph)).multiplications
            for end in ("forward", "reverse", "markowitz-latest"):
                other = Sequence((*steps, *ORDERS[end](rest)))
                assert cost <= count(graph, other).multiplications
