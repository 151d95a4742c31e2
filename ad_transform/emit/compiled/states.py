"""States of loops that hold few of them: lists beside each other, one for each part.

The first list holds the places and has the name that the schedule gives to all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.dims import ANY
from ad_transform.ir.types import INT, Type

Parts = Sequence[tuple[str, Type]]
"""The names of the lists, and the types of their items."""


def parts_of(
    name: str, values: Sequence[Piece], free: Callable[[str, Type], str]
) -> Parts:
    """The lists of states that have these parts; `free` makes names of wishes."""
    types = [INT if value.var is None else value.var.type for value in values]
    first, *rest = types
    return [(name, first), *((free(name, listed(type_)), type_) for type_ in rest)]


def listed(type_: Type) -> Type:
    """The type of a list of values."""
    return Type(type_.kind, (ANY, *type_.dims))
