"""Parts of arrays as the indices of linear maps (see `Gather`): read, and put back.

An index is the part itself, `x[1:]`, of which is known where it comes from. Of matrices
the same rows are read.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.derive.lines import Operands
from ad_transform.elementals import TABLE
from ad_transform.elementals.indexed import OVERLAPPING
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Operand
from ad_transform.ir.typing import CUTS

PARTS = frozenset({"pick", "taken", "backwards", "rolled"}) | {f"cut_{c}" for c in CUTS}
"""Operations that give a part of an array of one axis, or its elements moved."""

_OF_ROWS = {"pick": "pick_row", "taken": "taken_rows", "rolled": "rolled_rows"}
"""What they are called for the rows of a matrix, where that is another name."""


@dataclass(frozen=True, slots=True)
class Place:
    """A part of an array: the operation that reads it, and what that is given."""

    form: str
    bounds: Operands
    like: Operand

    @property
    def rank(self) -> int:
        """How many axes the part of an array of one axis has."""
        if self.form == "pick":
            return 0
        return len(self.bounds[0].type.shape) if self.form == "taken" else 1


class Places:
    """Where the parts that are known as indices come from, the last step last."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._steps: dict[Operand, tuple[Place, ...]] = {}

    def enter(self, index: Operand, form: str, bounds: Operands, like: Operand) -> None:
        """Let a value stand for a part of an array that is like another."""
        self._steps[index] = (Place(form, bounds, like),)

    def of(self, array: Operand, form: str, *bounds: Operand) -> Operand:
        """The index of a part of an array."""
        index = self.builder.apply(form, array, *bounds)
        self.enter(index, form, bounds, array)
        return index

    def read(self, a: Operand, index: Operand) -> Operand:
        """The part of an array, or the rows of a matrix, at an index."""
        steps = self._steps[index]
        before = self._steps.get(a)
        for place in steps:
            form = place.form if len(a.type.shape) == 1 else _of_rows(place.form)
            a = self.builder.apply(form, a, *place.bounds)
        if before is not None:
            self._steps[a] = before + steps
        return a

    def put(self, a: Operand, index: Operand) -> Operand:
        """Zeros with an array, or the rows of a matrix, at an index."""
        for place in reversed(self._steps[index]):
            is_matrix = len(a.type.shape) > place.rank
            form = _of_rows(place.form) if is_matrix else place.form
            if place.form in _INVERSE:
                a = self.builder.apply(form, a, *map(self._negative, place.bounds))
            elif is_matrix:
                a = self._rows(a, form, place)
            else:
                args = (a, place.like, *place.bounds)
                a = self.builder.apply(f"placed_{form}", *args)
        return a

    def _negative(self, i: Operand) -> Operand:
        return self.builder.keep(TABLE["neg"], (i,))

    def _rows(self, a: Operand, form: str, place: Place) -> Operand:
        """A matrix of zeros with rows at a place."""
        across = "length" if len(a.type.shape) == 1 else "width"
        size = self.builder.apply("length", place.like)
        zeros = self.builder.apply("matrix", size, self.builder.apply(across, a))
        way = "gained" if form in OVERLAPPING else "put"
        made = self.builder.apply(f"{way}_{form}", zeros, a, *place.bounds)
        return self.builder.apply("done", made)


_INVERSE = frozenset({"backwards", "rolled"})
"""Moves that are undone by themselves, by the negative number of places."""


def _of_rows(form: str) -> str:
    return _OF_ROWS.get(form, form)
