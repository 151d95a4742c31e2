"""`zip(*rows)`: the columns of rows, as tuples."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import (
    arrays,
    extents,
    views,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.rows import lists
from ad_transform.read.values.regrouping import regroup
from ad_transform.read.values.storage import Array, Column, Lists, Rows
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Draft, Special, Value, is_whole
from ad_transform.read.wholes import wholes


def columns_of(flat: Context, value: Value, span: Span) -> Value | None:
    """`zip(*value)` of rows of a length that is known; None for anything else."""
    if isinstance(value, Rows):
        return _turned(flat, value, span)
    if is_whole(value) and len(value.type.shape) == 2:
        value = wholes.listed(flat, value, span)
    if not isinstance(value, Array) or len(value.axes) != 2:
        return None
    many, width = extents.shape(flat, value, span).items
    if not isinstance(width, Literal) or not isinstance(width.value, int):
        return None
    if many == Literal(0):
        return Group(Container.LIST, ())
    _check_rows(flat, many, span)
    views_ = (views.column(flat, value, Literal(k), span) for k in range(width.value))
    columns = (arrays.copied(flat, v, Container.TUPLE, span) for v in views_)
    return Group(Container.LIST, tuple(columns))


def _check_rows(flat: Context, many: Value, span: Span) -> None:
    """Check that there are rows: of none Python gives no columns, and here there are as
    many as ever. A loop over them raises nothing in Python, so no handler may see this
    check.
    """
    is_some = flat.operate(TABLE["gt"], (many, Literal(0)), span)
    if isinstance(is_some, Draft):
        said = ("there are no rows, and so no columns",)
        own = "there may be no rows of which `zip` gives columns"
        flat.add(DraftCheck(is_some, said, (), span, (), "ValueError", own))


def _turned(flat: Context, rows: Rows, span: Span) -> Value:
    """The columns of the rows that a list has grown by, as a list of tuples."""

    def column(own: Column) -> Value:
        if isinstance(own, Rows):
            return own.changed(column)
        if isinstance(own, Lists):
            return lists.copied(flat, own, span)
        return arrays.copied(flat, own, Container.TUPLE, span)

    kind = rows.layout.kind
    row = rows if kind is Special.NONE else regroup(kind, rows.columns)
    if row is rows or isinstance(row, Dict | Object):
        return flat.unspreadable(row, span)
    many = extents.length(flat, rows.first, span)
    if many == Literal(0):
        return Group(Container.LIST, ())
    _check_rows(flat, many, span)
    return Group(Container.LIST, tuple(map(column, rows.columns)))
