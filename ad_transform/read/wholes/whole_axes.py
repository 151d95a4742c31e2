"""Functions of numpy along an axis of a matrix, made of sorting, sums and products."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import Kind
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.values import Number, Special, Value
from ad_transform.read.wholes.whole_layouts import Rule, counted_up, rank
from ad_transform.read.wholes.whole_sums import along, reduced, with_axes
from ad_transform.read.wholes.wholes import (
    agree,
    apply,
    length,
    operated,
    real,
    whole_of,
)

_LAST = Literal(-1)
_SIDES = ("rows", "columns")


def is_vector(a: Number) -> Number:
    """The vector; raises Unfit for any other array."""
    if rank(a) != 1:
        raise Unfit("needs a vector", "write it for one row or column at a time")
    return a


def of_line(name: str) -> Rule:
    """A function of all elements one after another, or along an axis of a matrix."""

    def rule(flat: Context, span: Span, a: Number, axis: Value) -> Value:
        if rank(a) == MOST and axis is not Special.NONE:
            return along(
                flat, span, a, axis, lambda m: apply(flat, f"{name}_rows", m, span=span)
            )
        return apply(flat, name, line(flat, a, span), span=span)

    return rule


def line(flat: Context, a: Number, span: Span) -> Number:
    """All elements of an array as a vector."""
    return is_vector(a if rank(a) < MOST else apply(flat, "raveled", a, span=span))


def of_lines(name: str) -> Rule:
    """`np.sort` and `np.argsort`: along the last axis, or a written one."""

    def rule(flat: Context, span: Span, a: Number, axis: Value) -> Value:
        if rank(a) != MOST:
            return apply(flat, name, is_vector(a), span=span)
        return apply(flat, f"{name}_{_side(axis)}", a, span=span)

    return rule


def _side(axis: Value) -> str:
    """The word for the operations along an axis, by default the last; raises Unfit."""
    place = whole(_LAST if axis is Special.NONE else axis)
    if place is None or not -MOST <= place < MOST:
        raise Unfit("needs a written axis of two", "write 0, 1, -1 or -2")
    return _SIDES[place]


def _count(flat: Context, span: Span, a: Number, axis: Value) -> Number:
    """The number of elements of a matrix along an axis."""
    return length(flat, a, _SIDES.index(_side(axis)), span)


def keeping(
    flat: Context, span: Span, a: Number, axis: Value, keepdims: Value, found: Number
) -> Value:
    """A reduction of an array, with its axis if that is to be kept."""
    if not (isinstance(keepdims, Literal) and keepdims.value):
        return found
    if not rank(found):
        return with_axes(flat, found, rank(a), span)
    shape = {"rows": "row", "columns": "column"}[_side(axis)]
    return apply(flat, shape, found, span=span)


def product(flat: Context, span: Span, a: Number, axis: Value, keeps: Value) -> Value:
    """`np.prod`."""
    if not rank(a):
        return a
    if rank(a) == MOST and axis is not Special.NONE:
        rows = _side(axis) == "rows"
        m = a if rows else apply(flat, "turned", a, span=span)
        found = apply(flat, "product_rows", m, span=span)
    else:
        found = apply(flat, "product_of", line(flat, a, span), span=span)
    return keeping(flat, span, a, axis, keeps, found)


def median(flat: Context, span: Span, a: Number, axis: Value, keeps: Value) -> Value:
    """`np.median`."""
    if rank(a) != MOST or axis is Special.NONE:
        found = apply(flat, "median", line(flat, a, span), span=span)
        return keeping(flat, span, a, axis, keeps, found)
    size = _count(flat, span, a, axis)
    less = flat.operate(TABLE["sub"], (size, Literal(1)), span)
    halves = (
        flat.operate(TABLE["floordiv"], (n, Literal(2)), span) for n in (less, size)
    )
    low, high = (_picked(flat, span, a, axis, place) for place in halves)
    both = apply(flat, "add", low, high, span=span)
    found = apply(flat, "mul", Literal(0.5), both, span=span)
    return keeping(flat, span, a, axis, keeps, found)


def _picked(flat: Context, span: Span, a: Number, axis: Value, at: Value) -> Number:
    """A row, or a column, of the sorted matrix."""
    side = _side(axis)
    made = apply(flat, f"in_order_{side}", a, span=span)
    place = whole_of(flat, at, span)
    pick = {"rows": "pick_row", "columns": "pick_column"}[side]
    return apply(flat, pick, made, place, span=span)


def quantile(share: float) -> Rule:
    """`np.quantile` and `np.percentile`, between two elements as numpy does it."""

    def rule(flat: Context, span: Span, a: Number, q: Value, axis: Value) -> Value:
        if not isinstance(q, Number) or rank(q):
            raise Unfit("needs one number", "write it for one share at a time")
        part: Value = real(flat, q, span)
        if share != 1.0:
            part = flat.operate(TABLE["div"], (part, Literal(share)), span)
        assert isinstance(part, Number)
        if rank(a) == MOST and axis is not Special.NONE:
            return _between(flat, span, a, part, axis)
        return apply(flat, "quantile", line(flat, a, span), part, span=span)

    return rule


def _between(flat: Context, span: Span, a: Number, q: Value, axis: Value) -> Value:
    def number(op: str, *args: Value) -> Value:
        return flat.operate(TABLE[op], args, span)

    last = number("sub", _count(flat, span, a, axis), Literal(1))
    place = number("mul", q, last)
    first = number("int", place)
    low = _picked(flat, span, a, axis, first)
    behind = number("min", number("add", first, Literal(1)), last)
    high = _picked(flat, span, a, axis, behind)
    rest = number("sub", place, first)
    rise = apply(flat, "sub", high, low, span=span)
    part = operated(flat, TABLE["mul"], (rest, rise), span)
    return operated(flat, TABLE["add"], (low, part), span)


def range_of(flat: Context, span: Span, a: Number, axis: Value, keeps: Value) -> Value:
    """`np.ptp`."""
    ends = tuple(reduced(name)(flat, span, a, axis, keeps) for name in ("max", "min"))
    return operated(flat, TABLE["sub"], ends, span)


def average(
    flat: Context, span: Span, a: Number, axis: Value, weights: Value, keeps: Value
) -> Value:
    """`np.average`."""
    if weights is Special.NONE:
        return reduced("average")(flat, span, a, axis, keeps)
    given = whole_of(flat, weights, span)
    is_of_lines = rank(a) == MOST and axis is not Special.NONE and rank(given) == 1
    if is_of_lines:
        side = _side(axis)
        agree(flat, a, _SIDES.index(side), given, 0, span)
        total = apply(flat, "sum_all", given, span=span)
        if side == "rows":
            given = apply(flat, "column", given, span=span)
    elif rank(given) != rank(a):
        raise Unfit("needs weights of the same shape", "write `np.sum(w * x) / ...`")
    parts = operated(flat, TABLE["mul"], (a, given), span)
    count = total if is_of_lines else reduced("sum")(flat, span, given, axis, keeps)
    return operated(
        flat,
        TABLE["div"],
        (reduced("sum")(flat, span, parts, axis, keeps), count),
        span,
    )


def counted(flat: Context, span: Span, a: Number, axis: Value) -> Value:
    """`np.count_nonzero`."""
    return reduced("sum")(flat, span, _test(flat, span, a), axis, Special.NONE)


def _test(flat: Context, span: Span, a: Number) -> Number:
    """An array as truth values."""
    if a.type.kind is Kind.BOOL:
        return a
    test = operated(flat, TABLE["ne"], (a, Literal(0)), span)
    assert isinstance(test, Number)
    return test


def _some(size: Value) -> tuple[str, Value]:
    return "gt", Literal(0)


def _every(size: Value) -> tuple[str, Value]:
    return "eq", size


def decided(name: str, by: Callable[[Value], tuple[str, Value]]) -> Rule:
    """`np.any` and `np.all`; of lines by the numbers of true elements."""

    def rule(flat: Context, span: Span, a: Number, axis: Value, keeps: Value) -> Value:
        if rank(a) != MOST or axis is Special.NONE:
            return apply(flat, name, a, span=span)
        true = reduced("sum")(flat, span, _test(flat, span, a), axis, keeps)
        size = _count(flat, span, a, axis)
        op, other = by(size)
        return operated(flat, TABLE[op], (true, other), span)

    return rule


def trapezoid(
    flat: Context, span: Span, y: Number, x: Value, dx: Value, axis: Value
) -> Value:
    """`np.trapezoid`, computed as numpy does."""
    if not rank(y):
        raise Unfit("needs an array")
    lines = y
    if rank(y) == MOST and _side(axis) == "columns":
        lines = apply(flat, "turned", y, span=span)
    width: Value = Literal(1.0) if dx is Special.NONE else dx
    if x is not Special.NONE:
        width = _differences(flat, x, span)
        if rank(y) == MOST and isinstance(width, Number):
            width = apply(flat, "column", width, span=span)
    later = apply(flat, "cut_from", lines, Literal(1), span=span)
    before = apply(flat, "cut_to", lines, Literal(-1), span=span)
    both = apply(flat, "add", later, before, span=span)
    weighted = operated(flat, TABLE["mul"], (width, both), span)
    parts = operated(flat, TABLE["div"], (weighted, Literal(2.0)), span)
    assert isinstance(parts, Number)
    return reduced("sum")(flat, span, parts, Literal(0), Special.NONE)


def _differences(flat: Context, x: Value, span: Span) -> Number:
    points = is_vector(whole_of(flat, x, span))
    later = apply(flat, "cut_from", points, Literal(1), span=span)
    before = apply(flat, "cut_to", points, Literal(-1), span=span)
    return apply(flat, "sub", later, before, span=span)


def taken_along(
    flat: Context, span: Span, a: Number, indices: Number, axis: Value
) -> Value:
    """`np.take_along_axis`: of a matrix all elements `x[i, j]`, where one of i and j is
    an index, and the other one the number of its line.
    """
    if rank(indices) != rank(a) or indices.type.kind is not Kind.INT:
        raise Unfit("needs as many axes of indices, whole numbers")
    if rank(a) == 1:
        return apply(flat, "taken", a, indices, span=span)
    side = _SIDES.index(_side(axis))
    agree(flat, a, 1 - side, indices, 1 - side, span)
    count = counted_up(flat, span, length(flat, a, 1 - side, span), Special.NONE)
    numbers = apply(flat, ("row", "column")[side], cast(Number, count), span=span)
    none = apply(flat, "no_places", indices, span=span)
    lines = apply(flat, "add", none, numbers, span=span)
    both = [apply(flat, "raveled", i, span=span) for i in (lines, indices)]
    found = apply(flat, "taken_both", a, *both[:: 1 if side else -1], span=span)
    return apply(flat, "unraveled", found, indices, span=span)


ALONG_LAST = frozenset({"numpy.sort", "numpy.argsort"})
"""Functions that go along the last axis where none is given."""

# fmt: off
RULES: Mapping[str, tuple[str, Rule]] = {
    "numpy.argsort":    ("@@a axis?", of_lines("argsort")),
    "numpy.sort":       ("@a axis?", of_lines("in_order")),
    "numpy.take_along_axis": ("@arr @@indices axis", taken_along),
    "numpy.median":     ("@a axis? keepdims?", median),
    "numpy.cumprod":    ("@a axis?", of_line("cumulated_product")),
    "numpy.maximum.accumulate": ("@array axis?", of_line("running_max")),
    "numpy.minimum.accumulate": ("@array axis?", of_line("running_min")),
    "numpy.prod":       ("@a axis? keepdims?", product),
    "numpy.ptp":        ("@a axis? keepdims?", range_of),
    "numpy.quantile":   ("@a q axis?", quantile(1.0)),
    "numpy.percentile": ("@a q axis?", quantile(100.0)),
    "numpy.average":    ("@a axis? weights? keepdims?", average),
    "numpy.count_nonzero": ("@@a axis?", counted),
    "numpy.any":        ("@@a axis? keepdims?", decided("any_of", _some)),
    "numpy.all":        ("@@a axis? keepdims?", decided("all_of", _every)),
    "numpy.trapezoid":  ("@y x? dx? axis?", trapezoid),
    "numpy.trapz":      ("@y x? dx? axis?", trapezoid),
    "scipy.integrate.trapezoid": ("@y x? dx? axis?", trapezoid),
}
# fmt: on
