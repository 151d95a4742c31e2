"""Lists of lists of run-time length: `[[0.0] * n for _ in range(m)]`.

All rows are as long as the first one: what makes their length must not depend on the
row. They are held as one matrix, so every row has to be a list of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, Type
from ad_transform.read import (
    arrays,
    extents,
    loops,
    packing,
    row_layouts,
    views,
    widening,
)
from ad_transform.read import rows as by_place
from ad_transform.read.context import Context
from ad_transform.read.drafts import DraftApply, DraftStatement, made
from ad_transform.read.layouts import Row
from ad_transform.read.series import Series, Stream
from ad_transform.read.storage import Array
from ad_transform.read.structured import Group
from ad_transform.read.values import FILLERS, Draft, Number, Special, Value

Opened = Callable[[Stream], Series | None]
"""What a comprehension goes over, and its items."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row as it was found to be: what makes its length, of what its elements are.

    Rows that are all of one number say it in `filled`.
    """

    length: Number
    before: Sequence[DraftStatement]
    type: Type
    filled: Literal | None = None


def rows(flat: Context, items: Series, opened: Opened, span: Span) -> Value | None:
    """A new list of the lists that a loop goes over; None where it goes over others."""
    row = _probed(flat, items, opened, span)
    if isinstance(row, Row):
        return by_place.gathered(flat, items, row, span)
    if not isinstance(row, _Row):
        return row
    for statement in row.before:
        flat.add(statement)
    lengths = items.length, row.length
    sizes = [extents.at_least_none(flat, n, span) for n in lengths]
    kind = packing.kind_at(flat, span, row.type)
    filler = widening.typed(flat.statements, row.filled or FILLERS[kind], kind, span)
    matrix = packing.full(flat, filler, sizes, Container.LIST, span)
    if row.filled is not None or not isinstance(matrix, Array):
        return matrix

    def trip(k: Draft) -> None:
        own = _items(flat, items.item(k), opened, span)
        if own is None:
            return

        def put(j: Draft) -> None:
            arrays.put(flat, Array(matrix.cell, (k, j)), own.item(j), span)

        loops.trips(flat, own.length, put, span)

    loops.trips(flat, items.length, trip, span)
    return matrix


def _items(flat: Context, value: Value, opened: Opened, span: Span) -> Series | None:
    """What a row holds; None for what is no row."""
    if isinstance(value, Stream):
        return opened(value)
    if isinstance(value, Group):
        value = packing.packed(flat, value.items, Container.LIST, span)
    if isinstance(value, Array) and len(value.axes) == 1:
        return views.series(flat, value, span)
    return None


@dataclass(frozen=True, slots=True)
class _Look:
    """A row that is looked at: what it is, what it holds, whether nothing has been
    written to it, and one of its elements.
    """

    value: Value
    items: Series
    is_new: bool
    element: Value


def _probed(
    flat: Context, items: Series, opened: Opened, span: Span
) -> _Row | Row | Value | None:
    """A row, to see what it is; what it takes to make it is taken back."""
    saved, first = flat.snapshot(), len(flat.heap.cells)
    index, place = Draft(INT, span), Draft(INT, span)

    def look() -> _Look | Row | None:
        value = items.item(index)
        layout = row_layouts.uneven(value)
        if layout is not None:
            return layout
        own = _items(flat, value, opened, span)
        if own is None:
            return None
        cell = value.cell if isinstance(value, Array) else None
        is_new = cell is not None and flat.heap.held(cell, span) is cell.origin
        return _Look(value, own, is_new, own.item(place))

    with flat.module.shared.apart() as report:
        flat.heap.naturals.update((index, place))
        body, seen = flat.block(look)
    flat.restore(saved)
    if seen is None:
        return None
    if report.has_error:
        flat.module.report.extend(report.sorted())
        return Special.REFUSED
    if isinstance(seen, Row):
        return seen
    if not isinstance(seen.element, Draft | Literal):
        message = "a list of lists of lists of run-time length is not supported"
        return flat.refuse("AD107", message, span, "make one list of all its numbers")
    if isinstance(seen.value, Array) and int(seen.value.cell.key[1:-1]) < first:
        message = "the rows of this list are arrays that have other names"
        return flat.refuse("AD124", message, span, "let each be a copy: `row.copy()`")
    makers = {s.out: s for s in body if isinstance(s, DraftApply)}
    length, filled = seen.items.length, None
    if isinstance(seen.value, Array):
        match makers.get(seen.value.cell.origin):
            case DraftApply(op=op, args=(start, size)) if op.name == "full":
                length = size
                filled = start if seen.is_new and isinstance(start, Literal) else None
            case DraftApply(op=op, args=args) if op.name == "pack":
                length = Literal(len(args))
    before = _before(length, body, (index, place))
    if before is None:
        message = "the rows of this list may differ in length"
        help_ = "let all rows be of one length, which is known before the first"
        return flat.refuse("AD107", message, span, help_)
    return _Row(length, before, seen.element.type, filled)


def _before(
    length: Number, body: Sequence[DraftStatement], inner: Sequence[Draft]
) -> list[DraftStatement] | None:
    """The operations of a block that a length needs, which may stand before it; None
    where it depends on what is known only there.
    """
    own = {*made(body), *inner}
    needed = {length}
    found: list[DraftStatement] = []
    for statement in reversed(body):
        if isinstance(statement, DraftApply) and statement.out in needed:
            found.insert(0, statement)
            own.discard(statement.out)
            needed.update(statement.args)
    return None if not own.isdisjoint(needed) else found
