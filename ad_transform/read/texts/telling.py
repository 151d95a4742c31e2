"""Values as messages show them: of assertions, exceptions and `print`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Kind
from ad_transform.read.code import Assert, Fail, MakeText, Print
from ad_transform.read.compiling.messages import CUT
from ad_transform.read.containers import keys
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.structured import Dict, Group
from ad_transform.read.values.values import Draft, Number, Special, Value

_Shown = tuple[str | Number, str]
"""A text, or a number with how it is shown."""


def told(
    flat: Context, i: Assert | Fail | MakeText | Print, what: str
) -> tuple[tuple[str | Number, ...], tuple[str, ...]]:
    """The message whose values lie on the stack, and the formats of its numbers.
    Refuses AD101 a value that is no number and no text, or that `%d` would cut.
    """
    values = iter(flat.pop(sum(text is None for text in i.message)))
    hows = iter(i.formats)
    said: list[_Shown] = []
    for text in i.message:
        if text is not None:
            said.append((text, ""))
        else:
            said += _of(flat, next(values), next(hows), i.span, what)
    message = tuple(_joined(part for part, _ in said))
    formats = tuple(how for part, how in said if not isinstance(part, str))
    return message, formats if any(formats) else ()


def _of(
    flat: Context, value: Value, how: str, span: Span, what: str
) -> Iterator[_Shown]:
    """The texts and numbers that show a value, with their formats."""
    if how.startswith(CUT):
        if isinstance(value, Draft | Literal) and value.type.is_real:
            help_ = "show it by `%g`, or in an f-string: `{x:.0f}`"
            flat.refuse("AD101", "`%d` of a float is not supported", span, help_)
            return
        is_truth = isinstance(value, Draft | Literal) and value.type.kind is Kind.BOOL
        how = how.removeprefix(CUT) or (":d" if is_truth else "")
    if value is Special.NONE:
        yield f"{{{how}}}".format(None), ""
    elif isinstance(value, Literal) and not value.name:
        yield f"{{{how}}}".format(value.value), ""
    elif isinstance(value, Draft | Literal) and not value.type.is_array:
        yield value, how
    elif _is_round(value) and ":" not in how:
        assert isinstance(value, Group)
        yield from _group(flat, value, span, what)
    elif isinstance(value, Dict) and ":" not in how:
        yield from _dict(flat, value, span, what)
    elif value is not Special.REFUSED:
        message = f"{what} {describe(value)} is not supported"
        help_ = "show its numbers, one by one, or the shape of an array, `x.shape`"
        flat.refuse("AD101", message, span, help_)


_ROUND = {Container.TUPLE: ("(", ")"), Container.LIST: ("[", "]")}
"""The brackets around a group where it is shown."""


def _is_round(value: Value) -> bool:
    return isinstance(value, Group) and value.container in _ROUND


def _group(flat: Context, group: Group, span: Span, what: str) -> Iterator[_Shown]:
    """A tuple or a list, item by item."""
    start, end = _ROUND[group.container]
    yield start, ""
    for place, item in enumerate(group.items):
        if place:
            yield ", ", ""
        yield from _of(flat, item, "!r", span, what)
    alone = len(group.items) == 1 and group.container is Container.TUPLE
    yield f",{end}" if alone else end, ""


def _dict(flat: Context, value: Dict, span: Span, what: str) -> Iterator[_Shown]:
    """The texts and numbers that show a dict."""
    start = "{"
    for key, item in zip(value.keys, value.items, strict=True):
        yield f"{start}{keys.plain(key)!r}: ", ""
        yield from _of(flat, item, "!r", span, what)
        start = ", "
    yield "}" if value.keys else "{}", ""


def _joined(parts: Iterable[str | Number]) -> Iterator[str | Number]:
    """The parts with texts beside each other as one, and none that are empty."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        if text:
            yield text
        text = ""
        yield part
    if text:
        yield text
