"""Sums, means, extremes, norms and differences of whole arrays: numpy's functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import Kind
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.containers.sums import order_of, power_of
from ad_transform.read.machine.arguments import Unfit, times, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes.whole_layouts import Rule, lines, rank
from ad_transform.read.wholes.wholes import (
    agree,
    apply,
    joined,
    length,
    operated,
    real,
    whole_of,
)


def reduced(name: str) -> Rule:
    """A reduction `(a, axis, keepdims)`."""

    def rule(
        flat: Context, span: Span, a: Number, axis: Value, keepdims: Value
    ) -> Value:
        if not rank(a):
            return a
        keeps = isinstance(keepdims, Literal) and bool(keepdims.value)
        axis = _one_axis(axis, rank(a))
        is_counted = a.type.kind is Kind.BOOL and name == "sum"
        is_whole = a.type.kind is Kind.INT and name in _OF_INTS
        if axis is Special.NONE and (is_counted or is_whole):
            return apply(flat, _OF_INTS[name], a, span=span)
        if a.type.kind is Kind.INT or (a.type.kind is Kind.BOOL and name != "sum"):
            a = real(flat, a, span)
        if axis is Special.NONE:
            found = apply(flat, _ALL[name], a, span=span)
            return with_axes(flat, found, rank(a), span) if keeps else found
        place = whole(axis)
        if place is None or not -rank(a) <= place < rank(a):
            raise Unfit(f"has no such axis of {rank(a)}", "write the axis as a number")
        if rank(a) == 1:
            found = apply(flat, _ALL[name], a, span=span)
            return apply(flat, "vector", found, span=span) if keeps else found
        is_rows = place % 2 == 0
        found = apply(flat, f"{name}_{'rows' if is_rows else 'columns'}", a, span=span)
        if keeps:
            return apply(flat, "row" if is_rows else "column", found, span=span)
        return found

    return rule


def with_axes(flat: Context, found: Number, axes: int, span: Span) -> Value:
    """A number as an array of one element."""
    vector = apply(flat, "vector", found, span=span)
    return apply(flat, "row", vector, span=span) if axes > 1 else vector


def _one_axis(axis: Value, axes: int) -> Value:
    """An axis, or None for a tuple of all axes."""
    if isinstance(axis, Group) and len(axis.items) == 1:
        return axis.items[0]
    if isinstance(axis, Group) and axis.items:
        places = [whole(k) for k in axis.items]
        if len({k % axes for k in places if k is not None}) == axes == len(places):
            return Special.NONE
    return axis


_OF_INTS = {"sum": "whole_sum", "max": "whole_max", "min": "whole_min"}
_ALL = {"sum": "sum_all", "average": "average", "max": "max_all", "min": "min_all"}


def norm(
    flat: Context, span: Span, x: Number, order: Value, axis: Value, keepdims: Value
) -> Value:
    """`np.linalg.norm`."""
    order = order_of(flat, order)
    by_lines = axis is not Special.NONE and rank(x) > 1
    if order is not Special.NONE:
        place = axis if by_lines else Special.NONE
        other = _other_norm(flat, span, x, order, place, keepdims)
        if other is not None:
            return other
    if by_lines:
        square = apply(flat, "mul", x, x, span=span)
        return _roots(flat, reduced("sum")(flat, span, square, axis, keepdims), span)
    found = apply(flat, "norm", x, span=span)
    keeps = isinstance(keepdims, Literal) and bool(keepdims.value)
    return with_axes(flat, found, rank(x), span) if keeps else found


def _other_norm(
    flat: Context, span: Span, x: Number, order: Value, axis: Value, keepdims: Value
) -> Value | None:
    """A norm by its `ord`; None for the one without."""
    said = order.value if isinstance(order, Literal) else None
    is_vector = rank(x) == 1 or axis is not Special.NONE
    if is_vector and said == 2:
        return None
    if said == "fro" and not is_vector and keepdims is Special.NONE:
        return apply(flat, "frobenius", x, span=span)
    sizes = operated(flat, TABLE["abs"], (x,), span)
    assert isinstance(sizes, Draft)
    if is_vector and said in (1, inf, -inf):
        name = {1: "sum", inf: "max", -inf: "min"}[said]
        return reduced(name)(flat, span, sizes, axis, keepdims)
    if is_vector and said != "fro":
        powers = operated(flat, TABLE["pow"], (sizes, order), span)
        root = Literal(1.0 / power_of(order))
        total = reduced("sum")(flat, span, cast(Number, powers), axis, keepdims)
        return operated(flat, TABLE["pow"], (total, root), span)
    if said in (1, -1, inf, -inf) and keepdims is Special.NONE:
        lines = "sum_rows" if said in (1, -1) else "sum_columns"
        found = apply(flat, lines, sizes, span=span)
        return apply(flat, "max_all" if said > 0 else "min_all", found, span=span)
    raise Unfit("takes no such `ord` here", "write the norm out")


def _roots(flat: Context, squares: Value, span: Span) -> Value:
    """Square roots whose derivative at 0 is 0, as that of norms."""
    zero = operated(flat, TABLE["eq"], (squares, Literal(0.0)), span)
    above = operated(flat, TABLE["where"], (zero, Literal(1.0), squares), span)
    roots = operated(flat, TABLE["sqrt"], (above,), span)
    return operated(flat, TABLE["where"], (zero, Literal(0.0), roots), span)


def _centred(flat: Context, span: Span, a: Number, axis: Value) -> Number:
    """The differences of an array from its mean."""
    if axis is Special.NONE or rank(a) == 1:
        return apply(flat, "sub", a, apply(flat, "average", a, span=span), span=span)
    mean = reduced("average")(flat, span, a, axis, Literal(True))
    assert isinstance(mean, Draft)
    return apply(flat, "sub", a, mean, span=span)


def _freedom(flat: Context, span: Span, a: Number, axis: Value, ddof: Value) -> Value:
    less = 0 if ddof is Special.NONE else whole(ddof)
    if less is None:
        raise Unfit("needs a written `ddof`")
    place = whole(axis) if axis is not Special.NONE else None
    if place is None:
        size: Value = apply(flat, "count", a, span=span)
    else:
        size = length(flat, a, place % rank(a), span)
    return flat.operate(TABLE["sub"], (size, Literal(less)), span) if less else size


def variance(
    flat: Context, span: Span, a: Number, axis: Value, ddof: Value, keepdims: Value
) -> Value:
    """`np.var`."""
    d = _centred(flat, span, a, axis)
    square = apply(flat, "mul", d, d, span=span)
    total = reduced("sum")(flat, span, square, axis, keepdims)
    count = _freedom(flat, span, a, axis, ddof)
    return flat.operate(TABLE["div"], (total, count), span)


def deviation(
    flat: Context, span: Span, a: Number, axis: Value, ddof: Value, keepdims: Value
) -> Value:
    """`np.std`, whose derivative at 0 is 0."""
    if axis is not Special.NONE and rank(a) > 1:
        return _roots(flat, variance(flat, span, a, axis, ddof, keepdims), span)
    centred = _centred(flat, span, a, axis)
    size = norm(flat, span, centred, Special.NONE, Special.NONE, keepdims)
    count = flat.operate(
        TABLE["float"], (_freedom(flat, span, a, Special.NONE, ddof),), span
    )
    root = flat.operate(TABLE["sqrt"], (count,), span)
    return flat.operate(TABLE["div"], (size, root), span)


def polynomial(flat: Context, span: Span, p: Value, x: Number) -> Value:
    """`np.polyval`, by Horner's rule as numpy has it."""
    if not isinstance(p, Group) or not p.items or not rank(x):
        raise Unfit("needs coefficients that are known one by one", _HORNER)
    found: Value = operated(flat, TABLE["mul"], (Literal(0.0), x), span)
    for k, coefficient in enumerate(p.items):
        scaled = operated(flat, TABLE["mul"], (found, x), span) if k else found
        found = operated(flat, TABLE["add"], (scaled, coefficient), span)
    return found


