"""Values of which only one is computed, `u if c else v`, as functions are flattened.

The test depends on no float: which value is taken is not for a derivative to say.
"""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type
from ad_transform.read.values import (
    Draft,
    DraftApply,
    DraftArm,
    DraftStatement,
    Group,
    Number,
    Value,
)

Arm = tuple[list[DraftStatement], Value]
"""What an arm computes, and its value."""

_WIDER = {(INT, FLOAT): "float", (BOOL, FLOAT): "float", (BOOL, INT): "int"}
_RANK = {BOOL: 0, INT: 1, FLOAT: 2}


def leaves(first: Value, second: Value) -> list[tuple[Number, Number]] | None:
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


def shaped(like: Value, numbers: list[Draft]) -> Value:
    """The value of the shape of another, its numbers taken from the front of a list."""
    if isinstance(like, Group):
        items = tuple(shaped(item, numbers) for item in like.items)
        return Group(like.container, items)
    return numbers.pop(0)


def joint(one: Number, other: Number) -> Type:
    """The type that holds both."""
    return max(one.type, other.type, key=lambda t: _RANK[t])


def arm(
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
