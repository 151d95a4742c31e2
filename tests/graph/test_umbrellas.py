"""Umbrellas: Propositions 3.2, 3.3, 4.1 and 4.2 on random graphs, published counts."""

from itertools import chain, combinations

import pytest
from amounts import amount
from random_graphs import random_graph
from tracer import trace

from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.contractible import (
    Subgraph,
    delta,
    finest_decomposition,
    is_contractible,
)
from ad_transform.graph.umbrellas import (
    closed_chains,
    maximal_closed_umbrellas,
    maximal_copying_umbrellas,
    maximal_umbrellas,
    umbrella_counts,
)

SMALL = [random_graph(seed, most=7).reduced() for seed in range(250)]


def _umbrellas(graph):
    """All umbrellas, by Proposition 3.1."""
    classes = finest_decomposition(graph)
    if len(classes) > 9:
        return []
    unions = chain.from_iterable(
        combinations(classes, size) for size in range(1, len(classes) + 1)
    )
    parts = [Subgraph.spanned(chain.from_iterable(union)) for union in unions]
    return [part for part in parts if part.is_umbrella()]


def test_there_is_something_to_test():
    assert sum(len(_umbrellas(graph)) for graph in SMALL) > 500
    assert sum(len(maximal_closed_umbrellas(graph)) for graph in SMALL) > 100


def test_umbrellas_are_induced_by_their_vertices():
    """Proposition 3.2."""
    for graph in SMALL:
        for part in _umbrellas(graph):
            inside = {*part.vertices}
            assert part.edges == tuple(e for e in graph.edges if {*e} <= inside)


@pytest.mark.parametrize("closed", [False, True])
def test_umbrellas_form_an_intersecting_family(closed):
    """Proposition 3.3; unions and intersections are compared as vertex sets.

    A single vertex counts as the umbrella without edges.
    """
    for graph in SMALL:
        parts = [p for p in _umbrellas(graph) if p.is_closed_umbrella() or not closed]
        sets = {frozenset(part.vertices) for part in parts}
        sets |= {frozenset([v]) for v in range(graph.size)}
        for a, b in combinations(sorted(sets, key=sorted), 2):
            if a & b:
                assert a | b in sets
                assert a & b in sets


def test_contracting_an_umbrella_never_adds_edges():
    for graph in SMALL:
        assert all(delta(part) >= 0 for part in _umbrellas(graph))


def test_maximal_closed_umbrellas_are_the_maximal_ones_of_all():
    """Proposition 4.1."""
    for graph in SMALL:
        if len(finest_decomposition(graph)) > 9:
            continue
        sets = [{*p.vertices} for p in _umbrellas(graph) if p.is_closed_umbrella()]
        maximal = sorted(sorted(a) for a in sets if not any(a < b for b in sets))
        found = maximal_closed_umbrellas(graph)
        assert sorted(list(part.vertices) for part in found) == maximal
        assert all(is_contractible(graph, part.edges) for part in found)


def test_maximal_umbrellas_are_the_maximal_ones_of_all():
    """Proposition 3.3: they are disjoint."""
    interiors = 0
    for graph in SMALL:
        if len(finest_decomposition(graph)) > 9:
            continue
        sets = [{*p.vertices} for p in _umbrellas(graph)]
        maximal = sorted(sorted(a) for a in sets if not any(a < b for b in sets))
        found = maximal_umbrellas(graph)
        assert sorted(list(part.vertices) for part in found) == maximal
        assert all(is_contractible(graph, part.edges) for part in found)
        interiors += sum(len(part.interior) for part in found)
        closed = [part.vertices for part in maximal_closed_umbrellas(graph)]
        assert all(any({*c} <= {*p.vertices} for p in found) for c in closed)
    assert interiors > 50


def test_chains_are_the_closed_umbrellas():
    """Proposition 4.1: one for every pair of vertices of a chain."""
    for graph in SMALL:
        if len(finest_decomposition(graph)) > 9:
            continue
        pairs = {p for c in closed_chains(graph) for p in combinations(c, 2)}
        parts = [part for part in _umbrellas(graph) if part.is_closed_umbrella()]
        assert pairs == {(part.minimal[0], part.maximal[0]) for part in parts}


def copied(graph, edges):
    """The graph with these edges replaced by two in series, and old number to new."""
    fraction = {v: (v, 0) for v in range(graph.size)}
    middle = {edge: (edge[0], i + 1) for i, edge in enumerate(edges)}
    order = sorted([*fraction.values(), *middle.values()])
    number = {key: i for i, key in enumerate(order)}
    new = {v: number[fraction[v]] for v in fraction}
    classes = {}
    for (u, v), cls in zip(graph.edges, graph.classes, strict=True):
        if (u, v) in middle:
            w = number[middle[u, v]]
            classes[new[u], w], classes[w, new[v]] = EdgeClass.UNIT, cls
        else:
            classes[new[u], new[v]] = cls
    ends = [[new[v] for v in end] for end in (graph.independents, graph.dependents)]
    return Graph.build(len(order), *ends, classes), new, middle, number


def test_copying_makes_every_class_an_umbrella():
    """Proposition 4.2."""
    for graph in SMALL:
        found = maximal_copying_umbrellas(graph)
        edges = [edge for each in found for edge in each.copied]
        bigger, new, middle, number = copied(graph, edges)
        for each in found:
            inside = {new[v] for v in each.vertices}
            inside |= {number[middle[edge]] for edge in each.copied}
            part = Subgraph.spanned(e for e in bigger.edges if {*e} <= inside)
            assert is_contractible(bigger, part.edges)
            assert len(inside) == 1 or part.maximal == (new[each.top],)
            assert part.interior == tuple(new[v] for v in each.enclosed)
            assert {*each.enclosed} <= {*each.interior}


def test_no_umbrella_of_a_copied_graph_reaches_beyond_its_class():
    """Proposition 4.2, maximality: tried with copies of all edges of every subset."""
    for graph in SMALL[: amount(25, 60)]:
        if len(graph.edges) > 7:
            continue
        classes = [{*each.vertices} for each in maximal_copying_umbrellas(graph)]
        for size in range(len(graph.edges) + 1):
            for edges in combinations(graph.edges, size):
                bigger, new, _, _ = copied(graph, edges)
                old = {w: v for v, w in new.items()}
                for part in _umbrellas(bigger):
                    inside = {old[w] for w in part.vertices if w in old}
                    assert any(inside <= each for each in classes)


def test_copying_umbrellas_partition_the_live_vertices():
    for graph in SMALL:
        found = [v for each in maximal_copying_umbrellas(graph) for v in each.vertices]
        live = graph.live()
        assert sorted(found) == [v for v in range(graph.size) if live[v]]


# fmt: off
UMBRELLAS = {  # closed, interior vertices, copying, interior vertices
    "robot_arm":          (3, 4,  8, 99),
    "heart_dipole":       (0, 0, 14, 72),
    "propane_combustion": (0, 0, 12, 50),
}
# fmt: on


@pytest.mark.parametrize("name", UMBRELLAS)
def test_umbrellas_of_published_graphs(name):
    graph = trace(name)
    closed, inside, copying, below = UMBRELLAS[name]
    assert umbrella_counts(graph) == (closed, copying)
    found = maximal_closed_umbrellas(graph)
    assert sum(len(part.interior) for part in found) == inside
    parts = maximal_copying_umbrellas(graph)
    assert sum(len(part.interior) for part in parts) == below