def cumulated(flat: Context, span: Span, a: Number, axis: Value) -> Value:
    """`np.cumsum`."""
    if rank(a) == 1 or axis is Special.NONE:
        line = a if rank(a) == 1 else apply(flat, "raveled", a, span=span)
        return apply(flat, "cumulated", line, span=span)
    return along(flat, span, a, axis, lambda m: apply(flat, _SUMS, m, span=span))


_SUMS = "cumulated_rows"


def along(
    flat: Context, span: Span, a: Number, axis: Value, rule: Callable[[Number], Number]
) -> Number:
    """The result along a written axis of `rule`, which goes along the first one; raises
    Unfit.
    """
    place = whole(axis)
    if place is None or not -MOST <= place < MOST:
        raise Unfit("of a matrix needs a written axis", "write `axis=0` or `axis=1`")
    if place % MOST == 0:
        return rule(a)
    turned = rule(apply(flat, "turned", a, span=span))
    return apply(flat, "turned", turned, span=span)


def differences(
    flat: Context,
    span: Span,
    a: Number,
    n: Value,
    axis: Value,
    prepend: Value,
    append: Value,
) -> Value:
    """`np.diff`."""
    last = Literal(-1) if axis is Special.NONE else axis
    ends = (prepend, append)
    if ends != (Special.NONE, Special.NONE):
        a = _extended(flat, span, a, last, ends)

    def once(a: Number) -> Number:
        later = apply(flat, "cut_from", a, Literal(1), span=span)
        before = apply(flat, "cut_to", a, Literal(-1), span=span)
        return apply(flat, "sub", later, before, span=span)

    def all_of(a: Number) -> Number:
        for _ in range(times(n)):
            a = once(a)
        return a

    return all_of(a) if rank(a) == 1 else along(flat, span, a, last, all_of)


def _extended(
    flat: Context, span: Span, a: Number, axis: Value, ends: Sequence[Value]
) -> Number:
    """An array with others before and behind it along an axis."""
    given = [None if e is Special.NONE else whole_of(flat, e, span) for e in ends]

    def around(a: Number, turns: bool) -> Number:
        parts = [p for p in (given[0], a, given[1]) if p is not None]
        if rank(a) == 1:
            return joined(flat, lines(flat, parts, span), span)
        wide = [_as_rows(flat, span, p, a, turns) if p is not a else a for p in parts]
        for part in wide:
            agree(flat, part, 1, a, 1, span)
        return joined(flat, wide, span)

    if rank(a) == 1:
        return around(a, False)
    turns = whole(axis) in (1, -1)
    return along(flat, span, a, axis, lambda m: around(m, turns))


def _as_rows(flat: Context, span: Span, end: Number, a: Number, turns: bool) -> Number:
    """The rows put before or behind those of a matrix, or of its transpose where it
    `turns`.
    """
    if rank(end) == MOST:
        return apply(flat, "turned", end, span=span) if turns else end
    if rank(end):
        raise Unfit("needs numbers or matrices beside a matrix", "write `x[:, None]`")
    zeros = apply(flat, "zero_columns", a, span=span)
    line = apply(flat, "spread", real(flat, end, span), zeros, span=span)
    return apply(flat, "row", line, span=span)


_HORNER = "write a loop over them: `for a in c: y = y * x + a`"
