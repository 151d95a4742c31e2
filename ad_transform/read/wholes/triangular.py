"""Equations as scipy has them: factors of matrices, and triangles of these.

The triangle that is not read is 0 here, so that it has no derivative.
"""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.read.known import (
    known_layouts,
    known_products,
)
from ad_transform.read.known.grids import Grid
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.values.values import Number, Special, Value
from ad_transform.read.wholes.whole_layouts import of_square, require_square
from ad_transform.read.wholes.whole_products import solved
from ad_transform.read.wholes.wholes import apply

_AS_IT_IS = (Special.NONE, Literal(0), Literal(False))


def _is_lower(lower: Value) -> bool:
    """The truth of `lower`, by default False; raises Unfit where it is not written."""
    if lower is Special.NONE:
        return False
    if not isinstance(lower, Literal):
        raise Unfit("needs a written `lower`", "write `lower=True` or leave it out")
    return bool(lower.value)


def _require_as_it_is(trans: Value) -> None:
    if trans not in _AS_IT_IS:
        raise Unfit("takes no `trans` here", "write `a.T`, with the other `lower`")


def factor(flat: Context, span: Span, a: Number, lower: Value) -> Value:
    """`scipy.linalg.cholesky`: by default the upper factor, of the upper triangle."""
    lowest = of_square("cholesky")
    if _is_lower(lower):
        return lowest(flat, span, a)
    require_square(flat, a, span)
    turned = apply(flat, "turned", a, span=span)
    made = apply(flat, "cholesky", turned, span=span)
    return apply(flat, "turned", made, span=span)


def solved_triangle(
    flat: Context, span: Span, a: Number, b: Number, trans: Value, lower: Value
) -> Value:
    """`scipy.linalg.solve_triangular`."""
    _require_as_it_is(trans)
    name = "lower" if _is_lower(lower) else "upper"
    require_square(flat, a, span)
    return solved(flat, span, apply(flat, name, a, span=span), b)


def known_factor(flat: Context, span: Span, a: Grid, lower: Value) -> Grid:
    """`scipy.linalg.cholesky` of known elements."""
    if _is_lower(lower):
        return known_products.cholesky(flat, span, a)
    turned = known_layouts.transpose(flat, span, a, Special.NONE)
    made = known_products.cholesky(flat, span, turned)
    return known_layouts.transpose(flat, span, made, Special.NONE)


def known_solved_triangle(
    flat: Context, span: Span, a: Grid, b: Grid, trans: Value, lower: Value
) -> Grid | None:
    """`scipy.linalg.solve_triangular` of known elements."""
    _require_as_it_is(trans)
    sign = -1 if _is_lower(lower) else 1
    keep = known_layouts.triangle(lambda k: sign * k >= 0)
    return known_products.solved(flat, span, keep(flat, span, a, Special.NONE), b)
