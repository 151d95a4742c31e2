"""Whole arrays in order, as numpy's functions have them: the table."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Kind
from ad_transform.read import extents
from ad_transform.read.arguments import Unfit, whole
from ad_transform.read.context import Context
from ad_transform.read.values import Group, Number, Special, Value
from ad_transform.read.whole_layouts import Form, natural, of_square, rank
from ad_transform.read.wholes import (
    MOST,
    agree,
    apply,
    length,
    operated,
    real,
    whole_of,
)


def _of_vector(name: str) -> Form:
    """A function of one vector."""

    def form(flat: Context, span: Span, a: Number) -> Value:
        return apply(flat, name, _vector(a), span=span)

    return form


def _vector(a: Number) -> Number:
    if rank(a) != 1:
        raise Unfit("needs a vector", "write it for one row or column at a time")
    return a


def _product(flat: Context, span: Span, a: Number, axis: Value) -> Value:
    """`np.prod`."""
    if axis is not Special.NONE and rank(a) != 1:
        raise Unfit("along an axis is not supported yet", "write it row by row")
    line = a if rank(a) < MOST else apply(flat, "raveled", a, span=span)
    return apply(flat, "product_of", line, span=span) if rank(a) else a


def _of_all(name: str) -> Form:
    """A function of all elements."""

    def form(flat: Context, span: Span, a: Number) -> Value:
        line = a if rank(a) < MOST else apply(flat, "raveled", a, span=span)
        return apply(flat, name, _vector(line), span=span)

    return form


def true_places(flat: Context, span: Span, a: Number) -> Value:
    """`np.nonzero`, and `np.where` of a test alone: a tuple of one array of indices."""
    found = apply(flat, "true_places", _vector(a), span=span)
    return Group(Container.TUPLE, (found,))


def _triangle(name: str) -> Form:
    """`np.triu_indices` and `np.tril_indices`."""

    def form(flat: Context, span: Span, n: Value, k: Value) -> Value:
        first = Literal(0) if k is Special.NONE else natural(k)
        size = natural(n)
        parts = (
            apply(flat, f"{name}_{side}", size, first, span=span)
            for side in ("rows", "columns")
        )
        return Group(Container.TUPLE, tuple(parts))

    return form


def _range_of(flat: Context, span: Span, a: Number) -> Value:
    """`np.ptp`."""
    ends = (apply(flat, f"{name}_all", a, span=span) for name in ("max", "min"))
    return flat.operate(TABLE["sub"], tuple(ends), span)


def _quantile(share: float) -> Form:
    """`np.quantile` and `np.percentile`, between two elements as numpy does it."""

    def form(flat: Context, span: Span, a: Number, q: Value) -> Value:
        if not isinstance(q, Number) or rank(q):
            raise Unfit("needs one number", "write it for one share at a time")
        part: Value = real(flat, q, span)
        if share != 1.0:
            part = flat.operate(TABLE["div"], (part, Literal(share)), span)
        assert isinstance(part, Number)
        line = a if rank(a) < MOST else apply(flat, "raveled", a, span=span)
        return apply(flat, "quantile", _vector(line), part, span=span)

    return form


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


def _interpolated(
    flat: Context, span: Span, x: Number, xp: Number, fp: Number
) -> Value:
    """`np.interp`."""
    if rank(xp) != 1 or rank(fp) != 1 or rank(x) > 1:
        raise Unfit("needs vectors of points, and a number or a vector")
    agree(flat, xp, 0, fp, 0, span)
    name = "all_interpolated" if rank(x) else "interpolated"
    return apply(flat, name, x, xp, fp, span=span)


def _trapezoid(flat: Context, span: Span, y: Number, x: Value, dx: Value) -> Value:
    """`np.trapezoid`, computed as numpy does."""
    _vector(y)
    width: Value = Literal(1.0) if dx is Special.NONE else dx
    if x is not Special.NONE:
        width = _differences(flat, x, span)
    later = apply(flat, "cut_from", y, Literal(1), span=span)
    before = apply(flat, "cut_to", y, Literal(-1), span=span)
    both = apply(flat, "add", later, before, span=span)
    weighted = operated(flat, TABLE["mul"], (width, both), span)
    parts = operated(flat, TABLE["div"], (weighted, Literal(2.0)), span)
    assert isinstance(parts, Number)
    return apply(flat, "sum_all", parts, span=span)


def _differences(flat: Context, x: Value, span: Span) -> Number:
    points = _vector(whole_of(flat, x, span))
    later = apply(flat, "cut_from", points, Literal(1), span=span)
    return apply(
        flat,
        "sub",
        later,
        apply(flat, "cut_to", points, Literal(-1), span=span),
        span=span,
    )


def place_of(name: str) -> Form:
    """`np.argmax` and `np.argmin`: an index, or those of all rows or columns."""

    def form(flat: Context, span: Span, a: Number, axis: Value) -> Value:
        if axis is Special.NONE and rank(a) == 1:
            made = apply(flat, name, a, span=span)
            flat.heap.naturals.add(made)
            return made
        place = whole(axis)
        if rank(a) != MOST or place is None or not -MOST <= place < MOST:
            raise Unfit("needs a vector, or a matrix and a written axis")
        return apply(flat, f"{name}_{('rows', 'columns')[place]}", a, span=span)

    return form


def _logarithm(flat: Context, span: Span, a: Number) -> Value:
    """`np.linalg.slogdet`: the sign and the logarithm of the determinant."""
    names = ("sign_of_determinant", "log_determinant")
    parts = tuple(of_square(name)(flat, span, a) for name in names)
    return Group(Container.TUPLE, parts)


def _cross(flat: Context, span: Span, a: Number, b: Number) -> Value:
    """`np.cross` of two vectors of three elements, or of the rows of two matrices."""
    if not rank(a) or rank(a) != rank(b):
        raise Unfit("needs two vectors, or two matrices", "write the elements out")
    for axis in range(rank(a)):
        agree(flat, a, axis, b, axis, span)
    extents.agree(flat, length(flat, a, rank(a) - 1, span), Literal(3), span)
    return apply(flat, "cross", a, b, span=span)


def _counted(flat: Context, span: Span, a: Number) -> Value:
    """`np.count_nonzero`."""
    test: Value = a
    if a.type.kind is not Kind.BOOL:
        test = operated(flat, TABLE["ne"], (a, Literal(0)), span)
    assert isinstance(test, Number)
    return apply(flat, "whole_sum", test, span=span)


# fmt: off
FORMS: Mapping[str, tuple[str, Form]] = {
    "numpy.argsort":    ("@@a", _of_vector("argsort")),
    "numpy.sort":       ("@a", _of_vector("in_order")),
    "numpy.median":     ("@a", _of_all("median")),
    "numpy.cumprod":    ("@a", _of_all("cumulated_product")),
    "numpy.nonzero":    ("@@a", true_places),
    "numpy.flatnonzero": ("@@a", _of_all("true_places")),
    "numpy.triu_indices": ("n k?", _triangle("upper")),
    "numpy.tril_indices": ("n k?", _triangle("lower")),
    "numpy.prod":       ("@a axis?", _product),
    "numpy.ptp":        ("@a", _range_of),
    "numpy.quantile":   ("@a q", _quantile(1.0)),
    "numpy.percentile": ("@a q", _quantile(100.0)),
    "numpy.searchsorted": ("@a @v side?", _placed),
    "numpy.interp":     ("@x @xp @fp", _interpolated),
    "numpy.trapezoid":  ("@y x? dx?", _trapezoid),
    "numpy.trapz":      ("@y x? dx?", _trapezoid),
    "scipy.integrate.trapezoid": ("@y x? dx?", _trapezoid),
    "numpy.argmax":     ("@@a axis?", place_of("argmax")),
    "numpy.argmin":     ("@@a axis?", place_of("argmin")),
    "numpy.linalg.slogdet": ("@a", _logarithm),
    "numpy.cross":      ("@a @b", _cross),
    "numpy.count_nonzero": ("@@a", _counted),
}
# fmt: on
