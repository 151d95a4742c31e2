"""The items of lists that are written out: numbers and texts, row by row."""

from __future__ import annotations

from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import Items
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Value


def items_of(group: Group) -> tuple[Items, ...] | None:
    """The items of a list, all floats if one is; None if some are not known, or are of
    several kinds.
    """
    if all(isinstance(item, Literal) for item in group.items):
        return _alike([i.value for i in group.items if isinstance(i, Literal)])
    rows = [_row(item) for item in group.items]
    known = [row for row in rows if row is not None]
    return tuple(known) if len(known) == len(rows) else None


def _row(item: Value) -> tuple[Items, ...] | None:
    return items_of(item) if isinstance(item, Group) else None


def _alike(values: list[float | int | bool | str]) -> tuple[Items, ...] | None:
    kinds = {type(value) for value in values}
    if kinds == {int, float}:
        return tuple(map(float, values))
    return tuple(values) if len(kinds) == 1 else None
