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
    """The kind of references to objects of a list that is made at a `site`. The `key`
    of its first cell identifies the list; it is empty before the list is made. See
    `pools`.
    """

    site: Span
    key: str = ""


RowKind: TypeAlias = Container | Class | Special | tuple[Key, ...] | Pool
"""The kind of a row, without its parts."""


@dataclass(frozen=True, slots=True)
class Row:
    """The kind of rows that are alike, and the layout of each place of them.

    An item that may be None has the kind NONE and these parts: whether it is given,
    then its layout if a value has been stored. The kind of a dict is its keys. The
    fields of a row that `is_live` are assigned in the list itself; see `homes`. A row
    that `is_pooled` stands in a list to which other lists refer; see `pools`.
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
        """Whether a row is a list, or an array, or holds one."""
        inner = any(
            isinstance(part, Row | Listed) and part.has(container)
            for part in self.parts
        )
        return inner or self.kind is container


@dataclass(frozen=True, slots=True)
class Stacked:
    """The layout of a list of arrays of one shape: their `dims` and the type of their
    elements. With `shares`, an array in it may have another name as well.
    """

    dims: Dims
    of: Type
    shares: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """The layout of the items of lists of any length; None as long as all are empty.
    Lists that are written under other names are `is_live`: an item that is taken out
    shows these writes.
    """

    of: Layout | None
    is_live: bool = False

    def has(self, container: Container) -> bool:
        """Whether it is a list, or holds a list or an array."""
        inner = isinstance(self.of, Row | Listed) and self.of.has(container)
        return inner or container is Container.LIST


Layout: TypeAlias = "Type | Row | Stacked | Listed"
"""The type of a number, or the layout of rows or lists that are alike."""
