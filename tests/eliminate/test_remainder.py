"""Partial eliminations, and the products with vectors that finish them."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from amounts import seeds
from dense import Numpy, Random, matrix
from random_graphs import Numbers, bauer, random_graph, random_labels
from random_steps import random_steps

from ad_transform.eliminate import (
    ORDERS,
    BackEliminateEdge,
    Dearer,
    EliminateVertex,
    FrontEliminateEdge,
    choose,
    count_vector,
    fewest_edges,
    jvp,
    optimise,
    parse_sequence,
    partial,
    vjp,
)
from ad_transform.eliminate.linear import (
    Broadcast,
    Dense,
    Diagonal,
    Gather,
    Left,
    Maps,
    Right,
    Scaled,
    Scatter,
    Sum,
    price_of_maps,
    scaling,
)
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.graph import EdgeClass, Graph
from ad_transform.ir.dims import elements


class Scalars(Numbers):
    """Numbers that are applied to numbers."""

    def apply(self, label, x):
        return label * x

    apply_transposed = apply

    def plus(self, a, b):
        return a + b


def _checked(left, jacobian, size):
    """The two products with vectors against the Jacobian of a graph of scalars."""
    x_dot = {x: 1 + 3 * x for x in left.independents}
    y_bar = {y: 2 + 5 * y for y in left.dependents}
    forward, reverse = jvp(left, x_dot, Scalars()), vjp(left, y_bar, Scalars())
    for y in left.dependents:
        column = [e * x_dot[x] for (x, z), e in jacobian.items() if z == y]
        assert forward.get(y, 0) == sum(column)
    for x in left.independents:
        row = [e * y_bar[y] for (z, y), e in jacobian.items() if z == x]
        assert reverse.get(x, 0) == sum(row)


def test_an_elimination_may_stop_anywhere_and_be_finished_by_products():
    for seed in seeds(50, 150):
        graph = random_graph(seed)
        labels = random_labels(graph, seed)
        jacobian = bauer(graph, labels)
        steps = tuple(parse_sequence(random_steps(graph, seed)))  # copies and clones
        for length in range(len(steps) + 1):
            left = partial(graph, labels, steps[:length], Scalars())
            assert not left.refused
            _checked(left, jacobian, graph.size)
        assert left.complete and left.labels == dict(sorted(jacobian.items()))


def test_scarce_jacobians_are_finished_by_products():
    for seed in seeds(16, 50):
        graph = random_graph(seed, most=12, fan=3)
        labels = random_labels(graph, seed)
        sequence, edges = fewest_edges(graph)
        left = partial(graph, labels, sequence, Scalars())
        assert tuple(left.labels) == edges
        _checked(left, bauer(graph, labels), graph.size)


def test_a_missing_seed_is_zero_and_a_zero_is_missing():
    edges = dict.fromkeys([(0, 2), (1, 3)], EdgeClass.VARIABLE)
    graph = Graph.build(4, [0, 1], [2, 3], edges)
    left = partial(graph, {(0, 2): 5, (1, 3): 7}, (), Scalars())
    assert jvp(left, {1: 2}, Scalars()) == {3: 14}
    assert vjp(left, {2: 3}, Scalars()) == {0: 15}
    assert jvp(left, {}, Scalars()) == {}


def _arrays(ends, edges):
    """The graph of these labels: its vertices have the dims that the labels say."""
    independents, dependents = ends
    dims = {}
    for (u, v), m in edges.items():
        dims[u], dims[v] = m.source, m.target
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    graph = Graph.build(len(dims), independents, dependents, classes, dims)
    return graph, {edge: (m,) for edge, m in edges.items()}


R = Random(7)
IN, OUT = R.index((4,), (6,)), R.index((4,), (5,))
# fmt: off
CASES = {
    # y = sum(b * sin(a * x))
    "chain": ([[0], [4]], {
        (0, 1): scaling((6,), R.array()),
        (1, 2): Diagonal((6,), R.array(6)),
        (2, 3): Diagonal((6,), R.array(6)),
        (3, 4): Sum((6,), (0,)),
    }),
    # r = A x; y = sin(r) + sum(r) * c; the sum is broadcast
    "diamond": ([[0], [4]], {
        (0, 1): Dense((3,), (5,), R.array(5, 3)),
        (1, 2): Sum((5,), (0,)),
        (2, 3): Scaled(R.array(), Broadcast((5,), (0,))),
        (1, 4): Diagonal((5,), R.array(5)),
        (3, 4): scaling((5,), R.array()),
    }),
    # z = d * x[i]; y = zeros(5); y[j] += w * z; y += B z
    "gather and scatter": ([[0, 1], [5, 6]], {
        (0, 2): Gather((6,), (4,), IN),
        (1, 3): Dense((2,), (4,), R.array(4, 2)),
        (2, 3): Diagonal((4,), R.array(4)),
        (2, 4): Gather((4,), (3,), np.array([3, 1, 1])),
        (3, 4): Gather((4,), (3,), np.array([0, 2, 3]), R.array(3)),
        (3, 5): Scatter((4,), (5,), OUT),
        (2, 5): Scatter((4,), (5,), OUT, R.array(4)),
        (4, 5): Dense((3,), (5,), R.array(5, 3)),
        (4, 6): Sum((3,), (0,)),
    }),
    # Y = A X B; s = sum(C * Y); t = Y[0] + row sums of X
    "matrix product": ([[0], [4, 5]], {
        (0, 1): Left((2, 3), (4,), R.array(2, 3)),
        (1, 2): Right((4, 3), (2,), R.array(4, 3)),
        (2, 3): Diagonal((2, 3), R.array(2, 3)),
        (3, 4): Sum((2, 3), (0, 1)),
        (2, 5): Gather((2, 3), (3,), np.array([0, 1, 2])),
        (0, 5): Sum((3, 4), (1,)),
    }),
    # an outer product: x -> one number -> y
    "outer product": ([[0], [2]], {
        (0, 1): Dense((6,), (), R.array(6)),
        (1, 2): Dense((), (6,), R.array(6)),
    }),
    # all small: every vertex is worth its elimination
    "two by two": ([[0, 1], [4]], {
        (0, 2): Dense((2,), (2,), R.array(2, 2)),
        (1, 2): Left((2, 2), (), R.array(2, 2)),
        (1, 3): Dense((2,), (2,), R.array(2, 2)),
        (2, 3): Diagonal((2,), R.array(2)),
        (2, 4): Dense((2,), (2,), R.array(2, 2)),
        (3, 4): Dense((2,), (2,), R.array(2, 2)),
    }),
}
# fmt: on


def _blocks(graph, labels):
    """The Jacobian by blocks of full matrices (Bauer's formula)."""
    full = {edge: sum(map(matrix, label)) for edge, label in labels.items()}
    rows = {v: {} for v in range(graph.size)}
    for x in graph.independents:
        rows[x][x] = np.eye(graph.elements()[x], dtype=int)
    for u, v in graph.edges:
        for x, block in rows[u].items():
            rows[v][x] = rows[v].get(x, 0) + full[u, v] @ block
    return {(x, y): rows[y][x] for y in graph.dependents for x in rows[y]}


def _by_products(left, graph, maps):
    """The blocks of the Jacobian by products with unit vectors, in both modes."""
    forward, reverse = {}, {}
    for ends, walk, blocks in (
        (graph.independents, jvp, forward),
        (graph.dependents, vjp, reverse),
    ):
        for end in ends:
            dims, n = graph.dims_of(end), graph.elements()[end]
            for unit in np.eye(n, dtype=int).reshape((n, *dims)):
                for other, column in walk(left, {end: unit}, maps).items():
                    blocks.setdefault((end, other), []).append(column.ravel())
    columns = {edge: np.array(rows).T for edge, rows in forward.items()}
    rows = {(x, y): np.array(rows) for (y, x), rows in reverse.items()}
    return columns, rows


def _same(found, expected):
    assert found.keys() == expected.keys()
    assert all((found[edge] == expected[edge]).all() for edge in expected)


@pytest.mark.parametrize("products", [None, 1, 10])
@pytest.mark.parametrize("case", CASES)
def test_all_orders_of_array_vertices_agree_with_full_matrices(case, products):
    graph, labels = _arrays(*CASES[case])
    expected = _blocks(graph, labels)
    for order in permutations(graph.intermediates()):
        maps = Maps(Numpy(), products)
        left = partial(graph, labels, vertex_sequence(order), maps)
        for found in _by_products(left, graph, maps):
            _same(found, expected)
        if left.complete:
            _same({e: sum(map(matrix, m)) for e, m in left.labels.items()}, expected)


# fmt: off
REFUSED = {
    "chain":              [],
    "diamond":            [2],     # a sum and its broadcast would be a full matrix
    "gather and scatter": [4, 3, 2],
    "matrix product":     [2, 1],  # A X B has no form, nor a row of X B
    "outer product":      [1],
    "two by two":         [],
}
# fmt: on


@pytest.mark.parametrize("case", CASES)
def test_what_is_refused_in_reverse_order(case):
    graph, labels = _arrays(*CASES[case])
    maps = Maps(Numpy())
    left = partial(graph, labels, ORDERS["reverse"](graph), maps)
    assert left.refused == tuple(map(EliminateVertex, REFUSED[case]))
    assert left.complete == (not left.refused)


@pytest.mark.parametrize("case", CASES)
def test_the_price_of_an_order_is_what_its_products_count(case):
    graph, labels = _arrays(*CASES[case])
    for products in (1, 3):
        price = price_of_maps(graph, labels, products, {})
        for order in permutations(graph.intermediates()):
            numbers = Numpy()
            maps = Maps(numbers, products)
            sequence = vertex_sequence(order)
            left = partial(graph, labels, sequence, maps)
            for _ in range(products):
                jvp(left, {x: _ones(graph, x) for x in left.independents}, maps)
            assert price(sequence, None) == numbers.multiplications
            before = numbers.multiplications
            vjp(left, {y: _ones(graph, y) for y in left.dependents}, maps)
            assert (numbers.multiplications - before) * products <= before
            with pytest.raises(Dearer):
                price(sequence, before - 1)


def _ones(graph, vertex):
    return np.ones(graph.dims_of(vertex), dtype=int)


def test_no_product_that_is_formed_makes_a_label_dearer():
    random, maps = Random(4), Maps(Numpy())
    shapes = [(), (2,), (3,), (2, 3)]
    pairs = [
        ((second,), (first,))
        for a in shapes
        for b in shapes
        for c in shapes
        for first in random.between(a, b)
        for second in random.between(b, c)
    ]
    for pair in pairs[::7]:
        if maps.composes(*pair, 0, 1, 2):
            whole = maps.multiply(*pair, 0, 1, 2)
            assert maps.price(whole) <= sum(map(maps.price, pair))


def test_few_products_with_vectors_do_not_pay_for_products_of_matrices():
    """20 x 20 matrices: forming one costs 8000, and saves 400 with every vector."""
    square = (Dense((20,), (20,), R.array(20, 20)),)
    for products, worth in ((None, True), (1, False), (19, False), (20, True)):
        assert Maps(Numpy(), products).composes(square, square, 0, 1, 2) is worth


def test_many_products_with_vectors_do_not_pay_for_an_outer_product():
    column, row = CASES["outer product"][1].values()
    for products in (None, 1, 1000):
        assert not Maps(Numpy(), products).composes((row,), (column,), 0, 1, 2)


def test_scalars_are_one_instance_of_linear_maps():
    for seed in seeds(13, 40):
        graph = random_graph(seed)
        labels = random_labels(graph, seed)
        maps = Maps(Numpy())
        sequence = parse_sequence(random_steps(graph, seed))
        labels = {edge: int(7 * x) for edge, x in labels.items()}
        edges = {e: (scaling((), np.array(x)),) for e, x in labels.items()}
        left = partial(graph, edges, sequence, maps)
        found = {e: maps.apply(label, np.array(1)) for e, label in left.labels.items()}
        assert found == bauer(graph, labels)


def test_dense_labels_cost_what_the_vector_count_says():
    dims = (4, 2, 3, 5)
    edges = {
        (v, v + 1): Dense((a,), (b,), R.array(b, a))
        for v, (a, b) in enumerate(pairwise(dims))
    }
    graph, labels = _arrays([[0], [3]], edges)
    for order in ((1, 2), (2, 1)):
        numbers = Numpy()
        maps = Maps(numbers, 100)
        maps.composes = lambda *path: True
        partial(graph, labels, vertex_sequence(order), maps)
        vector = count_vector(graph, vertex_sequence(order))
        assert numbers.multiplications == vector.multiplications


def test_the_choice_of_an_order_may_go_by_the_price_of_maps():
    graph, labels = _arrays(*CASES["matrix product"])
    price = price_of_maps(graph, labels, 1, {})
    best = choose(graph, ("forward", "reverse", "markowitz"), price)
    assert best.price == min(
        price(ORDERS[name](graph), None) for name in ("forward", "reverse", "markowitz")
    )


def _random_arrays(seed):
    """A random graph of small arrays, with labels of random forms."""
    scalars, random = random_graph(seed), Random(seed)
    shapes = [(), (2,), (3,), (2, 2)]
    dims = [shapes[i] for i in random.bits.integers(0, 4, scalars.size)]
    classes = dict(zip(scalars.edges, scalars.classes, strict=True))
    ends = scalars.independents, scalars.dependents
    graph = Graph.build(scalars.size, *ends, classes, dict(enumerate(dims)))
    labels = {}
    for u, v in graph.edges:
        maps = random.between(dims[u], dims[v])
        labels[u, v] = (maps[random.bits.integers(len(maps))],)
    return graph, labels


def test_random_sequences_on_random_arrays_keep_the_jacobian():
    refused, tried = 0, seeds(40, 120)
    for seed in tried:
        graph, labels = _random_arrays(seed)
        expected = _blocks(graph.reduced(), labels)
        sequence = parse_sequence(random_steps(graph, seed))
        for products in (None, 1, 5):
            maps = Maps(Numpy(), products)
            left = partial(graph, labels, sequence, maps)
            refused += len(left.refused)
            for found in _by_products(left, graph, maps):
                _same(found, expected)
    assert refused > len(tried) * 5 // 6


def test_searches_go_by_the_price_of_maps():
    for seed in range(6):
        graph, labels = _random_arrays(seed)
        price = price_of_maps(graph, labels, 3, {})
        plan = optimise(graph, price, 2)
        assert plan.price == price(plan.sequence, None)
        assert plan.price <= price(ORDERS["reverse"](graph), None)


def test_maps_without_a_common_form_stand_side_by_side():
    maps = Maps(Numpy())
    gather = Gather((3,), (3,), np.array([1, 2, 0]))
    diagonal = Diagonal((3,), np.array([1, 2, 3]))
    both = maps.add((gather,), (diagonal,), 0, 1)
    assert both == (gather, diagonal)
    twice = maps.add(both, (diagonal, gather), 0, 1)
    assert [type(m) for m in twice] == [Scaled, Scaled]
    assert (maps.apply(twice, np.array([1, 10, 100])) == [22, 240, 602]).all()


class Written:
    """Arrays that are expressions: what is done with them is written as a program."""

    def __init__(self):
        self.lines = []

    def elements(self, dims):
        return elements(dims, {})

    def number(self, value):
        return f"np.array({value})"

    def __getattr__(self, name):
        def write(*values):
            self.lines.append(f"t{len(self.lines)} = do.{name}({', '.join(values)})")
            return f"t{len(self.lines) - 1}"

        return lambda *values: write(*map(str, values))


def test_arrays_of_run_time_shape_may_be_values_of_a_program():
    """y = s(w * sin(x)[i]): the program is written once, and run for two lengths."""
    n, m = ("n",), ("m",)
    edges = {
        (0, 1): Diagonal(n, "cos_x"),
        (1, 2): Gather(n, m, "i"),
        (2, 3): Diagonal(m, "w"),
        (3, 4): Sum(m, (0,)),
    }
    graph, labels = _arrays([[0], [4]], edges)
    written = Written()
    maps = Maps(written)
    left = partial(graph, labels, vertex_sequence([2, 3, 1]), maps)
    assert left.complete
    result = jvp(left, {0: "x_dot"}, maps)[4]
    program = "\n".join(written.lines)
    for length in (4, 9):
        names = {
            "cos_x": R.array(length),
            "x_dot": R.array(length),
            "w": R.array(5),
            "i": R.index((5,), (length,)),
            "do": Numpy(n=length, m=5),
            "n": length,
        }
        expected = (names["w"] * (names["cos_x"] * names["x_dot"])[names["i"]]).sum()
        exec(program, names)
        assert names[result] == expected


def test_names_in_dims_count_as_many_elements_as_they_are_said_to_have():
    edges = {
        (0, 1): Diagonal(("n",), ("n",)),
        (1, 2): Diagonal(("n",), ("n",)),
    }
    graph, labels = _arrays([[0], [2]], edges)
    order = vertex_sequence([1])
    assert price_of_maps(graph, labels, 1, {})(order, None) == 10 + 10
    assert price_of_maps(graph, labels, 3, {"n": 4})(order, None) == 4 + 3 * 4


def test_steps_that_need_what_was_refused_are_refused_too():
    graph, labels = _arrays(*CASES["outer product"])
    sequence = parse_sequence("back 1 2\ncopy 1 2 3\nfront 1 3\nfront 0 3")
    left = partial(graph, labels, sequence, Maps(Numpy()))
    assert left.refused == (BackEliminateEdge(1, 2), FrontEliminateEdge(0, 3))
    _same(_by_products(left, graph, Maps(Numpy()))[0], _blocks(graph, labels))


def _copies(*vertices):
    """Copies of copies on the way to vertex 3."""
    return parse_sequence("\n".join(f"copy {u} 3 {v}" for u, v in pairwise(vertices)))


def test_copies_of_arrays_have_identities_for_labels():
    graph, labels = _arrays(*CASES["matrix product"])
    maps = Maps(Numpy())
    left = partial(graph, labels, _copies(2, 6, 7, 8), maps)
    assert {left.labels[v, v + 1][0].source for v in (6, 7)} == {(2, 3)}
    assert left.order.index(8) < left.order.index(3)
    for found in _by_products(left, graph, maps):
        _same(found, _blocks(graph, labels))


def test_labels_must_fit_the_vertices():
    graph, labels = _arrays(*CASES["outer product"])
    labels[0, 1] = (Dense((5,), (), R.array(5)),)
    with pytest.raises(ValueError, match=r"label of 0 -> 1 maps \(5,\) to \(\)"):
        partial(graph, labels, (), Maps(Numpy()))


def test_faces_leave_no_graph():
    graph, labels = _arrays(*CASES["outer product"])
    with pytest.raises(ValueError, match="no steps on faces"):
        partial(graph, labels, parse_sequence("face 0 1"), Maps(Numpy()))
    with pytest.raises(ValueError, match="leaves no graph"):
        partial(
            graph, dict.fromkeys(graph.edges, 1), parse_sequence("face 0 1"), Scalars()
        )


def test_a_product_that_was_not_asked_for_is_no_product():
    graph, labels = _arrays(*CASES["diamond"])
    maps = Maps(Numpy())
    with pytest.raises(ValueError, match="labels of 1 -> 2 -> 3 do not compose"):
        maps.multiply(labels[2, 3], labels[1, 2], 1, 2, 3)
    assert (
        BackEliminateEdge(2, 3)
        in partial(graph, labels, parse_sequence("back 2 3"), maps).refused
    )
