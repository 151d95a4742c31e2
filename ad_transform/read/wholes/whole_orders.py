"""Whole arrays in order, as numpy's functions have them: the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Kind
from ad_transform.read.arrays import extents
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.branches.choices import choose
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes import whole_axes
from ad_transform.read.wholes.whole_axes import is_vector, line
from ad_transform.read.wholes.whole_layouts import (
    Rule,
    counted_up,
    natural,
    of_square,
    rank,
)
from ad_transform.read.wholes.whole_parts import part
from ad_transform.read.wholes.wholes import (
    agree,
    apply,
    length,
    operated,
    require_broadcast,
)


def _true_places_of_all(flat: Context, span: Span, a: Number) -> Value:
    """`np.flatnonzero`."""
    return apply(flat, "true_places", line(flat, a, span), span=span)


def true_places(flat: Context, span: Span, a: Number) -> Value:
    """`np.nonzero`, and `np.where` of a test alone: a tuple of one array of indices."""
    found = apply(flat, "true_places", is_vector(a), span=span)
    return Group(Container.TUPLE, (found,))


def _open_mesh(flat: Context, span: Span, a: Number, b: Number) -> Value:
    """`np.ix_` of two arrays of whole numbers, or masks: a column and a row."""
    places: list[Number] = []
    for one in map(is_vector, (a, b)):
        is_mask = one.type.kind is Kind.BOOL
        at = apply(flat, "true_places", one, span=span) if is_mask else one
        if at.type.kind is not Kind.INT:
            raise Unfit("takes arrays of whole numbers, or masks", _WHOLE_NUMBERS)
        places.append(at)
    rows, columns = places
    column = apply(flat, "column", rows, span=span)
    return Group(Container.TUPLE, (column, apply(flat, "row", columns, span=span)))


_WHOLE_NUMBERS = "annotate them as such: `Vector[k, int]`"


def _triangle(name: str) -> Rule:
    """`np.triu_indices` and `np.tril_indices`."""

    def rule(flat: Context, span: Span, n: Value, k: Value) -> Value:
        first = Literal(0) if k is Special.NONE else natural(k)
        size = natural(n)
        parts = (
            apply(flat, f"{name}_{side}", size, first, span=span)
            for side in ("rows", "columns")
        )
        return Group(Container.TUPLE, tuple(parts))

    return rule


def _on_diagonal(flat: Context, span: Span, n: Value) -> Value:
    """`np.diag_indices`: the places of the diagonal of a square matrix."""
    places = counted_up(flat, span, n, Special.NONE)
    return Group(Container.TUPLE, (places, places))


def _of_square(rule: Rule) -> Rule:
    """`np.diag_indices_from(a)`: the places in a matrix as large as another one."""

    def made(flat: Context, span: Span, a: Number, *rest: Value) -> Value:
        if rank(a) != 2:
            raise Unfit("needs a square matrix")
        n = length(flat, a, 0, span)
        extents.agree(flat, n, length(flat, a, 1, span), span)
        return rule(flat, span, n, *rest)

    return made


def _placed(flat: Context, span: Span, a: Number, v: Number, side: Value) -> Value:
    """`np.searchsorted`: an index, or an array of such."""
    text = "left" if side is Special.NONE else getattr(side, "value", None)
    if text not in ("left", "right") or rank(a) != 1 or rank(v) > 1:
        raise Unfit("needs a vector, and `side` as 'left' or 'right'")
    form = "place" if not rank(v) else "places"
    way = "before" if text == "left" else "behind"
    made = apply(flat, f"{form}_{way}", a, v, span=span)
    if not rank(v):
        flat.heap.naturals.add(made)
    return made


def _bisected(side: str) -> Rule:
    """`bisect.bisect_left` and `bisect.bisect_right`, of a list that is in order."""

    def rule(flat: Context, span: Span, a: Number, x: Number) -> Value:
        return _placed(flat, span, a, x, Literal(side))

    return rule


def _interpolated(
    flat: Context,
    span: Span,
    x: Number,
    xp: Number,
    fp: Number,
    left: Value,
    right: Value,
) -> Value:
    """`np.interp`, with the values `left` and `right` beside the points."""
    if rank(xp) != 1 or rank(fp) != 1 or rank(x) > 1:
        raise Unfit("needs vectors of points, and a number or a vector")
    agree(flat, xp, 0, fp, 0, span)
    name = "all_interpolated" if rank(x) else "interpolated"
    made: Value = apply(flat, name, x, xp, fp, span=span)
    for test, place, value in (("lt", 0, left), ("gt", -1, right)):
        if value is not Special.NONE:
            end = part(flat, cast(Draft, xp), Literal(place), span)
            beside = operated(flat, TABLE[test], (x, end), span)
            made = _either(flat, span, beside, value, made)
    return made


def _either(flat: Context, span: Span, test: Value, one: Value, other: Value) -> Value:
    """One of two numbers, or of two for each element."""
    if isinstance(test, Draft) and test.type.shape:
        return operated(flat, TABLE["where"], (test, one, other), span)
    ways = (lambda: one, lambda: other)
    return choose(flat, test, *ways, "`numpy.interp`", span, eager=True)


def place_of(name: str) -> Rule:
    """`np.argmax` and `np.argmin`: an index, or those of all rows or columns."""

    def rule(flat: Context, span: Span, a: Number, axis: Value) -> Value:
        if axis is Special.NONE or rank(a) == 1:
            made = apply(flat, name, line(flat, a, span), span=span)
            flat.heap.naturals.add(made)
            return made
        place = whole(axis)
        if rank(a) != MOST or place is None or not -MOST <= place < MOST:
            raise Unfit("needs a vector, or a matrix and a written axis")
        return apply(flat, f"{name}_{('rows', 'columns')[place]}", a, span=span)

    return rule


def _logarithm(flat: Context, span: Span, a: Number) -> Value:
    """`np.linalg.slogdet`: the sign and the logarithm of the determinant."""
    names = ("sign_of_determinant", "log_determinant")
    parts = tuple(of_square(name)(flat, span, a) for name in names)
    return Group(Container.TUPLE, parts)


def _cross(flat: Context, span: Span, a: Number, b: Number, axis: Value) -> Value:
    """`np.cross` of vectors of three elements, and of the rows of matrices."""
    place = -1 if axis is Special.NONE else whole(axis)
    ranks = {rank(a), rank(b)}
    if 0 in ranks or place is None or not -min(ranks) <= place < min(ranks):
        raise Unfit("needs two vectors, or matrices of them", "write the elements out")
    if ranks == {MOST} and place % MOST == 0:
        a, b = (apply(flat, "turned", x, span=span) for x in (a, b))
        made = _cross(flat, span, a, b, Special.NONE)
        return apply(flat, "turned", cast(Draft, made), span=span)
    if len(ranks) > 1:
        require_broadcast(flat, (a, b), span)
        wide = a if rank(a) == MOST else b
        a, b = (
            x if x is wide else apply(flat, "spread", x, wide, span=span)
            for x in (a, b)
        )
    for k in range(rank(a)):
        agree(flat, a, k, b, k, span)
    if {x.type.shape[-1] for x in (a, b)} == {2}:
        return _turn(flat, span, a, b)
    extents.agree(flat, length(flat, a, rank(a) - 1, span), Literal(3), span)
    return apply(flat, "cross", a, b, span=span)


def _turn(flat: Context, span: Span, a: Number, b: Number) -> Value:
    """`np.cross` of vectors of two elements: a number for each pair."""
    every = (Slice(Special.NONE, Special.NONE, Special.NONE),) * (rank(a) - 1)

    def column(x: Number, k: int) -> Number:
        index = Group(Container.TUPLE, (*every, Literal(k)))
        return cast(Draft, part(flat, cast(Draft, x), index, span))

    pairs = ((column(a, k), column(b, 1 - k)) for k in range(2))
    terms = [apply(flat, "mul", *pair, span=span) for pair in pairs]
    return apply(flat, "sub", *terms, span=span)


# fmt: off
RULES: Mapping[str, tuple[str, Rule]] = {
    **whole_axes.RULES,
    "numpy.ix_":        ("@@a @@b", _open_mesh),
    "numpy.nonzero":    ("@@a", true_places),
    "numpy.flatnonzero": ("@@a", _true_places_of_all),
    "numpy.diag_indices": ("n", _on_diagonal),
    "numpy.triu_indices": ("n k?", _triangle("upper")),
    "numpy.tril_indices": ("n k?", _triangle("lower")),
    "numpy.diag_indices_from": ("@@a", _of_square(_on_diagonal)),
    "numpy.triu_indices_from": ("@@a k?", _of_square(_triangle("upper"))),
    "numpy.tril_indices_from": ("@@a k?", _of_square(_triangle("lower"))),
    "numpy.searchsorted": ("@a @v side?", _placed),
    "bisect.bisect":       ("@a @x", _bisected("right")),
    "bisect.bisect_right": ("@a @x", _bisected("right")),
    "bisect.bisect_left":  ("@a @x", _bisected("left")),
    "numpy.interp":     ("@x @xp @fp left? right?", _interpolated),
    "numpy.argmax":     ("@@a axis?", place_of("argmax")),
    "numpy.argmin":     ("@@a axis?", place_of("argmin")),
    "numpy.linalg.slogdet": ("@a", _logarithm),
    "numpy.cross":      ("@a @b axis?", _cross),
}
# fmt: on
