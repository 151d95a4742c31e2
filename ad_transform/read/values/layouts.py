"""Layouts: the kinds of the items of lists, place by place."""

from __future__ import annotations

from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.dims import Dims
from ad_transform.ir.nodes import Container
from ad_transform.ir.types import STR, Type
from ad_transform.read.values.classes import Class
from ad_transform.read.values.structured import Key
from ad_transform.read.values.values import Special


@dataclass(frozen=True, slots=True)
class Pool:
    """What references to objects of a list are, which is made at a `site`; the `key` of
    its first cell tells which one it is. It is empty before the list is made. See
    `pools`.
    """

    site: Span
    key: str = ""


RowKind: TypeAlias = Container | Class | Special | tuple[Key, ...] | Pool
"""What a row is, apart from its parts."""


@dataclass(frozen=True, slots=True)
class Row:
    """What rows that are alike are, and what stands at each place of them.

    Items that may be None are of the kind NONE: whether one is given, and what it is
    then, if anything has been. Dicts have their keys for a kind. A row
    `is_live` whose fields are assigned where it stands; see `homes`. One that
    `is_pooled` stands in a list of which others are references; see `pools`.
    """

    kind: RowKind
    parts: tuple[Layout, ...]
    is_live: bool = False
    is_pooled: bool = False

    @property
    def is_nested(self) -> bool:
        """Whether rows or lists stand inside."""
        return any(isinstance(part, Row | Listed) for part in self.parts)

    @property
    def is_mixed(self) -> bool:
        """Whether texts stand beside numbers."""
        return len({part == STR for part in self.parts}) > 1

    def has(self, container: Container) -> bool:
        """Whether a row is a list, or is an array, or has one inside."""
        inner = any(
            isinstance(part, Row | Listed) and part.has(container)
            for part in self.parts
        )
        return inner or self.kind is container


@dataclass(frozen=True, slots=True)
class Stacked:
    """What a list of arrays of one shape, `dims`, is, and what their elements are. One
    that `shares` arrays may hold some that have another name.
    """

    dims: Dims
    of: Type
    shares: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """What the items of lists of any length are; None as long as all are empty. Those
    that are written by other names are `is_live`: what is taken out is seen there.
    """

    of: Layout | None
    is_live: bool = False

    def has(self, container: Container) -> bool:
        """Whether it holds lists, or arrays."""
        inner = isinstance(self.of, Row | Listed) and self.of.has(container)
        return inner or container is Container.LIST


Layout: TypeAlias = "Type | Row | Stacked | Listed"
"""The type of a number, or the types of those in rows that are alike."""
