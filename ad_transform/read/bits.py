"""`n >> 1`, `n << 2`, `n & 7` of whole numbers: quotients, products and remainders.

They are the same for negative numbers, too: Python rounds both down.
"""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.read import sequences
from ad_transform.read.arguments import Form, Values
from ad_transform.read.context import Context
from ad_transform.read.values import Value, is_int

AND = "numpy.bitwise_and"
"""What `&` is read as."""

_MOST = 62
"""Largest shift."""


def shifted(sign: str, op: str) -> Form:
    """`>>` or `<<` by a number that is known."""

    def form(flat: Context, values: Values, span: Span) -> Value:
        number, by = values
        places = sequences.whole(by, flat.wholes)
        if not is_int(number) or places is None or not 0 <= places <= _MOST:
            message = f"`{sign}` is for a whole number and a shift that is known"
            help_ = "write `// 2**n`" if op == "floordiv" else "write `* 2**n`"
            return flat.refuse("AD107", message, span, help_)
        return flat.operate(TABLE[op], (number, Literal(1 << places)), span)

    return form


def masked(flat: Context, values: Values, span: Span) -> Value | None:
    """`n & 7`, the rest of a division by 8; None for anything else."""
    for number, mask in (values, values[::-1]):
        known = sequences.whole(mask, flat.wholes)
        is_low = known is not None and known >= 0 and known & (known + 1) == 0
        if is_low and is_int(number) and known is not None:
            return flat.operate(TABLE["mod"], (number, Literal(known + 1)), span)
    return None
