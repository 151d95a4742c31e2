"""The value stored last under a key of a dict whose keys only a run knows.

`memo[k] = v` and then `memo[k]` is `v`: as long as both lists of the dict have the
contents of that time, nothing is searched.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal, node
from ad_transform.read.machine.arguments import Values
from ad_transform.read.machine.drafts import DraftApply
from ad_transform.read.values.storage import Array, Rows
from ad_transform.read.values.structured import parts_of_index
from ad_transform.read.values.values import Draft, Special, Value

if TYPE_CHECKING:
    from ad_transform.read.machine.context import Context
    from ad_transform.read.values.frames import Promise

Key = tuple[tuple[object, ...], ...]
State = tuple["Value | Promise", ...]


@node
class Stored:
    """A value with its key, as drafts and as operations, and with the contents of the
    lists of the dict when it was stored.
    """

    wanted: tuple[Key, Key]
    value: Draft | Literal
    lists: State


def note(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`stored(keys, values, wanted, value)` of `in_python`."""
    keys, items, wanted, value = values
    lists = _state(flat, keys, items)
    if not lists or not isinstance(value, Draft | Literal):
        return Special.NONE
    if isinstance(items, Array) and value.type == items.cell.type.entry:
        flat.heap.stored[lists[0]] = Stored(_keys(flat, wanted), value, lists)
    return Special.NONE


def is_known(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`is_stored(keys, values, wanted)` of `in_python`."""
    return Literal(_found(flat, values) is not None)


def value_of(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`last_stored(keys, values, wanted)` of `in_python`."""
    found = _found(flat, values)
    assert found is not None, "asked for before"
    return found.value


def _found(flat: Context, values: Values) -> Stored | None:
    keys, items, wanted = values
    lists = _state(flat, keys, items)
    known = flat.heap.stored.get(lists[0]) if lists else None
    if known is None or known.lists != lists:
        return None
    pairs = zip(known.wanted, _keys(flat, wanted), strict=True)
    return known if any(one == other != () for one, other in pairs) else None


def _state(flat: Context, keys: Value, items: Value) -> State:
    """The present contents of the lists of a dict; empty if they are not known."""
    columns = keys.columns if isinstance(keys, Rows) else (keys,)
    found: list[Value | Promise] = []
    for one in (*columns, items):
        if not isinstance(one, Array) or not one.is_whole:
            return ()
        held = flat.heap.names.get(one.cell.key)
        if held is None:
            return ()
        found.append(held)
    return tuple(found)


def _keys(flat: Context, wanted: Value) -> tuple[Key, Key]:
    """Two forms of a key, to compare: its drafts and literals, and the operations that
    made them; empty unless it is a number, a text, or a tuple of these.
    """
    parts = parts_of_index(wanted)
    known = [part for part in parts if isinstance(part, Draft | Literal)]
    if len(known) < len(parts):
        return (), ()
    plain = tuple((part.type, part) for part in known)
    return plain, tuple(_making(flat, part) for part in known)


def _making(flat: Context, part: Draft | Literal) -> tuple[object, ...]:
    """The operation that has just made a part of a key, with its operands."""
    for statement in reversed(flat.statements[-_NEAR:]):
        if isinstance(statement, DraftApply) and statement.out is part:
            return (statement.op, *statement.args)
    return (part.type, part)


_NEAR = 8
"""The most statements between the making of a key and its use."""
