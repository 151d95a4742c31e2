"""Texts that are made: f-strings, `"k%d" % k`, `str(k)`, and texts joined by `+`.

A text of values that are written out is written out as well. One of values that only a
run knows is made there; no derivative goes through it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import INT, STR
from ad_transform.later import later
from ad_transform.read.code import MakeText
from ad_transform.read.machine.arguments import Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.texts import texts
from ad_transform.read.values.described import describe
from ad_transform.read.values.values import Draft, Number, Special, Value, is_text

with later():
    from ad_transform.read.texts.telling import told


def make(flat: Context, i: MakeText) -> None:
    """An f-string, whose values lie on the stack."""
    values = flat.stack[len(flat.stack) - sum(part is None for part in i.message) :]
    is_refused = Special.REFUSED in values
    message, formats = told(flat, i, "a text of")
    hows = iter(formats or ("",) * len(message))
    parts = (
        Literal(part)
        if isinstance(part, str)
        else _shown(flat, part, next(hows), i.span)
        for part in message
    )
    made = joined_all(flat, list(parts), i.span)
    flat.stack.append(Special.REFUSED if is_refused else made)


def string(flat: Context, values: Values, span: Span) -> Value:
    """`str(x)` of a number or a text; raises Unfit."""
    expect(values, 0, 1)
    flat.stack += values
    make(flat, MakeText((None,) * len(values), ("",) * len(values), span))
    return flat.stack.pop()


def joined(flat: Context, op: str, values: Sequence[Value], span: Span) -> Value | None:
    """`one + other` of texts; None of anything else."""
    if op != "add" or len(values) != 2 or not all(map(is_text, values)):
        return None
    return joined_all(flat, values, span)


def joined_all(flat: Context, parts: Sequence[Value], span: Span) -> Value:
    """The texts as one."""

    def both(one: Value, other: Value) -> Value:
        first, second = texts.known(one), texts.known(other)
        if first is not None and second is not None:
            return Literal(first + second)
        if "" in (first, second):
            return one if second == "" else other
        if not is_text(one) or not is_text(other):
            return Special.REFUSED
        return flat.apply(TABLE["text_joined"], (one, other), span)

    empty: Value = Literal("")
    return reduce(both, parts, empty)


def _shown(flat: Context, value: Number, how: str, span: Span) -> Value:
    """A number or a text as `how` shows it."""
    conversion, _, spec = how.partition(":")
    if conversion in ("!a", "!r") and value.type != INT:
        message = f"`{conversion}` of {describe(value)} of a run is not supported"
        return flat.refuse("AD107", message, span, "show it as it is: `{x}`")
    if spec and not conversion:
        return flat.apply(TABLE["text_shown"], (Literal(spec), value), span)
    text: Value = value
    if value.type != STR:
        text = flat.apply(TABLE["text_as_str"], (Literal(""), value), span)
    if not spec or not isinstance(text, Draft | Literal):
        return text
    return flat.apply(TABLE["text_shown"], (Literal(spec), text), span)
