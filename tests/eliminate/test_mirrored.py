"""Pairs of vertices on graphs that are their own mirror image: as without pairs, with
each product formed once.
"""

from __future__ import annotations

from random import Random

import pytest

from ad_transform.eliminate import ORDERS, PAIRED, count, parse_sequence, replay
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.counting import PlainAlgebra
from ad_transform.eliminate.order import runnable
from ad_transform.eliminate.replay import State
from ad_transform.eliminate.steps import EliminatePair, Sequence, Step
from ad_transform.graph import EdgeClass, Graph


class Whole:
    """Labels are whole numbers: sums in any order are the same."""

    unit = 1

    def multiply(self, out_edge: int, in_edge: int, u: int, v: int, w: int) -> int:
        return out_edge * in_edge

    def add(self, old: int, new: int, u: int, w: int) -> int:
        return old + new


def mirrored(seed: int, half: int, inputs: int) -> tuple[Graph, dict]:
    """A random function of so many values, its image, and bends between them."""
    random, last = Random(seed), 2 * half - 1
    labels = {}
    for u in range(half):
        for v in range(max(u + 1, inputs), half):
            if random.random() < 0.4:
                labels[u, v] = labels[last - v, last - u] = random.randint(-9, 9)
        for t in range(u + 1):
            if random.random() < 0.3:
                labels[u, last - t] = labels[t, last - u] = random.randint(-9, 9)
    sources = range(inputs)
    targets = [last - u for u in sources]
    edges = dict.fromkeys(labels, EdgeClass.VARIABLE)
    return Graph.build(2 * half, sources, targets, edges), labels


def graph_of(half: int, inputs: int, pairs: list[tuple[int, int]]) -> Graph:
    """A graph and its image: vertices from `half` on are images."""
    last = 2 * half - 1
    both = [*pairs, *((last - v, last - u) for u, v in pairs)]
    edges = dict.fromkeys(both, EdgeClass.VARIABLE)
    targets = [last - u for u in range(inputs)]
    return Graph.build(2 * half, range(inputs), targets, edges)


@pytest.mark.parametrize("order", PAIRED)
@pytest.mark.parametrize("seed", range(30))
def test_pairs_give_what_vertices_give(order: str, seed: int) -> None:
    graph, labels = mirrored(seed, 3 + seed % 6, 1 + seed % 3)
    entries = replay(graph, labels, PAIRED[order](graph), Whole())
    assert entries == replay(graph, labels, ORDERS["reverse"](graph), Whole())


@pytest.mark.parametrize("seed", range(10))
def test_pairs_in_any_order_give_the_same(seed: int) -> None:
    graph, labels = mirrored(seed, 8, 2)
    inner = [v for v in graph.intermediates() if v < 8]
    Random(seed).shuffle(inner)
    steps = Sequence(tuple(EliminatePair(v, 15 - v) for v in inner))
    entries = replay(graph, labels, steps, Whole())
    assert entries == replay(graph, labels, ORDERS["forward"](graph), Whole())


def test_no_order_of_pairs_costs_more_than_the_same_order_of_vertices() -> None:
    for seed in range(30):
        graph, _ = mirrored(seed, 8, 2)
        for plan in PAIRED.values():
            steps = plan(graph)
            singles = "".join(f"vertex {s.image}\nvertex {s.vertex}\n" for s in steps)
            alone = count(graph, parse_sequence(singles)).multiplications
            assert count(graph, steps).multiplications <= alone


@pytest.mark.parametrize(
    ("bends", "products"),
    [
        ([(2, 3)], 5),  # c a(0), c a(1); a(0) c a(0), a(0) c a(1), a(1) c a(1)
        ([(2, 4)], 2),  # a(0) b(1'), a(1) b(1') twice
        ([(2, 4), (2, 5)], 4),  # 2 a(0) b(0'), a(0) b(1') + a(1) b(0'), 2 a(1) b(1')
        ([(2, 3), (2, 4)], 5),  # as c alone: b(1') is added to c a(1)
        ([(2, 3), (2, 4), (2, 5)], 6),
    ],
)
def test_products_of_a_pair(bends: list[tuple[int, int]], products: int) -> None:
    graph = graph_of(3, 2, [(0, 2), (1, 2), *bends])
    assert count(graph, parse_sequence("pair 2 3")).multiplications == products
    alone = count(graph, parse_sequence("vertex 3\nvertex 2")).multiplications
    assert alone > products


