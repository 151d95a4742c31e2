"""Whole arrays that are changed, and lists of known items that grow: all that stands
for one stands for another then.
"""

from __future__ import annotations

from collections.abc import Collection, Set
from functools import partial

from ad_transform.diagnostics import Span
from ad_transform.read.arrays import rebinding
from ad_transform.read.arrays.rebinding import Base, Changed
from ad_transform.read.branches import maybe
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import assigning
from ad_transform.read.objects.slots import Slot, slots_of
from ad_transform.read.values.frames import Promise, Refusal
from ad_transform.read.values.series import Stream
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Maybe, Special, Value


def rebind(flat: Context, old: Draft | Array, new: Draft, span: Span) -> None:
    """Give all names of a whole array, and the field that holds it, a new array; AD124
    if others may hold it.
    """
    if rebinding.shares_rows(flat):
        rebinding.refuse_row(flat, span)
        return
    same = _names(flat, old)
    slot = _slot(flat, old)
    mine = rebinding.bases(flat, [*same.values(), old])
    said = next(iter(same), slot.name if slot else "")
    views = _views(flat, same, mine)
    aside = {*same, *views}
    if same and mine & rebinding.bases(flat, flat.stack):
        message = (
            f"a value that is stored later may be a part of {said!r}, which changes"
        )
        help_ = "let it be a copy: `A[0], A[1] = A[1], A[0].copy()`"
        flat.refuse("AD124", message, span, help_)
        return
    if (not same and slot is None) or _is_held_beside(flat, aside, slot, mine):
        rebinding.refuse_shared(flat, said, span)
        return
    if flat.frame.lazy:
        message, help_ = flat.frame.lazy[-1]
        flat.refuse("AD107", message, span, help_)
        return
    flat.changes.append(Changed(said, mine, span))
    for name in views:
        flat.frame.bind(name, Refusal(partial(_stale, flat, name), (Special.REFUSED,)))
    for name in same:
        flat.frame.bind(name, new)
    if slot is not None:
        assigning.put(flat, slot.of, slot.name, new, span)


def is_named(flat: Context, array: Draft) -> bool:
    """Whether a name of the running function, or a field, holds a whole array."""
    return bool(_names(flat, array)) or _slot(flat, array) is not None


def _names(flat: Context, array: Draft | Array) -> dict[str, Value | Promise | None]:
    """The names of a whole array, and their values."""
    return {
        name: value
        for name, value in flat.frame.names.items()
        if rebinding.is_one(_given(flat, value), array)
    }


def _given(flat: Context, value: Value | Promise | None) -> Value | Promise | None:
    """A value that may be None; the plain one if it is known to be given."""
    return maybe.settled(flat.given_here, value) if isinstance(value, Maybe) else value


def _views(flat: Context, same: Collection[str], mine: Set[Base]) -> list[str]:
    """The names of views of an array that this arm or trip has bound: after a change of
    the array, they cannot be read until they are bound again.
    """
    frame = flat.frame
    bound = frame.trail[-1] if frame.trail else frame.names
    return [
        name
        for name, value in frame.names.items()
        if name in bound
        and name not in same
        and isinstance(value, Draft)
        and value in flat.views
        and mine & rebinding.bases(flat, [value])
    ]


def _stale(flat: Context, name: str, span: Span) -> Value:
    message = f"{name!r} may be a part of an array that has been changed since"
    help_ = f"let it be a copy: `{name} = x.copy()`; or read the array itself"
    return flat.refuse("AD124", message, span, help_)


def sole_field(flat: Context, group: Group) -> Slot | None:
    """The only field that holds a list of known items, bound in this arm or trip; None
    if the list may be reached otherwise.
    """
    fields = flat.heap.fields
    held = list(assigning.everything(flat))
    slots = slots_of(flat, held, lambda value: value is group)
    if slots.is_held or len(slots.found) != 1:
        return None
    (slot,) = slots.found
    assert slot.of.identity is not None
    key = fields.key(slot.of.identity, slot.name)
    if fields.trail and key not in fields.trail[-1]:
        return None
    beside = assigning.reached(flat, held, key)
    return None if any(_may_be(flat, one, group) for one in beside) else slot


def _may_be(flat: Context, value: Value, group: Group) -> bool:
    """Whether a value may be this list; two made as `[...]` are different ones."""
    if not isinstance(value, Group) or value is group or value.site != group.site:
        return value is group or isinstance(value, Stream)
    fresh = flat.heap.fresh
    return any(fresh.get(id(one)) is not one for one in (value, group))


def _slot(flat: Context, old: Draft | Array) -> Slot | None:
    """The only field that holds an array; else None."""
    if not flat.heap.fields.numbers:
        return None  # no object has a key: none has changed

    def is_it(value: Value) -> bool:
        return rebinding.is_one(value, old)

    found = slots_of(flat, assigning.everything(flat), is_it).found
    return found[0] if len(found) == 1 else None


def _is_held_beside(
    flat: Context, same: Collection[str], slot: Slot | None, mine: Set[rebinding.Base]
) -> bool:
    """Whether an array may be reached otherwise than by some names and a field."""
    if slot is None or slot.of.identity is None:
        held = [*flat.stack, *rebinding.outside(flat, flat.frame, same)]
        told = (flat.frame, *rebinding.frames(flat, flat.frame))
        return bool(mine & rebinding.bases(flat, held, told))
    key = flat.heap.fields.key(slot.of.identity, slot.name)
    held = [*flat.stack, *rebinding.outside(flat, flat.frame, {*same, key})]
    found = assigning.reached(flat, held, key)
    beside = [one for one in found if not assigning.has_objects(one)]
    return bool(mine & rebinding.bases(flat, beside))


def give_back(flat: Context, old: Draft, new: Draft, span: Span) -> None:
    """The same for an array that a function was given and has changed, if the caller
    still holds it.
    """
    held = [*flat.stack, *rebinding.outside(flat, flat.frame, ())]
    if rebinding.bases(flat, [old]) & rebinding.bases(flat, held):
        rebind(flat, old, new, span)
