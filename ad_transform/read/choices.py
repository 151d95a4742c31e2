"""Values of which only one is computed, `u if c else v`, as functions are flattened.

The test depends on no float: which value is taken is not for a derivative to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type
from ad_transform.read.fence import NO_BRANCH
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
from ad_transform.read.workshop import Shop

Arm = tuple[list[DraftStatement], Value]
"""What an arm computes, and its value."""

_WIDER = {(INT, FLOAT): "float", (BOOL, FLOAT): "float", (BOOL, INT): "int"}
_RANK = {BOOL: 0, INT: 1, FLOAT: 2}


def lazily(
    shop: Shop,
    test: Value,
    conjunction: bool,
    rest: Callable[[], Value],
    span: Span,
) -> Value:
    """`test and rest`: what the rest computes stands in a block of its own."""
    body, value = shop.block(rest)
    for one in (test, value):
        if one is Special.REFUSED:
            return one
        if not isinstance(one, Draft | Literal) or one.type is not BOOL:
            sign = "and" if conjunction else "or"
            message = f"`{sign}` of {describe(one)} is not supported"
            help_ = "write comparisons on both sides, `x != 0.0` for `x`"
            return shop.refuse("AD107", message, span, help_)
    out = Draft(BOOL, span)
    test, value = cast(Number, test), cast(Number, value)
    statement = DraftAnd(out, test, conjunction, body, value)
    shop.add(statement, {out: (test, value)})
    return out


def choose(
    shop: Shop,
    test: Value,
    then: Callable[[], Value],
    orelse: Callable[[], Value],
    what: str,
    span: Span,
) -> Value:
    """`then() if test else orelse()`: only one of them runs.

    Refused where the test depends on a float, AD102; both are read all the same.
    """
    if isinstance(test, Literal):
        return then() if test.value else orelse()
    known = _choosable(shop, test, what, span)
    first, second = shop.block(then), shop.block(orelse)
    values = (first[1], second[1])
    if not known or Special.REFUSED in values:
        return Special.REFUSED
    pairs = _leaves(*values)
    if pairs is None:
        message = f"{what} of {describe(values[0])} or {describe(values[1])}"
        help_ = "choose between numbers, or tuples of one length"
        return shop.refuse("AD107", f"{message} is not supported", span, help_)
    types = [_joint(*pair) for pair in pairs]
    outs = [Draft(type_, span) for type_ in types]
    arms = [
        _arm(body, [(p[k], t) for p, t in zip(pairs, types, strict=True)], span)
        for k, (body, _) in enumerate((first, second))
    ]
    statement = DraftChoice(tuple(outs), known, arms[0], arms[1])
    shop.add(statement, dict(zip(outs, pairs, strict=True)))
    return _shaped(values[0], list(outs))


def _choosable(shop: Shop, test: Value, what: str, span: Span) -> Number | None:
    """The test as a truth value; None after a report."""
    if test is Special.REFUSED:
        return None
    if isinstance(test, Draft) and test.type is not STR:
        if shop.moves(test) or test.type is FLOAT:
            message = f"{what} that depends on a float is not supported yet"
            shop.refuse("AD102", message, span, NO_BRANCH)
            return None
        if test.type is not BOOL:
            return cast(Number, shop.operate(TABLE["bool"], (test,), span))
        return test
    message = f"{what} on {describe(test)} is not supported"
    shop.refuse("AD107", message, span, 'write a comparison, `kind == "call"`')
    return None


def _leaves(first: Value, second: Value) -> list[tuple[Number, Number]] | None:
    """The numbers of two values of one shape, side by side; None if they differ."""
    found: list[tuple[Number, Number]] = []
    stack = [(first, second)]
    while stack:
        one, other = stack.pop()
        if isinstance(one, Group) and isinstance(other, Group):
            same = one.container is other.container
            if not same or len(one.items) != len(other.items):
                return None
            stack += reversed(list(zip(one.items, other.items, strict=True)))
        elif isinstance(one, Draft | Literal) and isinstance(other, Draft | Literal):
            if STR in (one.type, other.type):
                return None
            found.append((one, other))
        else:
            return None
    return found


def _shaped(like: Value, numbers: list[Draft]) -> Value:
    """The value of the shape of another, its numbers taken from the front of a list."""
    if isinstance(like, Group):
        items = tuple(_shaped(item, numbers) for item in like.items)
        return Group(like.container, items)
    return numbers.pop(0)


def _joint(one: Number, other: Number) -> Type:
    """The type that holds both."""
    return max(one.type, other.type, key=lambda t: _RANK[t])


def _arm(
    body: list[DraftStatement], given: list[tuple[Number, Type]], span: Span
) -> DraftArm:
    """An arm whose results have the types wanted."""
    return DraftArm(body, tuple(_typed(body, one, type_, span) for one, type_ in given))


def _typed(
    body: list[DraftStatement], number: Number, wanted: Type, span: Span
) -> Number:
    if number.type == wanted:
        return number
    op = TABLE[_WIDER[number.type, wanted]]
    if isinstance(number, Literal):
        return Literal(op.compute(number.value))
    out = Draft(wanted, span)
    body.append(DraftApply(out, op, (number,)))
    return out
