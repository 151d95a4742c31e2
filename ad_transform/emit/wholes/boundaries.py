"""Values at the boundaries of blocks and calls: their form inside and outside.

An array is a list and, for a matrix, the lengths that no parameter tells. Where a loop
records arrays, there is a stack of lists, and one stack for each such length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.emit.wholes.arrays import Whole, made, of_list, stored
from ad_transform.emit.wholes.draft import LIST, ZERO, Draft
from ad_transform.ir.nodes import Operand, Var
from ad_transform.ir.types import Kind, Type


@dataclass(frozen=True, slots=True)
class Stack:
    """The arrays that a loop records; `type` is the stack's in the program."""

    type: Type
    array: Operand
    more: tuple[Operand, ...] = ()


Value = Whole | Stack | Operand


def is_stack(type_: Type) -> bool:
    """Whether it is the type of a stack of arrays, and not of an array being filled."""
    return bool(type_.shape) and bool(type_.dims) and type_.dims != type_.shape


def is_filled_in(type_: Type) -> bool:
    """Whether it is the type of an array being filled, whose lengths never change."""
    return bool(type_.shape) and type_.dims == type_.shape


def open_axes(draft: Draft, type_: Type) -> list[int]:
    """The axes of a matrix whose lengths have to be given with it."""
    shape = type_.shape
    if len(shape) < 2 or is_filled_in(type_):
        return []
    return [axis for axis, dim in enumerate(shape) if draft.length(dim) is None]


def like(draft: Draft, value: Operand, type_: Type) -> list[Var]:
    """New variables for all parts of a value: its list, and lengths."""
    hint, span, named = "", None, False
    if isinstance(value, Var):
        hint, span, named = value.hint, value.span, value.named
    if not type_.shape:
        return [Var(type_, hint, span, named)]
    outer = type_.dims if is_stack(type_) else ()
    own = Var(Type(type_.kind, (*outer, *LIST)), hint, span, named)
    return [own, *(Var(Type(Kind.INT, outer)) for _ in open_axes(draft, type_))]


def joined(
    draft: Draft, type_: Type, values: Sequence[Operand], before: Value | None = None
) -> Value:
    """The value of these parts; `before` is the same array, being filled."""
    array, *more = values
    if not type_.shape:
        return array
    if isinstance(before, Whole) and is_filled_in(type_):
        return of_list(array, before.shape, before.lengths)
    if is_stack(type_):
        return Stack(type_, array, tuple(more))
    return of_list(array, type_.shape, lengths(draft, type_, array, more))


def lengths(
    draft: Draft, type_: Type, array: Operand, more: Sequence[Operand]
) -> list[Operand]:
    """The lengths of the array in a list; `more` are those that no name tells."""
    rest: Iterator[Operand] = iter(more)
    found: list[Operand] = []
    for dim in type_.shape:
        known = draft.length(dim)
        if known is None:
            one = len(type_.shape) == 1
            known = draft.size(array) if one else next(rest)
        found.append(known)
    return found


def given(draft: Draft, value: Value, type_: Type) -> list[Operand]:
    """The parts of a value that is given away: for an array a list and open lengths."""
    if isinstance(value, Stack):
        return [value.array, *value.more]
    axes = open_axes(draft, type_)
    if not isinstance(value, Whole):
        return _unread(draft, type_, len(axes)) if type_.shape else [value]
    array = own_list(draft, value)
    return [array, *(draft.exact(value.lengths[axis]) for axis in axes)]


def held(draft: Draft, value: Value, type_: Type) -> list[Operand]:
    """The parts of a recorded value that nothing changes: itself, without a copy."""
    assert not isinstance(value, Stack)
    if not isinstance(value, Whole):
        return [value]
    assert value.stored is not None
    axes = open_axes(draft, type_)
    return [value.stored, *(draft.exact(value.lengths[axis]) for axis in axes)]


def _unread(draft: Draft, type_: Type, axes: int) -> list[Operand]:
    """Parts for an array in an arm that does not make it: nobody reads it."""
    return [draft.unset(type_.kind, ZERO), *[ZERO] * axes]


def own_list(draft: Draft, x: Whole) -> Operand:
    """A list of the elements of an array, shared with no other value."""
    x = stored(draft, x)
    assert x.stored is not None
    array = x.stored if x.stored in draft.owned else made(draft, x)
    draft.owned.discard(array)
    return array
