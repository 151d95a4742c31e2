"""Whole arrays that have become smaller on the way: a law makes 1 of x / x."""

from __future__ import annotations

from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY, alike
from ad_transform.ir.nodes import Apply, Operand
from ad_transform.ir.types import Type


def fitted(builder: Builder, made: Operand, like: Operand) -> Operand:
    """A derivative in the shape of its value: a number is spread over an array."""
    shape = like.type.shape
    if alike(made.type.shape, shape) or not shape or made.type.dims:
        return made
    return builder.apply("spread", made, like)


def ungathered(made: Apply | None, value: Operand) -> Operand:
    """A value without the sum over the axes along which nothing was spread, if `made`,
    which makes it, is one.
    """
    if made is None or made.op.name != "gathered":
        return value
    given, like = made.args
    wanted = like.type.shape
    if len(given.type.shape) == len(wanted) and 1 not in wanted:
        return given
    return value


def started(builder: Builder, made: Operand, carry: Operand, end: Type) -> Operand:
    """The start of a loop for a carry: a number stays one, as numpy spreads it over a
    whole array, unless the type of the loop's value tells no length.
    """
    is_number = not made.type.is_array
    if not (is_number and carry.type.shape and ANY in end.shape):
        return made
    return builder.apply("spread", made, carry)
