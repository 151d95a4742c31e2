"""Lists of lists of any length that grow: `saved.append(z_list)` in a loop.

A list that goes in is copied, item by item, and one that is taken out is a new one. So
a list that went in does not change while the list of lists is read, and one that came
out does not change at all (AD124, see `Aliases`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, Type
from ad_transform.later import later
from ad_transform.read.arrays import (
    arrays,
    extents,
    growing,
    packing,
    read_only_lists,
)
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import iterables
from ad_transform.read.loops import loops
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import (
    made_rows,
    row_layouts,
    rows,
)
from ad_transform.read.values.layouts import Layout, Listed
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array, Axis, Cell, Column, Lists, Rows
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import FILLERS, Draft, Number, Special, Value

with later():
    from ad_transform.read.rows import row_writes


def made(flat: Context, items: Sequence[Value], layout: Listed, span: Span) -> Value:
    """A new list of lists, laid out as `layout`."""
    found = of_length(flat, layout, Literal(0), span)
    if isinstance(found, Lists):
        for one in items:
            append(flat, found, one, span)
    return found


def of_constants(flat: Context, groups: Sequence[Value], span: Span) -> Lists | None:
    """Constant lists of several lengths, or with rows in them, as one list that is only
    read; None for any other values. It is made before all else.
    """
    key = Group(Container.TUPLE, tuple(groups))
    if key not in flat.tables:
        layout = _layout_of_constants(flat, groups)
        if layout is None:
            return None
        with read_only_lists.in_front(flat):
            made = _packed(flat, cast(Sequence[Group], groups), layout, span)
        flat.tables[key] = made
    found = flat.tables[key]
    return found if isinstance(found, Lists) else None


def _packed(
    flat: Context, groups: Sequence[Group], layout: Layout, span: Span
) -> Value:
    items = [item for group in groups for item in group.items]
    sizes = [len(group.items) for group in groups]
    starts = [sum(sizes[:k]) for k in range(len(sizes))]
    values = made_rows.made(flat, items, layout, span)
    marks = [
        packing.packed(flat, tuple(map(Literal, numbers)), Container.LIST, span, INT)
        for numbers in (starts, sizes)
    ]
    if not isinstance(values, Array | Rows | Lists):
        return values
    first, last = marks
    assert isinstance(first, Array)
    assert isinstance(last, Array)
    return Lists(values, first, last, Listed(layout), span)


def _layout_of_constants(flat: Context, groups: Sequence[Value]) -> Layout | None:
    """The layout of the items of some constant lists; None where these are the rows of
    a matrix, or are not constant.
    """
    wide: Layout | None = None
    sizes: set[int] = set()
    for group in groups:
        if not isinstance(group, Group) or not _is_constant(flat, group):
            return None
        sizes.add(len(group.items))
        for item in group.items:
            own = row_layouts.layout_of(item)
            wide = own if wide is None or own is None else row_layouts.joint(wide, own)
            if wide is None:
                return None
    is_matrix = len(sizes) == 1 and isinstance(wide, Type)
    return None if is_matrix or not sizes else wide or INT


def _is_constant(flat: Context, value: Value) -> bool:
    """Whether nothing can change a value: it holds literals, and no list of the
    function.
    """
    if not isinstance(value, Group):
        return isinstance(value, Literal)
    is_own = value.container is not Container.TUPLE and value.site in flat.displays
    is_plain = value.of is None and value.container is not Container.ARRAY
    return is_plain and not is_own and all(_is_constant(flat, v) for v in value.items)


def of_length(flat: Context, layout: Listed, count: Number, span: Span) -> Value:
    """A new list of `count` empty lists."""
    values = made_rows.made(flat, (), layout.of or INT, span)
    starts, sizes = (
        packing.full(flat, FILLERS[INT], (count,), Container.LIST, span) for _ in "ab"
    )
    if not isinstance(values, Array | Rows | Lists):
        return values
    assert isinstance(starts, Array)
    assert isinstance(sizes, Array)
    return Lists(values, starts, sizes, layout, span)


def append(flat: Context, lists: Lists, value: Value, span: Span) -> None:
    """Let the list grow by one list."""
    for mark, number in taken_in(flat, lists, value, span):
        growing.append(flat, mark, number, span)


def store(flat: Context, lists: Lists, index: Value, value: Value, span: Span) -> None:
    """`lists[k] = items`; other names of the list that was there keep it."""
    for mark, number in taken_in(flat, lists, value, span):
        arrays.store(flat, mark, index, number, span)


def taken_in(
    flat: Context, lists: Lists, value: Value, span: Span
) -> list[tuple[Array, Number]]:
    """Copy a list behind the items of all others. Gives the list of starts and that of
    sizes, each with its number for the copy; nothing after a report.
    """
    list_ = rows.fitting(flat, lists, value, span)
    if list_ is None:
        return []
    begin = flat.heap.aliases.tick()
    start = _natural(flat, extents.length(flat, first_of(lists.values), span))
    known = sequences.known_items(list_, flat.wholes)
    for item in known or ():
        rows.grow(flat, lists.values, item, span)
    size: Number = Literal(len(known or ()))
    over = None if known is not None else iterables.series_of(flat, list_, span)
    if over is not None:
        size, item_at = over.length, over.item
        loops.trips(
            flat, size, lambda k: rows.grow(flat, lists.values, item_at(k), span), span
        )
    row_writes.permit(flat, begin)
    event = row_writes.event(flat)
    for own, other in zip(_cells(lists.values), _cells(list_), strict=False):
        flat.heap.aliases.share(own, other, is_copy=True, event=event)
    return [(lists.starts, start), (lists.sizes, _natural(flat, size))]


def first_of(values: Column) -> Array:
    """A column of a list of items, which is as long as the list."""
    return values if isinstance(values, Array) else values.first


def _cells(value: Value) -> tuple[Cell, ...]:
    if isinstance(value, Array):
        return (value.cell,)
    return value.cells if isinstance(value, Rows | Lists) else ()


def _natural(flat: Context, number: Number) -> Number:
    if isinstance(number, Draft):
        flat.heap.naturals.add(number)
    return number


def item(flat: Context, lists: Lists, index: Value, span: Span) -> Value:
    """`lists[k]`: a new list, which is not to be changed; `lists[1:]`: some of them."""
    starts = arrays.item(flat, lists.starts, index, span)
    sizes = arrays.item(flat, lists.sizes, index, span)
    found = of_marks(flat, lists, starts, sizes, span)
    row_writes.note(flat, lists, index, starts, sizes, found)
    return found


def of_marks(
    flat: Context, lists: Lists, start: Value, size: Value, span: Span
) -> Value:
    """The list of `size` items from `start` on; of lists of starts and sizes, the list
    of all these lists.
    """
    if isinstance(start, Array) and isinstance(size, Array):
        _note_copy(flat, lists, span)
        return Lists(lists.values, start, size, lists.layout, lists.site)
    if not isinstance(start, Draft | Literal) or not isinstance(size, Draft | Literal):
        return Special.REFUSED
    where = Axis(_natural(flat, start), 1, _natural(flat, size))
    if lists.layout.is_live:
        return _seen(lists.values, where)
    found = _part(flat, lists.values, where, span)
    for cell in _cells(found):
        flat.heap.aliases.take_out(cell, span, first_of(lists.values).cell)
    return found


def _seen(values: Column, where: Axis) -> Column:
    """A view of items that stand side by side."""
    if isinstance(values, Array):
        return Array(values.cell, (where,))
    if isinstance(values, Rows):
        return replace(values, columns=tuple(_seen(c, where) for c in values.columns))
    starts, sizes = (Array(m.cell, (where,)) for m in (values.starts, values.sizes))
    return replace(values, starts=starts, sizes=sizes)


def _part(flat: Context, values: Column, where: Axis, span: Span) -> Value:
    """A new list of items that stand side by side."""
    if isinstance(values, Array):
        view = Array(values.cell, (where,))
        return arrays.copied(flat, view, Container.LIST, span)
    if isinstance(values, Rows):
        return values.changed(lambda own: _part(flat, own, where, span))
    return changed(values, lambda own: _part(flat, own, where, span))


def changed(lists: Lists, make: Callable[[Array], Value]) -> Value:
    """The list of lists whose starts and sizes are those that `make` gives for them."""
    starts, sizes = make(lists.starts), make(lists.sizes)
    if not isinstance(starts, Array) or not isinstance(sizes, Array):
        return Special.REFUSED
    return Lists(lists.values, starts, sizes, lists.layout, lists.site)


def copied(flat: Context, lists: Lists, span: Span) -> Value:
    """A new list of the same lists."""
    _note_copy(flat, lists, span)
    return changed(lists, lambda own: arrays.copied(flat, own, Container.LIST, span))


def _note_copy(flat: Context, lists: Lists, span: Span) -> None:
    """Note that a copy shares the lists, which stand in one place: writes by either
    name change them for both.
    """
    for cell in (first_of(lists.values).cell, lists.starts.cell):
        flat.heap.aliases.copy_rows(cell, span)


def series(flat: Context, lists: Lists, span: Span) -> Series:
    """The lists as a series, for a loop over them."""
    size = extents.length(flat, lists.first, span)
    cells = lists.cells
    if lists.layout.is_live:
        cells = (lists.starts.cell, lists.sizes.cell)
    return Series(size, lambda k: item(flat, lists, k, span), cells)
