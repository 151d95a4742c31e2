"""Lists of arrays of a run-time length that grow: `hist.append(u)` in a loop.

All numbers stand one behind another in one list, and a second one has the length of
each array. An array that is taken out of the list is a new one: neither it nor what
went in may be changed in place while both have names (AD124).
"""

from __future__ import annotations

from typing import Literal as Only

from ad_transform.diagnostics import Span
from ad_transform.ir.dims import ANY, Dim
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import FLOAT, INT
from ad_transform.read import arrays, extents, loops, rebinding, views, wholes
from ad_transform.read.context import Context
from ad_transform.read.values import (
    Array,
    Draft,
    Number,
    Series,
    Special,
    Stack,
    Stacked,
    Value,
    is_whole,
)


def layout_of(
    flat: Context, value: Value, span: Span
) -> Stacked | Only[Special.REFUSED] | None:
    """What a list of arrays like this one is; None where it cannot be one. REFUSED
    after AD124: the array has a name, and its elements are written under that.
    """
    length = _length(flat, value, span)
    if length is None:
        return None
    held = rebinding.bases(flat, rebinding.others(flat, ""))
    is_named = bool(rebinding.bases(flat, [value]) & held)
    if is_named and isinstance(value, Array):
        flat.remake(value)
        rebinding.refuse_row(flat, span)
        return Special.REFUSED
    return Stacked(length, is_named)


def _length(flat: Context, value: Value, span: Span) -> Dim | None:
    """The dim of a vector of floats whose length is that of a parameter."""
    dims: tuple[Dim, ...] = ()
    if is_whole(value) and value.type.is_real:
        dims = value.type.shape
    elif isinstance(value, Array) and value.cell.container is Container.ARRAY:
        content = flat.heap.held(value.cell, span)
        if value.is_whole and isinstance(content, Draft) and content.type.is_real:
            dims = content.type.dims
    if len(dims) != 1 or dims[0] == ANY:
        return None
    return dims[0]


def made(flat: Context, items: list[Value], layout: Stacked, span: Span) -> Value:
    """A new list of such arrays."""
    values = arrays.packed(flat, (), Container.LIST, span, FLOAT)
    marks = arrays.packed(flat, (), Container.LIST, span, INT)
    if not isinstance(values, Array) or not isinstance(marks, Array):
        return Special.REFUSED
    found = Stack(values, marks, layout, span)
    for item in items:
        append(flat, found, item, span)
    return found


def append(flat: Context, stack: Stack, value: Value, span: Span) -> None:
    """Let the list grow by one array."""
    if value is Special.REFUSED:
        _end(flat, stack)
        return
    own = layout_of(flat, value, span)
    if own is Special.REFUSED:
        _end(flat, stack)
        return
    if own is None or own.length != stack.layout.length:
        refuse(flat, span)
        return
    if own.shares and not stack.layout.shares:
        flat.relay(stack.site, own)
    over = views.series(flat, wholes.listed(flat, value, span), span)
    assert over is not None
    item = over.item

    def trip(k: Draft) -> None:
        arrays.append(flat, stack.values, item(k), span)

    loops.trips(flat, over.length, trip, span)
    arrays.append(flat, stack.marks, over.length, span)


def _end(flat: Context, stack: Stack) -> None:
    """Let nobody read the list, whose arrays would be too few."""
    for part in stack.items:
        flat.heap.bind(part.cell.key, Special.REFUSED)


def is_array(flat: Context, value: Value, span: Span) -> bool:
    """Whether it is an array of a length that only a run knows, which no number is."""
    if is_whole(value):
        return True
    if not isinstance(value, Array) or value.cell.container is not Container.ARRAY:
        return False
    return extents.rank(value) == 1 and not isinstance(
        extents.length(flat, value, span), Literal
    )


