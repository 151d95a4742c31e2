"""Tuples and lists whose items differ in shape: `(x, (y, z))`, `(t, v)` of a vector."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, Union

from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import Literal
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Value

Layout: TypeAlias = tuple[Union[Dim, "Layout"], ...]
"""The lengths of the axes of an array; of ragged groups, those of their items."""


def layout(value: Value) -> Layout:
    """The layouts of the items of a group, one in the other; that of a number is ()."""
    return tuple(map(layout, value.items)) if isinstance(value, Group) else ()


def is_ragged(group: Group) -> bool:
    """Whether a group holds numbers, in items that differ in shape."""
    layouts = set(map(layout, group.items))
    inner = [item for item in group.items if isinstance(item, Group)]
    if not all(isinstance(i, Draft | Literal | Group) for i in group.items):
        return False
    return len(layouts) > 1 or any(map(is_ragged, inner))


def leaves(value: Value) -> tuple[Value, ...]:
    """The numbers in a value, depth first."""
    if not isinstance(value, Group):
        return (value,)
    return tuple(leaf for item in value.items for leaf in leaves(item))


def filled(group: Group, numbers: Iterator[Draft]) -> Value:
    """The same structure with other numbers in it."""
    items = (
        filled(item, numbers) if isinstance(item, Group) else next(numbers)
        for item in group.items
    )
    return Group(group.container, tuple(items))
