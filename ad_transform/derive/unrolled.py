"""Small loops of known trips over known arrays, written out before they are
differentiated.

What is written out is one straight run, whose orders are searched as a whole: it has no
lists of tangents, a column each, and no records. It is taken where it runs for less,
lists and loops counted.
"""

from __future__ import annotations

from ad_transform.derive.linearise import is_zero
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Function, Scan, While, walk
from ad_transform.ir.written_out import written_out
from ad_transform.ir.written_values import Unwritten


def unrolled(function: Function, most: int) -> Function | None:
    """The function without its lists and the loops around them, where all sizes are
    known; None where there is no list, or more than `most` statements are gone through.

    Loops stay where all carry numbers only, for they have short derivatives, and where
    a mark says how many of their states are held.
    """
    every = walk(function.body)
    if not any(out.type.dims for s in every for out in s.outs):
        return None
    if any(isinstance(s, Scan | While) and s.snapshots for s in every):
        return None
    try:
        return written_out(function, TABLE, most)
    except Unwritten:
        return None


def is_short(derivative: Function, most: int) -> bool:
    """Whether the derivative of what was written out is no longer than twice that."""
    entries = sum(1 for result in derivative.results if not is_zero(result))
    return len(derivative.body) + entries <= 2 * most
