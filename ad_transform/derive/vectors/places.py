"""Parts of arrays as the indices of linear maps (see `Gather`): read, and put back.

An index is a value of its own that is in no program: it stands for a part, with the
operations that read it. So a part of a part is another index than the same part of a
value.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.derive.kinds.lines import Operands
from ad_transform.elementals import TABLE
from ad_transform.elementals.indexed import OVERLAPPING
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Operand, Var
from ad_transform.ir.types import Type
from ad_transform.ir.typing import CUTS

PARTS = frozenset({"pick", "taken", "backwards", "rolled"}) | {f"cut_{c}" for c in CUTS}
"""Operations that give a part of an array of one axis, or its elements moved."""

_OF_ROWS = {"pick": "pick_row", "taken": "taken_rows", "rolled": "rolled_rows"}
"""Their names for the rows of a matrix, where these differ."""

_OF_COLUMNS = {"pick": "pick_column", "taken": "taken_columns"}
"""The same for columns."""


@dataclass(frozen=True, slots=True)
class Place:
    """A part of an array: the operation that reads it, and the operands of that."""

    form: str
    bounds: Operands
    like: Operand

    @property
    def rank(self) -> int:
        """The number of axes of this part of an array with one axis."""
        if self.form == "pick":
            return 0
        return len(self.bounds[0].type.shape) if self.form == "taken" else 1


class Places:
    """The parts that indices stand for, as steps, the last one last."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._steps: dict[Operand, tuple[Place, ...]] = {}
        self.masks: dict[Operand, Place] = {}  # arrays of 1, and of 0 in a part

    def over(self, builder: Builder) -> Places:
        """The same indices, read from arrays of another builder."""
        twin = Places(builder)
        twin._steps, twin.masks = self._steps.copy(), self.masks
        return twin

    def steps(self, index: Operand) -> tuple[Place, ...]:
        """The parts that an index stands for, each a part of the one before it."""
        return self._steps[index]

    def of(self, part: Type, form: str, bounds: Operands, like: Operand) -> Var:
        """A new index: the part, of a type, of arrays that are like one."""
        return self._index(part, (Place(form, bounds, like),))

    def _index(self, part: Type, steps: tuple[Place, ...]) -> Var:
        index = Var(part)
        self._steps[index] = steps
        return index

    def read(self, a: Operand, index: Operand) -> Operand:
        """The part of an array, or the rows of a matrix, at an index; for an index the
        index of both steps.
        """
        steps = self._steps[index]
        if a in self._steps:
            return self._index(index.type, self._steps[a] + steps)
        for place in steps:
            form = place.form if len(a.type.shape) == 1 else _of_rows(place.form)
            a = self.builder.apply(form, a, *place.bounds)
        return a

    def put(self, a: Operand, index: Operand) -> Operand:
        """Zeros with an array, or the rows of a matrix, at an index."""
        for place in reversed(self._steps[index]):
            if place.form in _INVERSE:
                a = self._moved_back(a, place)
            elif len(a.type.shape) > place.rank:
                a = self._rows(a, _of_rows(place.form), place)
            else:
                args = (a, place.like, *place.bounds)
                a = self.builder.apply(f"placed_{place.form}", *args)
        return a

    def _moved_back(self, a: Operand, place: Place) -> Operand:
        form = place.form if len(a.type.shape) == 1 else _of_rows(place.form)
        return self.builder.apply(form, a, *map(self._negative, place.bounds))

    def put_columns(self, a: Operand, index: Operand) -> Operand:
        """Zeros with the columns of a matrix at an index."""
        for place in reversed(self._steps[index]):
            if place.form in _INVERSE:
                turned = self.builder.apply("turned", a)
                a = self.builder.apply("turned", self._moved_back(turned, place))
                continue
            rows = self.builder.apply("length", a)
            zeros = self.builder.apply("matrix", rows, self._length(place))
            a = self._filled(zeros, a, _of_columns(place.form), place)
        return a

    def _length(self, place: Place) -> Operand:
        return self.builder.apply("length", place.like)

    def _negative(self, i: Operand) -> Operand:
        return self.builder.keep(TABLE["neg"], (i,))

    def _rows(self, a: Operand, form: str, place: Place) -> Operand:
        """A matrix of zeros with rows at a place."""
        across = "length" if len(a.type.shape) == 1 else "width"
        columns = self.builder.apply(across, a)
        zeros = self.builder.apply("matrix", self._length(place), columns)
        return self._filled(zeros, a, form, place)

    def _filled(self, zeros: Operand, a: Operand, form: str, place: Place) -> Operand:
        way = "gained" if form in OVERLAPPING else "put"
        made = self.builder.apply(f"{way}_{form}", zeros, a, *place.bounds)
        return self.builder.apply("done", made)


_INVERSE = frozenset({"backwards", "rolled"})
"""Moves that are undone by themselves, by the negative number of places."""


def _of_rows(form: str) -> str:
    return _OF_ROWS.get(form, form)


def _of_columns(form: str) -> str:
    return _OF_COLUMNS.get(form) or f"columns_{form.removeprefix('cut_')}"
