"""Fillers: values behind two arms that nobody reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from itertools import zip_longest

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import LIKE, MADE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import Type
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import (
    DraftApply,
    DraftChoice,
    DraftStatement,
    made,
)
from ad_transform.read.machine.fields import filler
from ad_transform.read.values.frames import Frame, Promise
from ad_transform.read.values.regrouping import kind_of
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.structured import STRUCTURED, Object
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Number,
    Special,
    Value,
    is_whole,
)


def filled(frame: Frame, one: Value | None, other: Value | None) -> Value | None:
    """One of two ends. If nobody reads it, arguments of the same shapes stand in it for
    the arrays of the other end, for arguments are there in any arm.
    """
    if one is Special.UNUSED and is_whole(other):
        return next((given for given in frame.given if given.type == other.type), one)
    if not isinstance(other, STRUCTURED):
        return one
    items = (one,) * len(other.items)
    if isinstance(one, Object) and one.identity is not None:
        return one
    if isinstance(one, STRUCTURED):
        items = one.items
    elif one is not Special.UNUSED:
        return one
    pairs = list(zip(items, other.items, strict=False))
    found = [filled(frame, a, b) for a, b in pairs]
    if all(a is b for (a, _), b in zip(pairs, found, strict=True)):
        return one
    made = tuple(f for f in found if f is not None)
    return filler(kind_of(other), made, getattr(other, "site", None))


def as_long(
    flat: Context,
    body: list[DraftStatement],
    type_: Type,
    content: Callable[[Cell, Span], Value],
    span: Span,
) -> Draft | None:
    """A filler of the length of an argument of this type, made at the end of a body: so
    the length of the joined list stays known. None without such an argument.
    """
    for name in flat.frame.names.values():
        if not isinstance(name, Array) or name.cell.type != type_ or not name.is_whole:
            continue
        like = content(name.cell, span)
        if isinstance(like, Draft) and like.type == type_:
            out = Draft(type_, span)
            op = TABLE[LIKE[len(type_.dims)]]
            body.append(DraftApply(out, op, (like, FILLERS[Type(type_.kind)])))
            return out
    return None


def unused(flat: Context, body: list[DraftStatement], type_: Type, span: Span) -> Draft:
    """A whole array that nobody reads: an argument of its shape, or an empty one, made
    at the end of a body.
    """
    for given in flat.frame.given:
        if given.type == type_:
            return given
    sizes = (Literal(0),) * len(type_.shape)
    op = TABLE["filled" if len(sizes) == 1 else "filled_rows"]
    out = Draft(Type(type_.kind, (), (0,) * len(sizes)), span)
    body.append(DraftApply(out, op, (FILLERS[Type(type_.kind)], *sizes)))
    return out


def like(flat: Context, body: list[DraftStatement], type_: Type, span: Span) -> Number:
    """A number or a whole array that nobody reads, made at the end of a body."""
    return FILLERS[type_] if type_ in FILLERS else unused(flat, body, type_, span)


def nothing(body: list[DraftStatement], type_: Type, span: Span) -> Draft:
    """An empty array that nobody reads, made at the end of a body."""
    sizes = (Literal(0),) * len(type_.dims)
    op = TABLE[MADE[len(sizes)]]
    out = Draft(Type(type_.kind, (0,) * len(sizes)), span)
    body.append(DraftApply(out, op, (FILLERS[Type(type_.kind)], *sizes)))
    return out


def known_before(old: Value | Promise | None, span: Span) -> Value | None:
    """The value of a name before a branch in a loop, if the loop has one."""
    if not isinstance(old, Promise):
        return old
    return old.at(span) if old.is_bound else None


def with_what_is_there(
    choice: DraftChoice, ends: Sequence[Value | None], old: Value | None
) -> list[Value | None]:
    """The ends of two arms, with fillers for one that nobody reads: parts of the other
    end that are older than its arm, else values from before.

    `if s > 1.0: return s, t * t` in a loop: nobody reads a result before the return. So
    its first part may be s all the time, and no trip has to choose.
    """
    found = list(ends)
    for k, arm in enumerate((choice.then, choice.orelse)):
        end = ends[k]
        if end is not None and ends[1 - k] is Special.UNUSED:
            found[1 - k] = _there(end, old, set(made(arm.body)))
    return found


def _there(end: Value, old: Value | Promise | None, inner: Set[Draft]) -> Value:
    """A value with the drafts of an arm replaced by numbers from before."""
    if isinstance(end, STRUCTURED):
        is_like = isinstance(old, STRUCTURED) and kind_of(old) == kind_of(end)
        olds = old.items if is_like else ()  # type: ignore[union-attr]
        pairs = zip_longest(end.items, olds[: len(end.items)])
        made = tuple(_there(a, b, inner) for a, b in pairs)
        return filler(kind_of(end), made, None)
    if isinstance(end, Draft) and end not in inner:
        return end
    is_value = isinstance(end, Draft) and not end.type.dims
    if is_value and isinstance(old, Draft) and old.type == end.type:  # type: ignore[union-attr]
        return old
    return Special.UNUSED
