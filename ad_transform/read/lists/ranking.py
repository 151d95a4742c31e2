"""`sorted` by a key, or of tuples, where only a run knows how many items there are.

The keys are lists of numbers, and the places of the items in order are
`np.argsort` of these: equal items keep their order. Of tuples the last numbers are
put in order first, and those before them after that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, Kind
from ad_transform.later import later
from ad_transform.read.arrays import (
    arrays,
    extents,
)
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import (
    made_rows,
    nested,
    row_layouts,
)
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes import wholes

with later():
    from ad_transform.read.calls.calls import called_with

Key = Callable[[Value], Value]
"""From an item to its key."""


def places(flat: Context, over: Series, key: Key, down: bool, span: Span) -> Value:
    """A list of the places of the items, in the order of their keys; raises Unfit."""
    return _order(flat, _keys(flat, over, key, span), down, span)


def taken(flat: Context, over: Series, order: Value, span: Span) -> Value:
    """A list of the items at some places."""
    if not isinstance(order, Array):
        return Special.REFUSED

    def item(k: Number) -> Value:
        place = arrays.item(flat, order, k, span)
        assert isinstance(place, Draft)
        flat.heap.naturals.add(place)
        return opened(flat, over.item(place), span)

    return _listed(flat, Series(over.length, item), span)


def opened(flat: Context, value: Value, span: Span) -> Value:
    """A row of known length as a tuple; any other value as it is."""
    if not isinstance(value, Array) or len(value.axes) != 1:
        return value
    size = whole(extents.length(flat, value, span))
    if size is None or size > MOST:
        return value
    places = map(Literal, range(size))
    items = tuple(arrays.item(flat, value, place, span) for place in places)
    return Group(Container.TUPLE, items)


MOST = 16
"""Most numbers of a row that is a tuple."""


def _listed(flat: Context, items: Series, span: Span) -> Value:
    """A list of numbers, of tuples of these, or of other rows."""
    probe = arrays.probed(flat, items, span)
    row = row_layouts.row_of_numbers(probe)
    if row is not None:
        return made_rows.gathered(flat, items, row, span)
    found = nested.rows(flat, items, lambda _: None, span)
    return found or arrays.gathered(flat, items, Container.LIST, span, probe)


def _keys(flat: Context, over: Series, key: Key, span: Span) -> Sequence[Value]:
    """The keys as lists of numbers, one for each part of a key; raises Unfit."""

    def part(place: int) -> Callable[[Number], Value]:
        def item(k: Number) -> Value:
            value = opened(flat, key(over.item(k)), span)
            found = value.items[place] if isinstance(value, Group) else value
            is_test = isinstance(found, Draft | Literal) and found.type == BOOL
            return flat.operate(TABLE["int"], (found,), span) if is_test else found

        return item

    probe = arrays.probed(
        flat,
        Series(over.length, lambda k: opened(flat, key(over.item(k)), span)),
        span,
    )
    parts = probe.items if isinstance(probe, Group) else (probe,)
    for one in parts or (Special.NONE,):
        fits = isinstance(one, Draft | Literal) and not one.type.shape
        if one is not Special.REFUSED and not fits:
            raise Unfit(f"needs a key of numbers, not {describe(one)}", _KEY)
    series = [Series(over.length, part(place)) for place in range(len(parts))]
    lists = [arrays.gathered(flat, one, Container.LIST, span) for one in series]
    return [_ranks(flat, one, span) for one in lists]


def _ranks(flat: Context, keys: Value, span: Span) -> Value:
    """A list of numbers as it is; for each text the number of those before it."""
    if not isinstance(keys, Array) or keys.cell.type.kind is not Kind.STR:
        return keys
    ranks = flat.module.elsewhere.library("orders").definitions.define("ranks")
    return called_with(flat, ranks, [keys], {}, span)


def _order(flat: Context, keys: Sequence[Value], down: bool, span: Span) -> Value:
    """A list of the places of the items in order."""
    order: Draft | None = None
    for numbers in reversed(keys):
        if not isinstance(numbers, Array):
            return Special.REFUSED
        line: Value = wholes.whole_of(flat, numbers, span)
        if down:
            line = wholes.operated(flat, TABLE["neg"], (line,), span)
        if not isinstance(line, Draft):
            return Special.REFUSED
        if order is None:
            order = wholes.apply(flat, "ranked", line, span=span)
            continue
        own = wholes.apply(flat, "taken", line, order, span=span)
        places = wholes.apply(flat, "ranked", own, span=span)
        order = wholes.apply(flat, "taken", order, places, span=span)
    return Special.REFUSED if order is None else wholes.listed(flat, order, span)


_KEY = "let the key return a number, or a tuple of numbers"
