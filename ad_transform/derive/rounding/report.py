"""The report: the error that each line adds.

Each operation that errs has a row, in the order of the program; inside of branches and
loops each place has one, for all trips together. Behind them come the inputs and
decimal literals that err. A row has the place in the source as `path:line:column`, its
text, the operation, its share of the bound, its share of the actual error to first
order (0 where that is not known), and the digits cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.inputs import InputError, Known, input_term
from ad_transform.derive.rounding.largest_errors import Rules, largest_term
from ad_transform.derive.rounding.model import Adjoints, columns
from ad_transform.derive.rounding.operations import is_exact
from ad_transform.derive.rounding.pieces import (
    absolute,
    fold,
    largest,
    product,
    summed,
)
from ad_transform.derive.rounding.shares import (
    Key,
    Shares,
    digits_of,
    error_of,
    inner_operations,
    is_known,
)
from ad_transform.diagnostics import Listing, Span
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Literal,
    Nest,
    Operand,
    Statement,
    Var,
    group,
    walk,
)

_ZERO = Literal(0.0)
_SIGNS = {
    Form.SUM: "+",
    Form.DIFFERENCE: "-",
    Form.PRODUCT: "*",
    Form.QUOTIENT: "/",
    Form.POWER: "**",
    Form.OFF: "sum",
    Form.SOLVED: "root",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A source of error; `actual` is None where the actual error is unknown.

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
"""The names of the inputs that carry errors."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a report: operations inside of blocks, and the names of things.

    `order` has the places of all operations in the program.
    """

    listing: Listing
    rules: Rules
    titles: Titles
    inner: Mapping[Key, Apply]
    order: Mapping[Span, int]

    @classmethod
    def of(
        cls, body: Sequence[Statement], listing: Listing, rules: Rules, titles: Titles
    ) -> Subject:
        """The subject for a program."""
        order: dict[Span, int] = {}
        for statement in walk(tuple(body)):
            if isinstance(statement, Apply) and statement.out.span:
                order.setdefault(statement.out.span, len(order))
        return cls(listing, rules, titles, inner_operations(body), order)

    @property
    def model(self) -> Shares:
        """The model that gives the totals of the report."""
        return Shares(self.rules, tuple(self.inner))


def rows_of(adjoints: Adjoints, subject: Subject) -> list[list[Row]]:
    """The rows for each real result, of adjoints of the subject's own model."""
    return [
        _rows(adjoints, k, subject)
        for k, result in enumerate(adjoints.results)
        if result.type.is_real
    ]


def reports(made: list[list[Row]]) -> tuple[tuple[Operand, ...], Nest]:
    """The reports, flattened, and the nest of them all."""
    nests = tuple(group((group((LEAF,) * 6),) * len(rows)) for rows in made)
    flat = tuple(value for rows in made for row in rows for value in row.printed)
    return flat, nests[0] if len(nests) == 1 else group(nests)


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of one source of error in a result: in the bound, and in its error."""

    most: Operand
    actual: Operand | None
    digits: Operand
    statement: Apply | None = None
    title: str = ""
    passive: bool = True


def _rows(adjoints: Adjoints, k: int, subject: Subject) -> list[Row]:
    builder = adjoints.builder
    parts = [*_of_operations(adjoints, k, subject), *_of_inputs(adjoints, k, subject)]
    bound = fold(builder, "total", [p.most for p in parts]) if parts else _ZERO
    known = [p.actual for p in parts if p.actual is not None]
    error = fold(builder, "total", known) if known else _ZERO
    rows = []
    for part in parts:
        span, symbol = None, part.title
        if part.statement is not None:
            span, symbol = part.statement.out.span, _symbol(part.statement)
        where = span, subject.listing.place(span), subject.listing.text(span)
        actual = part.actual
        share = None if actual is None else builder.apply("share", actual, error)
        most = builder.apply("share", part.most, bound)
        rows.append(Row(*where, symbol, most, share, part.digits, part.passive))
    return rows


def _symbol(statement: Apply) -> str:
    op = statement.op
    if op.form in (Form.WITHIN, Form.ROUNDED):
        return f"input {statement.out.hint}"
    return _SIGNS.get(op.form, op.name)


def _of_operations(adjoints: Adjoints, k: int, subject: Subject) -> list[_Part]:
    """The operations of the program, in its order."""
    builder, rules = adjoints.builder, subject.rules
    parts = []
    for place, adjoint in adjoints.found(k):
        if is_exact(place.statement):
            continue
        weight = absolute(builder, adjoint)
        most = largest_term(builder, place, weight, rules)
        error = error_of(builder, place, adjoint)
        digits = digits_of(builder, place)
        parts.append(_Part(most, error, digits, place.statement, "", place.passive))
    inner = list(_of_blocks(adjoints, k, subject))
    if inner:
        parts = sorted([*parts, *inner], key=lambda part: _place(part, subject))
    return parts


def _place(part: _Part, subject: Subject) -> int:
    """The place of an operation in the source; inputs, which have none, stand last."""
    span = None if part.statement is None else part.statement.out.span
    return len(subject.order) if span is None else subject.order[span]


def _of_blocks(adjoints: Adjoints, k: int, subject: Subject) -> Iterator[_Part]:
    """The operations in branches and loops: a part for each place."""
    builder = adjoints.builder
    each = columns(adjoints.totals[k], 3 * len(subject.inner))
    for n, statement in enumerate(subject.inner.values()):
        bounds, errors, digits = each[3 * n : 3 * n + 3]
        if bounds:
            known = is_known(statement)
            yield _Part(
                summed(builder, bounds),
                summed(builder, errors) if known else None,
                largest(builder, [], digits),
                statement,
                passive=False,
            )


def _of_inputs(adjoints: Adjoints, k: int, subject: Subject) -> Iterator[_Part]:
    builder = adjoints.builder
    for value, own, adjoint in adjoints.brought(k):
        most = input_term(builder, value, own, absolute(builder, adjoint))
        actual = _brought(builder, own, adjoint)
        title = subject.titles.get(value, value.hint)
        yield _Part(most, actual, _ZERO, title=title)


def _brought(builder: Builder, own: InputError, adjoint: Operand) -> Operand | None:
    if not isinstance(own, Known):
        return None
    return product(builder, adjoint, Literal(own.error))
