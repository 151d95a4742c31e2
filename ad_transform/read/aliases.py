"""What an array holds for a program that looks at it, where it may have two names."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.read.context import Context
from ad_transform.read.heap import Aliased
from ad_transform.read.values import Cell, Value


def content_of(flat: Context, cell: Cell, span: Span) -> Value:
    """What a cell holds; REFUSED after a report of AD124."""
    try:
        return flat.heap.read(cell, span)
    except Aliased as aliased:
        return refuse_alias(flat, aliased, span)


def refuse_alias(flat: Context, aliased: Aliased, span: Span) -> Value:
    """Report AD124: two names that may be one array, and one is written."""
    names = dict.fromkeys(name for name in aliased.args if name)
    said = " and ".join(map(repr, names)) or "two arrays"
    if len(names) == 1:
        said += " and another array"
    message = f"{said} may be the same array here, and one is written"
    name = next(iter(names), "y")
    help_ = f"let one of them be a copy where it gets its name: `{name}.copy()`"
    return flat.refuse("AD124", message, span, help_)
