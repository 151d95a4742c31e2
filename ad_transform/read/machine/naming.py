"""The names and comments that statements give to values."""

from __future__ import annotations

from typing import cast

from ad_transform.ir.nodes import Container, Literal, Origin
from ad_transform.ir.types import FLOAT, INT
from ad_transform.read.branches.flags import CHOSEN
from ad_transform.read.values.classes import Class
from ad_transform.read.values.frames import Frame, is_of_source
from ad_transform.read.values.layouts import Layout, Listed, Row
from ad_transform.read.values.storage import Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Key, Object
from ad_transform.read.values.values import Draft, Maybe, Special, Value


def shown(name: str) -> str:
    """A name in the words of messages; hidden names get a description."""
    if name.startswith("<total"):
        return "a sum"
    if name == CHOSEN:
        return "a conditional expression"
    return repr(plain(name)) if is_of_source(name) else "the result"


def plain(name: str) -> str:
    """A name as in the source: `orbit@x` is the x of the generator `orbit`."""
    return name.rpartition("@")[2] if "@" in name else name


def named(frame: Frame, value: Value, name: str, notes: tuple[str, ...]) -> Value:
    """A value with the name that a statement gives it, unless it has a better one."""
    name = plain(name)
    if not is_of_source(name):
        return value
    if isinstance(value, Draft) and frame.depth < value.depth:
        value.hint, value.depth = name, frame.depth
        value.within, value.call = frame.function, frame.names
        if notes and not frame.quiet:
            value.notes = notes
        if value.of is not None:
            named(frame, value.of, name, notes)
    if isinstance(value, Draft):  # nearly always
        return value
    if isinstance(value, Group) and value.container is Container.ARRAY:
        for k, item in enumerate(value.items):
            named(frame, item, f"{name}_{k}", ())
    if isinstance(value, Maybe):
        named(frame, value.value, name, notes)
        named(frame, value.given, f"{name}_given", ())
    if isinstance(value, Dict):
        for key, item in zip(value.keys, value.items, strict=True):
            if not isinstance(item, Literal):
                named(frame, item, entry_name(name, key), ())
    if isinstance(value, Object | Group) and value.of is not None:
        for field, item in zip(value.of.names, value.items, strict=True):
            if not isinstance(item, Literal):
                named(frame, item, f"{name}_{field}", ())
    if isinstance(value, Literal) and not value.name and value.type in (INT, FLOAT):
        own = () if frame.quiet else notes
        return Literal(value.value, name, Origin.LOCAL, own)
    return value


def item_names(value: Group | Object | Rows | Lists | Stack, name: str) -> list[str]:
    """The names of the items of a group of this name: with its fields or places behind
    it, and for lists of rows by place.
    """
    if isinstance(value, Rows):
        return _by_field(value.layout, name)
    if isinstance(value, Lists):
        return [name, *_of_marks(name)]
    if isinstance(value, Stack):
        one_axis = len(value.marks) == 1
        axes = ("lengths",) if one_axis else ("rows", "columns")
        return [name, *(f"{name}_{axis}" for axis in axes)]
    if value.of is None:
        return [f"{name}_{k}" for k in range(len(value.items))]
    return [f"{name}_{field}" for field in value.of.names]


def column_names(layout: Layout | None, name: str) -> list[str]:
    """The names of the lists that keep rows, or lists, of this name: with fields or
    places behind it, `path_0`.
    """
    if isinstance(layout, Listed):
        return [*column_names(layout.of, name), *_of_marks(name)]
    if not isinstance(layout, Row):
        return [name]
    found: list[str] = []
    for own, part in zip(_by_field(layout, name), layout.parts, strict=True):
        found += column_names(part, own)
    return found


def _of_marks(name: str) -> tuple[str, str]:
    """The names of the starts of lists and of their lengths."""
    return f"{name}_starts", f"{name}_sizes"


def _by_field(row: Row, name: str) -> list[str]:
    if row.kind is Special.NONE:
        return [f"{name}_given", name][: len(row.parts)]
    if isinstance(row.kind, tuple):
        return [entry_name(name, key) for key in row.kind]
    fields = row.kind.names if isinstance(row.kind, Class) else range(len(row.parts))
    return [f"{name}_{field}" for field in fields]


def entry_name(name: str, key: Key) -> str:
    """The name of an entry of a dict of this name: `d_key`, `d_1_2`."""
    if isinstance(key, Group):
        for part in key.items:
            name = entry_name(name, cast(Key, part))
        return name
    said = str(key.value)
    return f"{name}_{said}" if said.isidentifier() or said.isdecimal() else name


def annotate(frame: Frame, value: Value, notes: tuple[str, ...]) -> None:
    """Hand the comments of a `return` to its value, if it is new there."""
    if not isinstance(value, Draft) or frame.quiet or value.notes:
        return
    if frame.depth < value.depth:
        value.notes = notes
