"""Whole arrays as lists of their elements, in the block that computes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.list_loops import Element, filled
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import LENGTHS, OF_LIST, TO_LIST
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import Dims
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var
from ad_transform.ir.types import Kind, Type
from ad_transform.ir.typing import DECLARED, result_type

_ONE = Literal(1)
Operands = Sequence[Operand]


@dataclass(frozen=True, slots=True)
class Elements:
    """The maker of an array's elements, and the values that it reads."""

    reads: Sequence[Operand]
    element: Element


@dataclass(slots=True)
class Writer:
    """A block in the making. `lists` hold the elements of whole arrays; readers of
    arrays in `pending` may make the elements themselves. Lists that are only read are
    the `same`; vectors stand in matrices, `laid` out along one axis.
    """

    body: list[Statement] = field(default_factory=list)
    lists: dict[Operand, Var] = field(default_factory=dict)
    lengths: dict[tuple[Operand, int], Operand] = field(default_factory=dict)
    pending: dict[Operand, Elements] = field(default_factory=dict)
    same: dict[Operand, Operand] = field(default_factory=dict)
    laid: dict[Operand, tuple[Operand, int]] = field(default_factory=dict)

    def settled(self) -> list[Statement]:
        """The statements, with one list for the elements of each array."""
        return [s.over(self.same) for s in self.body] if self.same else self.body

    def apply(self, op: str, *args: Operand, declared: Type | None = None) -> Var:
        """A new operation."""
        row = TABLE[op]
        type_ = declared if row.result == DECLARED else result_type(row, args)
        assert type_ is not None
        out = Var(type_)
        self.body.append(Apply(out, row, args))
        return out

    def elements(self, array: Operand) -> Var:
        """The list of the elements of a whole array, or the list of its rows."""
        if array not in self.lists:
            op = TO_LIST[len(array.type.shape)]
            self.lists[array] = self.apply(op, array)
        return self.lists[array]

    def whole(self, out: Var, elements: Var, sizes: Sequence[Operand]) -> None:
        """Enter a list as the elements of a whole array."""
        self.lists[out] = elements
        self.lengths.update({(out, axis): size for axis, size in enumerate(sizes)})
        op = OF_LIST[len(out.type.shape)]
        if op == "of_list" and out.type.kind is Kind.INT:
            op = "of_places"  # numpy takes an empty list for one of floats
        self.body.append(Apply(out, TABLE[op], (elements,)))

    def length(self, array: Operand, axis: int) -> Operand:
        """The length of a whole array along an axis."""
        known = array.type.shape[axis]
        if isinstance(known, int):
            return Literal(known)
        if (array, axis) not in self.lengths:
            self.lengths[array, axis] = self.apply(LENGTHS[axis], array)
        return self.lengths[array, axis]

    def sizes(self, shape: Dims, arrays: Sequence[Operand]) -> list[Operand]:
        """The lengths of the shape that arrays broadcast to."""
        found: list[Operand] = []
        for back in range(len(shape), 0, -1):
            wide = (
                self.length(a, len(a.type.shape) - back)
                for a in arrays
                if len(a.type.shape) >= back and a.type.shape[-back] != 1
            )
            found.append(next(wide, _ONE))
        return found

    def fill(
        self, out: Var, sizes: Sequence[Operand], reads: Sequence[Operand], by: Element
    ) -> None:
        """Add loops that make the elements of a whole array."""
        made, elements = filled(out, sizes, reads, by)
        self.body += made
        self.whole(out, elements, sizes)

    def found(self, array: Operand) -> Elements:
        """The maker of the elements of a whole array."""
        if array in self.pending:
            return self.pending[array]
        return Elements([self.elements(array)], _read)


def _read(builder: Builder, place: Operands, own: Operands) -> Operand:
    """An element of a list."""
    return builder.apply("get", own[0], *place)
