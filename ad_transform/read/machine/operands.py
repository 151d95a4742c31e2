"""Operands: numbers for operations, or a message that says what else was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, STR
from ad_transform.later import later
from ad_transform.read.arrays import array_rows, indexing
from ad_transform.read.branches import maybe
from ad_transform.read.containers import sequences
from ad_transform.read.machine.context import Context
from ad_transform.read.project.physics import PREFIX
from ad_transform.read.values.callables import (
    Closure,
    Dotted,
    FileFunction,
    FileModule,
    Partial,
)
from ad_transform.read.values.classes import Class
from ad_transform.read.values.series import Once, Range
from ad_transform.read.values.storage import Array, Deque, Distinct, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Object, Unread, View
from ad_transform.read.values.values import (
    Draft,
    Maybe,
    Member,
    Number,
    Special,
    Value,
    is_whole,
)

with later():
    from ad_transform.read.array_functions import of_arrays
    from ad_transform.read.arrays import repeats
    from ad_transform.read.known import elementwise
    from ad_transform.read.values.described import describe

_NUMBERS = (Draft, Literal, Member)
_OF_TRUTHS = {"both": ("&", "and"), "either": ("|", "or")}
_ORDERED = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})

_TEXT = 'a str is compared, joined and passed on: `kind + "_2"`, `f"{kind}_{k}"`'

_WAYS_OUT: dict[type, str] = {
    Array: "write a loop over its elements: `for k in range(len(x)):`",
    Rows: "write a loop over its rows, or take a row: `rows[-1]`",
    Lists: "write a loop over its lists, or take a list: `rows[-1]`",
    View: "write a loop over its items, or take one of the dict: `d[key]`",
    Group: "take its elements: `a, b = t`, or `t[0]`",
    Object: "take its fields: `p.x`",
    Dict: 'take its entries: `d["a"]`, or the tuple of them, `(d["a"], d["b"])`',
    Stack: "write a loop over its arrays, or take one: `hist[-1]`",
    Deque: "take its items, `q[0]`, or make a list of them: `list(q)`",
    Distinct: "ask it, `x in s` and `len(s)`, or go over `sorted(s)`",
    Range: "go over it, or make an array of it: `np.arange(n)`",
    Class: "call it, or take a constant of it",
    Once: "go over its items, or make a list of them: `list(u)`",
    Unread: "annotate the field `float`, `int`, `bool` or `str`",
    Closure: "call it",
    Partial: "call it",
    FileFunction: "call it",
    FileModule: "take something of it: `module.K`",
    Dotted: "call it",
    Special: "a function without `return` gives None",
    Draft: _TEXT,
    Literal: _TEXT,
}


def number(flat: Context, value: Value, span: Span) -> Number | None:
    """A value as an operand; None after a report of AD107."""
    value = maybe.certain(flat, value, span)
    if isinstance(value, Draft | Literal):
        if not _is_special(value):
            return value
    elif value is Special.REFUSED:
        return None
    if isinstance(value, Dotted) and not value.name.startswith("builtins."):
        _foreign(flat, value, span)
        return None
    if array_rows.begun(flat, (value,), span):
        return None
    message = f"{describe(value)} cannot be used as a number"
    kind = Array if is_whole(value) else type(value)
    flat.refuse("AD107", message, span, _WAYS_OUT.get(kind, ""))
    return None


def _foreign(flat: Context, value: Dotted, span: Span) -> Value:
    """Refuse a name of another module that is not called."""
    if value.name.startswith(PREFIX):
        message = f"{value.name!r} may change with the next release of scipy"
        return flat.refuse("AD107", message, span, "write the number in this file")
    message = f"{value.name!r} cannot be used as a number"
    help_ = "call it if it is a function; write the number if it is a constant"
    return flat.refuse("AD107", message, span, help_)


def operate(flat: Context, op: Elemental, values: Sequence[Value], span: Span) -> Value:
    """The value of `op(*values)`, if all of them are fit for it."""
    numbers = cast(Sequence[Number], values)
    for value in values:
        if type(value) not in _NUMBERS or _is_special(cast(Number, value)):
            break
    else:
        if op.name == "pos" and numbers[0].type != BOOL:
            return numbers[0]
        if op.name in _OF_TRUTHS and any(n.type != BOOL for n in numbers):
            return _refuse_truths(flat, op, span)
        return flat.apply(op, numbers, span)
    if any(isinstance(value, Maybe) for value in values):
        known = [maybe.certain(flat, value, span) for value in values]
        return operate(flat, op, known, span)
    if op.name in _ORDERED and _are_texts(values):
        return flat.apply(op, numbers, span)
    made = elementwise.operated(flat, op, values, span)
    if made is not None:
        return made
    if array_rows.begun(flat, values, span):
        return Special.REFUSED
    made = sequences.joined(flat, op.name, tuple(values), flat.wholes, span)
    if made is None:
        made = repeats.repeated(flat, op.name, values, span)
        made = made or of_arrays.joined(flat, op.name, values, span)
    elif isinstance(made, Group):
        made = indexing.made(flat, made, span)
    if made is not None:
        return made
    match values:
        case [Array() | Group() | Rows() | Lists(), Special.REFUSED] if (
            op.name == "add"
        ):
            return Special.REFUSED  # it may be a list, which is put behind this one
    for value in values:
        number(flat, value, span)
    return Special.REFUSED


def _refuse_truths(flat: Context, op: Elemental, span: Span) -> Value:
    sign, word = _OF_TRUTHS[op.name]
    message = f"`{sign}` takes truth values"
    return flat.refuse("AD107", message, span, f"write `{word}`")


def unspreadable(flat: Context, value: Value, span: Span) -> Value:
    """Refuse to take apart a value that is neither a tuple nor a list."""
    if value is Special.REFUSED:
        return value
    message = f"{describe(value)} cannot be taken apart"
    help_ = _WAYS_OUT[Object] if isinstance(value, Object) else sequences.SCALAR
    if isinstance(value, Array | Rows | Lists | Stack) or is_whole(value):
        help_ = "only a run knows how many items it has: go over them in a loop"
    return flat.refuse("AD107", message, span, help_)


def _is_special(number: Number) -> bool:
    type_ = number.type
    return bool(type_.shape) or not (type_.is_real or type_ != STR)


def _are_texts(values: Sequence[Value]) -> bool:
    return all(isinstance(v, Draft | Literal) and v.type == STR for v in values)
