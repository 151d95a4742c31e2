"""`np.pad`: whole arrays with more places around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Kind
from ad_transform.read.arrays import extents
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes.whole_layouts import (
    counted_up,
    filled,
    natural,
    number,
    rank,
    require_held,
)
from ad_transform.read.wholes.whole_parts import part, stored
from ad_transform.read.wholes.wholes import apply, joined, length, real

_ZERO, _ONE = Literal(0), Literal(1)

_Width = tuple[Number, Number]
"""The numbers of places before an axis, and behind it."""


def padded(
    flat: Context, span: Span, a: Number, width: Value, mode: Value, value: Value
) -> Value:
    """`np.pad` of a vector or a matrix."""
    way = "constant" if mode is Special.NONE else getattr(mode, "value", None)
    if not isinstance(a, Draft) or not rank(a):
        raise Unfit("needs an array")
    if way not in ("constant", *_PLACES):
        known = ", ".join(f"'{name}'" for name in ("constant", *_PLACES))
        raise Unfit("has a `mode` that is not supported", f"write one of {known}")
    widths = _widths(width, rank(a))
    fill = Literal(0.0) if value is Special.NONE else number(value)
    if (
        way == "constant"
        and a.type.kind is not Kind.FLOAT
        and value is not Special.NONE
    ):
        require_held(a, value)
    if rank(a) == 1 and way in ("constant", "edge"):
        ends = [fill] * 2
        if way == "edge":
            ends = [number(part(flat, a, Literal(k), span)) for k in (0, -1)]
        first, last = (
            filled(flat, span, end, [n]) for end, n in zip(ends, widths[0], strict=True)
        )
        return joined(flat, (first, real(flat, a, span), last), span)
    if way == "constant":
        return _framed(flat, span, a, widths, fill)
    made: Number = real(flat, a, span)
    forms = ("taken",) if rank(a) == 1 else ("taken_rows", "taken_columns")
    for axis, (form, (before, after)) in enumerate(zip(forms, widths, strict=True)):
        size = length(flat, a, axis, span)
        whole = _sum(flat, span, before, size, after)
        count = counted_up(flat, span, _ZERO, whole)
        assert isinstance(count, Draft)
        at = count
        if before != _ZERO:
            at = apply(flat, "sub", at, before, span=span)
        made = apply(flat, form, made, _PLACES[way](flat, span, at, size), span=span)
    return made


def _widths(width: Value, axes: int) -> list[_Width]:
    """The widths along each axis: one number, a pair, or a pair for each axis."""
    if not isinstance(width, Group):
        return [(natural(width), natural(width))] * axes
    pairs = width.items
    if not any(isinstance(pair, Group) for pair in pairs):
        pairs = (width,) * axes
    if len(pairs) != axes:
        raise Unfit("needs a pair of widths for each axis", _PAIRS)
    found: list[_Width] = []
    for pair in pairs:
        if not isinstance(pair, Group) or len(pair.items) != len(("before", "after")):
            raise Unfit("needs a pair of widths for each axis", _PAIRS)
        before, after = pair.items
        found.append((natural(before), natural(after)))
    return found


_PAIRS = "write `((above, below), (left, right))`"


def _sum(flat: Context, span: Span, *sizes: Number) -> Number:
    total: Number = _ZERO
    for size in sizes:
        total = extents.number(flat, "add", (total, size), span)
    return total


def _framed(
    flat: Context, span: Span, a: Draft, widths: list[_Width], fill: Number
) -> Value:
    """A matrix inside a larger one of equal numbers."""
    sizes: list[Number] = []
    places: list[Value] = []
    for axis, (before, after) in enumerate(widths):
        size = length(flat, a, axis, span)
        end = _sum(flat, span, before, size)
        sizes.append(_sum(flat, span, end, after))
        places.append(Slice(before, end, Special.NONE))
    frame = filled(flat, span, fill, sizes)
    return stored(flat, frame, Group(Container.TUPLE, tuple(places)), a, span)


# --- places that stand for those around -----------------------------------------------


def _chosen(flat: Context, span: Span, test: str, one: Draft, other: Number) -> Draft:
    is_one = apply(flat, test, one, other, span=span)
    return apply(flat, "where", is_one, one, other, span=span)


def _least(flat: Context, span: Span, one: Draft, other: Number) -> Draft:
    return _chosen(flat, span, "lt", one, other)


def _nearest(flat: Context, span: Span, at: Draft, size: Number) -> Draft:
    last = extents.number(flat, "sub", (size, _ONE), span)
    return _least(flat, span, _chosen(flat, span, "gt", at, _ZERO), last)


def _wrapped(flat: Context, span: Span, at: Draft, size: Number) -> Draft:
    return apply(flat, "mod", at, size, span=span)


def _mirrored(less: int) -> Callable[[Context, Span, Draft, Number], Draft]:
    """Places forth and back again; each end stands there once where `less` is 1, else
    twice.
    """

    def form(flat: Context, span: Span, at: Draft, size: Number) -> Draft:
        steps = extents.number(flat, "sub", (size, Literal(less)), span)
        period = extents.number(flat, "mul", (steps, Literal(2)), span)
        least = extents.number(flat, "max", (period, _ONE), span)
        forth = apply(flat, "mod", at, least, span=span)
        last = extents.number(flat, "sub", (period, Literal(1 - less)), span)
        back = apply(flat, "sub", last, forth, span=span)
        return _least(flat, span, forth, back)

    return form


_PLACES: Mapping[str, Callable[[Context, Span, Draft, Number], Draft]] = {
    "edge": _nearest,
    "wrap": _wrapped,
    "reflect": _mirrored(1),
    "symmetric": _mirrored(0),
}
"""Modes, and which place each place around an axis shows."""
