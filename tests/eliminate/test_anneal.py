"""Searches over orders: prices are right, results are never worse and reproducible."""

from itertools import permutations

import pytest
from amounts import amount
from random_graphs import Numbers, bauer, random_graph, random_labels
from tracer import trace

from ad_transform.eliminate import ORDERS, Dearer, count, count_practical, replay
from ad_transform.eliminate.anneal import anneal, anneal_priced, move
from ad_transform.eliminate.bits import BitGraph
from ad_transform.eliminate.exact import solve
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.eliminate.models import PLAIN, PRACTICAL, plain_model, practical_model
from ad_transform.eliminate.randomness import Random
from ad_transform.eliminate.splits import anneal_splits
from ad_transform.eliminate.steps import SplitVertex
from ad_transform.eliminate.traces import Touched, normal
from ad_transform.eliminate.windows import anneal_windows, rearranged
from ad_transform.graph import EdgeClass, Graph

GRAPHS = [random_graph(seed, most=25, fan=2) for seed in range(40)]


def _orders(graph):
    for name in ("forward", "reverse", "markowitz", "min-edge-growth"):
        yield [step.vertex for step in ORDERS[name](graph)]


def test_models_count_what_replay_counts():
    for graph in GRAPHS:
        bits = BitGraph.of(graph)
        number = {v: i for i, v in enumerate(bits.vertices)}
        plain, practical = plain_model(bits), practical_model(bits, graph)
        for order in _orders(graph):
            sequence = vertex_sequence(order)
            numbers = [number[v] for v in order]
            assert plain.price(numbers) == count(graph, sequence).multiplications
            found = count_practical(graph, sequence).multiplications
            assert practical.price(numbers) == found


def test_annealing_finds_the_optimum_of_small_graphs():
    found = 0
    for graph in (random_graph(seed, most=9, fan=3) for seed in range(40)):
        bits = BitGraph.of(graph)
        model = plain_model(bits)
        order, price = anneal(model, list(range(bits.count)), 300, 1)
        assert sorted(order) == list(range(bits.count))
        assert price == model.price(order) <= model.price(range(bits.count))
        found += price == solve(graph).cost
    assert found >= 38


def test_annealing_is_reproducible():
    model = plain_model(BitGraph.of(trace("robot_arm", merged=True)))
    start = list(range(model.count))
    assert anneal(model, start, 500, 7) == anneal(model, start, 500, 7)
    assert anneal(model, start, 500, 7) != anneal(model, start, 500, 8)


def test_annealing_by_any_price():
    graph = trace("lighthouse")

    def price(order, limit):
        paid = count(graph, vertex_sequence(order)).multiplications
        if limit is not None and paid > limit:
            raise Dearer
        return paid

    order, paid = anneal_priced(list(graph.intermediates()), price, 300, 1)
    assert paid == price(order, None) == 18


def test_a_rearranged_order_costs_the_same():
    for graph in GRAPHS:
        for order in _orders(graph):
            other = rearranged(graph, order)
            assert sorted(other) == sorted(order)
            old = count(graph, vertex_sequence(order))
            assert count(graph, vertex_sequence(other)) == old


@pytest.mark.parametrize(
    ("measure", "model"), [(PLAIN, count), (PRACTICAL, count_practical)]
)
def test_windows_never_make_an_order_dearer(measure, model):
    for seed in range(6):
        graph = random_graph(seed, most=300, fan=2)
        order = [step.vertex for step in ORDERS["markowitz"](graph)]
        better = vertex_sequence(anneal_windows(graph, order, 800, 1, measure))
        old = model(graph, vertex_sequence(order)).multiplications
        assert model(graph, better).multiplications <= old


def test_splits_cover_the_edge_elimination_of_figure_5():
    edges = [(0, 2), (1, 2), (2, 3), (2, 4)] + [(3, y) for y in range(4, 9)]
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    graph = Graph.build(9, [0, 1], range(4, 9), classes)
    sequence, price = anneal_splits(graph, [2, 3], _plain(graph), 3_000, 1)
    assert price == count(graph, sequence).multiplications == 13
    assert sequence.steps[0] == SplitVertex(3, 9, (2,), (4,))


def _plain(graph):
    return lambda sequence, limit: count(graph, sequence, limit).multiplications


def test_split_searches_stay_applicable_and_never_get_worse():
    for graph in GRAPHS[:20]:
        order = list(graph.intermediates())
        sequence, price = anneal_splits(graph, order, _plain(graph), 150, 3)
        assert price == count(graph, sequence).multiplications
        assert price <= count(graph, vertex_sequence(order)).multiplications


