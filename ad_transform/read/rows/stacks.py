"""Lists of arrays of a run-time shape that grow: `hist.append(u)` in a loop.

All numbers stand one behind another in one list, and others have the lengths of each
array, a list for each axis. An array that is taken out of the list is a new one:
neither it nor the array that went in may be changed in place while both have names
(AD124).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal as Only
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.dims import ANY, Dims
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import FLOAT, INT, Type
from ad_transform.read.arrays import (
    arrays,
    extents,
    growing,
    packing,
    rebinding,
    views,
)
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.loops import loops
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import row_layouts
from ad_transform.read.values.layouts import Layout, Stacked
from ad_transform.read.values.regrouping import regroup
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array, Cell, Slice, Stack
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Number,
    Special,
    Value,
    is_whole,
)
from ad_transform.read.wholes import wholes

ALL = Slice(Special.NONE, Special.NONE, Special.NONE)


def layout_of(
    flat: Context, value: Value, span: Span
) -> Stacked | Only[Special.REFUSED] | None:
    """The layout of a list of arrays like this one; None where it cannot be one.
    REFUSED after AD124: the array has a name, and its elements are written under that.
    """
    found = _form(flat, value, span)
    if found is None:
        return None
    held = rebinding.bases(flat, rebinding.others(flat, ""))
    is_named = bool(rebinding.bases(flat, [value]) & held)
    if is_named and isinstance(value, Array):
        flat.remake(value)
        rebinding.refuse_row(flat, span)
        return Special.REFUSED
    return Stacked(*found, is_named)


def layout_of_all(flat: Context, arrays_: Sequence[Value], span: Span) -> Layout | None:
    """The layout of a list of arrays that grows, one of known arrays among them; None
    where these are not alike.
    """
    found = {_layout_of_new(flat, one, span) for one in arrays_}
    return found.pop() if len(found) == 1 else None


def _layout_of_new(flat: Context, value: Value, span: Span) -> Layout | None:
    if isinstance(value, Group):
        return row_layouts.layout_of(value)
    found = _form(flat, value, span)
    if found is None and isinstance(value, Array):
        content = flat.heap.held(value.cell, span)
        if isinstance(content, Draft) and all(axis.is_whole for axis in value.axes):
            row = content.type.dims[len(value.places) - len(value.axes) :]
            found = row, Type(content.type.kind)
    if found is None or ANY in found[0] or found[1] not in (FLOAT, INT):
        return None
    return Stacked(*found, False)


def _form(flat: Context, value: Value, span: Span) -> tuple[Dims, Type] | None:
    """The dims of an array whose lengths parameters or numbers tell, and the type of
    its elements: floats, or whole numbers.
    """
    dims: Dims = ()
    of = FLOAT
    if is_whole(value):
        dims, of = value.type.shape, Type(value.type.kind)
    elif isinstance(value, Array) and value.cell.container is Container.ARRAY:
        content = flat.heap.held(value.cell, span)
        if value.is_whole and isinstance(content, Draft):
            dims, of = content.type.dims, Type(content.type.kind)
    is_known = 1 <= len(dims) <= MOST and ANY not in dims
    return (dims, of) if is_known and of in (FLOAT, INT) else None


def made(flat: Context, items: Sequence[Value], layout: Stacked, span: Span) -> Value:
    """A new list of such arrays."""
    values = packing.packed(flat, (), Container.LIST, span, layout.of)
    marks = [packing.packed(flat, (), Container.LIST, span, INT) for _ in layout.dims]
    found = regroup(layout, (values, *marks), span)
    if isinstance(found, Stack):
        for item in items:
            append(flat, found, item, span)
    return found


def append(flat: Context, stack: Stack, value: Value, span: Span) -> None:
    """Let the list grow by one array."""
    array = fitted(flat, stack, value, span)
    if array is None:
        return

    def grow(number: Value, _: Number) -> None:
        growing.append(flat, stack.values, number, span)

    each(flat, array, grow, span)
    for marks, size in zip(stack.marks, _shape(flat, array, span), strict=True):
        growing.append(flat, marks, size, span)


def fitted(flat: Context, stack: Stack, value: Value, span: Span) -> Array | None:
    """An array whose elements go into the list; None after a report."""
    own = layout_of(flat, value, span)
    if value is Special.REFUSED or own is Special.REFUSED:
        _end(flat, stack)
        return None
    wanted = stack.layout
    if own is None or (own.dims, own.of) != (wanted.dims, wanted.of):
        refuse(flat, span)
        return None
    if own.shares and not stack.layout.shares:
        flat.relay(stack.site, own)
    array = wholes.listed(flat, value, span)
    assert isinstance(array, Array)
    return array


def each(
    flat: Context, array: Array, use: Callable[[Value, Number], None], span: Span
) -> None:
    """Take the elements of an array one after another, row by row, with their places
    from 0 on.
    """
    inner = _shape(flat, array, span)[1:]

    def walk(own: Array, place: Number) -> None:
        over = views.series(flat, own, span)
        assert over is not None

        def trip(k: Draft) -> None:
            at = extents.number(flat, "add", (place, k), span)
            item = over.item(k)
            if isinstance(item, Array):
                walk(item, extents.number(flat, "mul", (k, inner[0]), span))
            else:
                use(item, at)

        loops.trips(flat, over.length, trip, span)

    walk(array, Literal(0))


def _shape(flat: Context, array: Array, span: Span) -> Sequence[Number]:
    return cast("tuple[Number, ...]", extents.shape(flat, array, span).items)


def _end(flat: Context, stack: Stack) -> None:
    """Let no one read the list, which would have too few arrays."""
    for part in stack.items:
        flat.heap.bind(part.cell.key, Special.REFUSED)


def is_array(flat: Context, value: Value, span: Span) -> bool:
    """Whether a value is a vector whose length only a run knows."""
    if is_whole(value):
        return True
    if not isinstance(value, Array) or value.cell.container is not Container.ARRAY:
        return False
    return extents.rank(value) == 1 and not isinstance(
        extents.length(flat, value, span), Literal
    )


def refuse(flat: Context, span: Span) -> Value:
    """Refuse a value that does not go into a list of arrays of one shape (AD107)."""
    message = "a list that grows by arrays takes those of one type and one known shape"
    help_ = "make an array of all first, `B = np.zeros((m, n))`, and write `B[i] = row`"
    return flat.refuse("AD107", message, span, help_)


def item(flat: Context, stack: Stack, index: Value, span: Span) -> Value:
    """`hist[k]`: a new array, which is not to be changed; `hist[1:]`: a new list."""
    if isinstance(index, Slice):
        return part(flat, stack, index, span)
    place = placed(flat, stack, index, span)
    return Special.REFUSED if place is None else _array(flat, stack, place, span)


def placed(flat: Context, stack: Stack, index: Value, span: Span) -> Number | None:
    """The place of an array, counted from the start; None after a report."""
    view = views.indexed(flat, stack.marks[0], index, span)
    if view is None:
        return None
    (place,) = view.places
    assert isinstance(place, Draft | Literal)
    if isinstance(place, Literal) and cast(int, place.value) < 0:
        below = Literal(-cast(int, place.value))
        return extents.number(flat, "sub", (count(flat, stack, span), below), span)
    return place


def count(flat: Context, stack: Stack, span: Span) -> Number:
    """The number of arrays."""
    return extents.length(flat, stack.marks[0], span)


def sizes_at(
    flat: Context, stack: Stack, place: Number, span: Span
) -> tuple[Number, ...] | None:
    """The lengths of the array at a place; None after a report."""
    found: list[Number] = []
    for marks, dim in zip(stack.marks, stack.layout.dims, strict=True):
        size = Literal(dim) if isinstance(dim, int) else None
        number = size or arrays.item(flat, marks, place, span)
        if not isinstance(number, Draft | Literal):
            return None
        if isinstance(number, Draft):
            flat.heap.naturals.add(number)
            flat.heap.dims[number] = dim
        found.append(number)
    return tuple(found)


def start_of(
    flat: Context, sizes: Sequence[Number], place: Number, span: Span
) -> Number:
    """The place of the first number of the array at `place`, by the lengths of its
    axes.
    """
    start = place
    for size in sizes:
        start = extents.number(flat, "mul", (start, size), span)
    _natural(flat, start)
    return start


def _array(flat: Context, stack: Stack, place: Number, span: Span) -> Value:
    """The array at a place that is counted from the start."""
    sizes = sizes_at(flat, stack, place, span)
    if sizes is None:
        return Special.REFUSED
    start = start_of(flat, sizes, place, span)
    found = packing.full(flat, FILLERS[stack.layout.of], sizes, Container.ARRAY, span)
    if not isinstance(found, Array):
        return found
    _copy(flat, stack, found.cell, start, sizes, span)
    whole = wholes.whole_of(flat, found, span)
    assert isinstance(whole, Draft)
    flat.views[whole] = (stack.values.cell,)
    return whole


def _copy(
    flat: Context,
    stack: Stack,
    target: Cell,
    start: Number,
    sizes: Sequence[Number],
    span: Span,
) -> None:
    """Let an array hold the numbers that stand one after another from a place on."""

    def along(done: tuple[Number, ...], start: Number) -> None:
        size, *inner = sizes[len(done) :]

        def trip(k: Draft) -> None:
            if inner:
                row = start_of(flat, inner, k, span)
                along((*done, k), extents.number(flat, "add", (start, row), span))
                return
            at = extents.number(flat, "add", (start, k), span)
            _natural(flat, at)
            number = arrays.item(flat, stack.values, at, span)
            arrays.put(flat, Array(target, (*done, k)), number, span)

        loops.trips(flat, size, trip, span)

    _natural(flat, start)
    along((), start)


def _natural(flat: Context, number: Number) -> None:
    if isinstance(number, Draft):
        flat.heap.naturals.add(number)


def series(flat: Context, stack: Stack, span: Span) -> Series:
    """The arrays as a series, for a loop over them."""
    cells = tuple(item.cell for item in stack.items)
    size = count(flat, stack, span)
    return Series(size, lambda k: _array(flat, stack, k, span), cells)


def matrix(flat: Context, stack: Stack, span: Span) -> Value:
    """`np.array(hist)`: the arrays as rows; raises Unfit."""
    if len(stack.marks) > 1:
        raise Unfit("makes no array of matrices that grow in number", _BY_LOOP)
    rows = count(flat, stack, span)
    sizes = sizes_at(flat, stack, Literal(0), span)
    if sizes is None:
        return Special.REFUSED
    shape = (rows, *sizes)
    found = packing.full(flat, FILLERS[stack.layout.of], shape, Container.ARRAY, span)
    if not isinstance(found, Array):
        return found
    _copy(flat, stack, found.cell, Literal(0), shape, span)
    return wholes.whole_of(flat, found, span)


_BY_LOOP = "write a loop over the list"


def part(flat: Context, stack: Stack, index: Slice, span: Span) -> Value:
    """`hist[1:]`: a new list of some of the arrays."""
    view = views.indexed(flat, stack.marks[0], index, span)
    if view is None:
        return Special.REFUSED
    axis, size = view.axes[0], extents.length(flat, view, span)
    if axis.step == 1:
        own = index if index == ALL else _numbers(flat, stack, axis.start, size, span)
        marks = [arrays.item(flat, each, index, span) for each in stack.marks]
        numbers = arrays.item(flat, stack.values, own, span)
        return regroup(stack.layout, (numbers, *marks), stack.site)

    def place(k: Number) -> Number:
        return extents.stepped(flat, axis.start, axis.step, k, span)

    found = made(flat, (), stack.layout, stack.site)
    if isinstance(found, Stack):
        add(flat, found, stack, size, place, span)
    return found


def _numbers(
    flat: Context, stack: Stack, start: Number, size: Number, span: Span
) -> Slice:
    """The slice that holds the numbers of `size` arrays, from the one at `start` on."""
    arrays_ = extents.number(flat, "max", (count(flat, stack, span), Literal(1)), span)
    numbers = extents.length(flat, stack.values, span)
    each_ = extents.number(flat, "floordiv", (numbers, arrays_), span)
    size = extents.at_least_none(flat, size, span)
    stop = extents.number(flat, "add", (start, size), span)
    bounds = [start_of(flat, (each_,), place, span) for place in (start, stop)]
    return Slice(bounds[0], bounds[1], Special.NONE)


def add(
    flat: Context,
    found: Stack,
    stack: Stack,
    size: Number,
    place: Callable[[Number], Number],
    span: Span,
) -> None:
    """Let a list grow by `size` of the arrays of another, by their places there."""

    def trip(k: Draft) -> None:
        at = place(k)
        sizes = sizes_at(flat, stack, at, span)
        if sizes is None:
            return
        start = start_of(flat, sizes, at, span)

        def one(i: Draft) -> None:
            here = extents.number(flat, "add", (start, i), span)
            _natural(flat, here)
            number = arrays.item(flat, stack.values, here, span)
            growing.append(flat, found.values, number, span)

        loops.trips(flat, start_of(flat, sizes, Literal(1), span), one, span)
        for marks, length in zip(found.marks, sizes, strict=True):
            growing.append(flat, marks, length, span)

    loops.trips(flat, size, trip, span)