def test_the_cheapest_pair_goes_first() -> None:
    # x0, x1 -> v2 -> v3, bent at v3: v2 first makes two edges of one
    graph = graph_of(4, 2, [(0, 2), (1, 2), (2, 3), (3, 4)])
    assert count(graph, PAIRED["edge-pushing"](graph)).multiplications == 2 + 5
    assert PAIRED["symmetric-markowitz"](graph) == PAIRED["edge-pushing"](graph)


@pytest.mark.parametrize("seed", range(10))
def test_every_pair_is_the_cheapest_of_those_that_are_left(seed: int) -> None:
    graph, labels = mirrored(seed, 10, 1)
    steps = list(PAIRED["symmetric-markowitz"](graph))

    def products(done: list[Step]) -> int:
        algebra = PlainAlgebra()
        State(graph, dict.fromkeys(labels), algebra).perform_all(done)
        return algebra.multiplications

    for k, taken in enumerate(steps):
        costs = {v: products([*steps[:k], v]) for v in steps[k:]}
        assert taken == min(costs, key=lambda v: (costs[v], -v.vertex))


DIFFERENCES = [(0, 6), (3, 6), (1, 7), (4, 7), (2, 8), (5, 8), (6, 9), (7, 9), (8, 9)]
"""x0, ..., x5 -> v6, v7 and v8, each of two of them, and v9 of these."""

LINE = [(9, 10), (10, 11)]


@pytest.mark.parametrize(
    ("half", "more", "order", "products"),
    [
        # bent by each: 48 where they go first, for v9 is one of six inputs then
        (10, [(6, 13), (7, 12), (8, 11), (9, 10)], [9, 8, 7, 6], 42),
        # v9 -> v10 -> v11, bent by these: 46 where v9 goes before them
        (
            12,
            [(9, 10), (10, 11), (9, 14), (10, 13), (11, 12)],
            [11, 10, 8, 7, 6, 9],
            37,
        ),
    ],
)
def test_what_is_made_of_several_inputs_goes_last_where_that_is_cheaper(
    half: int, more: list[tuple[int, int]], order: list[int], products: int
) -> None:
    graph = graph_of(half, 6, DIFFERENCES + more)
    plan = PAIRED["symmetric-markowitz"](graph)
    assert [step.vertex for step in plan] == order
    assert count(graph, plan).multiplications == products
    PAIRED["symmetric-markowitz"](graph, products)
    with pytest.raises(Dearer):
        PAIRED["symmetric-markowitz"](graph, products - 1)


def test_orders_of_pairs_are_for_large_graphs_too() -> None:
    graph = graph_of(7_000, 1, [(v, v + 1) for v in range(7_000)])
    assert runnable([*PAIRED], graph) == tuple(PAIRED)
    assert len(PAIRED["symmetric-markowitz"](graph)) == 6_999


def test_a_pair_that_is_none_is_refused() -> None:
    graph = graph_of(3, 2, [(0, 2), (1, 2), (2, 3)])
    with pytest.raises(ValueError, match="no mirror image"):
        count(graph, parse_sequence("vertex 2\npair 3 2"))
    lopsided = Graph.build(6, (0,), (5,), dict.fromkeys([(0, 2), (2, 5)], EdgeClass(2)))
    with pytest.raises(ValueError, match="no mirror image"):
        count(lopsided, parse_sequence("pair 2 3"))


def test_a_pair_is_a_step_that_can_be_read() -> None:
    assert str(parse_sequence("pair 2 3")) == "pair 2 3\n"
