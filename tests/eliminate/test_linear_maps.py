"""Linear maps against full matrices: products, sums, transposes, and their prices."""

from itertools import product

import numpy as np
import pytest
from dense import Numpy, Random, matrix

from ad_transform.eliminate.linear import (
    Broadcast,
    Dense,
    Diagonal,
    Gather,
    Identity,
    Left,
    Maps,
    Outlines,
    Right,
    Scaled,
    Scatter,
    Shapes,
    Solved,
    Sum,
    added,
    composed,
    scaling,
)

SHAPES = [(), (2,), (3,), (2, 3)]


def _shadows(*maps):
    outlines = Outlines()
    return [m.over(outlines) for m in maps]


def _pairs():
    """Two maps that can follow each other, of all forms and shapes; and their full
    matrices."""
    random = Random(1)
    maps = {
        ends: [(m, _explicit(m)) for m in random.between(*ends)]
        for ends in product(SHAPES, repeat=2)
    }
    for a, b, c in product(SHAPES, repeat=3):
        for first in maps[a, b]:
            for second in maps[b, c]:
                yield second, first


def _explicit(linear_map):
    """The full matrix, written down from the definition of the form."""
    m = linear_map
    if isinstance(m, Scaled):
        return m.factor * _explicit(m.core)
    full = np.zeros((*m.target, *m.source), dtype=int)
    for y in np.ndindex(*m.target):
        for x in np.ndindex(*m.source):
            full[y + x] = ENTRIES[type(m)](m, y, x)
    return full.reshape(np.prod(m.target, dtype=int), -1)


def _flat(place, dims):
    return np.ravel_multi_index(place, dims) if dims else 0


def _weight(m, place):
    return 1 if m.weights is None else m.weights[place]


def _rest(place, axes):
    return tuple(i for axis, i in enumerate(place) if axis not in axes)


# fmt: off
ENTRIES = {
    Identity:  lambda m, y, x: y == x,
    Diagonal:  lambda m, y, x: (y == x) * m.factors[y],
    Gather:    lambda m, y, x: (m.index[y] == _flat(x, m.source)) * _weight(m, y),
    Scatter:   lambda m, y, x: (m.index[x] == _flat(y, m.target)) * _weight(m, x),
    Broadcast: lambda m, y, x: _rest(y, m.axes) == x,
    Sum:       lambda m, y, x: _rest(x, m.axes) == y,
    Dense:     lambda m, y, x: m.matrix[y + x],
    Left:      lambda m, y, x: (y[1:] == x[1:]) * m.matrix[y[0], x[0]],
    Right:     lambda m, y, x: (y[:-1] == x[:-1]) * m.matrix[x[-1], y[-1]],
    Solved:    lambda m, y, x: round(np.linalg.inv(m.matrix)[y + x]),
}
# fmt: on


def test_every_form_maps_as_its_definition_says_and_costs_what_its_shapes_say():
    random = Random(2)
    for source, target in product(SHAPES, repeat=2):
        for m in random.between(source, target):
            assert (matrix(m) == _explicit(m)).all()
            assert (matrix(m.transposed(Numpy())) == _explicit(m).T).all()
            numbers, shapes = Numpy(), Shapes.at({})
            m.apply(random.array(*source), numbers)
            [shadow] = _shadows(m)
            assert shadow.apply(source, shapes) == target
            assert numbers.multiplications == shapes.multiplications


def test_compositions_are_products_of_matrices_and_their_price_is_counted():
    made = 0
    for (second, left), (first, right) in _pairs():
        numbers, shapes = Numpy(), Shapes.at({})
        found = composed(second, first, numbers)
        shadow = composed(*_shadows(second, first), shapes)
        assert (found is None) == (shadow is None)
        if found is None:
            continue
        made += 1
        assert (found.source, found.target) == (first.source, second.target)
        assert (matrix(found) == left @ right).all()
        assert numbers.multiplications == shapes.multiplications
        assert type(shadow) is type(found)
    assert made > 2_000


def test_sums_are_sums_of_matrices_and_their_price_is_counted():
    random, made = Random(3), 0
    for source, target in product(SHAPES, repeat=2):
        maps = random.between(source, target)
        for a, b in product(maps, repeat=2):
            numbers, shapes = Numpy(), Shapes.at({})
            found = added(a, b, numbers)
            if found is not None:
                made += 1
                assert (matrix(found) == _explicit(a) + _explicit(b)).all()
                added(*_shadows(a, b), shapes)
                assert numbers.multiplications == shapes.multiplications
    assert made > 200


N = 7
D, E = np.arange(1, N + 1), np.arange(3, N + 3)
K = np.array([6, 0, 2])
M = np.arange(21).reshape(3, N)
A = np.arange(6).reshape(3, 2)

