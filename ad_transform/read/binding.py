"""Assignments: names for values, tuples taken apart, comments handed on."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.ir.nodes import Container, Literal, Origin
from ad_transform.ir.types import FLOAT, INT
from ad_transform.read.code import Target
from ad_transform.read.context import Context
from ad_transform.read.values import Draft, Frame, Group, Special, Stream, Value


def bind(
    flat: Context, frame: Frame, target: Target, value: Value, notes: tuple[str, ...]
) -> bool:
    """Bind a target in a frame; whether the notes have found their value."""
    if target.items:
        return _unpack(flat, frame, target, value, notes)
    if not target.name:
        return False
    if isinstance(value, Stream):
        message = "a comprehension of unknown length cannot be given a name"
        help_ = "give it to `sum`, `max` or `any` at once, or write a loop"
        value = flat.refuse("AD102", message, target.span, help_)
    before = value.notes if isinstance(value, Draft | Literal) else ()
    made = named(frame, value, target.name, notes)
    frame.bind(target.name, made)
    return isinstance(made, Draft | Literal) and made.notes is not before


def named(frame: Frame, value: Value, name: str, notes: tuple[str, ...]) -> Value:
    """A value with the name a statement gives it, unless it has a better one."""
    if name.startswith("<"):
        return value  # no name of the source
    if isinstance(value, Draft) and frame.depth < value.depth:
        value.hint, value.depth = name, frame.depth
        value.within, value.call = frame.function, frame.names
        if notes and not frame.quiet:
            value.notes = notes
    if isinstance(value, Literal) and not value.name and value.type in (INT, FLOAT):
        own = () if frame.quiet else notes
        return Literal(value.value, name, Origin.LOCAL, own)
    return value


def annotate(frame: Frame, value: Value, notes: tuple[str, ...]) -> None:
    """Hand the comments of a `return` to its value, if it is new there."""
    if not isinstance(value, Draft) or frame.quiet or value.notes:
        return
    if frame.depth < value.depth:
        value.notes = notes


def _unpack(
    flat: Context, frame: Frame, target: Target, value: Value, notes: tuple[str, ...]
) -> bool:
    done = False
    for part, item in zip(target.items, _spread(flat, target, value), strict=True):
        done = bind(flat, frame, part, item, () if done else notes) or done
    return done


def _spread(flat: Context, target: Target, value: Value) -> Sequence[Value]:
    """The values of the items of a target; all refused after a report of AD107."""
    wanted = len(target.items)
    refused = [Special.REFUSED] * wanted
    if not isinstance(value, Group):
        flat.unspreadable(value, target.span)
        return refused
    items, star = value.items, target.star
    if star < 0 and len(items) == wanted:
        return items
    extra = len(items) - wanted + 1
    if star < 0 or extra < 0:
        message = f"{len(items)} values for {wanted} names"
        flat.refuse("AD107", message, target.span, "bind as many as there are")
        return refused
    middle = Group(Container.LIST, items[star : star + extra])
    return (*items[:star], middle, *items[star + extra :])
