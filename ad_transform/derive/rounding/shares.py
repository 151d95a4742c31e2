"""Shares of places in branches and loops: totals for the report.

Every operation of the source that errs inside of a block has totals of its own, so
those of all trips are added up: its part of the bound, its part of the actual error,
and the most digits that have cancelled there.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.largest_errors import Place, Rules, largest_term
from ad_transform.derive.rounding.model import (
    ZERO,
    Adjoints,
    Found,
    Operands,
    columns,
)
from ad_transform.derive.rounding.operations import is_exact, scales_down
from ad_transform.derive.rounding.pieces import absolute, largest, product, summed
from ad_transform.derive.rounding.residuals import has_residual, residual
from ad_transform.diagnostics import Span
from ad_transform.ir.build import Builder, as_float
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, walk

Key = tuple[Span | str, str]
"""An operation of the source: its place, or the name of its value if it has none, and
its name."""


def key_of(statement: Apply) -> Key:
    """The key of the operation in the source that a statement belongs to."""
    return statement.out.span or statement.out.hint, statement.op.name


def inner_operations(body: Sequence[Statement]) -> dict[Key, Apply]:
    """The operations inside of blocks that err, in order; one for each place."""
    found: dict[Key, Apply] = {}
    for outer in body:
        blocks = [block.body for block in outer.blocks]
        for statement in (s for block in blocks for s in walk(block)):
            if isinstance(statement, Apply) and _counts(statement):
                found.setdefault(key_of(statement), statement)
    return found


def _counts(statement: Apply) -> bool:
    return statement.op.layout is None and not is_exact(statement)


@dataclass(frozen=True, slots=True)
class Shares:
    """Three totals for each of `keys`: bound in halves of an ulp, error, digits."""

    rules: Rules
    keys: tuple[Key, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the totals."""
        return ("bound", "error", "digits") * len(self.keys)

    def errs(self, statement: Apply) -> bool:
        """Whether an operation can make an error."""
        return not is_exact(statement)

    def gathered(
        self,
        builder: Builder,
        found: Found,
        totals: Sequence[Operands],
        grown: Sequence[Operand],
    ) -> Operands:
        """The totals of each place."""
        own: dict[Key, list[tuple[Place, Operand]]] = {}
        for place, adjoint in found:
            own.setdefault(key_of(place.statement), []).append((place, adjoint))
        before = columns(totals, 3 * len(self.keys))
        made: list[Operand] = []
        for n, key in enumerate(self.keys):
            made += self._of_place(builder, own.get(key, ()), before[3 * n : 3 * n + 3])
        return tuple(made)

    def scaled(self, builder: Builder, totals: Operands, adjoint: Operand) -> Operands:
        """Not there: operations inside of called functions have no shares."""
        raise NotImplementedError("no report looks into functions that are called")

    def _of_place(
        self, builder: Builder, found: Found, before: Sequence[list[Operand]]
    ) -> Operands:
        bounds, errors, digits = map(list, before)
        lost = []
        for place, adjoint in found:
            weight = absolute(builder, adjoint)
            bounds.append(largest_term(builder, place, weight, self.rules))
            error = error_of(builder, place, adjoint)
            errors += [] if error is None else [error]
            lost += [] if place.passive else [digits_of(builder, place)]
        return (
            summed(builder, bounds),
            summed(builder, errors),
            largest(builder, [d for d in lost if d != ZERO], digits),
        )

    def estimates(self, adjoints: Adjoints, k: int) -> Operands:
        """No estimates: the totals are the report."""
        return ()


def is_known(statement: Apply) -> bool:
    """Whether the error of an operation is known when it runs."""
    return has_residual(statement) and not scales_down(statement)


def error_of(builder: Builder, place: Place, adjoint: Operand) -> Operand | None:
    """The error of a result that one operation causes; None if it is not known."""
    error = None if scales_down(place.statement) else residual(builder, place)
    return None if error is None else product(builder, adjoint, error)


def digits_of(builder: Builder, place: Place) -> Operand:
    """The number of decimal digits that a sum has lost to cancellation."""
    if place.statement.op.form not in (Form.SUM, Form.DIFFERENCE):
        return ZERO
    x, y = (as_float(a) if isinstance(a, Literal) else a for a in place.args)
    return builder.apply("digits_lost", place.out, x, y)
