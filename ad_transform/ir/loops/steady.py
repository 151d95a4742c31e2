"""Carries that every trip hands on unchanged: behind the loop they are as before it.

A loop that does no more is none, and where there are no trips it is the same.
"""

from __future__ import annotations

from ad_transform.ir.blocks.inner import each_loop
from ad_transform.ir.nodes import Function, Scan, Substitution, While


def without_steady(function: Function) -> Function:
    """The function without such carries. Linear.

    Lists stay, for they may change in place.
    """
    return each_loop(function, _without)


def _without(loop: Scan | While, env: Substitution) -> Scan | While:
    env.update(_steady(loop))
    return loop


def _steady(loop: Scan | While) -> Substitution:
    """The first values of a loop for its results that no trip changes."""
    inside = zip(loop.carry_params, loop.handed_on, strict=True)
    outside = zip(loop.finals, loop.carries, strict=True)
    return {
        out: carry
        for (out, carry), (param, result) in zip(outside, inside, strict=True)
        if result is param and carry.type == out.type and not out.type.dims
    }