# fmt: off
COMPOSITIONS = [  # second, first, the form of both, multiplications
    (scaling((N,), D[2]), scaling((N,), D[1]),              Scaled,    1),
    (scaling((3,), D[2]), Gather((N,), (3,), K),            Scaled,    0),
    (Diagonal((N,), D), Diagonal((N,), E),                  Diagonal,  N),
    (Diagonal((3,), D[:3]), Gather((N,), (3,), K),          Gather,    0),
    (Diagonal((3,), D[:3]), Gather((N,), (3,), K, K),       Gather,    3),
    (Gather((N,), (3,), K), Diagonal((N,), D),              Gather,    0),
    (Gather((3,), (2,), K[1:]), Gather((N,), (3,), K),      Gather,    0),
    (Scatter((3,), (N,), K), Diagonal((3,), K),             Scatter,   0),
    (Gather((N,), (3,), K), Broadcast((N,), (0,)),          Broadcast, 0),
    (Sum((N,), (0,)), Scatter((3,), (N,), K),               Sum,       0),
    (Sum((N,), (0,)), Diagonal((N,), D),                    Dense,     0),
    (Diagonal((N,), D), Broadcast((N,), (0,)),              Dense,     0),
    (Dense((N,), (3,), M), Diagonal((N,), D),               Dense,     3 * N),
    (Diagonal((3,), D[:3]), Dense((N,), (3,), M),           Dense,     3 * N),
    (Dense((3,), (2,), A.T), Dense((N,), (3,), M),          Dense,     2 * 3 * N),
    (Sum((3,), (0,)), Dense((N,), (3,), M),                 Dense,     0),
    (Dense((3,), (), K), Dense((), (3,), K),                Scaled,    3),
    (Left((2, 3), (4,), A.T), Left((3, N), (4,), M),        Left,      2 * 3 * N),
    (Right((3, 2), (4,), A), Right((N, 3), (4,), M.T),      Right,     2 * 3 * N),
    (Left((2, 3), (), A.T), Dense((), (3,), K),             Dense,     6),
    (Sum((2, N, 4), (1,)), Identity((2, N, 4)),             Sum,       0),
    (Sum((3,), (0,)), Gather((N,), (3,), K, K),             Dense,     0),
    (Sum((3,), (0,)), Gather((N,), (3,), K),                None,      0),
    (Broadcast((N,), (0,)), Sum((N,), (0,)),                None,      0),
    (Gather((N,), (3,), K), Scatter((3,), (N,), K),         None,      0),
    (Left((3, 2), (3,), A), Right((N, 3), (2,), M.T),       None,      0),
    (Left((2, 3), (3,), A.T), Diagonal((3, 3), M[:, :3]),   None,      0),
]
# fmt: on


@pytest.mark.parametrize(("second", "first", "form", "multiplications"), COMPOSITIONS)
def test_the_table_of_compositions(second, first, form, multiplications):
    numbers = Numpy()
    found = composed(second, first, numbers)
    assert (found and type(found)) is form
    assert numbers.multiplications == multiplications


# fmt: off
APPLICATIONS = [
    (Identity((N,)),                               0),
    (scaling((N,), D[1]),                          N),
    (Scaled(D[1], Broadcast((N, 3), (0,))),        3),  # at the smaller end
    (Scaled(D[1], Sum((N, 3), (0,))),              3),
    (Diagonal((N,), D),                            N),
    (Gather((N,), (3,), K),                        0),
    (Gather((N,), (3,), K, K),                     3),
    (Scatter((3,), (N,), K, K),                    3),
    (Dense((N,), (3,), M),                         3 * N),
    (Left((3, N), (4,), M),                        3 * N * 4),
    (Right((3, N), (4,), M),                       3 * N * 4),
]
# fmt: on


@pytest.mark.parametrize(("linear_map", "multiplications"), APPLICATIONS)
def test_the_price_of_an_application(linear_map, multiplications):
    maps = Maps(Numpy())
    assert maps.price((linear_map,)) == multiplications
    assert maps.price((linear_map.transposed(Numpy()),)) == multiplications


def test_two_indices_of_equal_dims_stay_two_in_shapes():
    first = Gather((N,), (3,), K)
    picks = [Gather((3,), (), np.array(i), np.array(5)) for i in (0, 2)]
    for arrays, maps in (
        (Numpy(), [first, *picks]),
        (Shapes.at({}), _shadows(first, *picks)),
    ):
        a, b = (composed(pick, maps[0], arrays) for pick in maps[1:])
        assert added(a, b, arrays) is None


def test_maps_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"from \(3,\) cannot follow \(7,\)"):
        composed(Identity((3,)), Identity((7,)), Numpy())
    with pytest.raises(ValueError, match=r"cannot be added to"):
        added(Identity((3,)), Identity((7,)), Numpy())


def test_dims_may_be_names_and_prices_are_nominal_or_at_sizes():
    first = Dense((2,), ("n",), ("n", 2))
    second = Dense(("n",), ("m",), ("m", "n"))
    for sizes, price in (({}, 200), ({"n": 4, "m": 3}, 24)):
        shapes = Shapes.at(sizes)
        assert composed(second, first, shapes).matrix == ("m", 2)
        assert shapes.multiplications == price
