"""Products sweep through the cheapest graph, which a Jacobian is often not."""

from __future__ import annotations

import pytest
from amounts import seeds
from random_graphs import random_graph
from support import generate
from support_counts import counts_of

from ad_transform.eliminate import ORDERS, count, fewest_edges, optimise_plain, replay
from ad_transform.eliminate.replay import State
from ad_transform.graph import EdgeClass, Graph

VARIABLE = EdgeClass.VARIABLE


def seeded(graph):
    """The graph of the product of the Jacobian with a vector: one more source."""
    shift = {(u + 1, v + 1): VARIABLE for u, v in graph.edges}
    seeds = {(0, x + 1): VARIABLE for x in graph.independents}
    ends = [y + 1 for y in graph.dependents]
    return Graph.build(graph.size + 1, [0], ends, seeds | shift)


def star(n, m):
    """n inputs, one value, m outputs."""
    edges = [(u, n) for u in range(n)] + [(n, n + 1 + w) for w in range(m)]
    ends = range(n + 1, n + 1 + m)
    return Graph.build(n + 1 + m, range(n), ends, dict.fromkeys(edges, VARIABLE))


@pytest.mark.parametrize(("n", "m"), [(5, 7), (10, 3), (20, 20)])
def test_a_scarce_map_costs_its_edges_not_its_entries(n, m):
    assert optimise_plain(star(n, m)).price == n * m
    assert optimise_plain(seeded(star(n, m))).price == n + m
    assert fewest_edges(star(n, m))[1] == star(n, m).edges


@pytest.mark.parametrize("kind", ["jvp", "vjp"])
def test_a_product_with_a_scarce_jacobian_is_emitted_scarce(kind):
    n, m = 6, 5
    names = ", ".join(f"x{k}" for k in range(n))
    total = " + ".join(f"a{k} * x{k}" for k in range(n))
    results = ", ".join(f"a{k} * s" for k in range(m))
    constants = ", ".join(f"a{k}" for k in range(n))
    source = (
        f"# ad: {kind}({names})\ndef f({constants}, {names}):\n"
        f"    s = {total}\n    return {results}\n"
    )
    counts = counts_of(generate(source, container="tuple"), f"f_{kind}")
    assert counts.mul == 2 * (n + m)  # value and product; the Jacobian alone has n m


def test_products_cost_no_more_than_sweeps_or_the_jacobian():
    for seed in seeds(8, 20):
        graph = random_graph(seed, most=8, fan=3)
        product = seeded(graph)
        found = optimise_plain(product).price
        sweeps = [count(product, ORDERS[n](product)) for n in ("forward", "reverse")]
        plan = optimise_plain(graph).sequence
        labels = dict.fromkeys(graph.edges, 1.0)
        entries = len(replay(graph, labels, plan, Numbers()))
        through = count(graph, plan).multiplications + entries
        assert found <= min(sweep.multiplications for sweep in sweeps)
        assert found <= through


class Numbers:
    unit = 1.0
    products = 0

    def multiply(self, out_edge, in_edge, u, v, w):
        self.products += 1
        return out_edge * in_edge

    def add(self, old, new, u, w):
        return old + new


def test_the_edges_that_are_left_are_those_of_the_partial_elimination():
    fewer = 0
    for seed in seeds(33, 100):
        graph = random_graph(seed, most=12, fan=3)
        sequence, edges = fewest_edges(graph)
        state = State(graph, dict.fromkeys(graph.edges, 1.0), Numbers())
        alive = sum(map(len, state.rows.values()))
        state.perform_all(sequence)
        left = {(u, w) for u, row in state.rows.items() for w in row}
        assert left == set(edges) and len(left) <= alive
        fewer += len(left) < alive
    assert fewer > 30


def test_the_planner_pays_for_the_preaccumulation_and_the_edges_left():
    for seed in seeds(16, 50):
        product = seeded(random_graph(seed, most=12, fan=3))
        sequence, edges = fewest_edges(product)
        paid = count(product, ORDERS["fewest-edges-first"](product)).multiplications
        numbers = Numbers()
        state = State(product, dict.fromkeys(product.edges, 1.0), numbers)
        state.perform_all(sequence)
        assert paid <= numbers.products + len(edges)
