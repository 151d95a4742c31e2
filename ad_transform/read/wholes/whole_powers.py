"""Sums of exponentials of whole arrays, and shares of these, as scipy computes them.

The largest element is taken off before, so that nothing overflows. It counts as a
constant: its derivatives cancel.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.calls import PASSIVE
from ad_transform.ir.nodes import Literal
from ad_transform.read.machine.context import Context
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes.whole_axes import keeping
from ad_transform.read.wholes.whole_layouts import Rule
from ad_transform.read.wholes.whole_sums import reduced
from ad_transform.read.wholes.wholes import apply, operated

_KEPT = Literal(True)


def _shift(flat: Context, span: Span, a: Number, axis: Value) -> Number:
    largest = reduced("max")(flat, span, a, axis, Special.NONE)
    assert isinstance(largest, Draft)
    shift = flat.apply(PASSIVE, (largest,), span)
    assert isinstance(shift, Draft)
    return shift


def _wide(flat: Context, span: Span, a: Number, axis: Value, lines: Number) -> Number:
    """The numbers of lines in a shape that is broadcast with the array."""
    if axis is Special.NONE or len(a.type.shape) == 1:
        return lines
    found = keeping(flat, span, a, axis, _KEPT, lines)
    assert isinstance(found, Draft)
    return found


def _parts(
    flat: Context, span: Span, a: Number, axis: Value
) -> tuple[Number, Number, Number]:
    """The array less its shift, the shift, and the sums of exponentials."""
    shift = _shift(flat, span, a, axis)
    wide = _wide(flat, span, a, axis, shift)
    less = apply(flat, "sub", a, wide, span=span)
    powers = apply(flat, "exp", less, span=span)
    total = reduced("sum")(flat, span, powers, axis, Special.NONE)
    assert isinstance(total, Draft)
    return less, shift, total


def log_sum(flat: Context, span: Span, a: Number, axis: Value, keeps: Value) -> Value:
    """`scipy.special.logsumexp`."""
    _, shift, total = _parts(flat, span, a, axis)
    size = apply(flat, "log", total, span=span)
    found = apply(flat, "add", size, shift, span=span)
    return keeping(flat, span, a, axis, keeps, found)


def log_softmax(flat: Context, span: Span, a: Number, axis: Value) -> Value:
    """`scipy.special.log_softmax`."""
    less, _, total = _parts(flat, span, a, axis)
    size = apply(flat, "log", total, span=span)
    return operated(flat, TABLE["sub"], (less, _wide(flat, span, a, axis, size)), span)


def softmax(flat: Context, span: Span, a: Number, axis: Value) -> Value:
    """`scipy.special.softmax`."""
    less, _, total = _parts(flat, span, a, axis)
    powers = apply(flat, "exp", less, span=span)
    wide = _wide(flat, span, a, axis, total)
    return operated(flat, TABLE["div"], (powers, wide), span)


# fmt: off
RULES: Mapping[str, tuple[str, Rule]] = {
    "scipy.special.logsumexp":   ("@a axis? keepdims?", log_sum),
    "scipy.special.softmax":     ("@x axis?", softmax),
    "scipy.special.log_softmax": ("@x axis?", log_softmax),
}
# fmt: on
