"""`copy.copy` and `copy.deepcopy`: objects anew; arrays, lists and dicts copied."""

from __future__ import annotations

from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.array_functions import creations
from ad_transform.read.arrays import indexing
from ad_transform.read.containers import tables
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Object, is_list
from ad_transform.read.values.values import Draft, Maybe, Special, Value, is_whole

with later():
    from ad_transform.read.containers import keyed

_Known = dict["Value | int", Value]
"""The copies made so far: a value that stands twice has one copy that does, too.
Tuples, lists and dicts of known items are found by their `id`.
"""


def shallow(flat: Context, values: Values, span: Span) -> Value:
    """`copy.copy(p)`; raises Unfit."""
    expect(values, 1, 1)
    if _is_of_numbers(values[0]):
        return indexing.made(flat, cast(Group, values[0]), span)
    if isinstance(values[0], Dict):
        return keyed.copied(flat, values[0], values[0], span)
    return _copy(flat, values[0], False, span, {})


def deep(flat: Context, values: Values, span: Span) -> Value:
    """`copy.deepcopy(p)`; raises Unfit."""
    expect(values, 1, 1)
    if _is_of_numbers(values[0]):
        return indexing.made(flat, cast(Group, values[0]), span)
    made = _copy(flat, values[0], True, span, {})
    if isinstance(values[0], Dict) and isinstance(made, Dict):
        return keyed.copied(flat, values[0], made, span)
    return made


def _is_of_numbers(value: Value) -> bool:
    """Whether it is a list of numbers, known one by one."""
    if not is_list(value):
        return False
    return all(isinstance(item, Draft | Literal) for item in value.items)


def _copy(flat: Context, value: Value, deep: bool, span: Span, known: _Known) -> Value:
    if not isinstance(value, Array | Dict | Group) or not deep:
        return _anew(flat, value, deep, span, known)
    key = value if isinstance(value, Array) else id(value)
    if key not in known:
        known[key] = _anew(flat, value, deep, span, known)
    return known[key]


def _anew(flat: Context, value: Value, deep: bool, span: Span, known: _Known) -> Value:
    if isinstance(value, Object):
        return _object(flat, value, deep, span, known)
    if isinstance(value, Maybe):
        return Maybe(value.given, _copy(flat, value.value, deep, span, known))
    if is_whole(value) or isinstance(value, Array | Rows | Lists | Stack):
        make = creations.deep_copy if deep else creations.copy
        return make(flat, (value,), span)
    if isinstance(value, Draft | Literal) or value is Special.NONE:
        return value
    if isinstance(value, Dict | Group):
        return _items(flat, value, deep, span, known)
    raise Unfit(f"of {describe(value)} is not supported", "copy what is inside")


def _items(
    flat: Context, value: Dict | Group, deep: bool, span: Span, known: _Known
) -> Value:
    within = span._replace(column=span.column + 1)  # each level is made by itself

    def inside(item: Value) -> Value:
        return _copy(flat, item, deep, within, known) if deep else item

    if isinstance(value, Dict):
        pairs = zip(value.keys, map(inside, value.items), strict=True)
        return tables.of(pairs)
    if value.container is not Container.TUPLE and not deep:
        return creations.copy(flat, (value,), span)
    items = tuple(map(inside, value.items))
    if deep and value.container is Container.LIST:
        return indexing.made(flat, Group(Container.LIST, items), span)
    site = value.site if value.container is Container.TUPLE else None
    return Group(value.container, items, site, value.of)


def _object(
    flat: Context, value: Object, deep: bool, span: Span, known: _Known
) -> Value:
    key: Value = value if value.identity is None else _first(value, known)
    if key not in known:
        items = flat.heap.fields.items(value, span)
        inside = deep and any(isinstance(item, Lists | Rows) for item in items)
        if keyed.is_one(value) and not inside:
            known[key] = keyed.copied_whole(flat, value, span)
            return known[key]
        if deep:
            items = tuple(_copy(flat, item, deep, span, known) for item in items)
        known[key] = flat.heap.fields.made(value.of, items)
    return known[key]


def _first(value: Object, known: _Known) -> Object:
    """The first of the copied values that are the object that one is."""
    for one in known:
        if isinstance(one, Object) and one.identity is value.identity:
            return one
    return value
