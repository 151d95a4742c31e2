"""Lists of rows that grow: a list for each place of the rows, side by side.

A row is a tuple, a list or an array whose items are known. It is taken apart where it
is appended, and does not change from then on. So an array cannot be changed by a name
that stands for a row (see `changes`), and an array that is written element by element
is appended only where it has no name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, STR, Type
from ad_transform.later import later
from ad_transform.read.arrays import views
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.fields import home_of
from ad_transform.read.values.layouts import Layout, Listed, Pool, Row, Stacked
from ad_transform.read.values.regrouping import regroup
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import (
    Array,
    Cell,
    Column,
    Lists,
    Rows,
    Slice,
    Stack,
)
from ad_transform.read.values.structured import (
    STRUCTURED,
    Group,
)
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Maybe,
    Number,
    Special,
    Value,
    is_whole,
)

with later():
    from ad_transform.read.arrays import (
        arrays,
        extents,
        growing,
        packing,
    )
    from ad_transform.read.branches import maybe
    from ad_transform.read.objects import (
        homes,
        pools,
        settling,
    )
    from ad_transform.read.rows import (
        lists,
        optional_rows,
        row_layouts,
        row_values,
        row_writes,
        stacks,
    )


def begin(flat: Context, array: Array, value: Value, span: Span) -> None:
    """Let a list of numbers have a row as its first item. It begins again as a list of
    rows, and a list of which the row is a part does so, too.
    """
    if isinstance(value, Array) and not value.is_whole:
        apart(flat, value.cell)
    if is_open(flat, value):
        flat.relay(array.cell.span, row_layouts.NONE_SO_FAR)
    row = row_values.taken(flat, value, span, (array.cell,))
    layout = row_layouts.layout_of(row) or stacks.layout_of(flat, row, span)
    if isinstance(layout, Row | Listed | Stacked):
        flat.relay(array.cell.span, layout)
    if layout is Special.REFUSED:
        row = layout
    if row is Special.REFUSED:
        flat.heap.bind(array.cell.key, row)  # or its elements would be no rows
    else:
        growing.append(flat, array, value, span)


def grow(flat: Context, found: Column | Stack, value: Value, span: Span) -> None:
    """Let a list of numbers, of rows, of lists or of arrays grow by one item."""
    if isinstance(found, Stack):
        stacks.append(flat, found, value, span)
        return
    if isinstance(found, Lists):
        lists.append(flat, found, value, span)
        return
    if isinstance(found, Rows):
        append(flat, found, value, span)
    elif is_row(value) or is_open(flat, value):
        begin(flat, found, value, span)
    else:
        growing.append(flat, found, value, span)


def awaited(flat: Context, found: Value, value: Value, span: Span) -> None:
    """Begin again with a list of rows for a list that will take its first row, once
    this has been compared with the others.
    """
    if isinstance(found, Array | Group) and is_row(value):
        site = found.cell.span if isinstance(found, Array) else found.site
        layout = row_layouts.layout_of(row_values.taken(flat, value, span))
        if site is not None and isinstance(layout, Row):
            flat.relay(site, layout)


def is_open(flat: Context, value: Value) -> bool:
    """Whether a value is None, or may be."""
    value = maybe.settled(flat.given_here, value)
    return value is Special.NONE or isinstance(value, Maybe)


def copied(flat: Context, found: Rows | Lists | Stack, span: Span) -> Value:
    """A new list of the same rows, lists or arrays."""
    if isinstance(found, Rows) and found.layout.is_live:
        return homes.part(flat, found, stacks.ALL, span)
    if isinstance(found, Stack):
        return stacks.part(flat, found, stacks.ALL, span)
    if isinstance(found, Lists):
        return lists.copied(flat, found, span)

    def copy(own: Array | Lists) -> Value:
        if isinstance(own, Lists):
            return lists.copied(flat, own, span)
        return arrays.copied(flat, own, Container.LIST, span)

    return found.changed(copy)


def deep_copy(flat: Context, found: Column, span: Span) -> Value:
    """A new list of copies of the same rows or lists."""
    if isinstance(found, Array):
        return arrays.copied(flat, found, Container.LIST, span)
    if isinstance(found, Rows):
        return found.changed(partial(deep_copy, flat, span=span))
    values = deep_copy(flat, found.values, span)
    if not isinstance(values, Array | Rows | Lists):
        return values
    own = replace(found, values=values)
    return lists.changed(
        own, lambda mark: arrays.copied(flat, mark, Container.LIST, span)
    )


def item(flat: Context, rows: Rows, index: Value, span: Span) -> Value:
    """`rows[k]`: a row; `rows[1:]`: a new list of rows."""

    def read(own: Array | Lists) -> Value:
        if isinstance(own, Lists):
            return lists.item(flat, own, index, span)
        return arrays.item(flat, own, index, span)

    if rows.layout.is_live:
        return homes.item(flat, rows, index, span)
    if isinstance(index, Slice):
        return rows.changed(read)
    return row_writes.kept(flat, _each(flat, rows, read))


def series(flat: Context, rows: Rows, span: Span) -> Series:
    """The rows as a series, for a loop over them."""

    def read(k: Number, own: Array | Lists) -> Value:
        if isinstance(own, Lists):
            return lists.item(flat, own, k, span)
        return views.at(flat, own, k, span)

    size = extents.length(flat, rows.first, span)
    if rows.layout.is_live:
        return Series(size, lambda k: homes.at(flat, rows, k, span), rows.beside)
    return Series(
        size,
        lambda k: row_writes.kept(flat, _each(flat, rows, partial(read, k))),
        rows.cells,
    )


def _each(flat: Context, rows: Rows, read: Callable[[Array | Lists], Value]) -> Value:
    """A row that is made of one item of each list, which `read` gives."""
    found = (
        _each(flat, c, read) if isinstance(c, Rows) else read(c) for c in rows.columns
    )
    if isinstance(rows.layout.kind, Pool):
        return pools.item(flat, rows.layout.kind, next(found), rows.site)
    row = regroup(rows.layout.kind, tuple(found))
    row_writes.take_out(flat, row)
    row_writes.note_row(flat, rows, row)
    return row


def is_row(value: Value) -> bool:
    """Whether a value is a row, a list or an array, and no number."""
    has_items = isinstance(value, (Array, Rows, Lists, *STRUCTURED))
    return has_items or is_whole(value)


def taken_apart(flat: Context, value: Value) -> None:
    """Begin again with a list of rows for a list of tuples or lists, or a part of one,
    if it is known where it is made; the types of its numbers are found there.
    """
    if isinstance(value, Array) and len(value.axes) > 1:
        apart(flat, value.cell)


def apart(flat: Context, cell: Cell) -> None:
    """Begin again with rows for a matrix that a cell holds, and for matrices of which
    it is a part.
    """
    content = flat.heap.read(cell, cell.span)
    dims = content.type.dims if isinstance(content, Draft) else ()
    kind = flat.displays.get(cell.span, Container.TUPLE)
    if len(dims) == 2 and isinstance(dims[1], int):
        flat.relay(cell.span, Row(kind, (INT,) * dims[1]))
    elif len(dims) == 2 and kind is Container.LIST:
        flat.relay(cell.span, Listed(INT))
    for share in flat.heap.aliases.shares if len(dims) == 2 else ():
        if share.matrix is cell and len(share.row.type.dims) == 2:
            apart(flat, share.row)  # of which it is a part


def append(flat: Context, rows: Rows, value: Value, span: Span) -> None:
    """Let the list grow by one row."""
    if not rows.first.is_whole:
        message = "a part of a list whose objects change is to grow"
        help_ = "append to the list itself"
        flat.refuse("AD107", message, span, help_)
        return
    place = extents.length(flat, rows.first, span)
    start = flat.heap.aliases.tick()
    for column, item in fitted(flat, rows, value, span):
        if isinstance(column, Array):
            growing.append(flat, column, item, span)
        else:
            grow(flat, column, item, span)
    row_writes.permit(flat, start)
    settling.settle(flat, rows, value, place, span)


def store(flat: Context, rows: Rows, index: Value, value: Value, span: Span) -> None:
    """`rows[index] = row`; other names of the row that was there keep it."""
    for column, item in fitted(flat, rows, value, span):
        if isinstance(column, Rows):
            store(flat, column, index, item, span)
        elif isinstance(column, Lists):
            lists.store(flat, column, index, item, span)
        else:
            arrays.store(flat, column, index, item, span)


def fitted(
    flat: Context, rows: Rows, value: Value, span: Span
) -> list[tuple[Column, Value]]:
    """The lists that a new row goes into, each with its part of the row; nothing after
    a report.
    """
    row = fitting(flat, rows, value, span)
    if not isinstance(row, STRUCTURED) or len(row.items) != len(rows.columns):
        return []
    return list(zip(rows.columns, row.items, strict=True))


def fitting(
    flat: Context, found: Rows | Lists, value: Value, span: Span
) -> Value | None:
    """A value as a row, or a list, of those that are in a list; None after a report."""
    row = row_values.row_of(flat, value, found.layout, span, found.cells)
    if row is not Special.REFUSED and home_of(row) is not None:
        row = homes.refuse(flat, span)
    if row is Special.REFUSED:
        for cell in found.cells:  # or its rows would be too few
            flat.heap.bind(cell.key, row)
            flat.heap.refused.add(cell.key)
        return None
    layout = row_values.layout_of(row, found.layout)
    wide = None if layout is None else row_layouts.joint(found.layout, layout)
    if wide is None:
        not_alike(flat, span)
        return None
    if wide != found.layout:
        relay(flat, found, wide)
        if not row_layouts.has_room(found.layout, wide):
            not_alike(flat, span)
            return None
    return row


def relay(flat: Context, found: Rows | Lists, wide: Layout) -> None:
    """Begin again with another layout of a list, which may stand in another one."""
    whole = flat.layouts.get(found.site) or flat.rows_out.sites.get(found.site)
    old, new = pools.unknown(found.layout), pools.unknown(wide)
    flat.relay(found.site, row_layouts.relaid(whole, old, new))


def matrix(flat: Context, rows: Rows, kind: Type | None, span: Span) -> Value:
    """A new array of the numbers in rows, of a kind if one is given; raises Unfit."""
    wide: Layout | None = rows.layout.parts[0]
    for part in rows.layout.parts:
        wide = None if wide is None else row_layouts.joint(wide, part)
    if not isinstance(wide, Type) or wide == STR:
        raise Unfit("takes rows of numbers only", "append numbers, side by side")
    if kind not in (None, wide):
        raise Unfit(f"makes no {kind} of these rows", "leave out `dtype`")
    sizes = (extents.length(flat, rows.first, span), Literal(len(rows.columns)))
    found = packing.full(flat, FILLERS[wide], sizes, Container.ARRAY, span)
    if isinstance(found, Array):
        arrays.fill(flat, found, rows, span)
    return found


_MAKERS = frozenset({"numpy.array", "numpy.asarray"})


def as_array(flat: Context, name: str, value: Value, span: Span) -> Value:
    """A list of rows as an array where a function of numpy takes it; any other value,
    and for any other function, as it is.
    """
    if not name.startswith("numpy.") or name in _MAKERS:
        return value
    value = optional_rows.certain(flat, value, span)
    if isinstance(value, Stack):
        return stacks.matrix(flat, value, span)
    if not isinstance(value, Rows):
        return value
    return matrix(flat, value, None, span)


def not_alike(flat: Context, span: Span) -> Value:
    message = "a list of rows that are not alike is not supported"
    help_ = "let all be tuples, lists or arrays of one length, with numbers in them"
    return flat.refuse("AD107", message, span, help_)
