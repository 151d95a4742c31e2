"""Sums, products and tests over arrays, and over the items of loops."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays import (
    arrays,
    extents,
    packing,
    views,
)
from ad_transform.read.branches import choices
from ad_transform.read.iterables.iterables import series_of
from ad_transform.read.loops import (
    behind,
    loops,
)
from ad_transform.read.machine.arguments import Rule, Unfit, Values, equals, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.frames import made_at
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.rows import rows
    from ad_transform.read.wholes import wholes

Step = Callable[[Value, Value], Value]


def items_of(flat: Context, value: Value, span: Span) -> Series:
    """The items that a reduction goes over; raises Unfit."""
    found = series_of(flat, value, span)
    if found is None:
        raise Unfit(f"needs a sequence of numbers, not {describe(value)}")
    if isinstance(value, Array) and len(value.axes) > 1:
        raise Unfit("of a matrix is not supported", "write a loop over its rows")
    return found


def folded(flat: Context, items: Series, start: Value, step: Step, span: Span) -> Value:
    """The result of `step` for `start` and the items, one after the other."""
    frame = flat.frame
    name = f"<total {flat.heap.folds}>"
    flat.heap.folds += 1

    def total() -> Value:
        held = frame.names[name]
        return made_at(held, span)

    def trip(index: Draft) -> None:
        frame.bind(name, step(total(), items.item(index)))

    frame.bind(name, start)
    loop = loops.trips(flat, items.length, trip, span, (name,))
    frame.bind(name, behind.promised(loop, name))
    found = total()
    if isinstance(found, Draft) and not found.hint:
        found.hint = "total"
    return found


def _operate(flat: Context, op: str, span: Span) -> Step:
    return lambda one, other: flat.operate(TABLE[op], (one, other), span)


def total(flat: Context, values: Values, span: Span) -> Value:
    """`sum(x)`, `np.sum(x)`, `x.sum()`."""
    expect(values, 1, 2)
    if len(values) > 1 and not equals(values[1], 0):
        raise Unfit("of an array takes no start", "add it to the sum")
    value = values[0]
    if isinstance(value, Array) and len(value.axes) > 1:
        return _of_rows(flat, value, span)
    if isinstance(value, Series):
        value = arrays.gathered(flat, value, Container.LIST, span)
    return summed(flat, value, span)


def started(flat: Context, values: Values, span: Span) -> Value:
    """`sum(x, start)` of numbers: the sum of a list that begins with the start."""
    expect(values, 1, 2)
    items, start = (*values, Literal(0))[:2]
    if equals(start, 0) or not isinstance(start, Draft | Literal):
        return total(flat, values, span)
    over = items_of(flat, items, span)
    found = packing.packed(flat, (start,), Container.LIST, span)
    assert isinstance(found, Array)

    def trip(k: Draft) -> None:
        rows.grow(flat, found, over.item(k), span)

    loops.trips(flat, over.length, trip, span)
    return summed(flat, found, span)


def _of_rows(flat: Context, value: Array, span: Span) -> Value:
    items = views.series(flat, value, span)
    assert items is not None

    def step(before: Value, row: Value) -> Value:
        return flat.operate(TABLE["add"], (before, summed(flat, row, span)), span)

    return folded(flat, items, Literal(0.0), step, span)


def summed(flat: Context, value: Value, span: Span) -> Value:
    """The sum of an array: a call where it holds floats."""
    if value is Special.REFUSED:
        return value
    if isinstance(value, Array) and value.is_whole and extents.is_float(value):
        content = flat.heap.read(value.cell, span)
        if isinstance(content, Draft):
            return flat.apply(TABLE["sum_of"], (content,), span)
        return content
    items = items_of(flat, value, span)
    is_float = not isinstance(value, Array) or extents.is_float(value)
    zero = Literal(0.0) if is_float else Literal(0)
    return folded(flat, items, zero, _operate(flat, "add", span), span)


def mean(flat: Context, values: Values, span: Span) -> Value:
    """`np.mean(x)`, `x.mean()`."""
    expect(values, 1, 1)
    found = total(flat, values, span)
    size = extents.size(flat, values[0], span) if isinstance(values[0], Array) else None
    if size is None:
        raise Unfit("needs an array")
    return flat.operate(TABLE["div"], (found, size), span)


def product(flat: Context, values: Values, span: Span) -> Value:
    """`math.prod(x)`, `np.prod(x)`."""
    expect(values, 1, 2)
    start = values[1] if len(values) > 1 else Literal(1)
    items = items_of(flat, values[0], span)
    return folded(flat, items, start, _operate(flat, "mul", span), span)


def exact_total(op: str) -> Rule:
    """`math.fsum(x)`, or the helper that catches its exceptions."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 1)
        array = _listed(flat, values[0], span)
        if isinstance(array, Array) and not extents.is_float(array):
            help_ = "write `sum`, which is exact"
            raise Unfit("of whole numbers is not supported", help_)
        return _of_content(flat, op, array, span)

    return rule


