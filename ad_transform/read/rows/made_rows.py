"""Lists of rows as they are made: of known items, or of the items of a loop."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.ir.types import Type
from ad_transform.later import later
from ad_transform.read.arrays import array_rows
from ad_transform.read.known import grids
from ad_transform.read.machine.context import Context
from ad_transform.read.values.classes import Class
from ad_transform.read.values.layouts import Layout, Listed, Row, Stacked
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array, Column, Lists, Rows
from ad_transform.read.values.structured import (
    STRUCTURED,
    Group,
)
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Number,
    Special,
    Value,
    is_whole,
)

with later():
    from ad_transform.read.arrays import (
        arrays,
        extents,
        packing,
    )
    from ad_transform.read.loops import loops
    from ad_transform.read.objects import (
        homes,
        pools,
        settling,
    )
    from ad_transform.read.rows import (
        lists,
        row_layouts,
        row_values,
        row_writes,
        rows,
        stacks,
    )


def packed(
    flat: Context, items: Sequence[Value], container: Container, span: Span
) -> Value:
    """An array of known items. A list begins again as one of rows where its items are
    nested tuples or objects, or where it holds a single array and will grow.
    """
    if any(homes.is_put_in(flat, item, span) for item in items):
        return Special.REFUSED
    items = [flat.heap.fields.deep(item, span) for item in items]
    if container is Container.LIST and any(rows.is_open(flat, item) for item in items):
        flat.relay(span, row_layouts.NONE_SO_FAR)
    layout = (
        row_layouts.layout_of(items[0])
        if items and container is Container.LIST
        else None
    )
    uneven = _of_any_length(items) if container is Container.LIST else None
    if uneven is not None:
        flat.relay(span, uneven)
    grows = len(items) == 1 or any(map(is_whole, items))  # others are rows of a matrix
    if layout is None and grows and container is Container.LIST:
        stacked = stacks.layout_of(flat, items[0], span)
        if stacked is Special.REFUSED:
            return stacked
        if stacked is not None:
            flat.relay(span, stacked)
        if stacks.is_array(flat, items[0], span):
            return stacks.refuse(flat, span)
    if isinstance(layout, Row):
        is_nested = layout.kind is Container.TUPLE and layout.is_nested
        is_array = layout.kind is Container.ARRAY and len(items) == 1
        is_mixed = layout.is_mixed
        if is_nested or is_array or is_mixed or isinstance(layout.kind, Class | tuple):
            flat.relay(span, layout)
    found = packing.packed(flat, items, container, span)
    if container is not Container.ARRAY and any(map(grids.is_array, items)):
        array_rows.note(flat, found, span, stacks.layout_of_all(flat, items, span))
    return found


def _of_any_length(items: Sequence[Value]) -> Listed | None:
    """The layout of lists of several lengths, or of none but empty ones."""
    wide: Layout | None = None
    for item in items:
        own = row_layouts.layout_of(item)
        wide = own if wide is None or own is None else row_layouts.joint(wide, own)
        if wide is None or not isinstance(item, Group | Rows | Lists):
            return None
    return wide if isinstance(wide, Listed) else None


def made(flat: Context, items: Sequence[Value], layout: Layout, span: Span) -> Value:
    """A new list of rows, which are `items` by now."""
    if isinstance(layout, Type):
        return packing.packed(flat, items, Container.LIST, span, layout)
    if isinstance(layout, Stacked):
        return stacks.made(flat, list(items), layout, span)
    if isinstance(layout, Listed):
        return lists.made(flat, items, layout, span)
    layout = pools.known(flat, layout)
    taken = [row_values.row_of(flat, item, layout, span) for item in items]
    if Special.REFUSED in taken:
        return Special.REFUSED
    wide: Layout | None = layout
    for row in taken:
        own = row_values.layout_of(row, layout)
        wide = None if wide is None or own is None else row_layouts.joint(wide, own)
    if wide is None:
        return rows.not_alike(flat, span)
    if wide != layout:
        flat.relay(span, wide)
    if not isinstance(wide, Row) or len(wide.parts) != len(layout.parts):
        return Special.REFUSED  # until the list is made otherwise
    columns: list[Column] = []
    for k, kind in enumerate(layout.parts):
        own_items = [row.items[k] for row in taken if isinstance(row, STRUCTURED)]
        column = made(flat, own_items, kind, span)
        if not isinstance(column, Array | Rows | Lists):
            return column
        columns.append(column)
    found = Rows(tuple(columns), layout, span)
    homes.note(flat, found)
    if any(row_values.holds(flat, item, span) for item in items):
        for cell in found.cells:
            flat.heap.aliases.hold(cell, span)
    settling.settle_all(flat, found, items, span)
    return pools.listed(flat, found, span) if layout.is_pooled else found


def gathered(flat: Context, items: Series, layout: Row, span: Span) -> Value:
    """A new list of the rows that a loop goes over."""
    count = extents.at_least_none(flat, items.length, span)
    layout = pools.known(flat, layout)
    found = of_length(flat, layout, count, span)
    if not isinstance(found, Rows):
        return found

    homes.note(flat, found)

    def trip(k: Draft) -> None:
        value = items.item(k)
        start = flat.heap.aliases.tick()
        _put(flat, found, k, value, span)
        row_writes.permit(flat, start)
        settling.settle(flat, found, value, k, span)

    loops.trips(flat, items.length, trip, span)
    return pools.listed(flat, found, span) if layout.is_pooled else found


def of_length(flat: Context, layout: Row, count: Number, span: Span) -> Value:
    columns: list[Column] = []
    for part in layout.parts:
        if isinstance(part, Row | Listed):
            make = of_length if isinstance(part, Row) else lists.of_length
            inner = make(flat, part, count, span)  # type: ignore[arg-type]
            if not isinstance(inner, Rows | Lists):
                return inner
            columns.append(inner)
        elif isinstance(part, Type):
            made = packing.full(flat, FILLERS[part], (count,), Container.LIST, span)
            assert isinstance(made, Array)
            columns.append(made)
    return Rows(tuple(columns), layout, span)


def _put(flat: Context, found: Rows, k: Number, value: Value, span: Span) -> None:
    row = row_values.row_of(flat, value, found.layout, span, found.cells)
    if not isinstance(row, STRUCTURED):
        return
    for column, item in zip(found.columns, row.items, strict=True):
        if isinstance(column, Rows):
            _put(flat, column, k, item, span)
        elif isinstance(column, Lists):
            lists.store(flat, column, k, item, span)
        else:
            arrays.put(flat, Array(column.cell, (k,)), item, span)
