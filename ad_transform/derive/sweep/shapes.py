"""Whole arrays that have become smaller on the way: a law makes 1 of x / x."""

from __future__ import annotations

from ad_transform.ir.build import Builder
from ad_transform.ir.dims import alike
from ad_transform.ir.nodes import Operand


def fitted(builder: Builder, made: Operand, like: Operand) -> Operand:
    """A value that stands for one like another, in its shape."""
    shape = like.type.shape
    if alike(made.type.shape, shape) or not shape or made.type.dims:
        return made
    return builder.apply("spread", made, like)
