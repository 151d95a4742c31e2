"""Lists of tuples that grow: a list for each place of the tuples, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR, Type
from ad_transform.read import arrays, widening
from ad_transform.read.context import Context
from ad_transform.read.values import (
    Array,
    Draft,
    Group,
    Layout,
    Rows,
    Value,
)


def begin(flat: Context, array: Array, value: Group, span: Span) -> None:
    """Begin again with a list of tuples where one is given to a list of numbers."""
    layout = _layout(value)
    if layout is not None:
        flat.relay(array.cell.span, layout)


def _layout(value: Value) -> Layout | None:
    """The types of the numbers in a tuple; None where something else is in it."""
    if isinstance(value, Draft | Literal):
        is_number = not (value.type.dims or value.type.shape or value.type is STR)
        return value.type if is_number else None
    if not isinstance(value, Group) or value.container is not Container.TUPLE:
        return None
    found = tuple(k for item in value.items if (k := _layout(item)) is not None)
    return found if len(found) == len(value.items) else None


def packed(
    flat: Context, items: Sequence[Value], container: Container, span: Span
) -> Value:
    """An array of known items; a list of tuples that hold tuples is none."""
    layout = _layout(items[0]) if items and container is Container.LIST else None
    if isinstance(layout, tuple) and any(isinstance(k, tuple) for k in layout):
        flat.relay(span, layout)
    return arrays.packed(flat, items, container, span)


def made(flat: Context, items: Sequence[Value], layout: Layout, span: Span) -> Value:
    """A new list of tuples, which are `items` by now."""
    if isinstance(layout, Type):
        return arrays.packed(flat, items, Container.LIST, span, layout)
    layouts = [_layout(item) for item in items]
    if any(own is None or _joint(layout, own) != layout for own in layouts):
        return _not_alike(flat, span)
    columns: list[Array | Rows] = []
    for k, kind in enumerate(layout):
        own = [item.items[k] for item in items if isinstance(item, Group)]
        column = made(flat, own, kind, span)
        if not isinstance(column, Array | Rows):
            return column
        columns.append(column)
    return Rows(tuple(columns), layout, span)


def append(flat: Context, rows: Rows, value: Value, span: Span) -> None:
    """Let the list grow by one tuple."""
    layout = _layout(value)
    wide = None if layout is None else _joint(rows.layout, layout)
    if wide is None or not isinstance(value, Group):
        _not_alike(flat, span)
        return
    if wide != rows.layout:
        flat.relay(rows.site, wide)
    for column, item in zip(rows.columns, value.items, strict=True):
        grow = append if isinstance(column, Rows) else arrays.append
        grow(flat, column, item, span)  # type: ignore[arg-type]


def _joint(one: Layout, other: Layout) -> Layout | None:
    """The layout that holds the tuples of two; None where there is none."""
    if isinstance(one, Type) or isinstance(other, Type):
        are_numbers = isinstance(one, Type) and isinstance(other, Type)
        return widening.joint(one, other) if are_numbers else None  # type: ignore[arg-type]
    pairs = zip(one, other, strict=False)
    found = tuple(k for a, b in pairs if (k := _joint(a, b)) is not None)
    return found if len(found) == len(one) == len(other) else None


def _not_alike(flat: Context, span: Span) -> Value:
    message = "a list of tuples that are not alike is not supported"
    help_ = "append what is in them to lists of their own, and `zip` these"
    return flat.refuse("AD107", message, span, help_)
