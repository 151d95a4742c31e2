"""Items that are known one by one, by an index that only a run knows.

`for i, (t, y) in enumerate(zip(T, Y))` goes over rows; each of their columns is a range
or a table of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import FLOAT, INT
from ad_transform.read.arrays import (
    extents,
    indexing,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Value

Item = Callable[[Number], Value]


def item_of(flat: Context, items: Sequence[Value], span: Span) -> Item | None:
    """The item at an index; None where items differ in more than their numbers."""
    if all(isinstance(item, Group) for item in items):
        return _row_of(flat, cast(Sequence[Group], items), span)
    if not all(isinstance(item, Draft | Literal) for item in items):
        return None
    numbers = cast(Sequence[Number], items)
    if len({number.type for number in numbers}) > 1:
        return None
    return _counted(flat, numbers, span) or _listed(flat, numbers, span)


def _row_of(flat: Context, rows: Sequence[Group], span: Span) -> Item | None:
    containers = {row.container for row in rows}
    if containers != {Container.TUPLE} or len({len(row.items) for row in rows}) > 1:
        return None
    columns = zip(*(row.items for row in rows), strict=True)
    parts = [item_of(flat, column, span) for column in columns]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return lambda k: Group(Container.TUPLE, tuple(part(k) for part in known))


def _counted(flat: Context, numbers: Sequence[Number], span: Span) -> Item | None:
    """Whole numbers from a first one on, with equal steps."""
    known = [n.value for n in numbers if isinstance(n, Literal) and n.type == INT]
    if len(known) < max(len(numbers), 2):
        return None
    first, step = cast(int, known[0]), cast(int, known[1]) - cast(int, known[0])
    if known != [first + step * k for k in range(len(known))]:
        return None

    def item(k: Number) -> Value:
        return extents.stepped(flat, Literal(first), step, k, span)

    return item


def _listed(flat: Context, numbers: Sequence[Number], span: Span) -> Item | None:
    if numbers[0].type not in (FLOAT, INT):
        return None
    table = Group(Container.TUPLE, tuple(numbers))
    return lambda k: indexing.item(flat, table, k, flat.wholes, span)
