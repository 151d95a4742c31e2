"""Values with items, taken apart and made again of other items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.values.classes import Class, Style
from ad_transform.read.values.layouts import Listed, Pool, Row, Stacked
from ad_transform.read.values.storage import Array, Lists, Rows, Stack
from ad_transform.read.values.structured import (
    GROUPS,
    Dict,
    Group,
    Key,
    Object,
    Structured,
)
from ad_transform.read.values.values import Draft, Maybe, Special, Value

CARRIED = (*GROUPS, Rows, Lists, Stack)
"""Values that loops and arms hand on part by part."""
Carried: TypeAlias = Group | Object | Rows | Lists | Stack


Kind = Container | Class | Special | Row | Listed | Stacked | Pool | tuple[Key, ...]
"""The kind of a structured value, without its parts; of a dict its keys."""


UNKNOWN = Literal(0)
"""The number in place of an item that is None, as long as nothing else is stored."""


def kind_of(value: Structured | Rows | Lists | Stack) -> Kind:
    """The kind of a structured value, without its items; `regroup` is the inverse."""
    match value:
        case Group(container=container, of=of):
            return of or container
        case Object(of=of):
            return of
        case Dict(keys=keys):
            return keys
        case Rows(layout=layout) | Lists(layout=layout) | Stack(layout=layout):
            return layout


def regroup(kind: Kind, items: tuple[Value, ...], site: Span | None = None) -> Value:
    """A value of a kind with other items."""
    if isinstance(kind, Container):
        return Group(kind, items, site)
    if isinstance(kind, Pool):
        return Group(Container.TUPLE, items)
    if isinstance(kind, tuple):
        return Dict(kind, items)
    if isinstance(kind, Row):
        lists = tuple(item for item in items if isinstance(item, Array | Rows | Lists))
        assert site is not None
        return Rows(lists, kind, site) if len(lists) == len(items) else Special.REFUSED
    if isinstance(kind, Listed):
        values, *marks = items
        starts, sizes = (m if isinstance(m, Array) else None for m in marks)
        assert site is not None
        if not isinstance(values, Array | Rows | Lists) or not starts or not sizes:
            return Special.REFUSED
        return Lists(values, starts, sizes, kind, site)
    if isinstance(kind, Stacked):
        assert site is not None
        own = tuple(item for item in items if isinstance(item, Array))
        return (
            Stack(own[0], own[1:], kind, site)
            if len(own) == len(items)
            else Special.REFUSED
        )
    if isinstance(kind, Special):
        given, *held = items
        if not isinstance(given, Draft | Literal):
            return Special.REFUSED
        return Maybe(given, held[0] if held else UNKNOWN)
    if kind.style is Style.TUPLE:
        return Group(Container.TUPLE, items, site, kind)
    return Object(kind, items)


def parts_of(kind: Kind, count: int) -> Sequence[str]:
    """Names for the items of a value: fields, or places from 1."""
    if isinstance(kind, Class):
        return kind.names
    return [str(k) for k in range(1, count + 1)]
