"""Models of errors: totals of the errors of operations, and estimates made of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.accumulate import Matrix
from ad_transform.derive.accumulation.outcome import Trail
from ad_transform.derive.rounding.inputs import InputError, Inputs
from ad_transform.derive.rounding.largest_errors import Place
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand, Var

Operands = tuple[Operand, ...]
Found = Sequence[tuple[Place, Operand]]
"""Operations that err, with their adjoints, none of which is 0."""

ZERO = Literal(0.0)


@dataclass(frozen=True, slots=True)
class Adjoints:
    """A builder that holds a program and its adjoints, ready for more.

    `places` are the erring operations of the body, `inputs` the inputs that carry
    errors; the rows of `matrix` belong to the results, the columns to `places` and then
    to `inputs`. `totals` are for each result the totals of the model that come out of
    branches and loops, in sets. `grown` may have overflowed without an error.
    """

    builder: Builder
    results: Operands
    places: tuple[Place, ...]
    inputs: Inputs
    matrix: Matrix
    totals: tuple[tuple[Operands, ...], ...]
    grown: Operands
    order: str
    trails: tuple[Trail, ...] = ()

    def found(self, k: int) -> Found:
        """The operations that result k depends on, without calls."""
        pairs = zip(self.places, self.matrix[k], strict=False)
        return [(p, a) for p, a in pairs if a != ZERO and not is_called(p)]

    def brought(self, k: int) -> list[tuple[Var, InputError, Operand]]:
        """The inputs in error that result k depends on, with their adjoints."""
        row = self.matrix[k][len(self.places) :]
        pairs = zip(self.inputs.items(), row, strict=True)
        return [(v, own, adjoint) for (v, own), adjoint in pairs if adjoint != ZERO]


def is_called(place: Place) -> bool:
    """Whether a value comes from a call."""
    return place.statement.op.form is Form.CALLED


class Model(Protocol):
    """A model of errors: totals of operations, and the estimates made of them.

    A total is something that operations add to in any order, like the sum of their
    errors or the largest value: so it can be carried out of branches and through loops.

    names     the names of the totals, in order
    errs      whether an operation has a part in them
    gathered  the totals of some operations and of other sets of totals, beside values
              `grown` that may have overflowed without an error
    scaled    the totals for an adjoint, given those for an adjoint of 1
    estimates of a result, by its number: they are made of its operations, of the inputs
              in error, and of totals that come out of blocks
    """

    @property
    def names(self) -> tuple[str, ...]: ...

    def errs(self, statement: Apply) -> bool: ...

    def gathered(
        self,
        builder: Builder,
        found: Found,
        totals: Sequence[Operands],
        grown: Sequence[Operand],
    ) -> Operands: ...

    def scaled(
        self, builder: Builder, totals: Operands, adjoint: Operand
    ) -> Operands: ...

    def estimates(self, adjoints: Adjoints, k: int) -> Operands: ...


def columns(totals: Sequence[Operands], count: int) -> list[list[Operand]]:
    """The values of each total in all sets, without zeros."""
    return [[own[i] for own in totals if own[i] != ZERO] for i in range(count)]
