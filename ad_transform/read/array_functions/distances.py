"""Lengths of vectors and distances of points: `math.hypot(*x)`, `math.dist(p, q)`.

The value is the call of Python. The derivative by an element is this element over the
value, and its own derivative that of a root of a sum of squares, each over the value,
so that nothing overflows. At 0 the divisor is infinite: all derivatives are 0.
"""

from __future__ import annotations

import math

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.calls import GIVEN, LENGTH, TWIN
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.array_functions import reductions
from ad_transform.read.array_functions.reductions import folded
from ad_transform.read.arrays import (
    arrays,
    extents,
)
from ad_transform.read.branches import choices
from ad_transform.read.machine.arguments import Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.arrays import views


def length(flat: Context, line: Value, span: Span) -> Value:
    """`math.hypot(*x)` of a list, whose items may be whole numbers."""
    if not isinstance(line, Array) or len(line.axes) > 1:
        message = f"`math.hypot` takes numbers, not the items of {describe(line)}"
        help_ = "write `math.hypot(*row)` for each row"
        return flat.refuse("AD107", message, span, help_)
    items = reductions.items_of(flat, line, span)
    if not extents.is_float(line) or not line.is_whole:
        line = _gathered(flat, _floats(flat, items, span), span)
    return _length(flat, line, "norm", span)


def distance(flat: Context, values: Values, span: Span) -> Value:
    """`math.dist(p, q)`: as Python computes it, the length of the differences."""
    expect(values, 2, 2)
    first, second = (reductions.items_of(flat, value, span) for value in values)
    extents.agree(flat, first.length, second.length, span)

    def item(k: Number) -> Value:
        pair = (first.item(k), second.item(k))
        return flat.operate(TABLE["sub"], pair, span)

    gaps = _gathered(flat, _floats(flat, Series(first.length, item), span), span)
    return _length(flat, gaps, "distance", span)


def _floats(flat: Context, items: Series, span: Span) -> Series:
    def item(k: Number) -> Value:
        found = items.item(k)
        if isinstance(found, Draft) and found.type.is_real:
            return found
        return flat.operate(TABLE["float"], (found,), span)

    return Series(items.length, item)


def _gathered(flat: Context, items: Series, span: Span) -> Value:
    return arrays.gathered(flat, items, Container.LIST, span)


def _length(flat: Context, array: Value, hint: str, span: Span) -> Value:
    """The length of a vector of floats."""
    if not isinstance(array, Array):
        return Special.REFUSED
    content = flat.heap.read(array.cell, span)
    if not isinstance(content, Draft):
        return content
    found = flat.apply(TABLE["hypot_in"], (content,), span)
    items = views.series(flat, array, span)
    assert items is not None and isinstance(found, Draft)
    found.hint = found.hint or hint
    infinite = Literal(math.inf)

    def operate(op: str, *args: Value) -> Value:
        return flat.operate(TABLE[op], args, span)

    def square(before: Value, item: Value) -> Value:
        part = operate("div", item, found)
        return operate("add", before, operate("mul", part, part))

    def root() -> Value:
        total = folded(flat, items, Literal(0.0), square, span)
        other = operate("mul", found, operate("sqrt", total))
        assert isinstance(other, Draft)
        return flat.apply(TWIN, (found, other), span)

    test = operate("ne", found, Literal(0.0))
    divisor = choices.choose(flat, test, root, lambda: infinite, "math.hypot", span)

    def step(before: Value, item: Value) -> Value:
        slope = operate("div", item, divisor)
        assert isinstance(item, Draft | Literal) and isinstance(slope, Draft | Literal)
        term = flat.apply(GIVEN, (Literal(0.0), item, slope), span)
        return operate("add", before, term)

    total = folded(flat, items, Literal(0.0), step, span)
    assert isinstance(total, Draft | Literal)
    return flat.apply(LENGTH, (found, total), span)
