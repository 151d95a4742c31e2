"""The report: which line loses the digits.

One row for each operation that errs, in the order of the program, then one for each
input or decimal literal that does: its place in the source as `path:line:column`, its
text, the operation, its share of the bound, its share of the actual error to first
order (0 where that is not known), digits cancelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ad_transform.derive.rounding.inputs import InputError, Known, input_term
from ad_transform.derive.rounding.largest_errors import Place, Rules, largest_term
from ad_transform.derive.rounding.model import Adjoints
from ad_transform.derive.rounding.operations import is_exact, scales_down
from ad_transform.derive.rounding.pieces import absolute, fold, product
from ad_transform.derive.rounding.residuals import residual
from ad_transform.diagnostics import Listing, Span
from ad_transform.ir.build import Builder, as_float
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import LEAF, Literal, Nest, Operand, Var, group

_ZERO = Literal(0.0)
_SIGNS = {
    Form.SUM: "+",
    Form.DIFFERENCE: "-",
    Form.PRODUCT: "*",
    Form.QUOTIENT: "/",
    Form.POWER: "**",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A source of error; `actual` is None where the actual error is not known.

    `span` is None for inputs and literals. `passive` if nothing that goes in carries an
    error, so that cancellation uncovers none.
    """

    span: Span | None
    place: str
    text: str
    operation: str
    bound: Operand
    actual: Operand | None
    digits: Operand
    passive: bool = True

    @property
    def printed(self) -> tuple[Operand, ...]:
        """The row as generated functions return it."""
        texts = (self.place, self.text, self.operation)
        actual = _ZERO if self.actual is None else self.actual
        return (*map(Literal, texts), self.bound, actual, self.digits)


Titles = Mapping[Var, str]
"""What inputs that carry errors are called."""


def rows_of(
    adjoints: Adjoints, listing: Listing, rules: Rules, titles: Titles
) -> list[list[Row]]:
    """The rows for each real result."""
    return [
        _rows(adjoints, k, listing, rules, titles)
        for k, result in enumerate(adjoints.results)
        if result.type.is_real
    ]


def reports(made: list[list[Row]]) -> tuple[tuple[Operand, ...], Nest]:
    """The reports, flattened, and the nest of them all."""
    nests = tuple(group((group((LEAF,) * 6),) * len(rows)) for rows in made)
    flat = tuple(value for rows in made for row in rows for value in row.printed)
    return flat, nests[0] if len(nests) == 1 else group(nests)


def _rows(
    adjoints: Adjoints,
    k: int,
    listing: Listing,
    rules: Rules,
    titles: Titles,
) -> list[Row]:
    builder = adjoints.builder
    places = [(p, a) for p, a in adjoints.found(k) if not is_exact(p.statement)]
    inputs = adjoints.brought(k)
    most = [largest_term(builder, p, absolute(builder, a), rules) for p, a in places]
    most += [input_term(builder, v, own, absolute(builder, a)) for v, own, a in inputs]
    actual = [_actual(builder, p, a) for p, a in places]
    actual += [_brought(builder, own, a) for _, own, a in inputs]
    bound = fold(builder, "total", most) if most else _ZERO
    known = [a for a in actual if a is not None]
    error = fold(builder, "total", known) if known else _ZERO

    def shares(n: int) -> tuple[Operand, Operand | None]:
        own = actual[n]
        share = None if own is None else builder.apply("share", own, error)
        return builder.apply("share", most[n], bound), share

    rows = []
    for n, (place, _) in enumerate(places):
        op = place.statement.op
        span = place.statement.out.span
        where = span, listing.place(span), listing.text(span)
        digits = _digits(builder, place)
        rows.append(
            Row(*where, _SIGNS.get(op.form, op.name), *shares(n), digits, place.passive)
        )
    for n, (value, _, _) in enumerate(inputs, len(places)):
        title = titles.get(value, value.hint)
        rows.append(Row(None, "", "", title, *shares(n), _ZERO))
    return rows


def _actual(builder: Builder, place: Place, adjoint: Operand) -> Operand | None:
    error = None if scales_down(place.statement) else residual(builder, place)
    return None if error is None else product(builder, adjoint, error)


def _brought(builder: Builder, own: InputError, adjoint: Operand) -> Operand | None:
    if not isinstance(own, Known):
        return None
    return product(builder, adjoint, Literal(own.error))


def _digits(builder: Builder, place: Place) -> Operand:
    """How many decimal digits a sum has lost to cancellation."""
    if place.statement.op.form not in (Form.SUM, Form.DIFFERENCE):
        return _ZERO
    x, y = (as_float(a) if isinstance(a, Literal) else a for a in place.args)
    return builder.apply("digits_lost", place.out, x, y)
