"""The place of an item in a list: `v in x`, `x.index(v)`, and keys of dicts.

Whole numbers and texts, and two or three of these, are looked for by one operation.
Anything else is compared with one item after the other, in a loop.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Kind, Type
from ad_transform.read.branches import choices
from ad_transform.read.code import (
    Body,
    Clause,
    Compare,
    Fail,
    Fork,
    Gather,
    Leave,
    Load,
    Push,
    Target,
)
from ad_transform.read.compiling.exits import fork
from ad_transform.read.iterables import (
    iterables,
    streams,
)
from ad_transform.read.machine.arguments import Unfit, Values, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Range, Stream
from ad_transform.read.values.storage import Array, Rows
from ad_transform.read.values.structured import Group, is_tuple
from ad_transform.read.values.values import Draft, Number, Special, Value

_ITEM = "<item>"
_NOWHERE = Literal(-1)


def contains(
    flat: Context, value: Value, group: Array | Rows, negated: bool, span: Span
) -> Value:
    """`value in group`."""
    place = _at_once(flat, group, value, span)
    if place is not None:
        if place == _NOWHERE:
            return Literal(negated)
        away = flat.operate(TABLE["lt"], (place, Literal(0)), span)
        return away if negated else flat.operate(TABLE["not"], (away,), span)
    same = (Push(value), Load(_ITEM, 0, span), Compare(TABLE["eq"], (), span))
    clause = Clause(Target(span, _ITEM), (), ())
    stream = Stream(Gather((clause,), same, span), group, flat.frame)
    found = streams.decided(False)(flat, (stream,), span)
    if not negated or found is Special.REFUSED:
        return found
    return flat.operate(TABLE["not"], (found,), span)


def in_range(
    flat: Context, value: Number, over: Range, negated: bool, span: Span
) -> Value | None:
    """`k in range(start, stop, step)` of whole numbers; None for a step that only a run
    knows.
    """
    step = whole(over.step)
    if not step:
        return None
    low, high, ends = over.start, over.stop, ("le", "lt")
    if step < 0:
        low, high, ends = over.stop, over.start, ("lt", "le")

    def above() -> Value:
        return flat.operate(TABLE[ends[0]], (low, value), span)

    def below() -> Value:
        return flat.operate(TABLE[ends[1]], (value, high), span)

    def is_met() -> Value:
        away: Value = value
        if over.start != Literal(0):
            away = flat.operate(TABLE["sub"], (value, over.start), span)
        rest = flat.operate(TABLE["mod"], (away, Literal(abs(step))), span)
        return flat.operate(TABLE["eq"], (rest, Literal(0)), span)

    found = choices.lazily(flat, above(), True, below, span)
    if abs(step) > 1:
        found = choices.lazily(flat, found, True, is_met, span)
    return flat.operate(TABLE["not"], (found,), span) if negated else found


def index(flat: Context, values: Values, span: Span) -> Value:
    """`x.index(v)`: the place of the first item that is v; ValueError where none is."""
    if len(values) != 2:
        help_ = "cut the list: `k + u[k:].index(v)`"
        raise Unfit(f"takes 1 argument here, not {len(values) - 1}", help_)
    items, wanted = values
    is_number = isinstance(wanted, Draft) and not wanted.type.dims
    if not (is_number or isinstance(wanted, Literal | Group)):
        message = f"looks for a number, a text or a tuple, not {describe(wanted)}"
        raise Unfit(message, "write the loop: `for k, v in enumerate(u):`, and a test")
    said: tuple[str | None, ...] = (None, " is not in list")
    none = Fail("ValueError", (Push(wanted),), said, ("",), span, ())
    place = _at_once(flat, items, wanted, span)
    if place is None:
        return _one_by_one(flat, items, wanted, (none,), span)
    test = flat.operate(TABLE["lt"], (place, Literal(0)), span)
    fails = fork(Fork((), (), span), (none,), ())
    return flat.run((Push(test), fails, Push(place)))


def place_in(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`place_in(x, v)` of `in_python`: the place of an item in a list, -1 where it is
    not.
    """
    items, wanted = values
    place = _at_once(flat, items, wanted, span)
    if place is not None:
        return place
    nowhere: Body = (Push(_NOWHERE), Leave(span))
    return _one_by_one(flat, items, wanted, nowhere, span)


def _one_by_one(
    flat: Context, items: Value, wanted: Value, otherwise: Body, span: Span
) -> Value:
    """The place of the first item that is equal, by a loop."""
    number, item = Target(span, "<number>"), Target(span, _ITEM)
    test: Body = (
        Push(wanted),
        Load(item.name, 0, span),
        Compare(TABLE["eq"], (), span),
    )
    clause = Clause(Target(span, items=(number, item)), (), (test,))
    element: Body = (Load(number.name, 0, span),)
    stream = Stream(
        Gather((clause,), element, span),
        iterables.enumerate_(flat, (items,), span),
        flat.frame,
    )
    return streams.left(flat, stream, otherwise, span)


def _at_once(flat: Context, items: Value, wanted: Value, span: Span) -> Value | None:
    """The place of an item in a list, -1 where it is not; None if that takes a loop."""
    lists, parts = [items], [wanted]
    if isinstance(items, Rows) and items.layout.kind is Container.TUPLE:
        if not is_tuple(wanted):
            return None
        lists, parts = [*items.columns], [*wanted.items]
    contents: list[Draft] = []
    for one in lists:
        if not isinstance(one, Array) or not one.is_whole or len(one.places) != 1:
            return None
        content = flat.heap.read(one.cell, span)
        if not isinstance(content, Draft):
            return None
        contents.append(content)
    if any(content.type.dims == (0,) for content in contents):
        return _NOWHERE
    op = _OPERATIONS.get(len(contents))
    if op is None or len(contents) != len(parts):
        return None
    numbers: list[Number] = []
    for content, part in zip(contents, parts, strict=True):
        if not isinstance(part, Draft | Literal) or content.type.kind not in _PLAIN:
            return None
        if part.type != Type(content.type.kind):
            return None
        numbers.append(part)
    return flat.apply(TABLE[op], (*contents, *numbers), span)


_OPERATIONS = {1: "place", 2: "place_beside", 3: "place_among"}
"""By the number of lists that stand beside one another."""

_PLAIN = (Kind.INT, Kind.STR)