def test_many_splits_and_splits_of_clones_keep_the_jacobian():
    """The price asks for splits, so that there are many."""
    nested = 0
    for seed, graph in enumerate(GRAPHS[:20]):
        labels = random_labels(graph, seed)
        price = lambda sequence, limit: 1_000 - len(sequence)  # noqa: E731
        sequence, _ = anneal_splits(
            graph, list(graph.intermediates()), price, 300, seed
        )
        assert replay(graph, labels, sequence, Numbers()) == bauer(graph, labels)
        splits = [step for step in sequence if isinstance(step, SplitVertex)]
        nested += sum(step.vertex >= graph.size for step in splits)
    assert nested > 10


def test_random_numbers_are_those_of_splitmix64():
    random = Random(1234567)
    assert [random.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_random_numbers_have_their_distributions():
    random = Random(0)
    hits = [0] * 7
    for _ in range(7_000):
        hits[random.below(7)] += 1
    assert min(hits) > 900
    numbers = [random.exponential() for _ in range(5_000)]
    assert 235 < sum(numbers) / len(numbers) < 280
    assert 0.12 < sum(n > 512 for n in numbers) / len(numbers) < 0.15


class Terms:
    """Labels that remember the products and sums they were made by."""

    unit = ("1",)

    def multiply(self, out_edge, in_edge, u, v, w):
        return ("*", out_edge, in_edge)

    def add(self, old, new, u, w):
        return ("+", old, new)


def test_orders_of_one_trace_do_the_same():
    """Labels are the same down to the order of sums; there are far fewer traces."""
    orders, traces = 0, 0
    for seed in range(30):
        graph = random_graph(seed, most=6, fan=2)
        bits = BitGraph.of(graph)
        known = {}
        for order in permutations(range(bits.count)):
            same = normal(bits.before, bits.after, order)
            sequence = vertex_sequence(bits.vertices[v] for v in order)
            edges = {edge: edge for edge in graph.edges}
            labels = replay(graph, edges, sequence, Terms())
            assert known.setdefault(same, labels) == labels
            assert normal(bits.before, bits.after, same) == same
            orders += 1
        traces += len(known)
    assert 3 * traces < orders


def test_blocks_that_do_not_touch_change_places_within_a_trace():
    """That is seen at once, with what each vertex is next to; it stays as it was."""
    random, within, out = Random(1), 0, 0
    for seed in range(40):
        bits = BitGraph.of(random_graph(seed, most=9, fan=2))
        sets, order = (bits.before, bits.after), list(range(bits.count))
        if bits.count < 2:
            continue
        for _ in range(20):
            low, high, window = move(order, random)
            moved = order[:low] + window + order[high:]
            found = Touched.of(*sets, order).moved(moved)
            same = normal(*sets, moved) == normal(*sets, order)
            assert (found is not None) is same
            assert found is None or found == Touched.of(*sets, moved)
            within, out, order = within + same, out + (not same), moved
    assert within > 20 and out > 20


def repeated(block, times):
    """Copies of a block of vertices from 0 on, the last two of each the next inputs."""
    size = 1 + max(v for edge in block for v in edge)
    edges = {
        (u + (size - 2) * k, v + (size - 2) * k): EdgeClass.VARIABLE
        for k in range(times)
        for u, v in block
    }
    last = 2 + (size - 2) * times
    return Graph.build(last, [0, 1], [last - 2, last - 1], edges)


@pytest.mark.parametrize("times", [100, amount(300, 1_000)])
def test_a_function_that_is_called_often_is_solved_once(monkeypatch, times):
    """As many windows are annealed for many calls as for 100."""
    block = [(0, 2), (1, 2), (2, 3), (1, 3), (3, 4), (2, 4), (2, 5), (4, 5), (3, 6)]
    block += [(5, 6), (0, 7), (6, 7), (4, 8), (7, 9), (8, 9), (8, 10), (6, 10)]
    graph = repeated(block, times)
    solved = []

    def counted(*args):
        solved.append(args)
        return anneal(*args)

    monkeypatch.setattr("ad_transform.eliminate.windows.anneal", counted)
    order = [step.vertex for step in ORDERS["forward"](graph)]
    better = anneal_windows(graph, order, 8_000, 0, PLAIN)
    assert len(solved) <= 40
    before, after = (count(graph, vertex_sequence(o)) for o in (order, better))
    assert after.multiplications < before.multiplications
