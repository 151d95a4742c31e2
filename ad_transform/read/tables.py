"""Dicts with literal keys as tables: `{"air": 1.4, "he": 1.66}[gas]`.

A key that only the run knows is compared with one after the other, and raises KeyError
where it is none of them, as in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR
from ad_transform.read import choices, sequences
from ad_transform.read.arguments import Form, Unfit, Values, expect, items_of
from ad_transform.read.context import Context
from ad_transform.read.described import describe
from ad_transform.read.drafts import DraftCheck
from ad_transform.read.values import Dict, Draft, Group, Special, Value, View


def made(flat: Context, parts: Sequence[Value], span: Span) -> Value:
    """A dict of keys and values in turn; UNUSED stands for the key of `**table`."""
    if Special.REFUSED in parts:
        return Special.REFUSED
    entries: list[tuple[Literal, Value]] = []
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        if key is Special.UNUSED:
            if not isinstance(value, Dict):
                message = f"`**` of {describe(value)} in a dict is not supported"
                return flat.refuse("AD102", message, span, "write all keys out")
            entries += zip(value.keys, value.items, strict=True)
        elif isinstance(key, Literal):
            entries.append((key, value))
        else:
            message = f"a key of this dict is {describe(key)}, and no literal"
            return flat.refuse("AD102", message, span, "write keys as texts or numbers")
    return of(entries)


def of(entries: Iterable[tuple[Literal, Value]]) -> Dict:
    """A new dict of entries; of equal keys the last value counts."""
    found: dict[object, tuple[Literal, Value]] = {}
    for key, value in entries:
        first = found.get(key.value, (key, value))[0]
        found[key.value] = (first, value)
    keys = tuple(key for key, _ in found.values())
    return Dict(keys, tuple(value for _, value in found.values()))


def united(one: Dict, other: Dict) -> Dict:
    """`one | other`."""
    return of(zip(one.keys + other.keys, one.items + other.items, strict=True))


def item(flat: Context, table: Dict, key: Value, span: Span) -> Value:
    """`table[key]`."""
    if isinstance(key, Literal):
        for own, value in zip(table.keys, table.items, strict=True):
            if own.value == key.value:
                return value
        known = ", ".join(repr(own.value) for own in table.keys) or "none"
        message = f"the dict has no key {key.value!r}"
        return flat.refuse("AD107", message, span, f"its keys: {known}")
    if not isinstance(key, Draft):
        message = f"{describe(key)} as a key is not supported"
        return flat.refuse("AD107", message, span, "use a text or a number")
    pairs = _comparable(table, key)
    if not pairs:
        message = f"the dict has no key that is {describe(key)}"
        return flat.refuse("AD107", message, span, "compare it with one of its keys")
    _require(flat, key, table, span)
    *before, (_, last) = pairs
    return _chosen(flat, key, before, last, span)


def _require(flat: Context, key: Draft, table: Dict, span: Span) -> None:
    """KeyError where a table does not have a key, unless this block has asked that."""
    known = flat.keyed.get((key, table.keys))
    if known is not None and any(s is known for s in flat.statements):
        return
    there = contains(flat, key, table, False, span)
    if isinstance(there, Draft):
        check = DraftCheck(there, (key,), (), span, (), "KeyError")
        flat.add(check)
        flat.keyed[key, table.keys] = check


def with_one(
    flat: Context, table: Dict, key: Draft, value: Value, span: Span
) -> Dict | None:
    """The table with the value of the entry that has a key; KeyError for another one,
    None after a report.
    """
    pairs = _comparable(table, key)
    if not pairs:
        message = f"the dict has no key that is {describe(key)}"
        flat.refuse("AD107", message, span, "compare it with one of its keys")
        return None
    _require(flat, key, table, span)
    items: list[Value] = []
    for own, old in zip(table.keys, table.items, strict=True):
        is_kind = (own, old) in pairs
        items.append(_chosen(flat, key, [(own, value)], old, span) if is_kind else old)
    return Dict(table.keys, tuple(items))


Pairs = Sequence[tuple[Literal, Value]]


def _comparable(table: Dict, key: Draft) -> Pairs:
    """The entries whose keys are of the kind of a key."""
    return [
        (own, value)
        for own, value in zip(table.keys, table.items, strict=True)
        if (own.type == STR) is (key.type == STR)
    ]


def _chosen(
    flat: Context, key: Draft, pairs: Pairs, otherwise: Value, span: Span
) -> Value:
    """The value of the entry that has the key, or another one."""
    if not pairs:
        return otherwise
    (own, value), *rest = pairs
    test = flat.operate(TABLE["eq"], (key, own), span)
    return choices.choose(
        flat,
        test,
        lambda: value,
        lambda: _chosen(flat, key, rest, otherwise, span),
        "a key",
        span,
    )


def contains(
    flat: Context, key: Value, table: Dict, negated: bool, span: Span
) -> Value:
    """`key in table`, by comparing with the keys of its kind."""
    is_text = isinstance(key, Draft | Literal) and key.type == STR
    keys = tuple(own for own in table.keys if (own.type == STR) is is_text)
    return sequences.contains(flat, key, Group(Container.TUPLE, keys), negated, span)


# --- methods --------------------------------------------------------------------------


def _keys(flat: Context, values: Values, span: Span) -> Value:
    expect(values, 1, 1)
    return Group(Container.LIST, items_of(values))


def _values(flat: Context, values: Values, span: Span) -> Value:
    expect(values, 1, 1)
    table = cast(Dict, values[0])
    return _view(table, table.items)


def _pairs(flat: Context, values: Values, span: Span) -> Value:
    expect(values, 1, 1)
    table = cast(Dict, values[0])
    pairs = zip(table.keys, table.items, strict=True)
    return _view(table, tuple(Group(Container.TUPLE, pair) for pair in pairs))


def _view(table: Dict, items: tuple[Value, ...]) -> View:
    return View(Container.LIST, items, keys=table.keys, identity=table.identity)


def _get(flat: Context, values: Values, span: Span) -> Value:
    """`d.get(key, default)`."""
    expect(values, 2, 3)
    table, key = cast(Dict, values[0]), values[1]
    default = values[2] if len(values) > 2 else Special.NONE
    there = contains(flat, key, table, False, span)
    if isinstance(there, Literal):
        return item(flat, table, key, span) if there.value else default
    if not isinstance(key, Draft):
        return there
    return _chosen(flat, key, _comparable(table, key), default, span)


def copied(flat: Context, values: Values, span: Span) -> Value:
    """`d.copy()`, `dict(d)`, and `dict(pairs)` of known pairs."""
    expect(values, 0, 1)
    return entries_of(flat, values[0]) if values else Dict((), ())


def entries_of(flat: Context, value: Value) -> Dict:
    """A new dict of what is a dict, or known pairs of a literal and a value."""
    if isinstance(value, Dict):
        return Dict(value.keys, value.items)
    pairs = [_pair(p) for p in sequences.known_items(value, flat.wholes) or (value,)]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(pairs):
        raise Unfit(f"needs a dict, not {describe(value)}", 'write `{"a": x}`')
    return of(known)


def _pair(value: Value) -> tuple[Literal, Value] | None:
    """A key that is written out, and its value."""
    if not isinstance(value, Group) or len(value.items) != 2:
        return None
    key, item = value.items
    return (key, item) if isinstance(key, Literal) else None


def made_of(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Dict:
    """`dict(d, a=x)`."""
    expect(values, 0, 1)
    before = entries_of(flat, values[0]) if values else Dict((), ())
    return united(before, Dict(tuple(map(Literal, keywords)), tuple(keywords.values())))


# fmt: off
METHODS: dict[str, Form] = {
    "keys":   _keys,
    "values": _values,
    "items":  _pairs,
    "get":    _get,
    "copy":   copied,
}
# fmt: on
