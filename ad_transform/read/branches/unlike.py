"""Ends of two arms that do not go together: one is made in another form, anew."""

from __future__ import annotations

from ad_transform.ir.nodes import Container
from ad_transform.ir.types import STR, Type
from ad_transform.later import later
from ad_transform.read.branches import maybe, widening
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import row_layouts
from ad_transform.read.values.storage import Array, Cell, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Value

with later():
    from ad_transform.read.containers import keyed
    from ad_transform.read.rows import rows


def begin_alike(flat: Context, one: Value, other: Value) -> None:
    """Begin again with forms that go together: a list that grows for one of known
    items, rows of a common kind, arrays that two lists share, an object for a dict.
    """
    one, other = maybe.value_of(one), maybe.value_of(other)
    for value, like in ((one, other), (other, one)):
        if isinstance(like, Stack) and isinstance(value, Group):
            flat.refit(value)
        elif isinstance(value, Stack) and isinstance(like, Stack):
            flat.relay(value.site, like.layout if like.layout.shares else value.layout)
        elif isinstance(like, Rows | Lists):
            _begin_as(flat, value, like)
        elif isinstance(value, Group) and not value.items:
            rows.taken_apart(flat, like)
        elif isinstance(value, Dict) and isinstance(like, Object):
            flat.rekey(value) if keyed.is_one(like) else flat.box(value)
        elif isinstance(value, Dict) and isinstance(like, Dict):
            flat.rekey(value, *like.keys)


def _begin_as(flat: Context, value: Value, like: Rows | Lists) -> None:
    """Begin again with a list of rows like those of another one, or of wider ones."""
    if isinstance(value, Rows | Lists):
        wide = row_layouts.joint(value.layout, like.layout)
        if wide is not None and wide != value.layout:
            flat.relay(value.site, wide)
    elif isinstance(value, Group) and not value.items and value.site is not None:
        flat.relay(value.site, like.layout)
    elif isinstance(value, Array) and value.cell.type.dims == (0,):
        flat.relay(value.cell.span, like.layout)
    else:
        rows.taken_apart(flat, value)


def widen_lists(flat: Context, one: Cell, other: Cell) -> None:
    """Begin again if a list of whole numbers, or an empty one, has to hold floats or
    rows as the other one does.
    """
    axes = {len(cell.type.dims) for cell in (one, other)}
    if one.container is Container.ARRAY or len(axes) > 1:
        for cell, like in ((one, other), (other, one)):
            if cell.type.dims == (0,):
                rows.apart(flat, like)
        return
    kinds = [Type(cell.type.kind) for cell in (one, other)]
    if STR in kinds:
        return
    wide = widening.joint(*kinds)
    for cell, kind in zip((one, other), kinds, strict=True):
        if kind != wide:
            flat.widen(cell, wide)
