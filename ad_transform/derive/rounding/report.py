"""The report: which line loses the digits.

One row for each operation that errs, in the order of the program: the line counted from
the `def` (which is line 1), its text, the operation, its share of the bound, its share
of the actual error to first order (0 where that is not known), digits cancelled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ad_transform.derive.rounding.operations import (
    Place,
    Rules,
    largest_term,
    scales_down,
)
from ad_transform.derive.rounding.pieces import absolute, fold, product
from ad_transform.derive.rounding.residuals import residual
from ad_transform.derive.rounding.sweep import Swept
from ad_transform.ir.build import Builder, as_float
from ad_transform.ir.nodes import LEAF, Literal, Nest, Operand, group

_ZERO = Literal(0.0)
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}


@dataclass(frozen=True, slots=True)
class Listing:
    """The text of a source file, and the line of the `def` in it."""

    lines: tuple[str, ...] = ()
    first: int = 1

    def place(self, place: Place) -> tuple[Literal, Literal]:
        """The line of an operation counted from the `def`, and its text."""
        span = place.statement.out.span
        if span is None or not 0 < span.line <= len(self.lines):
            return Literal(""), Literal("")
        text = self.lines[span.line - 1].strip()
        return Literal(f"line {span.line - self.first + 1}"), Literal(text)


Rows = list[tuple[Operand, ...]]


def reports(
    swept: Swept, listing: Listing, rules: Rules
) -> tuple[tuple[Operand, ...], Nest]:
    """A report for each real result, flattened, and the nest of them all."""
    made = [
        _rows(swept, row, listing, rules)
        for row, result in zip(swept.adjoints, swept.results, strict=True)
        if result.type.is_real
    ]
    nests = tuple(group(tuple(group((LEAF,) * len(r)) for r in rows)) for rows in made)
    flat = tuple(value for rows in made for row in rows for value in row)
    return flat, nests[0] if len(nests) == 1 else group(nests)


def _rows(
    swept: Swept, adjoints: Sequence[Operand], listing: Listing, rules: Rules
) -> Rows:
    builder = swept.builder
    counted = [
        (place, adjoint)
        for place, adjoint in zip(swept.places, adjoints, strict=False)
        if adjoint != _ZERO
    ]
    most = [largest_term(builder, p, absolute(builder, a), rules) for p, a in counted]
    actual = [_actual(builder, p, a) for p, a in counted]
    bound = fold(builder, "total", most) if most else _ZERO
    error = fold(builder, "total", actual) if actual else _ZERO
    return [
        (
            *listing.place(place),
            Literal(_SIGNS.get(place.statement.op.name, place.statement.op.name)),
            builder.apply("share", term, bound),
            builder.apply("share", own, error),
            _digits(builder, place),
        )
        for (place, _), term, own in zip(counted, most, actual, strict=True)
    ]


def _actual(builder: Builder, place: Place, adjoint: Operand) -> Operand:
    error = None if scales_down(place.statement) else residual(builder, place)
    return _ZERO if error is None else product(builder, adjoint, error)


def _digits(builder: Builder, place: Place) -> Operand:
    """How many decimal digits a sum has lost to cancellation."""
    if place.statement.op.name not in ("add", "sub"):
        return _ZERO
    x, y = (as_float(a) if isinstance(a, Literal) else a for a in place.args)
    return builder.apply("digits_lost", place.out, x, y)
