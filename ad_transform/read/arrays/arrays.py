"""Arrays of run-time length: elements and views read and written, copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import COPY
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, STR, Type
from ad_transform.later import later
from ad_transform.read.arrays import (
    array_rows,
    extents,
    long_lists,
    rebinding,
    views,
)
from ad_transform.read.arrays.packing import fixed, full, kind_at
from ad_transform.read.branches import widening
from ad_transform.read.loops import loops
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array, Cell, Slice
from ad_transform.read.values.structured import Group, is_list
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Number,
    Special,
    Value,
    is_text,
    is_whole,
)

with later():
    from ad_transform.read.rows import (
        row_values,
        rows,
    )

Notes = tuple[str, ...]


def item(flat: Context, array: Array, index: Value, span: Span) -> Value:
    """`array[index]`: an element, or a view."""
    view = views.indexed(flat, array, index, span)
    if view is None:
        return Special.REFUSED
    if view.axes:
        is_list = array_rows.container(flat, array) is not Container.ARRAY
        is_copy = is_list and isinstance(index, Slice)
        return shallow(flat, view, span) if is_copy else view
    return views.element(flat, view, span)


def store(
    flat: Context,
    array: Array,
    index: Value,
    value: Value,
    span: Span,
    notes: Notes = (),
) -> None:
    """`array[index] = value`."""
    view = views.indexed(flat, array, index, span)
    if view is None or value is Special.REFUSED:
        return
    if array.cell.container is Container.TUPLE:
        flat.refuse("AD107", "a tuple cannot be changed", span, "write a list")
    elif view.axes:
        if not isinstance(index, Slice):
            let_go(flat, array, span)
        fill(flat, view, value, span)
        if not isinstance(index, Slice):
            _share(flat, array, value, span)
    else:
        put(flat, view, value, span, notes)


def shallow(flat: Context, view: Array, span: Span) -> Value:
    """A copy as by `x.copy()` and `x[:]`: lists in lists are shared."""
    made = copied(flat, view, view.cell.container, span)
    has_lists = len(view.axes) > 1 and view.cell.container is not Container.ARRAY
    if isinstance(made, Array) and has_lists:
        same_rows(flat, made, view)
    return made


def same_rows(flat: Context, made: Array, of: Array) -> None:
    """Note that the rows of a list are those of another list or a matrix."""
    flat.heap.aliases.share(made.cell, of.cell)
    if of.cell in flat.views:
        flat.views[made.cell] = flat.views[of.cell]


def let_go(flat: Context, array: Array, span: Span) -> None:
    """Refuse to replace a row of a list of lists while the row has a name (AD124)."""
    if array.cell.container is not Container.LIST:
        return
    for value in rebinding.inside(rebinding.others(flat, "")):
        if isinstance(value, Array) and value.cell is array.cell and not value.is_whole:
            if array.cell.span in flat.rows_out.of_tuples:
                rows.taken_apart(flat, array)
            message = "a row of this list has a name, and another row takes its place"
            help_ = "let the name be that of a copy: `row = B[i].copy()`"
            flat.refuse("AD124", message, span, help_)
            return


def _share(flat: Context, array: Array, row: Value, span: Span) -> None:
    """Note that a row of a list of lists has another name."""
    if array.cell.container is not Container.LIST:
        return
    if is_list(row):
        flat.refit(row)
    if not isinstance(row, Array) or row_values.stands_for_tuple(flat, row):
        return
    if row.cell is array.cell:
        message = "two rows of this list are one array"
        flat.refuse("AD124", message, span, "let one of them be a copy: `B[i].copy()`")
        return
    flat.heap.aliases.share(array.cell, row.cell)


def put(
    flat: Context, view: Array, value: Value, span: Span, notes: Notes = ()
) -> None:
    """Write one element."""
    given = fit(flat, view.cell, value, span)
    content = flat.heap.held(view.cell, span)
    if given is None or not isinstance(content, Draft):
        return
    args = (content, given, *cast(tuple[Number], view.places))
    change(flat, view.cell, "set", args, span, notes)


def change(
    flat: Context,
    cell: Cell,
    op: str,
    args: Sequence[Number],
    span: Span,
    notes: Notes = (),
) -> None:
    """Give a cell the result of an operation on its contents."""
    if rebinding.is_copied(flat, cell) or rebinding.is_viewed(flat, cell):
        rebinding.refuse_shared(flat, name_of(flat, cell), span)
        return
    flat.changed.add(cell)
    if op not in ("append", "pop"):
        refit_rows(flat, cell)
    made = flat.apply(TABLE[op], args, span)
    if isinstance(made, Draft):
        made.hint, made.notes = cell.hint, () if flat.frame.quiet else notes
        flat.heap.write(cell, made)
        long_lists.note_change(flat, op, args, made)


def refit_rows(flat: Context, cell: Cell) -> None:
    """Begin again with arrays for the known rows of a list that have a name and are
    written now: the name sees what is written.
    """
    for row in flat.heap.aliases.named.get(cell, ()):
        flat.refit(row)


def name_of(flat: Context, cell: Cell) -> str:
    """A name of an array or of a part of it; empty without one."""
    names = flat.frame.names.items()
    own = (n for n, v in names if isinstance(v, Array) and v.cell is cell)
    return next(own, "")


def fit(flat: Context, cell: Cell, value: Value, span: Span) -> Number | None:
    """A number or a text as an element of a cell; None after a report."""
    stored = Type(cell.type.kind)
    if is_text(value) and cell.container is Container.LIST:
        if stored == STR:
            return value
        flat.widen(cell, STR)  # a list with other items is refused in the next run
    given = flat.number(value, span)
    if given is None:
        return None
    if stored == STR:
        message = f"{describe(given)} does not fit a list of texts"
        flat.refuse("AD107", message, span, "write it as a text, or keep two lists")
        return None
    own = INT if cell in flat.rounding else stored
    wide = widening.joint(given.type, own)
    if wide == own:
        return widening.typed(flat.statements, given, stored, span)
    if cell.container is not Container.ARRAY:
        flat.widen(cell, wide)
    message = f"{describe(given)} does not fit an array of {own.kind.value}s"
    help_ = "let the array hold floats: `np.zeros(n)`, `np.array([1.0, 2.0])`"
    flat.refuse("AD107", message, span, help_)
    return None


def fill(flat: Context, view: Array, value: Value, span: Span) -> None:
    """Write to every element of a view: one number, or item by item."""
    if isinstance(value, Draft | Literal):
        _fill_rows(flat, view, value, span)
        return
    if isinstance(value, Group):
        _fill_known(flat, view, value, span)
        return
    if isinstance(value, Array) and value.cell is view.cell:
        value = copied(flat, value, Container.ARRAY, span)
    if isinstance(value, Array) and extents.rank(view) > extents.rank(value):
        _fill_rows(flat, view, value, span)
        return
    items = views.series(flat, value, span)
    if items is None:
        if value is not Special.REFUSED:
            message = f"{describe(value)} cannot be written to a slice"
            flat.refuse("AD107", message, span, "write its elements in a loop")
        return
    trips = extents.length(flat, view, span)
    is_array = view.cell.container is Container.ARRAY
    if is_array and items.length == Literal(1) != trips:
        _fill_rows(flat, view, items.item(Literal(0)), span)
        return
    extents.agree(flat, trips, items.length, span)
    _fill_items(flat, view, items, span)


def _fill_items(flat: Context, view: Array, items: Series, span: Span) -> None:
    """Write the items of a series to a view of the same length."""
    trips = extents.length(flat, view, span)
    loops.trips(flat, trips, lambda k: _write(flat, view, k, items.item(k), span), span)


def _fill_rows(flat: Context, view: Array, value: Value, span: Span) -> None:
    """Write the same number or row to every item of a view."""
    trips = extents.length(flat, view, span)
    loops.trips(flat, trips, lambda k: _write(flat, view, k, value, span), span)


def _fill_known(flat: Context, view: Array, value: Group, span: Span) -> None:
    """Write known items, in every row if the view has more axes."""
    if extents.rank(view) > extents.rank(value):
        _fill_rows(flat, view, value, span)
        return
    trips = extents.length(flat, view, span)
    count = len(value.items)
    if isinstance(trips, Literal) and trips.value != count != 1:
        message = f"{count} items cannot be written to {trips.value}"
        flat.refuse("AD107", message, span, "write as many as there are")
        return
    if count == 1:
        (item,) = value.items
        loops.trips(flat, trips, lambda k: _write(flat, view, k, item, span), span)
        return
    extents.agree(flat, trips, Literal(count), span)
    for k, item in enumerate(value.items):
        _write(flat, view, Literal(k), item, span)


def _write(flat: Context, view: Array, k: Number, value: Value, span: Span) -> None:
    inner = views.placed(flat, view, k, span)
    if inner.axes:
        fill(flat, inner, value, span)
    else:
        put(flat, inner, value, span)


def gathered(
    flat: Context,
    items: Series,
    container: Container,
    span: Span,
    probe: Value | None = None,
) -> Value:
    """A new list of the items of a loop; `probe` is one of them, if known."""
    value = probe or probed(flat, items, span)
    if not isinstance(value, Draft | Literal) or is_whole(value):
        if value is not Special.REFUSED:
            message = f"a list of {describe(value)} of run-time length is not supported"
            help_ = "make a list of numbers, or all rows at once: `2.0 * B`"
            flat.refuse("AD107", message, span, help_)
        return Special.REFUSED
    count = extents.at_least_none(flat, items.length, span)
    filler = FILLERS[kind_at(flat, span, value.type)]
    made = full(flat, filler, (count,), container, span)
    assert isinstance(made, Array)
    target = Array(made.cell, made.places)

    def trip(k: Draft) -> None:
        put(flat, Array(target.cell, (k,)), items.item(k), span)

    loops.trips(flat, items.length, trip, span)
    return made


def probed(flat: Context, items: Series, span: Span) -> Value:
    """An item, to see its kind; the statements that make it are taken back."""
    saved = flat.snapshot()
    with flat.module.shared.apart() as report:
        index = Draft(INT, span)
        flat.heap.naturals.add(index)
        _, value = flat.block(lambda: items.item(index))
    flat.restore(saved)
    if report.has_error:
        flat.module.report.extend(report.sorted())
    return value


def copied(
    flat: Context, value: Array, container: Container, span: Span, name: str = ""
) -> Value:
    """A new array with the elements of an array or view; its name may be given."""
    content = flat.heap.read(value.cell, span)
    if not isinstance(content, Draft):
        return Special.REFUSED
    own = Type(value.cell.type.kind)
    is_line = container is Container.LIST and len(value.axes) == 1
    if is_line and kind_at(flat, span, own) != own:
        over = views.series(flat, value, span)
        assert over is not None
        return gathered(flat, over, container, span)
    if value.is_whole:
        op = TABLE[COPY[len(value.places)]]
        made = flat.apply(op, (content,), span)
        lengths = fixed(value.cell.lengths, container)
        assert isinstance(made, Draft)
        found = flat.heap.allocate(made, container, span, lengths)
        array_rows.hand_on(flat, value.cell, found)
        return found
    sizes = extents.shape(flat, value, span).items
    start = FILLERS[Type(value.cell.type.kind)]
    whole = [extents.at_least_none(flat, cast(Number, n), span) for n in sizes]
    made = full(flat, start, whole, container, span, name)
    items = views.series(flat, value, span)
    if isinstance(made, Array) and items is not None:
        _fill_items(flat, made, items, span)  # its length may be below 0
    array_rows.hand_on(flat, value.cell, made)
    return made
