"""Keys of dicts: numbers and texts that are written out, and tuples of them."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR
from ad_transform.read.values.structured import Group, Key, is_tuple
from ad_transform.read.values.values import Draft, Maybe, Value

Wholes = Mapping[Draft, int]
"""The values of whole numbers that are known while a function is flattened."""


def key_of(value: Value, wholes: Wholes) -> Key | None:
    """A value as a key; None unless it is a literal or a tuple of such."""
    if isinstance(value, Literal):
        return value
    if isinstance(value, Draft) and value in wholes:
        return Literal(wholes[value])
    if not is_tuple(value):
        return None
    items = [key_of(item, wholes) for item in value.items]
    found = tuple(item for item in items if item is not None)
    return Group(Container.TUPLE, found) if len(found) == len(items) else None


def plain(key: Value) -> object:
    """A key as an object of Python."""
    if isinstance(key, Group):
        return tuple(map(plain, key.items))
    assert isinstance(key, Literal)
    return key.value


def is_open(value: Value) -> bool:
    """Whether a value may be one of several keys, as only a run knows."""
    if is_tuple(value):
        return all(isinstance(item, Literal) or is_open(item) for item in value.items)
    if isinstance(value, Maybe):
        return is_open(value.value)
    return isinstance(value, Draft) and not value.type.shape


def are_alike(one: Value, other: Value) -> bool:
    """Whether two keys can be equal: both texts, both numbers, or tuples of such."""
    if isinstance(one, Group) and isinstance(other, Group):
        pairs = zip(one.items, other.items, strict=False)
        is_long = len(one.items) == len(other.items)
        return is_long and all(are_alike(a, b) for a, b in pairs)
    one, other = (v.value if isinstance(v, Maybe) else v for v in (one, other))
    if not isinstance(one, Draft | Literal) or not isinstance(other, Draft | Literal):
        return False
    return (one.type == STR) is (other.type == STR)
