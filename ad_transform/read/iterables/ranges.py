"""Items of ranges, `range(10**9)[5]`, and places that are counted from either end."""

from __future__ import annotations

from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.containers import sequences
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.values.series import Range
from ad_transform.read.values.values import Draft, Number, Value, is_int

with later():
    from ad_transform.read.arrays import extents, views
    from ad_transform.read.iterables import iterables


def item(flat: Context, of: Range, index: Value, span: Span) -> Value | None:
    """`range(a, b, c)[index]` of many numbers, or as many as a run tells; None for
    anything else.
    """
    if sequences.known_items(of, flat.wholes) is not None or not is_int(index):
        return None
    size = iterables.count(flat, of, span)
    place = place_in(flat, index, size, "range object", span)
    if of.step != Literal(1):
        place = flat.operate(TABLE["mul"], (place, of.step), span)
    if of.start == Literal(0):
        return place
    return flat.operate(TABLE["add"], (of.start, place), span)


def place_in(flat: Context, index: Number, size: Number, of: str, span: Span) -> Value:
    """An index of a sequence as a place counted from its start; IndexError if it has
    none there.
    """
    place: Value = index
    tests: list[Value] = []
    if not extents.is_natural(flat, index):
        place = views.from_start(flat, index, size, span)
        tests.append(flat.operate(TABLE["ge"], (place, Literal(0)), span))
    if not isinstance(index, Literal) or not tests:
        tests.append(flat.operate(TABLE["lt"], (place, size), span))
    for test in tests:
        if isinstance(test, Draft) or test == Literal(False):
            said = (f"{of} index out of range",)
            flat.add(DraftCheck(cast(Number, test), said, (), span, (), "IndexError"))
    return place