def extreme(op: str) -> Rule:
    """`max(x)`, or `min(x)`: at a tie all that are equal share the derivative."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        if len(values) > 1:
            raise Unfit("of arrays and numbers is not supported", _NESTED.format(op))
        array = _listed(flat, values[0], span)
        found = _of_content(flat, f"{op}_in", array, span)
        if not isinstance(found, Draft) or not found.type.is_real:
            return found
        found.hint = found.hint or _EXTREMES[op]
        mean = _mean_of_equals(flat, items_of(flat, array, span), found, span)
        shared = flat.operate(TABLE[f"{op}_shared"], (found, mean), span)
        if isinstance(shared, Draft):
            shared.of = found
        return shared

    return rule


_EXTREMES = {"max": "largest", "min": "least"}

_NESTED = "write `{0}({0}(x), y)`"


def _listed(flat: Context, value: Value, span: Span) -> Value:
    """The elements of an array or view, or the items of a series, as a whole array."""
    items = items_of(flat, value, span)
    if isinstance(value, Array) and value.is_whole:
        return value
    return arrays.gathered(flat, items, Container.LIST, span)


def _of_content(flat: Context, op: str, array: Value, span: Span) -> Value:
    """The result of an operation on all elements of an array."""
    if not isinstance(array, Array):
        return Special.REFUSED
    content = flat.heap.read(array.cell, span)
    if not isinstance(content, Draft):
        return content
    return flat.apply(TABLE[op], (content,), span)


def _mean_of_equals(flat: Context, items: Series, wanted: Draft, span: Span) -> Value:
    """The mean of the items that are equal to a number; 0 where none is."""

    def is_equal(item: Value) -> Value:
        return flat.operate(TABLE["eq"], (item, wanted), span)

    def counted(before: Value, item: Value) -> Value:
        return flat.operate(TABLE["add"], (before, is_equal(item)), span)

    def added(before: Value, item: Value) -> Value:
        zero = Literal(0.0)
        test = is_equal(item)
        own = choices.choose(flat, test, lambda: item, lambda: zero, "max", span)
        return flat.operate(TABLE["add"], (before, own), span)

    count = folded(flat, items, Literal(0), counted, span)
    if isinstance(count, Draft):
        count.hint = "ties"
    total = folded(flat, items, Literal(0.0), added, span)
    if isinstance(total, Draft):
        total.hint = "tied"
    least = flat.operate(TABLE["max"], (count, Literal(1)), span)
    return flat.operate(TABLE["div"], (total, least), span)


def every(conjunction: bool) -> Rule:
    """`all(...)`, or `any(...)`: no item is computed behind the one that decides."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 1)
        items = items_of(flat, values[0], span)
        sign = "`all`" if conjunction else "`any`"

        def trip(before: Value, index: Draft) -> Value:
            def test() -> Value:
                return choices.truth(flat, items.item(index), sign, span)

            return choices.lazily(flat, before, conjunction, test, span)

        places = Series(items.length, lambda k: k)
        start = Literal(conjunction)
        return folded(flat, places, start, partial(_with_index, trip), span)

    return rule


def _with_index(trip: Callable[[Value, Draft], Value], one: Value, k: Value) -> Value:
    assert isinstance(k, Draft)
    return trip(one, k)


def dot(flat: Context, values: Values, span: Span) -> Value:
    """`np.dot(x, y)`, `x @ y` of two vectors."""
    expect(values, 2, 2)
    first, second = (items_of(flat, value, span) for value in values)
    extents.agree(flat, first.length, second.length, span)

    def item(k: Number) -> Value:
        return flat.operate(TABLE["mul"], (first.item(k), second.item(k)), span)

    products = Series(first.length, item)
    return folded(flat, products, Literal(0.0), _operate(flat, "add", span), span)


def norm(flat: Context, values: Values, span: Span) -> Value:
    """`np.linalg.norm(x)`: Euclid's, whose derivative at 0 is 0."""
    expect(values, 1, 2)
    if len(values) > 1 and not equals(values[1], 2) and values[1] is not Special.NONE:
        raise Unfit("of an array takes no `ord`", "write the norm out in a loop")
    items = items_of(flat, values[0], span)
    return folded(flat, items, Literal(0.0), _operate(flat, "hypot", span), span)


def polynomial(flat: Context, values: Values, span: Span) -> Value:
    """`np.polyval(c, x)`, by Horner's rule."""
    expect(values, 2, 2)
    items, x = items_of(flat, values[0], span), wholes.whole_of(flat, values[1], span)
    start: Value = Literal(0.0)
    if x.type.shape:
        start = wholes.operated(flat, TABLE["mul"], (start, x), span)

    def applied(op: str, one: Value, other: Value) -> Value:
        if x.type.shape:
            return wholes.operated(flat, TABLE[op], (one, other), span)
        return flat.operate(TABLE[op], (one, other), span)

    def step(before: Value, item: Value) -> Value:
        return applied("add", applied("mul", before, x), item)

    return folded(flat, items, start, step, span)
