"""Lists of items that may be None: rows of a flag and a value."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.values.layouts import Row
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Rows
from ad_transform.read.values.values import (
    Number,
    Special,
    Value,
)

with later():
    from ad_transform.read.arrays import arrays
    from ad_transform.read.branches import maybe
    from ad_transform.read.rows import (
        made_rows,
        row_layouts,
        rows,
    )


def takes_none(value: Value) -> bool:
    """Whether a value is a list whose items may be None."""
    return isinstance(value, Rows) and value.layout.kind is Special.NONE


def stored(flat: Context, of: Value, value: Value, span: Span) -> Value:
    """The value that `of[k] = value` stores: TypeError where it may be None and `of`
    takes none.
    """
    return value if takes_none(of) else maybe.certain(flat, value, span)


def certain(flat: Context, value: Value, span: Span) -> Value:
    """A list whose items may be None as one of numbers: TypeError where one is None.
    Any other value as it is.
    """
    if not isinstance(value, Rows) or not takes_none(value):
        return value
    over = rows.series(flat, value, span)
    items = Series(over.length, lambda k: maybe.certain(flat, over.item(k), span))
    return arrays.gathered(flat, items, Container.LIST, span)


def optional(flat: Context, count: Number, span: Span) -> Value:
    """`[None] * n`: a list whose items are stored later."""
    flat.displays[span] = Container.LIST
    layout = flat.layouts.get(span)
    if not isinstance(layout, Row):
        layout = row_layouts.NONE_SO_FAR
    return made_rows.of_length(flat, layout, count, span)