def refuse(flat: Context, span: Span) -> Value:
    """Refuse what does not go into a list of vectors of one length (AD107)."""
    message = "a list that grows by arrays takes vectors of floats of one known length"
    help_ = "make an array of all first, `B = np.zeros((m, n))`, and write `B[i] = row`"
    return flat.refuse("AD107", message, span, help_)


def item(flat: Context, stack: Stack, index: Value, span: Span) -> Value:
    """`hist[k]`: a new array, which is not to be changed."""
    if not isinstance(index, Draft | Literal) or index.type is not INT:
        message = "a list of arrays that grows is read one by one"
        help_ = "make an array of it: `np.array(hist)[1:]`"
        return flat.refuse("AD107", message, span, help_)
    size = arrays.item(flat, stack.marks, index, span)
    if not isinstance(size, Draft | Literal):
        return Special.REFUSED
    count = extents.length(flat, stack.marks, span)
    place: Number = index
    if isinstance(index, Literal):
        if isinstance(index.value, int) and index.value < 0:
            place = extents.number(flat, "sub", (count, Literal(-index.value)), span)
    elif not extents.is_natural(flat, index):
        place = views.from_start(flat, index, count, span)
    return _array(flat, stack, place, size, span)


def _array(
    flat: Context, stack: Stack, place: Number, size: Number, span: Span
) -> Value:
    """The array at a place that is counted from the start."""
    _known(flat, stack, size)
    start = extents.number(flat, "mul", (place, size), span)
    found = arrays.full(flat, Literal(0.0), (size,), Container.ARRAY, span)
    if not isinstance(found, Array):
        return found
    target = found.cell

    def trip(k: Draft) -> None:
        at = extents.number(flat, "add", (start, k), span)
        number = arrays.item(flat, stack.values, at, span)
        arrays.put(flat, Array(target, (k,)), number, span)

    _natural(flat, start)
    loops.trips(flat, size, trip, span)
    whole = wholes.whole_of(flat, found, span)
    assert isinstance(whole, Draft)
    flat.views[whole] = (stack.values.cell,)
    return whole


def _known(flat: Context, stack: Stack, size: Number) -> None:
    """Remember that a number is the length of the arrays."""
    if isinstance(size, Draft):
        flat.heap.naturals.add(size)
        if isinstance(stack.layout.length, str):
            flat.heap.dims[size] = stack.layout.length


def _natural(flat: Context, number: Number) -> None:
    if isinstance(number, Draft):
        flat.heap.naturals.add(number)


def series(flat: Context, stack: Stack, span: Span) -> Series:
    """What a loop over the arrays goes over."""
    count = extents.length(flat, stack.marks, span)

    def one(k: Number) -> Value:
        size = arrays.item(flat, stack.marks, k, span)
        if not isinstance(size, Draft | Literal):
            return Special.REFUSED
        return _array(flat, stack, k, size, span)

    cells = (stack.values.cell, stack.marks.cell)
    return Series(count, one, cells)


def matrix(flat: Context, stack: Stack, span: Span) -> Value:
    """`np.array(hist)`: the arrays as rows."""
    count = extents.length(flat, stack.marks, span)
    size = arrays.item(flat, stack.marks, Literal(0), span)
    if not isinstance(size, Draft | Literal):
        return Special.REFUSED
    _known(flat, stack, size)
    found = arrays.full(flat, Literal(0.0), (count, size), Container.ARRAY, span)
    if not isinstance(found, Array):
        return found
    target = found.cell

    def row(i: Draft) -> None:
        start = extents.number(flat, "mul", (i, size), span)
        _natural(flat, start)

        def trip(k: Draft) -> None:
            at = extents.number(flat, "add", (start, k), span)
            _natural(flat, at)
            number = arrays.item(flat, stack.values, at, span)
            arrays.put(flat, Array(target, (i, k)), number, span)

        loops.trips(flat, size, trip, span)

    loops.trips(flat, count, row, span)
    return wholes.whole_of(flat, found, span)
