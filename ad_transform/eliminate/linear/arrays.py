"""The arrays that linear maps are made of, and arrays that are only their dims.

Maps know which products they need, and not the nature of their arrays: numbers, or
values of a program that is being written. Their users give the arithmetic, `Arrays`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from ad_transform.ir.dims import Dim, Dims
from ad_transform.ir.dims import elements as elements_of

A = TypeVar("A")


class Arrays(Protocol[A]):
    """Arithmetic on arrays; a scalar is an array without axes.

    An index holds positions in the flattened array that it points into.
    """

    def elements(self, dims: Dims) -> int:
        """The number of elements at which prices are compared: exact or nominal."""
        ...

    def number(self, value: int) -> A:
        """The scalar of this value."""
        ...

    def plus(self, a: A, b: A) -> A:
        """The sum of two arrays of equal dims, or of one and a scalar."""
        ...

    def times(self, a: A, b: A) -> A:
        """The product of two arrays of equal dims, or of one and a scalar, element by
        element: one multiplication each."""
        ...

    def contract(self, a: A, b: A, axes: int) -> A:
        """Products summed over the last axes of a, which are the first of b: for
        matrices and one axis a b; for none a ⊗ b. One multiplication for each element
        of a and of the axes of b that are left."""
        ...

    def solve(self, a: A, b: A) -> A:
        """The solution x of a x = b, a being square: n³ / 3 multiplications, rounded
        down, and n for each element of b.
        """
        ...

    def unit(self, dims: Dims) -> A:
        """The matrix of the identity on arrays of these dims, which are one at most."""
        ...

    def diagonal(self, a: A) -> A:
        """The matrix with the elements of an array of one axis on its diagonal."""
        ...

    def turn(self, a: A, axes: int) -> A:
        """The array with its first axes put last: for a matrix and one axis, aᵀ."""
        ...

    def take(self, a: A, index: A, axes: int) -> A:
        """The elements, or parts, at these positions of the first axes, flattened; the
        axes of the index stand for them."""
        ...

    def put(self, a: A, index: A, dims: Dims) -> A:
        """Zeros of these dims with a's axes behind them; the elements, or parts, of a
        are added at these positions: `take` transposed.
        """
        ...

    def put_across(self, a: A, index: A, dims: Dims, axes: int) -> A:
        """As `put`, along as many of the last axes of a as the index has."""
        ...

    def spread(self, a: A, dims: Dims, axes: tuple[int, ...]) -> A:
        """The array repeated along new axes: `dims` has them at the places `axes`."""
        ...

    def total(self, a: A, axes: tuple[int, ...]) -> A:
        """The sum over these axes."""
        ...


class Outline(tuple[Dim, ...]):
    """The dims of one array: two arrays of equal dims stay two."""


class Outlines:
    """From arrays to outlines, the same one for the same array (`LinearMap.over`).

    Required: the arrays live as long as this does.
    """

    def __init__(self) -> None:
        self.known: dict[int, Outline] = {}

    def __call__(self, array: object, dims: Dims) -> Dims:
        return self.known.setdefault(id(array), Outline(dims))


class Shapes:
    """Arrays that are only their dims: maps made of them cost nothing and tell all.

    `multiplications` are counted at the number of elements of `elements`. So the price
    of a composition or of an application is that of the same rules that perform it.
    """

    def __init__(self, elements: Callable[[Dims], int]) -> None:
        self.elements = elements
        self.multiplications = 0

    @classmethod
    def at(cls, sizes: Mapping[str, int]) -> Shapes:
        """The shapes where names in dims have these sizes; others are nominal."""
        return cls(lambda dims: elements_of(dims, sizes))

    def number(self, value: int) -> Dims:
        return ()

    def plus(self, a: Dims, b: Dims) -> Dims:
        return a or b

    def times(self, a: Dims, b: Dims) -> Dims:
        self.multiplications += self.elements(a or b)
        return a or b

    def contract(self, a: Dims, b: Dims, axes: int) -> Dims:
        self.multiplications += self.elements(a) * self.elements(b[axes:])
        return a[: len(a) - axes] + b[axes:]

    def solve(self, a: Dims, b: Dims) -> Dims:
        n = self.elements(a[:1])
        self.multiplications += n**3 // 3 + n * self.elements(b)
        return b

    def unit(self, dims: Dims) -> Dims:
        return dims + dims

    def diagonal(self, a: Dims) -> Dims:
        return a + a

    def turn(self, a: Dims, axes: int) -> Dims:
        return a[axes:] + a[:axes]

    def take(self, a: Dims, index: Dims, axes: int) -> Dims:
        return Outline(index + a[axes:])  # may be an index itself

    def put(self, a: Dims, index: Dims, dims: Dims) -> Dims:
        return dims + a[len(index) :]

    def put_across(self, a: Dims, index: Dims, dims: Dims, axes: int) -> Dims:
        return a[: len(a) - axes] + dims

    def spread(self, a: Dims, dims: Dims, axes: tuple[int, ...]) -> Dims:
        return dims

    def total(self, a: Dims, axes: tuple[int, ...]) -> Dims:
        return without(a, axes)


def without(dims: Dims, axes: tuple[int, ...]) -> Dims:
    """The dims of the other axes: without((3, "n", 5), (1,)) is (3, 5)."""
    return tuple([a for place, a in enumerate(dims) if place not in axes])
