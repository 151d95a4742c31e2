"""`[0.0] * n` and `[a, b] * n`, where only the run knows n."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays import extents
from ad_transform.read.branches import widening
from ad_transform.read.machine.context import Context
from ad_transform.read.values.series import Stream, is_comprehension
from ad_transform.read.values.storage import Array, Lists, Rows, Stack
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.array_functions import creations
    from ad_transform.read.arrays import packing
    from ad_transform.read.lists import listing, queues
    from ad_transform.read.loops import loops
    from ad_transform.read.rows import (
        optional_rows,
        rows,
    )


def repeated(
    flat: Context, op: str, values: Sequence[Value], span: Span
) -> Value | None:
    """`[0.0] * n` with an n that only a run knows; None for anything else."""
    if op == "mul" and any(isinstance(value, Stream) for value in values):
        values = [
            listing.list_of(flat, value) if is_comprehension(value) else value
            for value in values
        ]
    match op, list(values):
        case ("mul", [Array() as line, Draft() | Literal() as times]) | (
            "mul",
            [Draft() | Literal() as times, Array() as line],
        ):
            return _line(flat, line, times, span)
        case ("mul", [Group() as group, Draft() as times]) | (
            "mul",
            [Draft() as times, Group() as group],
        ):
            pass
        case _:
            return None
    number = extents.counted(flat, times, span)
    if number is None or group.container not in (Container.LIST, Container.TUPLE):
        return None
    if group.container is Container.TUPLE:
        return _tuple(flat, group, number, span)
    count = extents.at_least_none(flat, number, span)
    if group.items == (Special.NONE,):
        return optional_rows.optional(flat, count, span)
    if not group.items or not all(isinstance(v, Draft | Literal) for v in group.items):
        message = "only a list of numbers can be repeated so"
        help_ = "make each item anew: `[[0.0] * m for _ in range(n)]`"
        return flat.refuse("AD107", message, span, help_)
    if len(group.items) > 1:
        return _several(flat, group.items, count, span)
    value = cast(Number, group.items[0])
    wide = packing.kind_at(flat, span, value.type)
    fit = widening.typed(flat.statements, value, wide, span)
    return packing.full(flat, fit, (count,), Container.LIST, span)


def _tuple(flat: Context, group: Group, times: Number, span: Span) -> Value | None:
    """`(a, b) * n` of numbers, which is a tuple, too; None of other items."""
    if not group.items or not all(isinstance(v, Draft | Literal) for v in group.items):
        return None
    made = repeated(flat, "mul", (Group(Container.LIST, group.items), times), span)
    if not isinstance(made, Array):
        return made
    return creations.listed(Container.TUPLE)(flat, (made,), span)


def _line(flat: Context, line: Array, times: Number, span: Span) -> Value | None:
    """`u * n` of a list of numbers whose length only a run knows; None for an array."""
    count = extents.counted(flat, times, span)
    if count is None or line.cell.container is not Container.LIST:
        return None
    if len(line.axes) > 1:
        return None
    found = listing.begun(flat, span)

    def trip(index: Draft) -> None:
        queues.extend(flat, (found, line), span)

    loops.trips(flat, extents.at_least_none(flat, count, span), trip, span)
    return found


def _several(flat: Context, items: Sequence[Value], times: Number, span: Span) -> Value:
    """`[a, b] * n`: the items, n times over."""
    found = listing.begun(flat, span)
    assert isinstance(found, Array | Rows | Lists | Stack)

    def trip(index: Draft) -> None:
        for item in items:
            rows.grow(flat, found, item, span)

    loops.trips(flat, times, trip, span)
    return found
