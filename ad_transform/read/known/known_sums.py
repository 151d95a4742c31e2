"""Reductions of arrays whose elements are known: `np.sum(A, axis=0)`, `np.cumsum(x)`.

Sums are added in the order in which numpy adds them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.containers import sums
from ad_transform.read.known.grids import (
    Grid,
    Shape,
    along,
    grid_of,
    joined,
    made_of,
    relined,
)
from ad_transform.read.machine.arguments import Unfit, folded, operate, times, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Special, Value

Line = tuple[Value, ...]
Adding = Callable[[Context, Line, Span], Value]
"""The sum of elements along an axis, in the order that their places in memory give."""

Fold = Callable[[Context, Line, Adding, Span], Value]
"""From the elements along an axis to their reduction."""


def axis_of(value: Value, rank: int) -> int | None:
    """The axis that an argument says; None for all of them. Raises Unfit."""
    if value is Special.NONE:
        return None
    if isinstance(value, Group) and len(value.items) == 1:
        (value,) = value.items
    found = whole(value)
    if found is None or not -rank <= found < rank:
        shown = found if found is not None else "that is not known"
        raise Unfit(f"has no axis {shown} of {rank}", "write the axis as a number")
    return found % rank


def _several(axis: Value, rank: int) -> tuple[int, ...]:
    """The axes of a tuple of axes; none for any other value."""
    if not isinstance(axis, Group) or len(axis.items) < 2:
        return ()
    return tuple({axis_of(item, rank) or 0: None for item in axis.items})


def _across(
    a: Grid, gone: Sequence[int], keeps: bool
) -> tuple[Shape, list[tuple[Value, ...]]]:
    """The shape without some axes, and the elements along these for each place."""
    sizes = [range(n) for n in a.shape]
    left = [(0,) if k in gone else size for k, size in enumerate(sizes)]
    away = [size if k in gone else (0,) for k, size in enumerate(sizes)]
    shape = tuple(len(n) for k, n in enumerate(left) if keeps or k not in gone)
    lines = [
        tuple(
            a.at(tuple(map(sum, zip(place, inner, strict=True))))
            for inner in itertools.product(*away)
        )
        for place in itertools.product(*left)
    ]
    return shape, lines


def reduced(fold: Fold) -> Callable[..., Grid]:
    """A reduction `(a, axis, keepdims)`."""

    def form(flat: Context, span: Span, a: Grid, axis: Value, keepdims: Value) -> Grid:
        keeps = isinstance(keepdims, Literal) and bool(keepdims.value)
        gone = _several(axis, a.rank)
        if 1 < len(gone) < a.rank:
            left, across = _across(a, gone, keeps)
            return Grid(
                left, tuple(fold(flat, line, one_by_one, span) for line in across)
            )
        place = None if len(gone) == a.rank > 1 else axis_of(axis, a.rank)
        if place is None:
            shape: Shape = (1,) * a.rank if keeps else ()
            return Grid(shape, (fold(flat, a.items, side_by_side, span),))
        rest, lines = along(a, place)
        add = side_by_side if place == a.rank - 1 else one_by_one
        items = tuple(fold(flat, line, add, span) for line in lines)
        kept = (*rest[:place], 1, *rest[place:]) if keeps else rest
        return Grid(kept, items)

    return form


def side_by_side(flat: Context, line: Line, span: Span) -> Value:
    """The sum along the last axis: in eight sums side by side."""
    return sums.numpy_sum(flat, (Group(Container.TUPLE, line),), span)


def one_by_one(flat: Context, line: Line, span: Span) -> Value:
    """The sum along another axis: one after the other."""
    return folded(flat, "add", line, span)


def total(flat: Context, line: Line, add: Adding, span: Span) -> Value:
    return add(flat, line, span) if line else Literal(0.0)


def mean(flat: Context, line: Line, add: Adding, span: Span) -> Value:
    _some(line)
    found = total(flat, line, add, span)
    return operate(flat, "div", (found, Literal(float(len(line)))), span)


def _some(line: Line) -> None:
    if not line:
        raise Unfit("of nothing has no value", "give it two values or more")


def product(flat: Context, line: Line, add: Adding, span: Span) -> Value:
    return folded(flat, "mul", line, span) if line else Literal(1.0)


def largest(op: str, sharing: str) -> Fold:
    """`np.max` and `np.min`."""
    rule = sums.extreme(op, sharing)

    def fold(flat: Context, line: Line, add: Adding, span: Span) -> Value:
        return rule(flat, (Group(Container.TUPLE, line),), span)

    return fold


def spread(flat: Context, line: Line, add: Adding, span: Span) -> Value:
    """`np.ptp`."""
    ends = [
        largest(op, f"{op[:3]}_of")(flat, line, add, span)
        for op in ("maximum", "minimum")
    ]
    return operate(flat, "sub", ends, span)


def decided(op: str) -> Fold:
    """`np.any` and `np.all`: the number of true elements is compared with 0, or with
    that of all.
    """

    def fold(flat: Context, line: Line, add: Adding, span: Span) -> Value:
        tests = [operate(flat, "bool", (item,), span) for item in line]
        wanted = Literal(len(line) if op == "all" else 0)
        count: Value = Literal(0)
        for test in tests:
            count = operate(flat, "add", (count, test), span)
        return operate(flat, "eq" if op == "all" else "gt", (count, wanted), span)

    return fold


def deviations(flat: Context, line: Line, add: Adding, span: Span) -> list[Value]:
    middle = mean(flat, line, add, span)
    return [operate(flat, "sub", (item, middle), span) for item in line]


def variance(
    flat: Context, span: Span, a: Grid, axis: Value, ddof: Value, keepdims: Value
) -> Grid:
    """`np.var`."""

    def fold(flat: Context, line: Line, add: Adding, span: Span) -> Value:
        found = deviations(flat, line, add, span)
        squares = tuple(operate(flat, "mul", (d, d), span) for d in found)
        count = Literal(_freedom(line, ddof))
        total_ = total(flat, squares, add, span)
        return operate(flat, "div", (total_, count), span)

    return reduced(fold)(flat, span, a, axis, keepdims)


def deviation(
    flat: Context, span: Span, a: Grid, axis: Value, ddof: Value, keepdims: Value
) -> Grid:
    """`np.std`, whose derivative at 0 is 0."""

    def fold(flat: Context, line: Line, add: Adding, span: Span) -> Value:
        found = deviations(flat, line, add, span)
        root = operate(flat, "sqrt", (Literal(_freedom(line, ddof)),), span)
        return operate(flat, "div", (operate(flat, "hypot", found, span), root), span)

    return reduced(fold)(flat, span, a, axis, keepdims)


def _freedom(line: Line, ddof: Value) -> float:
    less = 0 if ddof is Special.NONE else whole(ddof)
    if less is None or len(line) <= less:
        raise Unfit("needs a known `ddof` below the number of items")
    return float(len(line) - less)


def norm(
    flat: Context, span: Span, x: Grid, order: Value, axis: Value, keepdims: Value
) -> Grid:
    """`np.linalg.norm` of vectors, and of a matrix as if it were one, or by `ord`."""
    is_plain, order = order is Special.NONE, sums.order_of(flat, order)
    if x.rank > 1 and axis is Special.NONE and not is_plain:
        return _of_matrix(flat, span, x, order, keepdims)

    def fold(flat: Context, line: Line, add: Adding, span: Span) -> Value:
        given = (Group(Container.TUPLE, line), *(() if is_plain else (order,)))
        return sums.norm(flat, given, span)

    return reduced(fold)(flat, span, x, axis, keepdims)


def _of_matrix(
    flat: Context, span: Span, x: Grid, order: Value, keepdims: Value
) -> Grid:
    """The norm of a matrix by its `ord`: of all elements, or of a row or column."""
    said = order.value if isinstance(order, Literal) else None
    if said == "fro":
        return norm(flat, span, x, Special.NONE, Special.NONE, keepdims)
    if x.rank != 2 or said not in (1, -1, inf, -inf) or keepdims is not Special.NONE:
        raise Unfit("takes no such `ord` here", "write the norm out")
    sizes = tuple(operate(flat, "abs", (item,), span) for item in x.items)
    across = Literal(0 if said in (1, -1) else 1)
    sums_ = reduced(total)(flat, span, Grid(x.shape, sizes), across, Special.NONE)
    names = ("maximum", "max_of") if said > 0 else ("minimum", "min_of")
    return reduced(largest(*names))(flat, span, sums_, Special.NONE, Special.NONE)


def accumulated(op: str) -> Callable[..., Grid]:
    """`np.cumsum`, `np.cumprod` and `np.maximum.accumulate`, by an operation on two."""

    def form(flat: Context, span: Span, a: Grid, axis: Value) -> Grid:
        place = axis_of(axis, a.rank)
        if place is None:
            return Grid((len(a.items),), tuple(_partial(flat, op, a.items, span)))
        _, lines = along(a, place)
        runs = [_partial(flat, op, line, span) for line in lines]
        return relined(a, place, runs)

    return form


def _partial(flat: Context, op: str, line: Sequence[Value], span: Span) -> list[Value]:
    found: list[Value] = []
    for item in line:
        found.append(operate(flat, op, (found[-1], item), span) if found else item)
    return found


def differences(
    flat: Context,
    span: Span,
    a: Grid,
    n: Value,
    axis: Value,
    prepend: Value,
    append: Value,
) -> Grid | None:
    """`np.diff`; None where elements put before or behind the array are not known."""
    if not a.rank:
        raise Unfit("needs an array")
    found = axis_of(axis, a.rank)
    place = a.rank - 1 if found is None else found
    ends = [_end(flat, a, place, value, span) for value in (prepend, append)]
    if None in ends:
        return None
    first, last = (end for end in ends if end is not None)
    a = joined([*first, a, *last], place)
    for _ in range(times(n)):
        _, lines = along(a, place)
        runs = [
            [operate(flat, "sub", (new, old), span) for old, new in pairwise(line)]
            for line in lines
        ]
        a = relined(a, place, runs)
    return a


def _end(
    flat: Context, a: Grid, place: int, value: Value, span: Span
) -> list[Grid] | None:
    """The arrays put before an array or behind it, one or none: a number goes into each
    line. None where elements are not known.
    """
    if value is Special.NONE:
        return []
    found = grid_of(flat, value, span)
    if found is None:
        return None
    if found.rank:
        return [found]
    shape = tuple(1 if k == place else n for k, n in enumerate(a.shape))
    return [made_of(shape, lambda _: found.items[0])]
