"""`assert` and `raise`, as functions are flattened, and what their messages show."""

from __future__ import annotations

from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.read import maybe
from ad_transform.read.branches import TRUE
from ad_transform.read.code import Assert, Fail
from ad_transform.read.context import Context
from ad_transform.read.drafts import DraftCheck
from ad_transform.read.exits import AWAY, RETURNED
from ad_transform.read.values import Draft, Number, Value


def check(flat: Context, i: Assert) -> None:
    """`assert`."""
    message = _message(flat, i)
    test = _said(flat, flat.stack.pop(), i.span)
    if test is None or message is None:
        return
    maybe.learn(flat, test, True)
    notes = () if flat.frame.quiet else i.notes
    flat.add(DraftCheck(test, message, i.formats, i.span, notes))


def fail(flat: Context, i: Fail) -> None:
    """`raise`, and the function is over."""
    message = _message(flat, i)
    if message is not None:
        holds = Literal(False)
        flat.add(DraftCheck(holds, message, i.formats, i.span, i.notes, i.error))
    away(flat)


def away(flat: Context) -> None:
    """The function is over."""
    flat.frame.bind(AWAY, TRUE)
    if flat.frame.loops:
        flat.frame.bind(RETURNED, TRUE)


def _message(flat: Context, i: Assert | Fail) -> tuple[str | Number, ...] | None:
    """The parts of a message; None where one is refused."""
    values = flat.pop(sum(text is None for text in i.message))
    numbers = iter([_said(flat, value, i.span) for value in values])
    parts: list[str | Number] = []
    for text in i.message:
        part = next(numbers) if text is None else text
        if part is None:
            return None
        if isinstance(part, Literal) and not part.name and not i.formats:
            part = str(part.value)
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            part = f"{parts.pop()}{part}"
        parts.append(part)
    return tuple(parts)


def _said(flat: Context, value: Value, span: Span) -> Number | None:
    """A value that a message shows, a text too; None after a report."""
    is_plain = isinstance(value, Draft | Literal)
    return cast(Number, value) if is_plain else flat.number(value, span)
