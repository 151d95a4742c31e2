"""Sets: lists that take each new item once. The order that Python gives their items is
its own, so they are counted, asked and sorted, but not gone through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import indexing
from ad_transform.read.branches import branches
from ad_transform.read.containers import sequences
from ad_transform.read.lists import (
    lookups,
    queues,
    set_algebra,
)
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array, Distinct, Lists, Rows, Stack
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Special, Value

READ_BY = frozenset({"builtins.len", "builtins.sorted", "builtins.min", "builtins.max"})
"""The functions for which the order of items does not matter."""

IN_ORDER = "go over `sorted(s)`: the order of a set is Python's own"


def made(
    flat: Context, values: Sequence[Value], keywords: Mapping[str, Value], span: Span
) -> Value:
    """`set()`, `set(items)`; raises Unfit."""
    expect(tuple(values), 0, 1)
    items = values[0] if values else Group(Container.LIST, ())
    if isinstance(items, Distinct):
        items = items.inner
    known = sequences.known_items(items, flat.wholes)
    numbers = [one for one in known or () if isinstance(one, Literal)]
    are_known = known is not None and len(numbers) == len(known)
    once: dict[object, Literal] = {}
    for one in numbers if are_known else ():
        once.setdefault(one.value, one)  # 1, 1.0 and True are one item
    inner = indexing.made(flat, Group(Container.LIST, tuple(once.values())), span)
    if isinstance(inner, Group) and not once:
        flat.refit(inner)
    if not isinstance(inner, Array | Rows | Lists | Stack | Group):
        raise Unfit("is not supported here", "make it in the function")
    found = Distinct(inner, None)
    if not are_known:
        _update(flat, found, (items,), span)
    return found


def method(flat: Context, of: Distinct, name: str, values: Values, span: Span) -> Value:
    """The result of a method; raises Unfit."""
    if name in set_algebra.METHODS:
        return set_algebra.method(flat, of, name, values, span)
    return _METHODS[name](flat, of, values, span)


def _add(flat: Context, of: Distinct, values: Values, span: Span) -> Value:
    expect(values, 1, 1)
    if isinstance(of.inner, Group):
        flat.refit(of.inner)
        raise Unfit(
            "changes a set that does not change", "make the set in the function"
        )
    is_new = contains(flat, values[0], of.inner, True, span)
    if is_new is not Special.REFUSED:
        grown = (of.inner, values[0])
        branches.where(flat, is_new, lambda: _put(flat, grown, span), span)
    return Special.NONE


def _put(flat: Context, grown: Values, span: Span) -> None:
    queues.append(flat, grown, span)


def _update(flat: Context, of: Distinct, values: Values, span: Span) -> Value:
    expect(values, 1, 1)
    items = values[0].inner if isinstance(values[0], Distinct) else values[0]
    return queues.each(flat, items, lambda one: _add(flat, of, (one,), span), span)


def _copy(flat: Context, of: Distinct, values: Values, span: Span) -> Value:
    expect(values, 0, 0)
    return made(flat, (of,), {}, span)


_METHODS: Mapping[str, Callable[[Context, Distinct, Values, Span], Value]]
_METHODS = {"add": _add, "update": _update, "copy": _copy}
METHODS: frozenset[str] = frozenset(_METHODS) | set_algebra.METHODS


def contains(
    flat: Context, value: Value, group: Value, negated: bool, span: Span
) -> Value:
    """`value in group`: one item is compared after the other."""
    if not isinstance(group, Array | Rows) or value is Special.REFUSED:
        return sequences.contains(flat, value, group, negated, span)
    return lookups.contains(flat, value, group, negated, span)
