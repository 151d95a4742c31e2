"""Values of constants: numbers, and tables of these; whether they may change."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.values.callables import Closure, Dotted, FileFunction
from ad_transform.read.values.classes import Class
from ad_transform.read.values.structured import (
    STRUCTURED,
    Dict,
    Group,
    Object,
    is_tuple,
)
from ad_transform.read.values.values import Draft, Maybe, Special, Value

with later():
    from ad_transform.read.containers import keys
    from ad_transform.read.known.grids import holds_array, is_array

ITEMS = 10_000
"""The most values in the tuples of a constant, those of inner tuples counted."""

_LEVELS = 50
"""The most levels of tuples in a constant."""


def is_small(group: Group) -> bool:
    """Whether a tuple is small enough to walk: `T = (T, T)`, forty times, is not."""
    stack: list[tuple[Value, int]] = [(group, 1)]
    count = 0
    while stack:
        value, level = stack.pop()
        count += 1
        if count > ITEMS or level > _LEVELS:
            return False
        if isinstance(value, Group):
            stack += ((item, level + 1) for item in value.items)
    return True


def holds_refused(value: Value) -> bool:
    if isinstance(value, Group):
        return any(map(holds_refused, value.items))
    return value is Special.REFUSED


def is_fixed(value: Value) -> bool:
    if isinstance(value, Group):
        is_tuple = value.container is Container.TUPLE
        return is_tuple and all(map(is_fixed, value.items))
    return isinstance(value, Literal | Draft)


def depth_of(value: Value) -> int:
    """The number of indices behind which nothing in a value can change."""
    if isinstance(value, Draft):
        return len(value.type.shape)
    if not isinstance(value, STRUCTURED):
        return 0
    inner = max(map(depth_of, value.items), default=0)
    stays = is_tuple(value) or isinstance(value, Object)
    return inner + (not stays or inner > 0)


def plain_keys(value: Value) -> frozenset[str]:
    """The keys and fields of a value that hold numbers and texts alone."""
    plain: set[str] = set()
    others: set[str] = set()
    stack = [value]
    while stack:
        one = stack.pop()
        if not isinstance(one, STRUCTURED):
            continue
        stack += one.items
        names: Collection[object] = one.of.names if isinstance(one, Object) else ()
        if isinstance(one, Dict):
            names = [keys.plain(key) for key in one.keys]
        for name, item in zip(names, one.items, strict=False):
            if isinstance(name, str):
                (others if depth_of(item) else plain).add(name)
    return frozenset(plain - others)


def changing(value: Value) -> Class | None:
    """The class of an object in a value that a statement may change; else None."""
    if isinstance(value, Object) and not value.of.frozen and _is_set(value.of):
        return value.of
    if not isinstance(value, STRUCTURED):
        return None
    return next((c for c in map(changing, value.items) if c is not None), None)


def _is_set(of: Class) -> bool:
    """Whether a file may set a field of some object of a class; only the source is read
    as a whole.
    """
    if not of.module.is_source:
        return True
    return any(_sets(node, of.names) for node in of.module.source.nodes)


def _sets(node: ast.AST, names: Collection[str]) -> bool:
    match node:
        case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()):
            return attr in names
        case ast.Attribute(attr="__dict__" | "__setattr__" | "__setstate__"):
            return True
        case ast.Name(id="setattr" | "delattr" | "vars"):
            return True
    return False


def is_table(value: Value) -> bool:
    """Whether a value consists of known numbers and texts, functions and classes."""
    if isinstance(value, STRUCTURED):
        return all(map(is_table, value.items))
    if isinstance(value, Closure):
        return not value.defaults
    return isinstance(value, Literal | FileFunction | Dotted | Class)


def is_of_numbers(value: Value) -> bool:
    """Whether it is an array, or a nest of lists, tuples and dicts, of numbers, or a
    tuple of arrays.
    """
    if isinstance(value, Dict):
        named = all(_is_place(keys.plain(key)) for key in value.keys)
        with_arrays = any(map(holds_array, value.items))
        return named and not with_arrays and all(map(is_of_numbers, value.items))
    if not isinstance(value, Group):
        return isinstance(value, Draft | Literal)
    arrays = sum(map(is_array, value.items))
    is_tuple = value.container is Container.TUPLE and arrays == len(value.items)
    alike = is_array(value) or not arrays or is_tuple
    return alike and all(map(is_of_numbers, value.items))


def _is_place(key: object) -> bool:
    """Whether a program can name the item of a key: `T.0`, `T."a"`."""
    return type(key) is int or (isinstance(key, str) and key.isidentifier())


def drafts_in(value: Value) -> Iterator[Draft]:
    """The drafts in a value."""
    if isinstance(value, Draft):
        yield value
    elif isinstance(value, Maybe):
        yield from drafts_in(value.given)
        yield from drafts_in(value.value)
    elif isinstance(value, STRUCTURED):
        for item in value.items:
            yield from drafts_in(item)
