"""Dynamic programming over chains against all orders."""

from itertools import pairwise, permutations

import pytest
from amounts import seeds
from random_graphs import random_graph, splitmix

from ad_transform.eliminate import ORDERS, count, count_vector
from ad_transform.eliminate.chains import MOST, chain_order, level_chains
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.graph import EdgeClass, Graph


def _chain(length):
    edges = {(v, v + 1): EdgeClass.VARIABLE for v in range(length)}
    return Graph.build(length + 1, [0], [length], edges)


def test_the_order_of_a_chain_is_the_best_of_all_and_costs_what_replay_counts():
    bits = splitmix(5)
    for _ in range(40):
        length = 1 + next(bits) % 6
        dimensions = [1 + next(bits) % 9 for _ in range(length + 1)]
        graph, sizes = _chain(length), dict(enumerate(dimensions))
        costs = [
            count_vector(graph, vertex_sequence(order), sizes).multiplications
            for order in permutations(range(1, length))
        ]
        order, cost = chain_order(dimensions)
        assert cost == min(costs)
        found = count_vector(graph, vertex_sequence(order), sizes)
        assert found.multiplications == cost


def test_dims_lead_the_planners_to_the_best_order_of_a_chain():
    bits = splitmix(6)
    for _ in range(40):
        dims = [1 + next(bits) % 9 for _ in range(2 + next(bits) % 6)]
        edges = _chain(len(dims) - 1).edges
        graph = Graph.build(
            len(dims),
            [0],
            [len(dims) - 1],
            dict.fromkeys(edges, EdgeClass.VARIABLE),
            {v: (d,) for v, d in enumerate(dims)},
        )
        found = count_vector(graph, ORDERS["level-chains"](graph)).multiplications
        assert found == chain_order(dims)[1]


def test_a_textbook_chain():
    assert chain_order([30, 35, 15, 5, 10, 20, 25])[1] == 15125


def test_a_chain_has_two_ends():
    with pytest.raises(ValueError, match="at least two"):
        chain_order([3])


def _layered(seed):
    """A graph of full layers of random widths."""
    bits = splitmix(seed)
    widths = [1 + next(bits) % 4 for _ in range(5)]
    starts = [sum(widths[:i]) for i in range(len(widths) + 1)]
    layers = [range(starts[i], starts[i + 1]) for i in range(len(widths))]
    edges = {
        (u, v): EdgeClass.VARIABLE
        for above, below in pairwise(layers)
        for u in above
        for v in below
    }
    return Graph.build(starts[-1], layers[0], layers[-1], edges), layers, widths


def test_levels_of_a_full_layered_graph_are_a_chain_of_matrices():
    for seed in seeds(20, 60):
        graph, layers, widths = _layered(seed)
        order, cost = chain_order(widths)
        by_hand = vertex_sequence(v for level in order for v in layers[level])
        assert count(graph, by_hand).multiplications == cost
        assert count(graph, level_chains(graph)).multiplications == cost


def test_deep_graphs_are_folded():
    graph = _chain(3 * MOST)
    assert count(graph, ORDERS["level-chains"](graph)).multiplications == 3 * MOST - 1


def test_level_chains_eliminate_everything():
    for seed in seeds(26, 80):
        graph = random_graph(seed, most=20, fan=3)
        assert {*level_chains(graph)} == {*ORDERS["forward"](graph)}
