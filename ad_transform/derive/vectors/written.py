"""Arithmetic on whole arrays that is written into a program (see `Arrays`).

Arrays have two axes at most. Lengths are those of the values of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ad_transform.derive.vectors.places import Places
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY, Dim, Dims
from ad_transform.ir.dims import elements as elements_of
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.types import FLOAT, Type

_LENGTHS = ("length", "width")


class Written:
    """The arrays of a program in a builder; lengths are asked of `values`."""

    def __init__(self, builder: Builder, values: Iterable[Operand]) -> None:
        self.builder = builder
        self.places = Places(builder)
        self._lengths: dict[Dim, tuple[str, tuple[Operand, ...]]] = {}
        for value in values:
            for op, dim in zip(_LENGTHS, value.type.shape[:2], strict=False):
                self._lengths.setdefault(dim, (op, (value,)))
            for dim in value.type.dims[:1]:
                self._lengths.setdefault(dim, ("size", (value,)))

    def over(self, builder: Builder) -> Written:
        """The same arrays in a fork of the builder, which changes on its own."""
        twin = Written(builder, ())
        twin.places = self.places.over(builder)
        twin._lengths = self._lengths
        return twin

    def knows(self, dims: Dims) -> bool:
        """Whether all these lengths can be computed."""
        return all(
            isinstance(n, int) or (n != ANY and n in self._lengths) for n in dims
        )

    def length(self, dim: Dim) -> Operand:
        """The number that a dim is when the program runs."""
        if isinstance(dim, int):
            return Literal(dim)
        op, args = self._lengths[dim]
        return self.builder.apply(op, *args)

    def elements(self, dims: Dims) -> int:
        return elements_of(dims, NO_SIZES)

    def number(self, value: int) -> Operand:
        return Literal(float(value))

    def plus(self, a: Operand, b: Operand) -> Operand:
        return self._each("add", a, b)

    def times(self, a: Operand, b: Operand) -> Operand:
        return self._each("mul", a, b)

    def _each(self, op: str, a: Operand, b: Operand) -> Operand:
        """An operation element by element, in its own shape even where the laws make it
        a number: 0 v is not 0.
        """
        made = self.builder.apply(op, a, b)
        like = max(a, b, key=lambda value: len(value.type.shape))
        if len(made.type.shape) == len(like.type.shape):
            return made
        return self.builder.apply("spread", made, like)

    def contract(self, a: Operand, b: Operand, axes: int) -> Operand:
        op = _PRODUCTS[len(a.type.shape), len(b.type.shape), axes]
        return self.builder.apply(op, a, b)

    def solve(self, a: Operand, b: Operand) -> Operand:
        op = "all_solved_for" if len(b.type.shape) == 2 else "solved_for"
        return self.builder.apply(op, a, b)

    def unit(self, dims: Dims) -> Operand:
        one, (n,) = Literal(1.0), map(self.length, dims)
        declared = Type(FLOAT.kind, (), dims + dims)
        return self.builder.apply("identity", one, n, n, declared=declared)

    def diagonal(self, a: Operand) -> Operand:
        return self.builder.apply("diagonal_matrix", a)

    def turn(self, a: Operand, axes: int) -> Operand:
        if len(a.type.shape) < 2 or axes != 1:
            return a
        return self._turned(a) or self.builder.apply("turned", a)

    def _turned(self, a: Operand) -> Operand | None:
        """The matrix that a matrix was made of as its transpose; else None."""
        made = self.builder.definition.get(a) if isinstance(a, Var) else None
        if isinstance(made, Apply) and made.op.name == "turned":
            return made.args[0]
        return None

    def take(self, a: Operand, index: Operand, axes: int) -> Operand:
        return self.places.read(a, index)

    def put(self, a: Operand, index: Operand, dims: Dims) -> Operand:
        return self.places.put(a, index)

    def put_across(self, a: Operand, index: Operand, dims: Dims, axes: int) -> Operand:
        if len(a.type.shape) == axes:
            return self.places.put(a, index)
        return self.places.put_columns(a, index)

    def spread(self, a: Operand, dims: Dims, axes: tuple[int, ...]) -> Operand:
        """The array in a form that numpy repeats beside others of these dims."""
        if not a.type.shape and len(dims) == 1:
            declared = Type(FLOAT.kind, (), dims)
            size = self.length(dims[0])
            return self.builder.apply("filled", a, size, declared=declared)
        return self.builder.apply("column", a) if axes == (1,) else a

    def total(self, a: Operand, axes: tuple[int, ...]) -> Operand:
        turned = self._turned(a)
        if turned is not None and len(axes) == 1:
            a, axes = turned, (1 - axes[0],)
        return self.builder.apply(_SUMS[len(a.type.shape), axes], a)


NO_SIZES: Mapping[str, int] = {}

# fmt: off
_PRODUCTS = {  # axes of both, and how many are summed over
    (0, 0, 0): "mul",
    (1, 0, 0): "mul",
    (0, 1, 0): "mul",
    (1, 1, 0): "outer",
    (1, 1, 1): "dot",
    (2, 1, 1): "mat_vec",
    (1, 2, 1): "vec_mat",
    (2, 2, 1): "mat_mat",
}
_SUMS: dict[tuple[int, tuple[int, ...]], str] = {
    (1, (0,)): "sum_all",
    (2, (0,)): "sum_rows",
    (2, (1,)): "sum_columns",
}
# fmt: on
