"""Arrays that are taken out of lists of them, put into these, or turned round."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.read.arrays import (
    arrays,
    extents,
    growing,
    views,
)
from ad_transform.read.loops import loops
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import stacks
from ad_transform.read.values.storage import Array, Slice, Stack
from ad_transform.read.values.values import Draft, Number, Special, Value

_ONE = Literal(1)
_OPEN = Special.NONE
_BEHIND_FIRST = Slice(_ONE, _OPEN, _OPEN)


def popped(flat: Context, stack: Stack, index: Number, span: Span) -> Value:
    """`hist.pop()`, `hist.pop(0)`: an array, without which the list goes on."""
    place = stacks.placed(flat, stack, index, span)
    if place is None:
        return Special.REFUSED
    found = stacks.item(flat, stack, index, span)
    if index == Literal(-1):
        _shorten(flat, stack, place, span)
        return found
    if place == Literal(0):
        _hold(flat, stack, stacks.part(flat, stack, _BEHIND_FIRST, span), span)
        return found
    left = _first(flat, stack, place, span)
    if isinstance(left, Stack):
        behind = extents.number(flat, "add", (place, _ONE), span)
        _go_on(flat, left, stack, behind, span)
    _hold(flat, stack, left, span)
    return found


def _first(flat: Context, stack: Stack, count: Number, span: Span) -> Value:
    """A new list of the first arrays."""
    return stacks.part(flat, stack, Slice(_OPEN, count, _OPEN), span)


def _shorten(flat: Context, stack: Stack, last: Number, span: Span) -> None:
    """Take the last array away, number by number."""
    sizes = stacks.sizes_at(flat, stack, last, span)
    if sizes is None:
        return
    numbers = stacks.start_of(flat, sizes, _ONE, span)
    loops.trips(flat, numbers, lambda _: _pop(flat, stack.values, span), span)
    for marks in stack.marks:
        _pop(flat, marks, span)


def _pop(flat: Context, array: Array, span: Span) -> None:
    growing.popped(flat, array, span)


def insert(
    flat: Context, stack: Stack, index: Number, value: Value, span: Span
) -> None:
    """`hist.insert(0, u)`; places outside are the nearest end, as in Python."""
    rest = views.indexed(flat, stack.marks[0], Slice(index, _OPEN, _OPEN), span)
    if rest is None:
        return
    start = rest.axes[0].start
    left = _first(flat, stack, start, span)
    if isinstance(left, Stack):
        stacks.append(flat, left, value, span)
        _go_on(flat, left, stack, start, span)
    _hold(flat, stack, left, span)


def reverse(flat: Context, stack: Stack, span: Span) -> None:
    """`hist.reverse()`."""
    back = Slice(_OPEN, _OPEN, Literal(-1))
    _hold(flat, stack, stacks.part(flat, stack, back, span), span)


def store(flat: Context, stack: Stack, index: Value, value: Value, span: Span) -> None:
    """`hist[k] = u`; other names of the array that was there keep it."""
    place = stacks.placed(flat, stack, index, span)
    array = None if place is None else stacks.fitted(flat, stack, value, span)
    if place is None or array is None:
        return
    sizes = stacks.sizes_at(flat, stack, place, span)
    if sizes is None:
        return
    start = stacks.start_of(flat, sizes, place, span)

    def put(number: Value, k: Number) -> None:
        at = extents.number(flat, "add", (start, k), span)
        arrays.put(flat, Array(stack.values.cell, (at,)), number, span)

    stacks.each(flat, array, put, span)


def _go_on(flat: Context, left: Stack, stack: Stack, start: Number, span: Span) -> None:
    """Let a list grow by the arrays of another from a place on."""
    count = stacks.count(flat, stack, span)
    more = extents.number(flat, "sub", (count, start), span)

    def place(k: Number) -> Number:
        return extents.number(flat, "add", (start, k), span)

    stacks.add(flat, left, stack, more, place, span)


def _hold(flat: Context, stack: Stack, left: Value, span: Span) -> None:
    """Let a list hold the arrays of another that nobody else can see."""
    if not isinstance(left, Stack):
        return
    for own, other in zip(stack.items, left.items, strict=True):
        content = flat.heap.held(other.cell, span)
        if isinstance(content, Draft):
            growing.replace(flat, own.cell, content, span)
