"""Places of elements among all of an array, and facts about indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.entrywise.unknown import Unknown
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Var

ZERO, ONE = Literal(0), Literal(1.0)

Operands = tuple[Operand, ...]


@dataclass(slots=True, eq=False)
class Bounds:
    """Lower bounds of the whole numbers of a block, where they are known; and for last
    indices the length that they belong to.
    """

    least: dict[Operand, int] = field(default_factory=dict)
    last: dict[Operand, Operand] = field(default_factory=dict)

    def inside(self) -> Bounds:
        """The bounds for an inner block."""
        return Bounds(self.least.copy(), self.last.copy())

    def loop(
        self, index: Operand, start: Operand, stop: Operand, step: Operand
    ) -> None:
        """Note the bound of a loop's index."""
        if isinstance(step, Literal):
            low = start if int(step.value) > 0 else stop
            least = self._of(low)
            if least is not None:
                self.least[index] = least + (0 if low is start else 1)

    def count_up(
        self, inside: Sequence[Var], carried: Sequence[Operand], body: Block
    ) -> None:
        """Note the bounds of carries that count up from their first values."""
        made = {s.out: s for s in body.body if isinstance(s, Apply)}
        for k, (own, first) in enumerate(zip(inside, carried, strict=True)):
            least, result = self._of(first), body.results[k]
            end = made.get(result) if isinstance(result, Var) else None
            if least is None or end is None or end.op.name != "add":
                continue
            step = self._of(end.args[1])
            if end.args[0] is body.params[k] and step is not None and step >= 0:
                self.least[own] = least

    def _of(self, value: Operand) -> int | None:
        if isinstance(value, Literal) and type(value.value) is int:
            return value.value
        return self.least.get(value)

    def note(self, out: Operand, name: str, args: tuple[Operand, ...]) -> None:
        """Note the bound of a whole number that an operation gives."""
        if name in ("size", "length"):
            self.least[out] = 0
        if name not in ("add", "sub") or len(args) != 2:
            return
        a, b = args
        if name == "sub" and b == Literal(1):
            self.last[out] = a
        low = self._of(a)
        if name == "add":
            other = self._of(b)
        else:
            other = (
                -b.value if isinstance(b, Literal) and type(b.value) is int else None
            )
        if low is not None and other is not None:
            self.least[out] = low + other

    def is_last(self, index: Operand, size: Operand) -> bool:
        """Whether an index is the last one of a list; an empty list has none."""
        return self.last.get(index) is size

    def is_natural(self, index: Operand) -> bool:
        """Whether an index surely counts from the start."""
        least = self._of(index)
        return least is not None and least >= 0


@dataclass(slots=True, eq=False)
class Places:
    """The text of a block in the making, with bounds of its indices."""

    bounds: Bounds = field(default_factory=Bounds)
    text: Builder = field(default_factory=lambda: Builder(TABLE, {}))

    def sizes(self, array: Operand) -> Operands:
        """The lengths of a list along its axes."""
        return sizes_of(self.text, array)

    def place(self, index: Operands, sizes: Operands) -> Operand:
        """The place of an element among all, in C order."""
        if len(index) != len(sizes):
            raise Unknown("a row is stored as a whole")
        place: Operand = ZERO
        for k, (i, size) in enumerate(zip(index, sizes, strict=True)):
            if k:
                place = self.whole("mul", place, size)
            place = self.plus(place, self._from_start(i, size))
        return place

    def _from_start(self, i: Operand, size: Operand) -> Operand:
        """An index as counted from the start, if it may count from the end."""
        if isinstance(i, Literal):
            return i if int(i.value) >= 0 else self.plus(size, i)
        if self.bounds.is_natural(i) or self.bounds.is_last(i, size):
            return i
        return self.whole("mod", i, size)

    def plus(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, Literal) and isinstance(b, Literal):
            return Literal(int(a.value) + int(b.value))
        if isinstance(b, Literal) and int(b.value) < 0:
            return self.whole("sub", a, Literal(-int(b.value)))
        return b if a == ZERO else a if b == ZERO else self.whole("add", a, b)

    def whole(self, name: str, a: Operand, b: Operand) -> Operand:
        if name == "mul" and ZERO in (a, b):
            return ZERO
        return self.text.keep(TABLE[name], (a, b))

    def count(self, sizes: Operands) -> Operand:
        """The number of elements of an array with these lengths."""
        count = sizes[0]
        for size in sizes[1:]:
            count = self.whole("mul", count, size)
        return count


def sizes_of(text: Builder, array: Operand) -> Operands:
    """The lengths of a list along its axes, as numbers if its type has them."""
    return tuple(
        (
            Literal(dim)
            if isinstance(dim, int)
            else text.keep(TABLE["size"], (array, *(ZERO,) * k))
        )
        for k, dim in enumerate(array.type.dims)
    )
