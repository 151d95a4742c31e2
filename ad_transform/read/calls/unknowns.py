"""Unknowns of equations: numbers, and small arrays, tuples and lists of them.

Inside the block that solves an equation they are taken apart; behind it they are put
together of the numbers that the equation determines. An array that was there before is
the same one, whatever other names it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import FLOAT
from ad_transform.later import later
from ad_transform.read.arrays import views
from ad_transform.read.machine.context import Context
from ad_transform.read.values.frames import Promise
from ad_transform.read.values.regrouping import kind_of, regroup
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import GROUPS, Group
from ad_transform.read.values.values import Draft, Value, is_whole

with later():
    from ad_transform.read.arrays import (
        extents,
        packing,
    )
    from ad_transform.read.wholes import whole_parts


def known(flat: Context, value: Value, span: Span) -> Value:
    """An array whose lengths are known, number by number, and those in a tuple or list;
    anything else as it is.
    """
    if isinstance(value, GROUPS):
        items = tuple(known(flat, item, span) for item in value.items)
        site = value.site if isinstance(value, Group) else None
        return regroup(kind_of(value), items, site)
    if is_whole(value) and isinstance(value.type.shape[0], int):
        places = map(Literal, range(value.type.shape[0]))
        parts = (whole_parts.part(flat, value, k, span) for k in places)
        items = tuple(known(flat, part, span) for part in parts)
        return Group(Container.ARRAY, items, span)
    if not isinstance(value, Array):
        return value
    length = extents.count(flat, value, span)
    if not isinstance(length, Literal) or not isinstance(length.value, int):
        return value
    places = map(Literal, range(length.value))
    items = tuple(known(flat, views.at(flat, value, k, span), span) for k in places)
    return Group(value.cell.container, items, span)


def again(
    flat: Context,
    had: Value,
    value: Value,
    cells: Mapping[str, Value | Promise],
    span: Span,
) -> Value:
    """An array with other elements, and those in a tuple or list, in the place of
    `had`: one of the `cells` that were there before stays the same array, any other is
    made anew.
    """
    if isinstance(had, GROUPS) and isinstance(value, GROUPS):
        pairs = zip(had.items, value.items, strict=True)
        items = tuple(again(flat, *pair, cells, span) for pair in pairs)
        site = value.site if isinstance(value, Group) else None
        return regroup(kind_of(value), items, site)
    if not isinstance(had, Array) or not isinstance(value, Group):
        return value
    made = packing.packed(flat, value.items, had.cell.container, span, FLOAT)
    if had.cell.key not in cells or not isinstance(made, Array):
        return made
    if not had.is_whole:
        message = f"an unknown is a part of {had.cell.hint or 'an array'!r}"
        help_ = "let it be an array of its own, and store it behind"
        return flat.refuse("AD113", message, span, help_)
    content = flat.heap.held(made.cell, span)
    assert isinstance(content, Draft)
    flat.changed.add(had.cell)
    flat.heap.write(had.cell, content)
    return had


def leaves(value: Value) -> list[Value]:
    """The numbers of a tuple, list or small array, however nested."""
    if isinstance(value, GROUPS):
        return [leaf for item in value.items for leaf in leaves(item)]
    return [value]


def rebuilt(value: Value, leaves: Iterator[Draft]) -> Value:
    """The value with other numbers, nested in the same way."""
    if isinstance(value, GROUPS):
        items = tuple(rebuilt(item, leaves) for item in value.items)
        site = value.site if isinstance(value, Group) else None
        return regroup(kind_of(value), items, site)
    return next(leaves)
