"""Values of which only one is computed, `u if c else v`, as functions are flattened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type
from ad_transform.read.context import Context
from ad_transform.read.values import (
    Draft,
    DraftAnd,
    DraftApply,
    DraftArm,
    DraftChoice,
    DraftStatement,
    Group,
    Number,
    Special,
    Value,
    describe,
)

Arm = tuple[list[DraftStatement], Value]
"""What an arm computes, and its value."""

_WIDER = {(INT, FLOAT): "float", (BOOL, FLOAT): "float", (BOOL, INT): "int"}
_RANK = {STR: 0, BOOL: 0, INT: 1, FLOAT: 2}


def lazily(
    flat: Context,
    test: Value,
    conjunction: bool,
    rest: Callable[[], Value],
    span: Span,
) -> Value:
    """`test and rest`: what the rest computes stands in a block of its own.

    Of values that are no truth values one is taken, as Python does.
    """
    is_known = isinstance(test, Draft) and test in flat.truths
    if is_known or isinstance(test, Literal | Group) or test is Special.NONE:
        known = truth(flat, test, "", span)
        return rest() if (known == Literal(True)) is conjunction else test
    body, value = flat.block(rest)
    if Special.REFUSED in (test, value):
        return Special.REFUSED
    if _is_truth(test) and _is_truth(value):
        out = Draft(BOOL, span)
        test, value = cast(Number, test), cast(Number, value)
        flat.add(DraftAnd(out, test, conjunction, body, value))
        return out
    sign = "and" if conjunction else "or"
    decided = truth(flat, test, f"`{sign}`", span)
    arms = [(body, value), ([], test)]
    return _chosen(
        flat,
        decided,
        arms[0 if conjunction else 1],
        arms[1 if conjunction else 0],
        f"`{sign}`",
        span,
    )


def _is_truth(value: Value) -> bool:
    return isinstance(value, Draft | Literal) and value.type is BOOL


def choose(
    flat: Context,
    test: Value,
    then: Callable[[], Value],
    orelse: Callable[[], Value],
    what: str,
    span: Span,
) -> Value:
    """`then() if test else orelse()`: only one of them runs.

    Both are read where the test is refused.
    """
    known = truth(flat, test, what, span)
    if isinstance(known, Literal):
        return then() if known.value else orelse()
    return _chosen(flat, known, flat.block(then), flat.block(orelse), what, span)


def _chosen(
    flat: Context, test: Value, first: Arm, second: Arm, what: str, span: Span
) -> Value:
    """The value of one of two arms that have been run."""
    values = (first[1], second[1])
    if not isinstance(test, Draft) or Special.REFUSED in values:
        return Special.REFUSED
    choice = DraftChoice(test, DraftArm(first[0]), DraftArm(second[0]))
    flat.add(choice)
    found = joined(flat, choice, *values, span)
    if found is None:
        message = f"{what} of {' or '.join(kinds_of(values))} is not supported"
        help_ = "choose between numbers, or tuples of one length"
        return flat.refuse("AD107", message, span, help_)
    return found


def truth(flat: Context, test: Value, what: str, span: Span) -> Value:
    """A test as a truth value, a Literal where it is known; refused after a report."""
    if isinstance(test, Literal):
        return Literal(bool(test.value))
    if isinstance(test, Group):
        return Literal(bool(test.items))
    if test is Special.NONE:
        return Literal(False)
    if isinstance(test, Draft):
        if test in flat.truths:
            return Literal(flat.truths[test])
        if test.type is BOOL:
            return test
        if test.type is STR:
            return flat.apply(TABLE["ne"], (test, Literal("")), span)
        return flat.apply(TABLE["bool"], (test,), span)
    if test is not Special.REFUSED:
        message = f"{what} on {describe(test)} is not supported"
        flat.refuse("AD107", message, span, 'write a comparison, `kind == "call"`')
    return Special.REFUSED


def kinds_of(values: Sequence[Value]) -> Iterator[str]:
    """What values are, for messages, each said once."""
    return iter(dict.fromkeys(map(describe, values)))


def joined(
    flat: Context, choice: DraftChoice, one: Value, other: Value, span: Span
) -> Value | None:
    """What is `one` behind the first arm and `other` behind the second.

    None where they are of different shapes. What nobody uses takes any value.
    """
    if one is other or (isinstance(one, Literal) and one == other):
        return one
    if Special.REFUSED in (one, other):
        return Special.REFUSED
    if (one, other) == (Literal(True), Literal(False)):
        return choice.test
    if isinstance(one, Group) or isinstance(other, Group):
        return _groups(flat, choice, one, other, span)
    if one is Special.UNUSED or other is Special.UNUSED:
        used = other if one is Special.UNUSED else one
        if not isinstance(used, Draft | Literal):
            return used
        filler = FILLERS[used.type]
        one, other = (filler, used) if one is Special.UNUSED else (used, filler)
    if not isinstance(one, Draft | Literal) or not isinstance(other, Draft | Literal):
        return None
    if (one.type is STR) is not (other.type is STR):
        return None
    return _out(choice, one, other, span)


def _groups(
    flat: Context, choice: DraftChoice, one: Value, other: Value, span: Span
) -> Value | None:
    like = one if isinstance(one, Group) else other
    assert isinstance(like, Group)
    sides: list[tuple[Value, ...]] = []
    for value in (one, other):
        if value is Special.UNUSED:
            sides.append((value,) * len(like.items))
        elif not isinstance(value, Group) or value.container is not like.container:
            return None
        else:
            sides.append(value.items)
    if len(sides[0]) != len(sides[1]):
        return None
    items = [joined(flat, choice, a, b, span) for a, b in zip(*sides, strict=True)]
    found = tuple(item for item in items if item is not None)
    return Group(like.container, found) if len(found) == len(items) else None


def _out(choice: DraftChoice, one: Number, other: Number, span: Span) -> Draft:
    """The result of a choice that is `one` or `other`, of the type that holds both."""
    found = choice.joined.get((one, other))
    if found is None:
        type_ = joint(one.type, other.type)
        found = choice.joined[one, other] = Draft(type_, span)
        found.optional = _may_be_none(choice, one, other)
        choice.outs.append(found)
        for arm, number in ((choice.then, one), (choice.orelse, other)):
            arm.results.append(typed(arm.body, number, type_, span))
    return found


def _may_be_none(choice: DraftChoice, one: Number, other: Number) -> bool:
    """Whether a choice may be None: not by a value that its test finds to be there."""
    told: Number | None = None
    holds = False
    if isinstance(choice.test, Draft) and choice.test.tells is not None:
        told, holds = choice.test.tells
    there = one if holds else other
    return any(
        may_be_none(number) and (number is not told or number is not there)
        for number in (one, other)
    )


def may_be_none(number: Number) -> bool:
    """Whether only a run knows whether a value is None."""
    return isinstance(number, Draft) and number.optional


FILLERS = {t: Literal(v) for t, v in ((FLOAT, 0.0), (INT, 0), (BOOL, False), (STR, ""))}
"""Values for what nobody uses."""


def joint(one: Type, other: Type) -> Type:
    """The type that holds the numbers of two types."""
    return max(one, other, key=_RANK.__getitem__)


def typed(
    body: list[DraftStatement], number: Number, wanted: Type, span: Span
) -> Number:
    """A number as one of a type that holds it, made at the end of a body."""
    if number.type == wanted:
        return number
    op = TABLE[_WIDER[number.type, wanted]]
    if isinstance(number, Literal):
        return Literal(op.compute(number.value))
    out = Draft(wanted, span)
    body.append(DraftApply(out, op, (number,)))
    return out
