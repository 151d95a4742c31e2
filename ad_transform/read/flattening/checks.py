"""`assert` and `raise`, as functions are flattened, and values in their messages."""

from __future__ import annotations

from functools import partial

from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.branches import maybe
from ad_transform.read.branches.flags import AWAY, RETURNED, TRUE
from ad_transform.read.branches.ways import is_length
from ad_transform.read.code import Assert, Fail, FailAgain
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftArm, DraftCheck, DraftChoice
from ad_transform.read.values.values import Draft, Number

with later():
    from ad_transform.read.branches import choices
    from ad_transform.read.texts.telling import told

FALSE = Literal(False)


def check(flat: Context, i: Assert) -> None:
    """`assert`; values that only the message needs are computed where it fails."""
    test = choices.truth(flat, flat.stack.pop(), "`assert`", i.span)
    if not isinstance(test, Draft | Literal):
        return
    notes = () if flat.frame.quiet else i.notes
    body, (message, formats) = flat.block(partial(_message, flat, i))
    if all(map(is_length, body)):
        maybe.learn(flat, test, True)
        for statement in body:
            flat.add(statement)
        flat.add(DraftCheck(test, message, formats, i.span, notes))
    elif not isinstance(test, Literal):
        fails = DraftCheck(FALSE, message, formats, i.span, (), "AssertionError")
        arms = DraftArm([]), DraftArm([*body, fails])
        flat.add(DraftChoice(test, *arms, notes=notes))
        maybe.learn(flat, test, True)
    elif not test.value:
        for statement in body:
            flat.add(statement)
        flat.add(DraftCheck(test, message, formats, i.span, notes))


def fail(flat: Context, i: Fail) -> None:
    """`raise`, and the function is over."""
    message, formats = _message(flat, i)
    flat.add(DraftCheck(FALSE, message, formats, i.span, i.notes, i.error))
    away(flat)


def fail_again(flat: Context, i: FailAgain) -> None:
    """`raise` alone in a handler."""
    flat.add(flat.failing[-1].where(FALSE, i.notes))
    away(flat)


def away(flat: Context) -> None:
    """The function is over."""
    flat.frame.bind(AWAY, TRUE)
    if flat.frame.loops:
        flat.frame.bind(RETURNED, TRUE)


def _message(
    flat: Context, i: Assert | Fail
) -> tuple[tuple[str | Number, ...], tuple[str, ...]]:
    flat.perform(i.code)
    return told(flat, i, "a message with")
