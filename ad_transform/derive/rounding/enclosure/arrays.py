"""Intervals of arrays: beside an array go one of centers and one of radii.

These are made where the array is made, and changed where it is changed. An array that
is given, and exact, has none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ad_transform.derive.rounding.enclosure.interval import (
    NONE,
    ZERO,
    Interval,
    pairs,
)
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.elementals.arrays import COPY, LIKE, MADE
from ad_transform.ir.elemental import EXACT
from ad_transform.ir.nodes import Apply, Operand

if TYPE_CHECKING:
    from ad_transform.derive.rounding.enclosure.propagation import Propagation

Rule = Callable[["Propagation", Apply], Interval]


def through_array(c: Propagation, statement: Apply) -> None:
    """Find the interval of an operation on arrays; Refusal AD031 if it has no rule."""
    out, op = statement.out, statement.op
    if not out.type.is_real:
        if not c.wholes.isdisjoint(statement.args):
            c.wholes.add(out)
        return
    rule = _RULES.get(op.name, _moved if _moves(statement) else None)
    if rule is None:
        text = "the rounding errors of this operation on arrays are not enclosed yet"
        help_ = "write the elements out in a loop"
        raise Refusal(Diagnostic("AD031", text, out.span, help_))
    interval = rule(c, statement)
    if not interval.is_zero:
        c.intervals[out] = interval


def _nothing(c: Propagation, statement: Apply) -> Interval:
    """The interval of a value without an error."""
    return NONE


def _read(c: Propagation, statement: Apply) -> Interval:
    """An element, or a row, of centers and of radii."""
    array, *index = statement.args
    interval = c.intervals.get(array, NONE)
    if not interval.center.type.is_array:
        return interval  # nothing is known of any element, or there is no error
    return Interval(
        c.make("get", interval.center, *index), c.make("get", interval.radius, *index)
    )


def _made(c: Propagation, statement: Apply) -> Interval:
    """The operation itself, on centers and on radii."""
    centers, radii = [], []
    for arg in statement.args:
        own = known_beside(c, arg)
        centers.append(own.center if arg.type.is_real else arg)
        radii.append(own.radius if arg.type.is_real else arg)
    op, out = statement.op.name, statement.out
    named = [v.hint for v in pairs([out])]
    center, radius = (
        c.builder.apply(op, *side, hint=hint, declared=out.type)
        for side, hint in zip((centers, radii), named, strict=True)
    )
    return Interval(center, radius)


def _like(c: Propagation, statement: Apply) -> Interval:
    """An array as long as another, filled with the interval of a value."""
    array, value = statement.args
    own, op = c.intervals.get(value, NONE), statement.op.name
    return Interval(c.make(op, array, own.center), c.make(op, array, own.radius))


def _moves(statement: Apply) -> bool:
    """Whether an operation moves the elements of whole arrays."""
    has_whole = any(v.type.shape for v in (statement.out, *statement.args))
    return has_whole and statement.op.ulps == EXACT


def _moved(c: Propagation, statement: Apply) -> Interval:
    """An operation that moves elements of whole arrays, on centers and on radii."""
    known = all(c.intervals.get(arg, NONE).is_zero for arg in statement.args)
    return NONE if known else _made(c, statement)


def known_beside(c: Propagation, value: Operand) -> Interval:
    """The interval of a value; of an array two arrays, even where it is given, or all
    of it unknown.
    """
    interval = c.intervals.get(value, NONE)
    if not value.type.is_array or interval.center.type.is_array:
        return interval
    if value.type.shape:
        center, radius = (
            c.make("zeros_like", value)
            if side == ZERO
            else c.make("full_like", side, value)
            for side in (interval.center, interval.radius)
        )
        return Interval(center, radius)
    like = LIKE[len(value.type.dims)]
    return Interval(
        c.make(like, value, interval.center), c.make(like, value, interval.radius)
    )


def _sum(c: Propagation, statement: Apply) -> Interval:
    """The sum of all centers, and of all radii; its own loss is a radius, too."""
    (array,) = statement.args
    interval = c.intervals.get(array, NONE)
    if not interval.center.type.is_array:
        return interval
    center, radius = (
        c.make("total_of", side) for side in (interval.center, interval.radius)
    )
    radii: list[Operand] = [radius, ZERO, ZERO]
    return Interval(center, c.make("sum_radius", *radii, center, center, center))


_MADE = ("set", "append", "pop", "pack", *MADE.values(), *COPY.values())
_RULES: dict[str, Rule] = {
    **dict.fromkeys(_MADE, _made),
    **dict.fromkeys(LIKE.values(), _like),
    "get": _read,
    "sum_of": _sum,
    "fsum_of": _sum,
    "sum_in": _sum,
    "sum_gap": _nothing,
    "largest_in": _nothing,
}
