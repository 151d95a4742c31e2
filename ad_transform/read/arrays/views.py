"""The places of items in arrays: indices, slices, views.

An index of a whole axis goes as it is into the IR, where a negative one counts from the
end as it does in Python. Places of a view are counted from its first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, INT
from ad_transform.later import later
from ad_transform.read.containers import sequences
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array, Axis, Cell, Lists, Rows, Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.arrays import extents
    from ad_transform.read.branches import (
        choices,
        widening,
    )
    from ad_transform.read.rows import (
        lists,
        rows,
    )
    from ad_transform.read.values.described import describe

_ZERO, _ONE = Literal(0), Literal(1)


def element(flat: Context, array: Array, span: Span) -> Value:
    """The element at a place of all axes."""
    content = flat.heap.read(array.cell, span)
    if not isinstance(content, Draft):
        return Special.REFUSED
    return flat.apply(TABLE["get"], (content, *cast(tuple[Number], array.places)), span)


def at(flat: Context, array: Array, place: Number, span: Span) -> Value:
    """The item at a place that exists, counted from 0."""
    view = placed(flat, array, place, span)
    return view if view.axes else element(flat, view, span)


def placed(flat: Context, array: Array, place: Number, span: Span) -> Array:
    """The view of one place along the first axis of an array."""
    k = next(k for k, p in enumerate(array.places) if isinstance(p, Axis))
    axis = array.axes[0]
    places = (*array.places[:k], _base(flat, axis, place, span), *array.places[k + 1 :])
    return Array(array.cell, places)


def column(flat: Context, matrix: Array, place: Number, span: Span) -> Array:
    """The view of one place along the second axis of a matrix."""
    k = [k for k, p in enumerate(matrix.places) if isinstance(p, Axis)][1]
    index = _base(flat, matrix.axes[1], place, span)
    places = (*matrix.places[:k], index, *matrix.places[k + 1 :])
    return Array(matrix.cell, places)


def _base(flat: Context, axis: Axis, place: Number, span: Span) -> Number:
    """The index in the cell of a place in a view."""
    return extents.stepped(flat, axis.start, axis.step, place, span)


def indexed(flat: Context, array: Array, index: Value, span: Span) -> Array | None:
    """The array with its first axes indexed; None after a report."""
    if index is Special.REFUSED:
        return None
    parts = index.items if isinstance(index, Group) else (index,)
    if isinstance(index, Group) and index.container is not Container.TUPLE:
        _fancy(flat, index, span)
        return None
    if len(parts) > len(array.axes):
        message = f"{len(parts)} indices for {len(array.axes)} axes"
        flat.refuse("AD107", message, span, "write one index for each axis")
        return None
    if len(parts) > 1 and array.cell.container is not Container.ARRAY:
        message = "a list has one index"
        flat.refuse("AD107", message, span, "write `a[i][j]`")
        return None
    places = list(array.places)
    free = [k for k, p in enumerate(places) if isinstance(p, Axis)]
    for k, part in zip(free, parts, strict=False):
        made = _place(flat, array.cell, k, cast(Axis, places[k]), part, span)
        if made is None:
            return None
        places[k] = made
    return Array(array.cell, tuple(places))


def _place(
    flat: Context, cell: Cell, k: int, axis: Axis, index: Value, span: Span
) -> Number | Axis | None:
    if isinstance(index, Slice):
        return _cut(flat, cell, k, axis, index, span)
    if isinstance(index, Draft | Literal) and index.type in (INT, BOOL):
        return _one(flat, cell, k, axis, index, span)
    _fancy(flat, index, span)
    return None


def _fancy(flat: Context, index: Value, span: Span) -> None:
    if index is not Special.REFUSED:
        message = f"{describe(index)} as an index is not supported"
        help_ = "index with whole numbers and slices, in a loop where there are several"
        flat.refuse("AD107", message, span, help_)


def _one(
    flat: Context, cell: Cell, k: int, axis: Axis, index: Number, span: Span
) -> Number:
    """An index of a view as one of its cell."""
    if index.type == BOOL:
        index = widening.typed(flat.statements, index, INT, span)
    if axis.is_whole:
        return _checked(flat, cell, k, index, span)
    size = extents.axis_length(flat, cell, k, axis, span)
    if not extents.is_natural(flat, index):
        index = from_start(flat, index, size, span)
    inside = flat.apply(TABLE["lt"], (index, size), span)
    if isinstance(inside, Draft):
        message = ("index out of range",)
        flat.add(DraftCheck(inside, message, (), span, (), "IndexError"))
    elif inside == Literal(False):
        flat.refuse("AD107", "index out of range", span, "let it be below the length")
    return _base(flat, axis, index, span)


def _checked(flat: Context, cell: Cell, k: int, index: Number, span: Span) -> Number:
    """An index of a whole axis; refused if it is known to lie outside."""
    content = flat.heap.held(cell, span)
    many: object = None
    if isinstance(content, Draft) and cell.key not in flat.heap.refused:
        many = content.type.dims[k]
    place = sequences.whole(index, flat.wholes)
    if isinstance(many, int) and place is not None and not -many <= place < many:
        message = f"there are {many} elements, and none at index {place}"
        help_ = f"indices are 0 to {many - 1}" if many else "let it have elements first"
        flat.refuse("AD107", message, span, help_)
    return index


def from_start(flat: Context, index: Number, size: Number, span: Span) -> Number:
    """A place counted from the start; a negative one counts from the end."""
    if isinstance(index, Literal):
        return extents.number(flat, "add", (size, index), span)
    test = flat.apply(TABLE["lt"], (index, _ZERO), span)
    made = choices.choose(
        flat,
        test,
        lambda: extents.number(flat, "add", (index, size), span),
        lambda: index,
        "an index",
        span,
    )
    return cast(Number, made)


_BY_PLACES = "write a number, or go over places: `[x[i] for i in range(0, len(x), k)]`"


def _cut(
    flat: Context, cell: Cell, k: int, axis: Axis, cut: Slice, span: Span
) -> Axis | None:
    """`start:stop:step` of an axis."""
    step = _ONE if cut.step is Special.NONE else cut.step
    by = sequences.whole(step, flat.wholes)
    for bound in (cut.start, cut.stop):
        fits = isinstance(bound, Draft | Literal) and bound.type in (INT, BOOL)
        if bound is not Special.NONE and not fits:
            _fancy(flat, bound, span)
            return None
    ahead = extents.forward(flat, cut, span) if by else None
    if by and ahead is None:
        ahead = _forward(flat, cell, k, axis, cut, span)
    if not by or ahead is None:
        message = "this step of a slice is not supported"
        flat.refuse("AD107", message, span, extents.FORWARD if by else _BY_PLACES)
        return None
    if by < 0 and (cut.start, cut.stop) != (Special.NONE, Special.NONE):
        within = _cut(flat, cell, k, axis, replace(ahead, step=_ONE), span)
        rest = Slice(Special.NONE, Special.NONE, Literal(by))
        return within and _cut(flat, cell, k, within, rest, span)
    if (cut.start, cut.stop, by) == (Special.NONE, Special.NONE, 1):
        return axis
    size = extents.axis_length(flat, cell, k, axis, span)
    if by < 0:
        first = extents.number(flat, "sub", (size, _ONE), span)
        many = extents.trips(flat, size, -by, span)
        return Axis(_base(flat, axis, first, span), axis.step * by, many)
    low = _bound(flat, cut.start, _ZERO, size, False, span)
    _call(low, "start", (cut.start, size))
    high = _bound(flat, cut.stop, size, size, True, span)
    _call(high, "stop", (cut.stop, size))
    wide = extents.number(flat, "sub", (high, low), span)
    if high is size and isinstance(wide, Draft) and extents.is_within(flat, low, size):
        flat.heap.naturals.add(wide)
    many = extents.trips(flat, wide, by, span)
    return Axis(_base(flat, axis, low, span), axis.step * by, many)


def _forward(
    flat: Context, cell: Cell, k: int, axis: Axis, cut: Slice, span: Span
) -> Slice | None:
    """As `extents.forward`, where only a run knows whether a bound counts from the end;
    None where that is known.
    """
    size = extents.axis_length(flat, cell, k, axis, span)
    start = _behind(flat, cut.start, size, span)
    stop = _behind(flat, cut.stop, size, span)
    if start is None or stop is None:
        return None
    return Slice(stop, start, cut.step)


def _behind(flat: Context, bound: Value, size: Number, span: Span) -> Value | None:
    """The place after a bound; None if a known one counts from the end."""
    if not isinstance(bound, Draft | Literal):
        return bound
    place = sequences.whole(bound, flat.wholes)
    if place is not None:
        return None if place == -1 else Literal(place + 1)
    found = from_start(flat, bound, size, span)
    found = extents.number(flat, "add", (found, _ONE), span)
    found = extents.number(flat, "max", (found, _ZERO), span)
    if isinstance(found, Draft):
        flat.heap.naturals.add(found)
    return found


def _call(number: Number, name: str, given: Sequence[Value]) -> None:
    """Name a number, unless it is one of the `given` ones."""
    if isinstance(number, Draft) and not any(number is one for one in given):
        number.hint = number.hint or name


def _bound(
    flat: Context, bound: Value, default: Number, size: Number, is_end: bool, span: Span
) -> Number:
    """A bound of a slice, counted from the start; an end is at most the length.

    A slice with a start behind its end is empty, so a start may exceed the length.
    """
    if bound is Special.NONE:
        return default
    assert isinstance(bound, Draft | Literal)
    if isinstance(bound, Literal):
        value = int(cast(int, bound.value))
        bound = Literal(value)
        if value < 0:
            below = extents.number(flat, "add", (size, bound), span)
            return (
                below if is_end else extents.number(flat, "max", (below, _ZERO), span)
            )
    elif not extents.is_natural(flat, bound):
        bound = from_start(flat, bound, size, span)
        _call(bound, "end" if is_end else "begin", (size,))
        if not is_end:
            bound = extents.number(flat, "max", (bound, _ZERO), span)
    if bound == _ZERO:
        return bound
    if is_end and bound is not size and not extents.is_within(flat, bound, size):
        return extents.number(flat, "min", (bound, size), span)
    return bound


def series(flat: Context, value: Value, span: Span) -> Series | None:
    """The series for a loop over a value of run-time length; None for other values."""
    if isinstance(value, Series):
        return value
    if isinstance(value, Rows | Lists):
        if isinstance(value, Lists):
            return lists.series(flat, value, span)
        return rows.series(flat, value, span)
    if isinstance(value, Array):
        size = extents.length(flat, value, span)
        read = flat.views.get(value.cell, ())  # whole arrays read item by item
        return Series(size, lambda k: at(flat, value, k, span), (value.cell,), read)
    return None
