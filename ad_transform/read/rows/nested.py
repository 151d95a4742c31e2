"""Lists of lists of run-time length: `[[0.0] * n for _ in range(m)]`.

Where all rows are as long as the first one, for their length does not depend on the
row, they are held as one matrix, so every row has to be a list of its own. Any others
are lists of any length (see `lists`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import reduce

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, Type
from ad_transform.read.arrays import (
    array_rows,
    arrays,
    extents,
    packing,
    rebinding,
    views,
)
from ad_transform.read.branches import widening
from ad_transform.read.known import grids
from ad_transform.read.loops import loops
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftApply, DraftLoop, DraftStatement, made
from ad_transform.read.rows import (
    made_rows,
    row_layouts,
    row_lengths,
    row_values,
    stacks,
)
from ad_transform.read.values.layouts import Layout, Listed, Row
from ad_transform.read.values.series import Series, Stream
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import FILLERS, Draft, Number, Special, Value

Opened = Callable[[Stream], Series | None]
"""The items of a comprehension as a series, or None."""


_FEW = 8
"""Numbers of a row that are stored one by one."""


@dataclass(frozen=True, slots=True)
class _Row:
    """The form of a row: the terms of its length, the statements that make these, the
    type of its elements; a list among the terms stands for its length.

    Rows that are all of one number say it in `filled`. Those that have other names,
    known item by item, are `lent`: the matrix holds copies that must not be written.
    A list of those of a `kind`, tuples or lists of known items, may become one that
    grows, and so may one `of_arrays`, which is laid out as `grown` then.
    """

    terms: Sequence[Number]
    before: Sequence[DraftStatement]
    type: Type
    filled: Literal | None = None
    lent: bool = False
    kind: Container | None = None
    grown: Layout | None = None
    of_arrays: bool = False


def rows(flat: Context, items: Series, opened: Opened, span: Span) -> Value | None:
    """A new list of the lists that a loop goes over; None where it goes over others."""
    row = _probed(flat, items, opened, span)
    if isinstance(row, Row):
        own = row.kind
        flat.displays[span] = own if isinstance(own, Container) else Container.LIST
        return made_rows.gathered(flat, items, row, span)
    if not isinstance(row, _Row):
        return row
    for statement in row.before:
        flat.add(statement)
    lengths = [_length(flat, term, span) for term in row.terms]
    count, *terms = [
        extents.at_least_none(flat, n, span) for n in (items.length, *lengths)
    ]
    sizes = [
        count,
        reduce(lambda a, b: extents.number(flat, "add", (a, b), span), terms),
    ]
    kind = packing.kind_at(flat, span, row.type)
    filler = widening.typed(flat.statements, row.filled or FILLERS[kind], kind, span)
    matrix = packing.full(flat, filler, sizes, Container.LIST, span)
    if not isinstance(matrix, Array):
        return matrix
    found: Sequence[Number] = ()

    def trip(k: Draft) -> None:
        nonlocal found
        value = items.item(k)
        if isinstance(value, Group) and len(value.items) <= _FEW:
            found = [Literal(len(value.items))]
            if row.filled is None:
                _put_each(flat, matrix, k, value.items, kind, span)
            return
        own = _items(flat, value, opened, span)
        if own is None:
            return
        found = _terms(flat, value, own, span)
        if row.filled is not None:
            return

        def put(j: Draft) -> None:
            arrays.put(flat, Array(matrix.cell, (k, j)), own.item(j), span)

        loops.trips(flat, own.length, put, span)

    loop = loops.trips(flat, items.length, trip, span).draft
    if row.lent:
        flat.heap.aliases.take_out(matrix.cell, span)
    flat.displays[span] = row.kind or Container.LIST
    if row.of_arrays:
        array_rows.note(flat, matrix, span, row.grown)
    if row.kind is Container.TUPLE:
        flat.rows_out.of_tuples[span] = None
    return matrix if _is_fixed(found, loop) else _uneven(flat, kind, span)


def _put_each(
    flat: Context,
    matrix: Array,
    k: Draft,
    items: Sequence[Value],
    kind: Type,
    span: Span,
) -> None:
    """Store the numbers of a row, known one by one."""
    for j, item in enumerate(items):
        number = flat.number(item, span)
        if number is not None:
            number = widening.typed(flat.statements, number, kind, span)
            arrays.put(flat, Array(matrix.cell, (k, Literal(j))), number, span)


def _is_fixed(terms: Sequence[Number], loop: DraftLoop) -> bool:
    """Whether terms are the same in all trips of a loop: none depends on a value that a
    trip changes, but for the length of a list that the trips leave as long.
    """
    same = [c.param for c in loop.carries if row_lengths.as_long(loop, c)]
    changed = [c.param for c in loop.carries if c.end is not c.param]
    changed += [] if loop.index is None else [loop.index]
    own = [term for term in terms if term not in same]
    return _before(own, loop.body, changed, same) is not None


def _begin_lists(flat: Context, of: Layout, span: Span) -> None:
    """Begin again with lists of any length, whose items are laid out as `of`."""
    flat.displays[span] = Container.LIST
    flat.relay(span, Listed(of))


def _uneven(flat: Context, of: Type, span: Span) -> Value:
    _begin_lists(flat, of, span)
    message = "the rows of this list may differ in length"
    help_ = "let all rows be of one length, which is known before the first"
    return flat.refuse("AD107", message, span, help_)


def _length(flat: Context, term: Number, span: Span) -> Number:
    """The number of a term of a length: a whole number, or the length of a list."""
    if isinstance(term, Draft) and term.type.dims:
        return extents.held_length(flat, term, 0, span)
    return term


def _items(flat: Context, value: Value, opened: Opened, span: Span) -> Series | None:
    """The items of a row; None for a value that is no row."""
    if isinstance(value, Stream):
        return opened(value)
    if isinstance(value, Group):
        value = packing.packed(flat, value.items, Container.LIST, span)
    if isinstance(value, Array) and len(value.axes) == 1:
        return views.series(flat, value, span)
    return None


@dataclass(frozen=True, slots=True)
class _Look:
    """A row that is looked at: its value, the terms of its length, whether nothing has
    been written to it, whether it has another name, and one of its elements.
    """

    value: Value
    terms: Sequence[Number]
    is_new: bool
    is_held: bool
    element: Value
    grown: Layout | None


def _probed(
    flat: Context, items: Series, opened: Opened, span: Span
) -> _Row | Row | Value | None:
    """The form of a row, found by making one, which is taken back; None where it is no
    row.
    """
    saved, first = flat.snapshot(), len(flat.heap.cells)
    there = set(flat.frame.names)
    index, place = Draft(INT, span), Draft(INT, span)

    def look() -> _Look | Row | None:
        value = items.item(index)
        layout = row_layouts.uneven(value)
        if layout is not None:
            return layout
        own = _items(flat, value, opened, span)
        if own is None:
            return None
        terms = _terms(flat, value, own, span)
        is_new = (
            isinstance(value, Array)
            and flat.heap.held(value.cell, span) is value.cell.origin
        )
        is_held = _is_held(flat, value, first, {*flat.frame.names} - there)
        is_array = grids.is_array(value)
        grown = stacks.layout_of_all(flat, (value,), span) if is_array else None
        return _Look(value, terms, is_new, is_held, own.item(place), grown)

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
        layout = row_layouts.layout_of(seen.element)
        if layout is not None:
            _begin_lists(flat, layout, span)
        message = "a list of lists of lists of run-time length is not supported"
        return flat.refuse("AD107", message, span, "make one list of all its numbers")
    of_tuples = row_values.stands_for_tuple(flat, seen.value)
    if seen.is_held and isinstance(seen.value, Array) and not of_tuples:
        if grids.is_array(seen.value):
            flat.remake(seen.value)
        message = "the rows of this list are arrays that have other names"
        return flat.refuse("AD124", message, span, "let each be a copy: `row.copy()`")
    makers = {s.out: s for s in body if isinstance(s, DraftApply)}
    filled = _number_of(seen.value)
    if seen.is_new and isinstance(seen.value, Array):
        match makers.get(seen.value.cell.origin):
            case DraftApply(op=op, args=(Literal() as start, _)) if op.name == "full":
                filled = start
    before = _before(seen.terms, body, (index, place))
    if before is None:
        return _uneven(flat, seen.element.type, span)
    type_, value = seen.element.type, seen.value
    kind = value.container if isinstance(value, Group) else None
    if of_tuples:
        return _Row(seen.terms, before, type_, None, False, Container.TUPLE)
    row = _Row(seen.terms, before, type_, filled, seen.is_held, kind)
    return replace(row, grown=seen.grown, of_arrays=grids.is_array(value))


def _is_held(flat: Context, value: Value, first: int, own: Set[str]) -> bool:
    """Whether a row has a name but its `own` ones in the comprehension, or may be a row
    that has one. Cells from the number `first` on are those of the trip.
    """
    names = [*flat.stack, *rebinding.outside(flat, flat.frame, own)]
    named = list(rebinding.inside(names))
    if isinstance(value, Group) and value.container is not Container.TUPLE:
        return row_values.is_among(flat, value, named)
    if not isinstance(value, Array):
        return False
    cells = [value.cell]
    for cell in cells:
        cells += flat.heap.aliases.choices.get(cell, ())
    known = {one.cell for one in named if isinstance(one, Array)}
    return any(cell in known or int(cell.key[1:-1]) < first for cell in cells)


def _number_of(value: Value) -> Literal | None:
    """The number that all of a row are, known one by one; None for others."""
    items = value.items if isinstance(value, Group) else ()
    told = {repr(v.value) if isinstance(v, Literal) else "" for v in items}
    first = items[0] if len(told) == 1 else None  # 0.0 is not -0.0
    return first if isinstance(first, Literal) else None


def _terms(flat: Context, value: Value, items: Series, span: Span) -> Sequence[Number]:
    """The terms of the length of a row that has just been made."""
    if isinstance(value, Array) and value.is_whole:
        content = flat.heap.held(value.cell, span)
        if isinstance(content, Draft):
            return row_lengths.terms_of(content, flat.statements) or [items.length]
    return [items.length]


def _before(
    terms: Sequence[Number],
    body: Sequence[DraftStatement],
    inner: Sequence[Draft],
    sized: Sequence[Draft] = (),
) -> list[DraftStatement] | None:
    """The operations of a block that some numbers need, which may stand before it; None
    where one depends on a value known only there, as the `inner` ones are. The length
    of lists that are `sized` is known before.
    """
    own = {*made(body), *inner}
    needed = {*terms}
    found: list[DraftStatement] = []
    for statement in reversed(body):
        if isinstance(statement, DraftApply) and statement.out in needed:
            found.insert(0, statement)
            own.discard(statement.out)
            is_size = statement.op.name == "size"
            needed.update(n for n in statement.args if not (is_size and n in sized))
    return None if not own.isdisjoint(needed) else found
