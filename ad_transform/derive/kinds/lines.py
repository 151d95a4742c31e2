"""Statements that are written one after another, and loops over places of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.free import free
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Scan, Statement, Var
from ad_transform.ir.types import INT, Type
from ad_transform.ir.typing import DECLARED, result_type

Operands = tuple[Operand, ...]

ZERO, ONE = Literal(0), Literal(1)


@dataclass(slots=True)
class Lines:
    """Statements one after another."""

    body: list[Statement] = field(default_factory=list)
    known: dict[tuple[str, Operands], Var] = field(default_factory=dict)

    def apply(
        self, name: str, *args: Operand, declared: Type | None = None, hint: str = ""
    ) -> Var:
        """The value of one more operation."""
        op = TABLE[name]
        known = self.known.get((name, args))
        if known is not None:
            return known
        type_ = declared if op.result == DECLARED else result_type(op, args)
        assert type_ is not None
        out = Var(type_, hint)
        self.body.append(Apply(out, op, args))
        if not op.linear:
            self.known[name, args] = out
        return out

    def plus(self, a: Operand, b: Operand) -> Operand:
        """The sum of two whole numbers."""
        if isinstance(a, Literal) and isinstance(b, Literal):
            return Literal(int(a.value) + int(b.value))
        return b if a == ZERO else a if b == ZERO else self.apply("add", a, b)

    def times(self, a: Operand, b: Operand) -> Operand:
        """The product of two whole numbers."""
        if isinstance(a, Literal) and isinstance(b, Literal):
            return Literal(int(a.value) * int(b.value))
        return b if a == ONE else a if b == ONE else self.apply("mul", a, b)

    def sizes(self, value: Operand) -> Operands:
        """The lengths of a value along its axes; a number has none. Lengths in its type
        are literals: a matrix without rows would not know its columns.
        """
        return tuple(
            (
                Literal(dim)
                if isinstance(dim, int)
                else self.apply("size", value, *(ZERO,) * k)
            )
            for k, dim in enumerate(value.type.dims)
        )

    def places(self, lengths: Sequence[Operands]) -> Operands:
        """The place at which the elements of each value begin; then their number."""
        found: list[Operand] = [ZERO]
        for sizes in lengths:
            count: Operand = ONE
            for size in sizes:
                count = self.times(count, size)
            found.append(self.plus(found[-1], count))
        return tuple(found)

    def each(
        self,
        sizes: Operands,
        matrix: Var,
        fill: Callable[[Lines, Operands, Var], Var],
    ) -> Var:
        """The matrix after `fill` at every place of an array of these sizes, with the
        indices of the place.
        """
        if not sizes:
            return fill(self, (), matrix)
        index, inside = Var(INT, "ijk"[len(sizes) % 3]), Var(matrix.type, matrix.hint)
        inner = Lines()
        end = inner.each(
            sizes[1:], inside, lambda text, rest, m: fill(text, (index, *rest), m)
        )
        return self.loop(sizes[0], index, (matrix, inside), inner, end)

    def loop(
        self,
        stop: Operand,
        index: Var,
        carry: tuple[Var, Var],
        inner: Lines,
        end: Operand,
    ) -> Var:
        """The carry behind a loop, which reads the values that its body needs."""
        start, inside = carry
        read = free(inner.body, (end,), (index, inside))
        block = Block((index, inside, *read), tuple(inner.body), (end,))
        out = Var(start.type, start.hint)
        bounds = (ZERO, stop, ONE)
        self.body.append(Scan((out,), *bounds, (start,), read, (), block))
        return out
