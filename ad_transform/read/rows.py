"""Lists of rows that grow: a list for each place of the rows, side by side.

A row is a tuple, a list or an array whose items are known. It is taken apart where it
is appended, and does not change from then on. So an array cannot be changed by a name
that stands for a row (see `changes`), and an array that is written element by element
is appended only where it has no name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, STR, Type
from ad_transform.later import later
from ad_transform.read import views
from ad_transform.read.arguments import Unfit
from ad_transform.read.as_python_has_it import is_in_python
from ad_transform.read.classes import Class
from ad_transform.read.context import Context
from ad_transform.read.layouts import Layout, Listed, Row, Stacked
from ad_transform.read.regrouping import kind_of, regroup
from ad_transform.read.series import Series
from ad_transform.read.storage import Array, Cell, Column, Lists, Rows, Slice, Stack
from ad_transform.read.structured import (
    GROUPS,
    STRUCTURED,
    Dict,
    Group,
    Object,
)
from ad_transform.read.values import (
    FILLERS,
    Draft,
    Maybe,
    Number,
    Special,
    Value,
    is_whole,
)

with later():
    from ad_transform.read import (
        arrays,
        extents,
        growing,
        lists,
        loops,
        maybe,
        packing,
        rebinding,
        row_layouts,
        row_writes,
        stacks,
    )


def begin(flat: Context, array: Array, value: Value, span: Span) -> None:
    """Let a list of numbers have a row as its first item: begin again with a list of
    rows, if it is known where it is made, and with another one where the row is of it.
    """
    if isinstance(value, Array) and not value.is_whole:
        _apart(flat, value.cell)
    if _is_open(flat, value):
        flat.relay(array.cell.span, row_layouts.NONE_SO_FAR)
    row = _taken(flat, value, span, (array.cell,))
    layout = row_layouts.layout_of(row) or stacks.layout_of(flat, row, span)
    if isinstance(layout, Row | Listed | Stacked):
        flat.relay(array.cell.span, layout)
    if layout is Special.REFUSED:
        row = layout
    if row is Special.REFUSED:
        flat.heap.bind(array.cell.key, row)  # or its elements would be no rows
    else:
        growing.append(flat, array, value, span)


def _taken(flat: Context, value: Value, span: Span, into: Sequence[Cell] = ()) -> Value:
    """A value with the elements in place of arrays. One that has a name becomes a row
    of a list as it is by now: that one or the other may not be written after that.
    """
    if isinstance(value, Object):
        fields = flat.heap.fields
        if value.identity is not None:
            fields.rowed[value.identity] = None
        value = Object(value.of, fields.items(value, span))
    if isinstance(value, GROUPS):
        if _is_held(flat, value):
            for own in into:
                flat.heap.aliases.hold(own, span)
        items = tuple(_taken(flat, item, span, into) for item in value.items)
        return regroup(kind_of(value), items, getattr(value, "site", None))
    if isinstance(value, Dict):
        return _dict_taken(flat, value, span, into)
    if not isinstance(value, Array) or not value.is_whole or len(value.places) > 1:
        return value
    content = flat.heap.held(value.cell, span)
    length = content.type.dims[0] if isinstance(content, Draft) else None
    if not isinstance(length, int):
        return value
    named = is_named(flat, value.cell)
    event = flat.heap.aliases.tick()
    for own in into if named else ():
        flat.heap.aliases.share(own, value.cell, is_copy=True, event=event)
    if named and not into:
        message = "an array that is changed in place becomes a row of a list that grows"
        help_ = "append a copy: `rows.append(row.copy())`"
        return flat.refuse("AD124", message, span, help_)
    elements = (views.at(flat, value, Literal(k), span) for k in range(length))
    return Group(value.cell.container, tuple(elements))


def _dict_taken(flat: Context, value: Dict, span: Span, into: Sequence[Cell]) -> Value:
    """A dict as a row. One that has a name is not changed any more, and AD124 where
    another trip may put it in.
    """
    out = flat.rows_out
    named = (one for one in rebinding.inside(_holders(flat)) if isinstance(one, Dict))
    if any(one.may_be(value) or value.may_be(one) for one in named):
        is_of_trip = out.is_of_trip(value.identity, flat.heap.running)
        if not is_of_trip and value.identity not in out.dicts:
            message = "a dict that has a name becomes an item of a list that grows"
            return flat.refuse("AD124", message, span, "append a copy: `dict(d)`")
        out.dicts[value.identity] = None
    items = tuple(_taken(flat, item, span, into) for item in value.items)
    return Dict(value.keys, items)


def _row_of(
    flat: Context,
    value: Value,
    layout: Row | Listed,
    span: Span,
    into: Sequence[Cell] = (),
) -> Value:
    """A value as a row of a layout, which may be that of what may be None."""
    if isinstance(layout, Row) and layout.kind is Special.NONE:
        value = maybe.settled(flat.given_here, value)
        value = row_layouts.flagged(value, layout)
    return _taken(flat, value, span, into)


def _layout_of(row: Value, like: Row | Listed) -> Layout | None:
    """The layout of such a row."""
    layout = row_layouts.layout_of(row)
    may_be_none = isinstance(like, Row) and like.kind is Special.NONE
    if may_be_none and isinstance(layout, Row):
        return Row(Special.NONE, layout.parts)
    return layout


def takes_none(value: Value) -> bool:
    """Whether a value is a list of what may be None."""
    return isinstance(value, Rows) and value.layout.kind is Special.NONE


def stored(flat: Context, of: Value, value: Value, span: Span) -> Value:
    """What `of[k] = value` stores: TypeError where it is None, and `of` takes none."""
    return value if takes_none(of) else maybe.certain(flat, value, span)


def certain(flat: Context, value: Value, span: Span) -> Value:
    """A list of what may be None as one of numbers: TypeError where one is None. Any
    other value as it is.
    """
    if not isinstance(value, Rows) or not takes_none(value):
        return value
    over = series(flat, value, span)
    items = Series(over.length, lambda k: maybe.certain(flat, over.item(k), span))
    return arrays.gathered(flat, items, Container.LIST, span)


def optional(flat: Context, count: Number, span: Span) -> Value:
    """`[None] * n`, of what is stored into it later."""
    flat.displays[span] = Container.LIST
    layout = flat.layouts.get(span)
    if not isinstance(layout, Row):
        layout = row_layouts.NONE_SO_FAR
    return _of_length(flat, layout, count, span)


def _is_held(flat: Context, value: Value) -> bool:
    """Whether anything holds a list of known items but the value at hand."""
    if not isinstance(value, Group) or value.container is not Container.LIST:
        return False
    held = list(rebinding.inside(_holders(flat)))
    return any(
        flat.rows_out.has_row(way) or any(one is way for one in held)
        for way in ways(flat, value)
    )


def ways(flat: Context, row: Group) -> list[Group]:
    """The lists of known items that a list may be, as branches have it, and itself."""
    found = [row]
    for one in found:
        _, *givers = flat.heap.givers.get(id(one), (one,))
        found += (giver for giver in givers if isinstance(giver, Group))
    return found


def _holders(flat: Context) -> list[rebinding.Held]:
    """All that can be reached, but for what names in a file of `in_python` stand for
    that is running: it hands on what it is given.
    """
    if not flat.running or not is_in_python(flat.running[-1].span):
        return rebinding.others(flat, "")
    held: list[rebinding.Held] = list(flat.stack)
    for frame in flat.callers:
        for one in rebinding.around(frame):  # a comprehension reads names around it
            held += one.names.values()
    return held + list(flat.heap.fields.held(()))


def is_named(flat: Context, cell: Cell) -> bool:
    """Whether anything may stand for an array but the value at hand."""
    apart = flat.heap.aliases.is_apart
    for one in rebinding.inside(_holders(flat)):
        if isinstance(one, Array) and (one.cell is cell or not apart(one.cell, cell)):
            return True
    return False


def packed(
    flat: Context, items: Sequence[Value], container: Container, span: Span
) -> Value:
    """An array of known items; a list of tuples that hold tuples is none, nor is one
    of NamedTuples, nor one of a single array, which will grow.
    """
    items = [flat.heap.fields.deep(item, span) for item in items]
    if container is Container.LIST and any(_is_open(flat, item) for item in items):
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
    return packing.packed(flat, items, container, span)


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
    rows = [_row_of(flat, item, layout, span) for item in items]
    if Special.REFUSED in rows:
        return Special.REFUSED
    wide: Layout | None = layout
    for row in rows:
        own = _layout_of(row, layout)
        wide = None if wide is None or own is None else row_layouts.joint(wide, own)
    if wide is None:
        return _not_alike(flat, span)
    if wide != layout:
        flat.relay(span, wide)
    columns: list[Column] = []
    for k, kind in enumerate(layout.parts):
        own_items = [row.items[k] for row in rows if isinstance(row, STRUCTURED)]
        column = made(flat, own_items, kind, span)
        if not isinstance(column, Array | Rows | Lists):
            return column
        columns.append(column)
    return Rows(tuple(columns), layout, span)


def gathered(flat: Context, items: Series, layout: Row, span: Span) -> Value:
    """A new list of the rows that a loop goes over."""
    count = extents.at_least_none(flat, items.length, span)
    found = _of_length(flat, layout, count, span)
    if not isinstance(found, Rows):
        return found

    def trip(k: Draft) -> None:
        _put(flat, found, k, items.item(k), span)

    loops.trips(flat, items.length, trip, span)
    return found


def _of_length(flat: Context, layout: Row, count: Number, span: Span) -> Value:
    columns: list[Column] = []
    for part in layout.parts:
        if isinstance(part, Row | Listed):
            make = _of_length if isinstance(part, Row) else lists.of_length
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
    row = _row_of(flat, value, found.layout, span)
    if not isinstance(row, STRUCTURED):
        return
    for column, item in zip(found.columns, row.items, strict=True):
        if isinstance(column, Rows):
            _put(flat, column, k, item, span)
        elif isinstance(column, Lists):
            lists.store(flat, column, k, item, span)
        else:
            arrays.put(flat, Array(column.cell, (k,)), item, span)


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
    elif is_row(value) or _is_open(flat, value):
        begin(flat, found, value, span)
    else:
        growing.append(flat, found, value, span)


def awaited(flat: Context, found: Value, value: Value, span: Span) -> None:
    """Begin again with a list of rows for a list that will take its first row, which is
    compared with the others before.
    """
    if isinstance(found, Array | Group) and is_row(value):
        site = found.cell.span if isinstance(found, Array) else found.site
        layout = row_layouts.layout_of(_taken(flat, value, span))
        if site is not None and isinstance(layout, Row):
            flat.relay(site, layout)


def _is_open(flat: Context, value: Value) -> bool:
    """Whether a value is None, or may be."""
    value = maybe.settled(flat.given_here, value)
    return value is Special.NONE or isinstance(value, Maybe)


def copied(flat: Context, found: Rows | Lists | Stack, span: Span) -> Value:
    """A new list of the same rows, lists or arrays."""
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

    if isinstance(index, Slice):
        return rows.changed(read)
    row = _each(flat, rows, read)
    row_writes.note_row(flat, rows, row)
    return row_writes.kept(flat, row)


def series(flat: Context, rows: Rows, span: Span) -> Series:
    """What a loop over rows goes over."""

    def read(k: Number, own: Array | Lists) -> Value:
        if isinstance(own, Lists):
            return lists.item(flat, own, k, span)
        return views.at(flat, own, k, span)

    size = extents.length(flat, rows.first, span)
    return Series(
        size,
        lambda k: row_writes.kept(flat, _each(flat, rows, partial(read, k))),
        rows.cells,
    )


def _each(flat: Context, rows: Rows, read: Callable[[Array | Lists], Value]) -> Value:
    """A row of what is read of each list."""
    found = (
        _each(flat, c, read) if isinstance(c, Rows) else read(c) for c in rows.columns
    )
    row = regroup(rows.layout.kind, tuple(found))
    row_writes.take_out(flat, row)
    return row


def is_row(value: Value) -> bool:
    """Whether it is a row, a list or an array, and no number."""
    has_items = isinstance(value, (Array, Rows, Lists, *STRUCTURED))
    return has_items or is_whole(value)


def taken_apart(flat: Context, value: Value) -> None:
    """Begin again with a list of rows for a list of tuples or lists, if it is known
    where it is made; what its numbers are is found there.
    """
    if isinstance(value, Array) and value.is_whole:
        _apart(flat, value.cell)


def _apart(flat: Context, cell: Cell) -> None:
    content = flat.heap.read(cell, cell.span)
    dims = content.type.dims if isinstance(content, Draft) else ()
    if len(dims) == 2 and isinstance(dims[1], int):
        kind = flat.displays.get(cell.span, Container.TUPLE)
        flat.relay(cell.span, Row(kind, (INT,) * dims[1]))


def append(flat: Context, rows: Rows, value: Value, span: Span) -> None:
    """Let the list grow by one row."""
    for column, item in fitted(flat, rows, value, span):
        if isinstance(column, Array):
            growing.append(flat, column, item, span)
        else:
            grow(flat, column, item, span)


def store(flat: Context, rows: Rows, index: Value, value: Value, span: Span) -> None:
    """`rows[index] = row`: who has the row that was there keeps it."""
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
    """What goes into each of the lists of a new row; nothing after a report."""
    row = fitting(flat, rows, value, span)
    if not isinstance(row, STRUCTURED) or len(row.items) != len(rows.columns):
        return []
    return list(zip(rows.columns, row.items, strict=True))


def fitting(
    flat: Context, found: Rows | Lists, value: Value, span: Span
) -> Value | None:
    """A value as a row, or a list, of those that are in a list; None after a report."""
    row = _row_of(flat, value, found.layout, span, found.cells)
    if row is Special.REFUSED:
        for cell in found.cells:  # or its rows would be too few
            flat.heap.bind(cell.key, row)
        return None
    layout = _layout_of(row, found.layout)
    wide = None if layout is None else row_layouts.joint(found.layout, layout)
    if wide is None:
        _not_alike(flat, span)
        return None
    if wide != found.layout:
        flat.relay(found.site, wide)
    return row


def matrix(flat: Context, rows: Rows, kind: Type | None, span: Span) -> Value:
    """A new array of the numbers in rows, of a kind if one is said; raises Unfit."""
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
    """What a function of a name is given for a list of rows: numpy's take an array."""
    if not name.startswith("numpy.") or name in _MAKERS:
        return value
    value = certain(flat, value, span)
    if isinstance(value, Stack):
        return stacks.matrix(flat, value, span)
    if not isinstance(value, Rows):
        return value
    return matrix(flat, value, None, span)


def _not_alike(flat: Context, span: Span) -> Value:
    message = "a list of rows that are not alike is not supported"
    help_ = "let all be tuples, lists or arrays of one length, with numbers in them"
    return flat.refuse("AD107", message, span, help_)
