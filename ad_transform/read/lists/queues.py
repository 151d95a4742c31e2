"""Items that are taken out of lists that grow, put into them, or turned round.

The elements that are left are a new list, which the old one holds from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays import (
    arrays,
    extents,
    growing,
    views,
)
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import iterables
from ad_transform.read.lists import (
    listing,
    lookups,
)
from ad_transform.read.loops import loops
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.objects import pools
from ad_transform.read.rows import (
    lists,
    row_values,
    row_writes,
    rows,
    stack_moves,
)
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.described import describe
from ad_transform.read.values.layouts import Pool
from ad_transform.read.values.regrouping import regroup
from ad_transform.read.values.series import Once
from ad_transform.read.values.storage import Array, Lists, Rows, Slice, Stack
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.iterables import iterators

_LAST = Literal(-1)
_OPEN = Special.NONE
_UNNAMED = "write `rows[k]` for it, without another name"
_BACK = Slice(_OPEN, _OPEN, _LAST)


def append(flat: Context, values: Values, span: Span) -> Value:
    """`y.append(v)`."""
    expect(values, 2, 2)
    array, value = values[0], row_values.as_tuple(flat, values[1], span)
    if row_writes.append(flat, array, value, span):
        return Special.NONE
    row_writes.relaid(flat, array, value)
    row_writes.lengthened(flat, array, value)
    if isinstance(array, Array) and array.cell.container is not Container.LIST:
        array = Special.NONE
    if not isinstance(array, Array | Rows | Lists | Stack):
        raise Unfit("is a method of lists", "write into an array of the whole length")
    rows.grow(flat, array, value, span)
    return Special.NONE


def extend(flat: Context, values: Values, span: Span) -> Value:
    """`y.extend(items)`; raises Unfit, but not for values that have been refused."""
    expect(values, 2, 2)
    if Special.REFUSED in values:
        return Special.REFUSED
    grown, more = values
    site = more.cell.span if isinstance(more, Array) else span
    if flat.displays.get(site) is Container.TUPLE:
        rows.taken_apart(flat, more)
    taken = row_writes.again(flat, grown, span)
    return each(flat, more, lambda one: append(flat, (taken(), one), span), span)


def listed(flat: Context, items: Value, span: Span) -> Value:
    """`list(items)`, laid out as a list whose items stand in rows; raises Unfit."""
    found = listing.begun(flat, span)
    extend(flat, (found, items), span)
    return found


def each(
    flat: Context, items: Value, take: Callable[[Value], Value], span: Span
) -> Value:
    """Do something with each of some items; raises Unfit."""
    known = sequences.known_items(items, flat.wholes)
    for one in known or ():
        take(one)
    if known is not None:
        return Special.NONE
    over = iterables.series_of(flat, items, span)
    if over is None:
        raise Unfit(f"needs items, not {describe(items)}", "give it a list")
    item = over.item

    def trip(k: Draft) -> None:
        take(item(k))

    loops.trips(flat, over.length, trip, span)
    return Special.NONE


def pop(flat: Context, values: Values, span: Span) -> Value:
    """`y.pop()`, `y.pop(0)`."""
    expect(values, 1, 2)
    array, index = (*values, _LAST)[:2]
    found = row_writes.pop(flat, array, index, span)
    if found is not None:
        return found
    return _popped(flat, array, _place(flat, array, index, span), span)


def remove(flat: Context, values: Values, span: Span) -> Value:
    """`y.remove(v)`: takes out the first item that is v; ValueError where none is."""
    expect(values, 2, 2)
    place = lookups.index(flat, values, span)
    if isinstance(place, Draft):
        _popped(flat, values[0], place, span)
    return Special.NONE


def clear(flat: Context, values: Values, span: Span) -> Value:
    """`y.clear()`."""
    expect(values, 1, 1)
    _clear(flat, values[0], span)
    return Special.NONE


def _clear(flat: Context, array: Value, span: Span) -> None:
    lists: Iterable[Value] = ()
    if isinstance(array, Rows):
        lists = array.columns
    elif isinstance(array, Lists):
        lists = (array.starts, array.sizes)
    for one in lists:
        _clear(flat, one, span)
    numbers = None if lists else _list_of_numbers(flat, array, span)
    if numbers is not None:
        none = _part(flat, numbers, _cut(Literal(0), Literal(0)), span)
        _hold(flat, numbers, none, span)


def insert(flat: Context, values: Values, span: Span) -> Value:
    """`y.insert(0, v)`."""
    expect(values, 3, 3)
    array, index, value = values
    _insert(flat, array, _counted(flat, index, span), value, span)
    return Special.NONE


def reverse(flat: Context, values: Values, span: Span) -> Value:
    """`y.reverse()`."""
    expect(values, 1, 1)
    _reverse(flat, values[0], span)
    return Special.NONE


def _reverse(flat: Context, array: Value, span: Span) -> None:
    if isinstance(array, Stack):
        stack_moves.reverse(flat, array, span)
        return
    if isinstance(array, Lists):
        for marks in (array.starts, array.sizes):
            _reverse(flat, marks, span)
        return
    if isinstance(array, Array) and row_writes.is_taken(flat, array):
        row_writes.fill(flat, array, _part(flat, array, _BACK, span), span)
        return
    if isinstance(array, Rows):
        for column in array.columns:
            _reverse(flat, column, span)
        return
    numbers = _list_of_numbers(flat, array, span)
    if numbers is None:
        return
    back = _part(flat, numbers, _BACK, span)
    _hold(flat, numbers, back, span)


def _place(flat: Context, array: Value, index: Value, span: Span) -> Number:
    """A place that is 0 or more, or the last one; IndexError where a list is shorter
    than one that is counted from its end.
    """
    if index == _LAST:
        return _LAST
    index = _counted(flat, index, span)
    of = array.first if isinstance(array, Rows | Lists) else array
    of = of.marks[0] if isinstance(of, Stack) else of
    if extents.is_natural(flat, index) or not isinstance(of, Array):
        return index
    place = views.from_start(flat, index, extents.length(flat, of, span), span)
    test = flat.operate(TABLE["ge"], (place, Literal(0)), span)
    if isinstance(test, Draft | Literal):
        said = ("pop index out of range",)
        flat.add(DraftCheck(test, said, (), span, (), "IndexError"))
    if isinstance(place, Draft):
        flat.heap.naturals.add(place)
    return place


def _counted(flat: Context, index: Value, span: Span) -> Number:
    found = extents.counted(flat, index, span)
    if found is None:
        raise Unfit("takes a whole number as its place", "round it: `int(i)`")
    return found


def _popped(flat: Context, array: Value, index: Number, span: Span) -> Value:
    if isinstance(array, Stack):
        return stack_moves.popped(flat, array, index, span)
    if isinstance(array, Rows):
        pools.begin(flat, array)
        items = (_popped(flat, own, index, span) for own in array.columns)
        if isinstance(array.layout.kind, Pool):
            return pools.item(flat, array.layout.kind, next(items), span)
        return row_writes.kept(flat, regroup(array.layout.kind, tuple(items)))
    if isinstance(array, Lists):
        start = _popped(flat, array.starts, index, span)
        size = _popped(flat, array.sizes, index, span)
        return lists.of_marks(flat, array, start, size, span)
    rows.taken_apart(flat, array)
    numbers = _list_of_numbers(flat, array, span)
    if numbers is None:
        return Special.REFUSED
    if index == _LAST:
        return growing.popped(flat, numbers, span)
    item = arrays.item(flat, numbers, index, span)
    if index == Literal(0):
        left = _part(flat, numbers, _cut(Literal(1), _OPEN), span)
    else:
        behind = extents.number(flat, "add", (index, Literal(1)), span)
        left = _part(flat, numbers, _cut(_OPEN, index), span)
        _extend(flat, left, numbers, behind, span)
    _hold(flat, numbers, left, span)
    return item


def _insert(
    flat: Context, array: Value, index: Number, value: Value, span: Span
) -> None:
    if isinstance(array, Stack):
        stack_moves.insert(flat, array, index, value, span)
        return
    if isinstance(array, Rows):
        for column, item in rows.fitted(flat, array, value, span):
            _insert(flat, column, index, item, span)
        return
    if isinstance(array, Lists):
        for marks, number in lists.taken_in(flat, array, value, span):
            _insert(flat, marks, index, number, span)
        return
    if rows.is_row(value):
        rows.taken_apart(flat, array)
    numbers = _list_of_numbers(flat, array, span)
    if numbers is None:
        return
    if rows.is_row(value):
        rows.begin(flat, numbers, value, span)
        return
    given = arrays.fit(flat, numbers.cell, value, span)
    if given is None:
        return
    left = _part(flat, numbers, _cut(_OPEN, index), span)
    growing.append(flat, left, given, span)
    _extend(flat, left, numbers, index, span)
    _hold(flat, numbers, left, span)


def assign(flat: Context, array: Array, index: Slice, value: Value, span: Span) -> None:
    """`y[a:b] = items` of a list of numbers, which may be longer then, or shorter;
    raises Unfit.
    """
    if isinstance(value, Once):
        value = iterators.called(flat, Dotted("builtins.list"), (value,), span)
    view = views.indexed(flat, array, index, span)
    known = sequences.known_items(value, flat.wholes)
    over = iterables.series_of(flat, value, span) if known is None else None
    if view is None or value is Special.REFUSED:
        return
    if known is None and over is None:
        raise Unfit(f"takes items, not {describe(value)}", "give it a list")
    size = extents.length(flat, view, span)
    more = over.length if over else Literal(len(known or ()))
    if extents.same_length(flat, size, more) or view.axes[0].step != 1:
        extents.agree(flat, size, more, span)
        is_whole = (index.start, index.stop, index.step) == (_OPEN,) * 3
        if not (is_whole and row_writes.fill(flat, array, value, span)):
            arrays.fill(flat, view, value, span)
        return
    old: Value | None = _list_of_numbers(flat, array, span)
    if old is array and not array.is_whole:  # it stands in a list of lists
        old = _part(flat, array, _cut(_OPEN, _OPEN), span)
    cut = views.indexed(flat, old, index, span) if isinstance(old, Array) else None
    if not isinstance(old, Array) or cut is None:
        return
    start = cut.axes[0].start
    size = extents.at_least_none(flat, size, span)
    behind = extents.number(flat, "add", (start, size), span)
    left = _part(flat, old, _cut(_OPEN, start), span)
    extend(flat, (left, value), span)
    _extend(flat, left, old, behind, span)
    _hold(flat, array, left, span)


def _list_of_numbers(flat: Context, value: Value, span: Span) -> Array | None:
    """A list that holds numbers; None where it was refused before."""
    if not isinstance(value, Array) or value.cell.container is not Container.LIST:
        raise Unfit("is a method of lists", "write a loop")
    if len(value.places) > 1:
        raise Unfit("is for lists of numbers", "make a new list of its rows")
    if not value.is_whole and not row_writes.is_taken(flat, value):
        raise Unfit("is for a list that is no part of another one", _UNNAMED)
    is_refused = flat.heap.held(value.cell, span) is Special.REFUSED
    return None if is_refused else value


def _cut(start: Value, stop: Value) -> Slice:
    return Slice(start, stop, _OPEN)


def _part(flat: Context, array: Array, part: Slice, span: Span) -> Array:
    """A new list of some elements."""
    view = views.indexed(flat, array, part, span)
    assert view is not None
    return cast(Array, arrays.copied(flat, view, Container.LIST, span))


def _extend(
    flat: Context, left: Array, array: Array, start: Number, span: Span
) -> None:
    """Let a list grow by the elements of another from a place on."""
    view = views.indexed(flat, array, _cut(start, _OPEN), span)
    assert view is not None
    items = views.series(flat, view, span)
    assert items is not None

    def trip(k: Draft) -> None:
        growing.append(flat, left, items.item(k), span)

    loops.trips(flat, items.length, trip, span)


def _hold(flat: Context, array: Array, left: Array, span: Span) -> None:
    """Let a list hold the elements of another that nobody else can see."""
    if row_writes.hold(flat, array, left, span):
        return
    content = flat.heap.held(left.cell, span)
    if isinstance(content, Draft):
        growing.replace(flat, array.cell, content, span)
