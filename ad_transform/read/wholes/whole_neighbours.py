"""Slopes between neighbours, and sums of neighbours with weights: numpy's functions."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import extents
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes.whole_axes import is_vector
from ad_transform.read.wholes.whole_layouts import Rule, like, rank
from ad_transform.read.wholes.whole_parts import part, stored
from ad_transform.read.wholes.whole_sums import along
from ad_transform.read.wholes.wholes import agree, apply, length, operated, whole_of

# --- slopes ---------------------------------------------------------------------------


def _slopes(
    flat: Context,
    span: Span,
    f: Number,
    first: Value,
    second: Value,
    axis: Value,
    edge_order: Value,
) -> Value:
    """`np.gradient`: along one axis, or a list of those along each of two."""
    if edge_order is not Special.NONE and whole(edge_order) != 1:
        raise Unfit("takes no `edge_order` but 1", "write the slopes at the ends out")
    is_along_one = rank(f) == 1 or axis is not Special.NONE
    if is_along_one and second is not Special.NONE:
        raise Unfit("gets more spacings than axes", "give it one")
    if rank(f) == 1:
        return _along_first(flat, span, f, first)
    if is_along_one:
        return along(flat, span, f, axis, lambda a: _along_first(flat, span, a, first))
    if second is Special.NONE:
        if rank(whole_of(flat, _or_one(first), span)):
            raise Unfit("misses a spacing", "give it one for each axis")
        second = first
    turned = apply(flat, "turned", f, span=span)
    across = _along_first(flat, span, turned, second)
    across = apply(flat, "turned", across, span=span)
    return Group(Container.LIST, (_along_first(flat, span, f, first), across))


def _along_first(flat: Context, span: Span, f: Number, spacing: Value) -> Number:
    """The slopes of a vector, or of the columns of a matrix, by the distance of all
    neighbours or by the place of each.
    """
    step = whole_of(flat, _or_one(spacing), span)
    if rank(step):
        agree(flat, is_vector(step), 0, f, 0, span)
        slopes = _by_places(flat, span, f, step)
    else:
        slopes = _by_distance(flat, span, f, step)
    found = like(0.0)(flat, span, f, Special.NONE)
    assert isinstance(found, Draft)
    places: tuple[Value, ...] = (_cut(1, -1), _FIRST, _LAST)
    for place, slope in zip(places, slopes, strict=True):
        found = stored(flat, found, place, slope, span)
    return found


def _or_one(spacing: Value) -> Value:
    return Literal(1.0) if spacing is Special.NONE else spacing


_Slopes = tuple[Value, Value, Value]
"""Those between the ends, the first and the last."""


def _by_distance(flat: Context, span: Span, f: Number, step: Number) -> _Slopes:
    """The slopes by the distance of neighbours, as numpy computes them."""

    def slope(place: Value, other: Value, width: Value) -> Value:
        ends = (_at(flat, span, f, place), _at(flat, span, f, other))
        rise = operated(flat, TABLE["sub"], ends, span)
        if width == Literal(1.0):
            return rise
        return operated(flat, TABLE["div"], (rise, width), span)

    twice: Value = Literal(2.0)
    if step != Literal(1.0):
        twice = operated(flat, TABLE["mul"], (twice, step), span)
    return (
        slope(_cut(2, None), _cut(None, -2), twice),
        slope(Literal(1), _FIRST, step),
        slope(_LAST, Literal(-2), step),
    )


def _by_places(flat: Context, span: Span, f: Number, x: Number) -> _Slopes:
    """The slopes by the places of neighbours: one on one side counts by the width of
    the other.
    """

    def op(name: str, *values: Value) -> Value:
        return operated(flat, TABLE[name], values, span)

    def at(a: Value, place: Value) -> Value:
        return _at(flat, span, a, place)

    def rises(a: Value) -> Value:
        return op("sub", at(a, _LATER), at(a, _EARLIER))

    widths = rises(x)
    if rank(f) == MOST:
        assert isinstance(widths, Draft)
        widths = apply(flat, "column", widths, span=span)
    slopes = op("div", rises(f), widths)
    before, behind = at(widths, _EARLIER), at(widths, _LATER)
    shares = (
        op("mul", behind, at(slopes, _EARLIER)),
        op("mul", before, at(slopes, _LATER)),
    )
    inner = op("div", op("add", *shares), op("add", before, behind))
    return inner, at(slopes, _FIRST), at(slopes, _LAST)


def _at(flat: Context, span: Span, a: Value, place: Value) -> Value:
    assert isinstance(a, Draft)
    return part(flat, a, place, span)


def _cut(start: int | None, stop: int | None) -> Slice:
    first, last = (Special.NONE if k is None else Literal(k) for k in (start, stop))
    return Slice(first, last, Special.NONE)


_FIRST, _LAST = Literal(0), Literal(-1)
_LATER, _EARLIER = _cut(1, None), _cut(None, -1)

# --- weights --------------------------------------------------------------------------


def _convolved(flat: Context, span: Span, a: Number, v: Number, mode: Value) -> Value:
    """`np.convolve`."""
    found = apply(flat, "convolved", is_vector(a), is_vector(v), span=span)
    said = "full" if mode is Special.NONE else getattr(mode, "value", None)
    if said == "full":
        return found
    if said not in _CUTS:
        raise Unfit("has a mode that is not supported", "write `mode='same'`")
    sizes = (length(flat, a, 0, span), length(flat, v, 0, span))
    longer, shorter = (extents.number(flat, op, sizes, span) for op in ("max", "min"))
    less = extents.number(flat, "sub", (shorter, Literal(1)), span)
    if said == "valid":
        return _at(flat, span, found, Slice(less, longer, Special.NONE))
    first = extents.number(flat, "floordiv", (less, Literal(2)), span)
    stop = extents.number(flat, "add", (first, longer), span)
    return _at(flat, span, found, Slice(first, stop, Special.NONE))


_CUTS = frozenset({"same", "valid"})


def _correlated(flat: Context, span: Span, a: Number, v: Number, mode: Value) -> Value:
    """`np.correlate`: the other one goes backwards.

    Of an even number of places, the middle depends on which of both is longer.
    """
    if mode == Literal("same"):
        raise Unfit(
            "has no mode 'same' here", "write `np.convolve(a, v[::-1], 'same')`"
        )
    turned = apply(flat, "backwards", is_vector(v), span=span)
    how = Literal("valid") if mode is Special.NONE else mode
    return _convolved(flat, span, a, turned, how)


# fmt: off
RULES: Mapping[str, tuple[str, Rule]] = {
    "numpy.gradient":  ("@f 1? 2? axis? edge_order?", _slopes),
    "numpy.convolve":  ("@a @v mode?", _convolved),
    "numpy.correlate": ("@a @v mode?", _correlated),
}
# fmt: on
