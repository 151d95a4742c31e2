"""Bits of whole numbers: `n >> 1`, `n << 2`, `n & 7`, `i ^ j`, `n &= m`.

With a number that is known they are quotients, products and remainders. These are the
same for negative numbers, too: Python rounds both down.
"""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL
from ad_transform.later import later
from ad_transform.read.containers import sequences
from ad_transform.read.machine.arguments import Rule, Values
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.values import Draft, Value, is_int

with later():
    from ad_transform.read.containers import (
        entries,
        keyed,
    )
    from ad_transform.read.lists import set_algebra

SIGNS = {
    "numpy.bitwise_and": ("&", "bit_and", "both"),
    "numpy.bitwise_or": ("|", "bit_or", "either"),
    "numpy.bitwise_xor": ("^", "bit_xor", "ne"),
}
"""Operators by the functions that they are read as: the sign, the operation on whole
numbers, and that on truth values.
"""

_MOST = 62
"""Largest known shift that is a product."""


def shifted(sign: str, op: str, of_runs: str) -> Rule:
    """`>>` or `<<`, of whole numbers."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        number, by = values
        if not is_int(number) or not is_int(by):
            message = f"`{sign}` is for whole numbers"
            help_ = "write `// 2**n`" if op == "floordiv" else "write `* 2**n`"
            return flat.refuse("AD107", message, span, help_)
        places = sequences.whole(by, flat.wholes)
        if places is None or not 0 <= places <= _MOST:
            return flat.operate(TABLE[of_runs], values, span)
        return flat.operate(TABLE[op], (number, Literal(1 << places)), span)

    return rule


def joined(flat: Context, name: str, values: Values, span: Span) -> Value | None:
    """`&`, `|`, `^` or `~` of numbers; None for anything else, as `&` of arrays."""
    if name == "numpy.invert" and is_int(values[0]):
        return flat.operate(TABLE["sub"], (Literal(-1), *values), span)
    if name not in SIGNS:
        return None
    sign, of_wholes, of_truths = SIGNS[name]
    if all(isinstance(value, Draft | Literal) for value in values):
        if all(map(is_int, values)):
            low = _masked(flat, values, span) if sign == "&" else None
            return low or flat.operate(TABLE[of_wholes], values, span)
        if all(value.type == BOOL for value in values):  # type: ignore[union-attr]
            return flat.operate(TABLE[of_truths], values, span)
    if sign != "^":
        return None
    message = f"`^` of {' and '.join(map(describe, values))} is not supported"
    return flat.refuse("AD107", message, span, "write `**` for a power, `!=` of truths")


def _masked(flat: Context, values: Values, span: Span) -> Value | None:
    """`n & 7`, the rest of a division by 8; None for anything else."""
    for number, mask in (values, values[::-1]):
        known = sequences.whole(mask, flat.wholes)
        is_low = known is not None and known >= 0 and known & (known + 1) == 0
        if is_low and known is not None:
            return flat.operate(TABLE["mod"], (number, Literal(known + 1)), span)
    return None


def changed(name: str) -> Rule:
    """`a &= b` of numbers; of arrays it would change them in place."""
    sign = SIGNS[name][0]

    def rule(flat: Context, values: Values, span: Span) -> Value:
        if all(isinstance(value, Draft | Literal) for value in values):
            made = joined(flat, name, values, span)
            if made is not None:
                return made
        if sign != "^" and keyed.counts(values[0]):
            return keyed.bounded(flat, sign, values[0], values[1], span)
        both = entries.merged(flat, values[0], values[1], span) if sign == "|" else None
        both = both or set_algebra.changed(flat, sign, values[0], values[1], span)
        if both is not None:
            return both
        message = f"`{sign}=` of {describe(values[0])} is not supported"
        return flat.refuse("AD107", message, span, f"write `a = a {sign} b`")

    return rule
