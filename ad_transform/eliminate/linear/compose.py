"""Composition and addition of linear maps, by a table of laws.

A law says which form a product or a sum of two forms has. There is none where the
result would have to be a full matrix that costs more than both maps together, as for a
sum followed by a broadcast: then the answer is None, and the two maps stay as they are.
(S R)ᵀ = Rᵀ Sᵀ, so one law serves both sides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ad_transform.eliminate.linear.arrays import Arrays
from ad_transform.eliminate.linear.maps import (
    Broadcast,
    Dense,
    Diagonal,
    Gather,
    Identity,
    Left,
    LinearMap,
    Right,
    Scaled,
    Scatter,
    Sum,
)
from ad_transform.eliminate.linear.solved import Solved
from ad_transform.ir.dims import Dims

A = TypeVar("A")


def composed(
    second: LinearMap[A], first: LinearMap[A], arrays: Arrays[A]
) -> LinearMap[A] | None:
    """The map x -> second(first(x)), or None where it has no form worth having.

    Factors of scaled maps are multiplied with each other: one multiplication. Raises
    ValueError if the two do not fit.
    """
    if first.target != second.source:
        raise ValueError(f"a map from {second.source} cannot follow {first.target}")
    (c, outer), (d, inner) = _split(second), _split(first)
    core = _product(outer, inner, arrays)
    if core is None:
        return None
    factor = _times(c, d, arrays)
    return core if factor is None else _scaled(factor, core, arrays)


def added(a: LinearMap[A], b: LinearMap[A], arrays: Arrays[A]) -> LinearMap[A] | None:
    """The map x -> a(x) + b(x), or None where the two have no common form.

    Raises ValueError if their dims differ.
    """
    if (a.source, a.target) != (b.source, b.target):
        raise ValueError(
            f"a map {b.source} -> {b.target} cannot be added to "
            f"one {a.source} -> {a.target}"
        )
    (c, left), (d, right) = _split(a), _split(b)
    if _key(left) == _key(right):
        return Scaled(arrays.plus(_factor(a, arrays), _factor(b, arrays)), left)
    law = _SUMS.get((type(left), type(right)))
    if law is None and (type(right), type(left)) in _SUMS:
        return added(b, a, arrays)
    if law is None:
        return None
    return law(folded(c, left, arrays), folded(d, right, arrays), arrays)


def _split(m: LinearMap[A]) -> tuple[A | None, LinearMap[A]]:
    return (m.factor, m.core) if isinstance(m, Scaled) else (None, m)


def _scaled(factor: A, m: LinearMap[A], arrays: Arrays[A]) -> LinearMap[A]:
    c, core = _split(m)
    return Scaled(factor if c is None else arrays.times(factor, c), core)


def _times(a: A | None, b: A | None, arrays: Arrays[A]) -> A | None:
    """The product, where None stands for ones."""
    if a is None or b is None:
        return b if a is None else a
    return arrays.times(a, b)


def _dense(source: Dims, target: Dims, matrix: A) -> LinearMap[A]:
    """The dense map; between scalars it is a scaling."""
    if source or target:
        return Dense(source, target, matrix)
    return Scaled(matrix, Identity(()))


def _factor(m: LinearMap[A], arrays: Arrays[A]) -> A:
    """The factor of a map; that of one that is not scaled is one."""
    return m.factor if isinstance(m, Scaled) else arrays.number(1)


def _key(m: LinearMap[A]) -> tuple[object, ...]:
    """A key, equal for maps between the same dims with one form and the same arrays."""
    held: list[int] = []

    def note(array: A, dims: Dims) -> None:
        held.append(id(array))

    m.over(note)
    return type(m), m.axes if isinstance(m, Broadcast | Sum) else None, *held


def folded(c: A | None, m: LinearMap[A], arrays: Arrays[A]) -> LinearMap[A]:
    """The map with the factor multiplied into its array, if it has one."""
    if c is None:
        return m
    if isinstance(m, Diagonal):
        return Diagonal(m.dims, arrays.times(c, m.factors))
    if isinstance(m, Dense):
        return Dense(m.source, m.target, arrays.times(c, m.matrix))
    if isinstance(m, Gather | Scatter) and m.weights is not None:
        return type(m)(m.source, m.target, m.index, arrays.times(c, m.weights))
    if isinstance(m, Left | Right):
        return type(m)(m.dims, m.rest, arrays.times(c, m.matrix))
    return Scaled(c, m)


Law = Callable[[Any, Any, Arrays[Any]], "LinearMap[Any] | None"]


def _product(
    outer: LinearMap[A], inner: LinearMap[A], arrays: Arrays[A]
) -> LinearMap[A] | None:
    """The composition of two maps that are not scaled."""
    if isinstance(inner, Identity):
        return outer
    if isinstance(outer, Identity):
        return inner
    law = _law(type(outer), type(inner), _is_column(inner.source, inner))
    if law:
        return law(outer, inner, arrays)
    back = _TRANSPOSED[type(inner)], _TRANSPOSED[type(outer)]
    law = _law(*back, _is_column(outer.target, outer))
    if law is None:
        return None
    made = law(inner.transposed(arrays), outer.transposed(arrays), arrays)
    return made and made.transposed(arrays)


def _is_column(end: Dims, m: LinearMap[A]) -> bool:
    """Whether a matrix is one column, or one row: the end is a scalar."""
    return isinstance(m, Dense) and end == ()


def _law(outer: type, inner: type, column: bool) -> Law | None:
    return _PRODUCTS.get((outer, inner)) or (_onto_column if column else None)


def _onto_column(
    outer: LinearMap[A], inner: Dense[A], arrays: Arrays[A]
) -> LinearMap[A]:
    """S (x -> m x) = x -> (S m) x: the forward mode; transposed, the reverse mode."""
    return _dense((), outer.target, outer.apply(inner.matrix, arrays))


def _gather_diagonal(
    outer: Gather[A], inner: Diagonal[A], arrays: Arrays[A]
) -> LinearMap[A]:
    """w[i] d[k[i]] x[k[i]]."""
    picked = arrays.take(inner.factors, outer.index, len(inner.dims))
    weights = _times(outer.weights, picked, arrays)
    return Gather(outer.source, outer.target, outer.index, weights)


def _gather_gather(
    outer: Gather[A], inner: Gather[A], arrays: Arrays[A]
) -> LinearMap[A]:
    """w[i] v[k[i]] x[j[k[i]]]."""
    axes = len(inner.target)
    weights = outer.weights
    if inner.weights is not None:
        picked = arrays.take(inner.weights, outer.index, axes)
        weights = _times(outer.weights, picked, arrays)
    index = arrays.take(inner.index, outer.index, axes)
    return Gather(inner.source, outer.target, index, weights)


def _gather_broadcast(
    outer: Gather[A], inner: Broadcast[A], arrays: Arrays[A]
) -> LinearMap[A] | None:
    """All elements of a broadcast scalar are that scalar."""
    if inner.source:
        return None
    if outer.weights is not None:
        return _dense((), outer.target, outer.weights)
    axes = tuple(range(len(outer.target)))
    return Broadcast(outer.target, axes) if axes else Identity(())


def _gather_dense(outer: Gather[A], inner: Dense[A], arrays: Arrays[A]) -> LinearMap[A]:
    """Rows of the matrix."""
    rows = arrays.take(inner.matrix, outer.index, len(inner.target))
    dims = outer.target, inner.source
    return _dense(inner.source, outer.target, _rows(outer.weights, rows, dims, arrays))


def _scatter_dense(
    outer: Scatter[A], inner: Dense[A], arrays: Arrays[A]
) -> LinearMap[A]:
    """Rows of the matrix, added."""
    dims = inner.target, inner.source
    rows = _rows(outer.weights, inner.matrix, dims, arrays)
    matrix = arrays.put(rows, outer.index, outer.target)
    return _dense(inner.source, outer.target, matrix)


def _rows(
    weights: A | None, matrix: A, dims: tuple[Dims, Dims], arrays: Arrays[A]
) -> A:
    """The matrix with its rows multiplied by the weights; dims of target and source."""
    if weights is None:
        return matrix
    target, source = dims
    axes = tuple(range(len(target), len(target + source)))
    return arrays.times(arrays.spread(weights, target + source, axes), matrix)


def _dense_diagonal(
    outer: Dense[A], inner: Diagonal[A], arrays: Arrays[A]
) -> LinearMap[A]:
    """The matrix with its columns multiplied."""
    dims, axes = outer.target + outer.source, tuple(range(len(outer.target)))
    factors = arrays.spread(inner.factors, dims, axes)
    return _dense(outer.source, outer.target, arrays.times(outer.matrix, factors))


def _dense_gather(outer: Dense[A], inner: Gather[A], arrays: Arrays[A]) -> LinearMap[A]:
    """Columns of the matrix, added."""
    matrix = outer.matrix
    if inner.weights is not None:
        dims, axes = outer.target + outer.source, tuple(range(len(outer.target)))
        matrix = arrays.times(matrix, arrays.spread(inner.weights, dims, axes))
    args = inner.index, inner.source, len(inner.target)
    return _dense(inner.source, outer.target, arrays.put_across(matrix, *args))


def _sum_diagonal(
    outer: Sum[A], inner: Diagonal[A], arrays: Arrays[A]
) -> LinearMap[A] | None:
    """The row d."""
    return None if outer.target else _dense(inner.dims, (), inner.factors)


def _sum_gather(
    outer: Sum[A], inner: Gather[A], arrays: Arrays[A]
) -> LinearMap[A] | None:
    """The row of the weights, each at its place; of ones it would be dearer."""
    if outer.target or inner.weights is None:
        return None
    return _dense(
        inner.source, (), arrays.put(inner.weights, inner.index, inner.source)
    )


def _sum_sum(outer: Sum[A], inner: Sum[A], arrays: Arrays[A]) -> LinearMap[A]:
    kept = [i for i in range(len(inner.dims)) if i not in inner.axes]
    axes = sorted([*inner.axes, *(kept[i] for i in outer.axes)])
    return Sum(inner.dims, tuple(axes))


def _same_index(
    a: LinearMap[A], b: LinearMap[A], arrays: Arrays[A]
) -> LinearMap[A] | None:
    """w[i] x[k[i]] + v[i] x[k[i]] = (w + v)[i] x[k[i]]."""
    if not (isinstance(a, Gather | Scatter) and isinstance(b, Gather | Scatter)):
        return None  # one of them is scaled
    if a.index is not b.index or a.weights is None or b.weights is None:
        return None
    return type(a)(a.source, a.target, a.index, arrays.plus(a.weights, b.weights))


_TRANSPOSED = {
    Identity: Identity,
    Diagonal: Diagonal,
    Gather: Scatter,
    Scatter: Gather,
    Broadcast: Sum,
    Sum: Broadcast,
    Dense: Dense,
    Left: Left,
    Right: Right,
    Solved: Solved,
}

# Other pairs are not composed, unless transposed, or onto a column or from a row.
# fmt: off
_PRODUCTS: dict[tuple[type, type], Law] = {
    (Diagonal, Diagonal): lambda s, r, o: Diagonal(
        r.dims, o.times(s.factors, r.factors)),
    (Diagonal, Gather):   lambda s, r, o: Gather(
        r.source, r.target, r.index, _times(s.factors, r.weights, o)),
    (Diagonal, Dense):    lambda s, r, o: Dense(
        r.source, r.target, _rows(s.factors, r.matrix, (r.target, r.source), o)),
    (Dense, Diagonal):    _dense_diagonal,
    (Dense, Gather):      _dense_gather,
    (Gather, Diagonal):   _gather_diagonal,
    (Gather, Gather):     _gather_gather,
    (Gather, Broadcast):  _gather_broadcast,
    (Gather, Dense):      _gather_dense,
    (Scatter, Dense):     _scatter_dense,
    (Sum, Sum):           _sum_sum,
    (Sum, Gather):        _sum_gather,
    (Sum, Diagonal):      _sum_diagonal,
    (Sum, Dense):         lambda s, r, o: _dense(
        r.source, s.target, o.total(r.matrix, s.axes)),
    (Dense, Dense):       lambda s, r, o: _dense(
        r.source, s.target, o.contract(s.matrix, r.matrix, len(s.source))),
    (Solved, Dense):      lambda s, r, o: _dense(
        r.source, s.target, o.solve(s.matrix, r.matrix)),
    (Left, Left):         lambda s, r, o: Left(
        (s.dims[0], r.dims[1]), r.rest, o.contract(s.matrix, r.matrix, 1)),
    (Right, Right):       lambda s, r, o: Right(
        (r.dims[0], s.dims[1]), r.rest, o.contract(r.matrix, s.matrix, 1)),
    (Left, Dense):        lambda s, r, o: _dense(
        r.source, s.target, o.contract(s.matrix, r.matrix, 1)),
}
_SUMS: dict[tuple[type, type], Law] = {
    (Identity, Diagonal): lambda a, b, o: Diagonal(
        b.dims, o.plus(_factor(a, o), b.factors)),
    (Diagonal, Diagonal): lambda a, b, o: Diagonal(
        a.dims, o.plus(a.factors, b.factors)),
    (Gather, Gather):     _same_index,
    (Scatter, Scatter):   _same_index,
    (Dense, Dense):       lambda a, b, o: Dense(
        a.source, a.target, o.plus(a.matrix, b.matrix)),
    (Left, Left):         lambda a, b, o: Left(
        a.dims, a.rest, o.plus(a.matrix, b.matrix)),
    (Right, Right):       lambda a, b, o: Right(
        a.dims, a.rest, o.plus(a.matrix, b.matrix)),
}
# fmt: on
