"""`collections.deque`: a list that grows at both ends, and keeps the `most` last items.

A holder of a deque has a reference to its list, and reads that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.array_functions import creations
from ad_transform.read.arrays import (
    extents,
    indexing,
)
from ad_transform.read.branches import branches
from ad_transform.read.containers import sequences
from ad_transform.read.lists import queues
from ad_transform.read.loops import loops
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array, Deque, Lists, Rows, Stack
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value

_Method = Callable[[Context, Deque, Values, Span], Value]

_FIRST, _LAST = Literal(0), Literal(-1)


def made(
    flat: Context, values: Sequence[Value], keywords: Mapping[str, Value], span: Span
) -> Value:
    """`deque(items, maxlen=n)`; raises Unfit."""
    expect(tuple(values), 0, 2)
    given = (*values, *((Special.NONE,) * 2))
    items = Group(Container.LIST, ()) if not values else given[0]
    most = _most(flat, keywords.get("maxlen", given[1]), span)
    empty = indexing.made(flat, Group(Container.LIST, ()), span)
    if isinstance(empty, Group):
        flat.refit(empty)
    if not isinstance(empty, Array | Rows | Lists | Stack):
        raise Unfit("is not supported here", "make it in the function")
    found = Deque(empty, most)
    _extend(flat, found, (items,), span)
    return found


def _most(flat: Context, given: Value, span: Span) -> Number | None:
    if given is Special.NONE:
        return None
    most = extents.counted(flat, given, span)
    if most is None:
        raise Unfit(f"takes no {describe(given)} as `maxlen`", "give it a whole number")
    if not extents.is_natural(flat, most):
        test = flat.operate(TABLE["ge"], (most, _FIRST), span)
        if isinstance(test, Draft | Literal):
            said = ("maxlen must be non-negative",)
            flat.add(DraftCheck(test, said, (), span, (), "ValueError"))
    return most


def method(flat: Context, of: Deque, name: str, values: Values, span: Span) -> Value:
    """The result of a method; raises Unfit."""
    return METHODS[name](flat, of, values, span)


def _append(flat: Context, of: Deque, values: Values, span: Span) -> Value:
    expect(values, 1, 1)
    queues.append(flat, (of.inner, values[0]), span)
    _trim(flat, of, _FIRST, span)
    return Special.NONE


def _append_left(flat: Context, of: Deque, values: Values, span: Span) -> Value:
    expect(values, 1, 1)
    queues.insert(flat, (of.inner, _FIRST, values[0]), span)
    _trim(flat, of, _LAST, span)
    return Special.NONE


def _extend(flat: Context, of: Deque, values: Values, span: Span) -> Value:
    return _each(flat, of, values, _append, span)


def _extend_left(flat: Context, of: Deque, values: Values, span: Span) -> Value:
    return _each(flat, of, values, _append_left, span)


def _each(flat: Context, of: Deque, values: Values, put: _Method, span: Span) -> Value:
    """Put items in one by one, those of the deque itself as they were before."""
    expect(values, 1, 1)
    if values[0] is of.inner:
        raise Unfit("is not given the deque itself", "give it `list(q)`")
    return queues.each(flat, values[0], lambda one: put(flat, of, (one,), span), span)


def _pop(flat: Context, of: Deque, values: Values, span: Span) -> Value:
    expect(values, 0, 0)
    return queues.pop(flat, (of.inner,), span)


def _pop_left(flat: Context, of: Deque, values: Values, span: Span) -> Value:
    expect(values, 0, 0)
    return queues.pop(flat, (of.inner, _FIRST), span)


def _reverse(flat: Context, of: Deque, values: Values, span: Span) -> Value:
    expect(values, 0, 0)
    return queues.reverse(flat, (of.inner,), span)


def _rotate(flat: Context, of: Deque, values: Values, span: Span) -> Value:
    """`q.rotate(n)`: items of the end go to the front, one by one, or back."""
    expect(values, 0, 1)
    by = extents.counted(flat, values[0] if values else Literal(1), span)
    if by is None:
        raise Unfit(f"takes a whole number, not {describe(values[0])}", "round it")
    is_back = not extents.is_natural(flat, by) and isinstance(by, Literal)
    if is_back:
        by = extents.number(flat, "neg", (by,), span)
    take, put = (_pop_left, _append) if is_back else (_pop, _append_left)

    def turn(k: Draft) -> None:
        put(flat, of, (take(flat, of, (), span),), span)

    def turns() -> None:
        many = extents.number(flat, "mod", (by, size), span)
        loops.trips(flat, many, turn, span)

    size = cast(Number, creations.length(flat, (of.inner,), span))
    if sequences.whole(size, flat.wholes) == 0:
        return Special.NONE
    branches.where(flat, flat.operate(TABLE["gt"], (size, _FIRST), span), turns, span)
    return Special.NONE


def _clear(flat: Context, of: Deque, values: Values, span: Span) -> Value:
    expect(values, 0, 0)
    return queues.clear(flat, (of.inner,), span)


def _trim(flat: Context, of: Deque, end: Literal, span: Span) -> None:
    """Take an item away at an end where there are too many."""
    if of.most is None:
        return
    size = creations.length(flat, (of.inner,), span)
    test = flat.operate(TABLE["gt"], (size, of.most), span)

    def take() -> None:
        queues.pop(flat, (of.inner, end), span)

    branches.where(flat, test, take, span)


METHODS: Mapping[str, _Method]
# fmt: off
METHODS = {
    "append":     _append,
    "appendleft": _append_left,
    "clear":      _clear,
    "extend":     _extend,
    "extendleft": _extend_left,
    "pop":        _pop,
    "popleft":    _pop_left,
    "reverse":    _reverse,
    "rotate":     _rotate,
}
# fmt: on
