"""Linear maps between arrays: the labels of edges between arrays.

A label is the local partial of one array with respect to another. Few of these are full
matrices: the partial of `sin(x)` is a diagonal, of `x[i]` a gather, of `sum(x)` a sum,
of `A @ X` the product with A from the left. Each form is applied at the price of the
numbers that it stores. Source: Naumann 1999, section 2.5, for matrices as labels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Protocol, TypeAlias, TypeVar

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.linear.arrays import Arrays, without
from ad_transform.ir.dims import Dims

A = TypeVar("A")
B = TypeVar("B")

Conversion: TypeAlias = Callable[[A, Dims], B]
"""From an array that a map holds, and its dims, to another one."""


class LinearMap(Protocol[A]):
    """A linear map from arrays of the dims `source` to arrays of the dims `target`."""

    __slots__ = ()

    @property
    def source(self) -> Dims: ...

    @property
    def target(self) -> Dims: ...

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        """The image of x: how a tangent goes forward."""
        ...

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        """The map of the transposed matrix: how an adjoint goes back."""
        ...

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        """The same map with other arrays in the place of its own."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Identity(LinearMap[A]):
    """x -> x."""

    dims: Dims

    @property
    def source(self) -> Dims:
        return self.dims

    @property
    def target(self) -> Dims:
        return self.dims

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        return x

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return self

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        return Identity(self.dims)


@dataclass(frozen=True, slots=True, eq=False)
class Scaled(LinearMap[A]):
    """x -> c core(x), c a scalar. The core is not scaled itself.

    A scaling is a scaled identity, and so is the partial of a scalar by a scalar.
    """

    factor: A
    core: LinearMap[A]

    @property
    def source(self) -> Dims:
        return self.core.source

    @property
    def target(self) -> Dims:
        return self.core.target

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        """Scales at the end that has fewer elements."""
        if arrays.elements(self.source) <= arrays.elements(self.target):
            return self.core.apply(arrays.times(self.factor, x), arrays)
        return arrays.times(self.factor, self.core.apply(x, arrays))

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return Scaled(self.factor, self.core.transposed(arrays))

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        return Scaled(convert(self.factor, ()), self.core.over(convert))


@dataclass(frozen=True, slots=True, eq=False)
class Diagonal(LinearMap[A]):
    """x -> d ⊙ x, element by element: the partial of `sin(x)` has d = cos(x)."""

    dims: Dims
    factors: A

    @property
    def source(self) -> Dims:
        return self.dims

    @property
    def target(self) -> Dims:
        return self.dims

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        return arrays.times(self.factors, x)

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return self

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        return Diagonal(self.dims, convert(self.factors, self.dims))


@dataclass(frozen=True, slots=True, eq=False)
class Gather(LinearMap[A]):
    """y[i] = w[i] x[index[i]]: the partial of `x[index]` and of a slice; w may be
    missing. The index has the dims of the target and points into x, flattened."""

    source: Dims = field()
    target: Dims = field()
    index: A
    weights: A | None = None

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        y = arrays.take(x, self.index, len(self.source))
        return y if self.weights is None else arrays.times(self.weights, y)

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return Scatter(self.target, self.source, self.index, self.weights)

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        weights = None if self.weights is None else convert(self.weights, self.target)
        index = convert(self.index, self.target)
        return Gather(self.source, self.target, index, weights)


@dataclass(frozen=True, slots=True, eq=False)
class Scatter(LinearMap[A]):
    """y[index[i]] += w[i] x[i], from zeros: a gather transposed."""

    source: Dims = field()
    target: Dims = field()
    index: A
    weights: A | None = None

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        y = x if self.weights is None else arrays.times(self.weights, x)
        return arrays.put(y, self.index, self.target)

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return Gather(self.target, self.source, self.index, self.weights)

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        weights = None if self.weights is None else convert(self.weights, self.source)
        index = convert(self.index, self.source)
        return Scatter(self.source, self.target, index, weights)


@dataclass(frozen=True, slots=True, eq=False)
class Broadcast(LinearMap[A]):
    """An array repeated along the axes `axes` of the target, whose dims are `dims`."""

    dims: Dims
    axes: tuple[int, ...]

    @property
    def source(self) -> Dims:
        return without(self.dims, self.axes)

    @property
    def target(self) -> Dims:
        return self.dims

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        return arrays.spread(x, self.dims, self.axes)

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return Sum(self.dims, self.axes)

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        return Broadcast(self.dims, self.axes)


@dataclass(frozen=True, slots=True, eq=False)
class Sum(LinearMap[A]):
    """The sum over the axes `axes` of the source, whose dims are `dims`."""

    dims: Dims
    axes: tuple[int, ...]

    @property
    def source(self) -> Dims:
        return self.dims

    @property
    def target(self) -> Dims:
        return without(self.dims, self.axes)

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        return arrays.total(x, self.axes)

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return Broadcast(self.dims, self.axes)

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        return Sum(self.dims, self.axes)


@dataclass(frozen=True, slots=True, eq=False)
class Dense(LinearMap[A]):
    """Any map: its matrix has the axes of the target, then those of the source."""

    source: Dims = field()
    target: Dims = field()
    matrix: A

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        return arrays.contract(self.matrix, x, len(self.source))

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        matrix = arrays.turn(self.matrix, len(self.target))
        return Dense(self.target, self.source, matrix)

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        matrix = convert(self.matrix, self.target + self.source)
        return Dense(self.source, self.target, matrix)


@dataclass(frozen=True, slots=True, eq=False)
class Left(LinearMap[A]):
    """X -> A X: the product with a matrix over the first axis of X.

    `dims` are those of A, `rest` those of the other axes of X.
    """

    dims: Dims
    rest: Dims
    matrix: A

    @property
    def source(self) -> Dims:
        return self.dims[1:] + self.rest

    @property
    def target(self) -> Dims:
        return self.dims[:1] + self.rest

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        return arrays.contract(self.matrix, x, 1)

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return Left(self.dims[::-1], self.rest, arrays.turn(self.matrix, 1))

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        return Left(self.dims, self.rest, convert(self.matrix, self.dims))


@dataclass(frozen=True, slots=True, eq=False)
class Right(LinearMap[A]):
    """X -> X B: the product with a matrix over the last axis of X.

    `dims` are those of B, `rest` those of the other axes of X.
    """

    dims: Dims
    rest: Dims
    matrix: A

    @property
    def source(self) -> Dims:
        return self.rest + self.dims[:1]

    @property
    def target(self) -> Dims:
        return self.rest + self.dims[1:]

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        return arrays.contract(x, self.matrix, 1)

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return Right(self.dims[::-1], self.rest, arrays.turn(self.matrix, 1))

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        return Right(self.dims, self.rest, convert(self.matrix, self.dims))


def scaling(dims: Dims, factor: A) -> LinearMap[A]:
    """x -> c x on arrays of these dims."""
    return Scaled(factor, Identity(dims))
