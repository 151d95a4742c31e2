"""Types that hold the numbers of two types, and numbers as such of them."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Kind, Type
from ad_transform.read.machine.drafts import (
    DraftApply,
    DraftStatement,
)
from ad_transform.read.values.values import Draft, Number

_WIDER = {(INT, FLOAT): "float", (BOOL, FLOAT): "float", (BOOL, INT): "int"}
_RANK = {STR: 0, BOOL: 0, INT: 1, FLOAT: 2}


def joint(one: Type, other: Type) -> Type:
    """The type that holds the numbers of two types, or arrays of both."""
    if one.dims:
        pairs = zip(one.dims, other.dims, strict=True)
        return Type(one.kind, tuple(a if a == b else ANY for a, b in pairs))
    if one.shape and len(one.shape) == len(other.shape):
        axes = zip(one.shape, other.shape, strict=True)
        kind = one.kind if one.kind is other.kind else Kind.FLOAT
        return Type(kind, (), tuple(a if a == b else ANY for a, b in axes))
    return max(one, other, key=_RANK.__getitem__)


def joint_or_none(one: Type, other: Type) -> Type | None:
    """The type that holds the arrays of two types; None if there is none."""
    if one.kind is not other.kind or len(one.dims) != len(other.dims):
        return None
    return joint(one, other)


def typed(
    body: list[DraftStatement], number: Number, wanted: Type, span: Span
) -> Number:
    """A number converted to a type that holds it, at the end of a body.

    An array of other numbers is converted if floats are wanted.
    """
    if number.type == wanted or wanted.dims:
        return number
    if wanted.shape:
        is_other = bool(number.type.shape) and number.type.kind is not wanted.kind
        out = Draft(Type(wanted.kind, (), number.type.shape), span)
        body += [DraftApply(out, TABLE["float"], (number,))] * is_other
        return out if is_other else number
    op = TABLE[_WIDER[number.type, wanted]]
    if isinstance(number, Literal):
        return Literal(op.compute(number.value))
    out = Draft(wanted, span)
    body.append(DraftApply(out, op, (number,)))
    return out


def may_be_none(number: Number) -> bool:
    """Whether a value may be None, as only a run knows."""
    return isinstance(number, Draft) and number.optional
