"""Dicts with literal keys as tables: `{"air": 1.4, "he": 1.66}[gas]`.

A key that only the run knows is compared with one after the other, and raises KeyError
where it is none of them, as in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.branches import (
    choices,
    maybe,
)
from ad_transform.read.containers import (
    keys,
    sequences,
)
from ad_transform.read.machine.arguments import Rule, Unfit, Values, expect, items_of
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.rows import lists
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Dict, Group, Key, View
from ad_transform.read.values.values import Draft, Maybe, Special, Value, is_int

with later():
    from ad_transform.read.flattening import comparing
    from ad_transform.read.iterables import ranges
    from ad_transform.read.objects import homes


def made(flat: Context, parts: Sequence[Value], span: Span) -> Value:
    """A dict from keys and values in turn; UNUSED is the key of `**table`."""
    if Special.REFUSED in parts:
        return Special.REFUSED
    entries: list[tuple[Key, Value]] = []
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        known = keys.key_of(key, flat.wholes)
        if key is Special.UNUSED:
            table = homes.as_dict(flat, value, span)
            if not isinstance(table, Dict):
                return no_dict(flat, table, span)
            entries += zip(table.keys, table.items, strict=True)
        elif known is not None:
            entries.append((known, value))
        else:
            message = f"a key of this dict is {describe(key)}, and no literal"
            return flat.refuse("AD102", message, span, "write keys as texts or numbers")
    return of(entries)


def no_dict(flat: Context, value: Value, span: Span) -> Value:
    """Refuse `**value` in a dict."""
    message = f"`**` of {describe(value)} in a dict is not supported"
    return flat.refuse("AD102", message, span, "write all keys out")


def of(entries: Iterable[tuple[Key, Value]]) -> Dict:
    """A new dict from entries; of equal keys the last value counts."""
    found: dict[object, tuple[Key, Value]] = {}
    for key, value in entries:
        own = keys.plain(key)
        first = found.get(own, (key, value))[0]
        found[own] = (first, value)
    kept = tuple(key for key, _ in found.values())
    return Dict(kept, tuple(value for _, value in found.values()))


def united(one: Dict, other: Dict) -> Dict:
    """`one | other`."""
    return of(zip(one.keys + other.keys, one.items + other.items, strict=True))


def item(flat: Context, table: Dict, key: Value, span: Span) -> Value:
    """`table[key]`."""
    written = keys.key_of(key, flat.wholes)
    if written is not None:
        wanted = keys.plain(written)
        for own, value in zip(table.keys, table.items, strict=True):
            if keys.plain(own) == wanted:
                return value
        known = ", ".join(repr(keys.plain(own)) for own in table.keys) or "none"
        message = f"the dict has no key {wanted!r}"
        return flat.refuse("AD107", message, span, f"its keys: {known}")
    if key is Special.REFUSED:
        return key
    if not keys.is_open(key):
        message = f"{describe(key)} as a key is not supported"
        return flat.refuse("AD107", message, span, "use a text or a number")
    pairs = _comparable(table, key)
    if any(map(_is_empty, table.items)):
        flat.rekey(table, key)  # a list that gets items is one of several
    if not pairs:
        flat.rekey(table, key)  # a later trip may read what an earlier one writes
        return _no_such_key(flat, table, key, span)
    _require(flat, key, table, span)
    uneven = lists.of_constants(flat, [value for _, value in pairs], span)
    if uneven is not None:
        return lists.item(flat, uneven, _place(flat, key, pairs, span), span)
    *before, (_, last) = pairs
    return _chosen(flat, key, before, last, span)


def _is_empty(value: Value) -> bool:
    """Whether a value is a list that is still empty."""
    if isinstance(value, Group):
        return value.container is Container.LIST and not value.items
    return isinstance(value, Array) and value.cell.origin.type.dims == (0,)


def _no_such_key(flat: Context, table: Dict, key: Value, span: Span) -> Value:
    message = f"the dict has no key that is {describe(key)}"
    help_ = "compare it with one of its keys"
    if not table.keys:
        help_ = "write all keys out where the dict is made: `d = {0: 0.0, 1: 0.0}`"
    return flat.refuse("AD107", message, span, help_)


def is_asked(flat: Context, table: Dict, key: Value) -> bool:
    """Whether this block has already checked that a table has a key."""
    known = flat.keyed.get((key, table.keys))
    return known is not None and any(s is known for s in flat.statements)


def _require(flat: Context, key: Value, table: Dict, span: Span) -> None:
    """Check that a table has a key, KeyError if not, unless this block has done so."""
    if is_asked(flat, table, key):
        return
    there = contains(flat, key, table, False, span)
    if isinstance(there, Draft):
        said = (key,) if isinstance(key, Draft) else ()
        check = DraftCheck(there, said, (), span, (), "KeyError")
        flat.add(check)
        flat.keyed[key, table.keys] = check


def with_one(
    flat: Context, table: Dict, key: Value, value: Value, span: Span
) -> Dict | None:
    """The table with another value for the entry with this key; KeyError for any other
    key. None after a report.
    """
    pairs = _comparable(table, key)
    if not pairs:
        _no_such_key(flat, table, key, span)
        return None
    _require(flat, key, table, span)
    items: list[Value] = []
    for own, old in zip(table.keys, table.items, strict=True):
        is_kind = (own, old) in pairs
        items.append(_chosen(flat, key, [(own, value)], old, span) if is_kind else old)
    return Dict(table.keys, tuple(items))


Pairs = Sequence[tuple[Key, Value]]


def _comparable(table: Dict, key: Value) -> Pairs:
    """The entries with keys of the same kind as a key."""
    return [
        (own, value)
        for own, value in zip(table.keys, table.items, strict=True)
        if keys.are_alike(own, key)
    ]


def _chosen(
    flat: Context, key: Value, pairs: Pairs, otherwise: Value, span: Span
) -> Value:
    """The value of the entry with this key, or another value."""
    if not pairs:
        return otherwise
    (own, value), *rest = pairs
    test = _equal(flat, key, own, span)
    return choices.choose(
        flat,
        test,
        lambda: value,
        lambda: _chosen(flat, key, rest, otherwise, span),
        "an entry",
        span,
    )


def function(flat: Context, group: Group, index: Value, span: Span) -> Value:
    """`(f, g)[k]` of functions, with an index that only a run knows."""
    if not is_int(index):
        message = "a function is not taken by such an index"
        return flat.refuse("AD107", message, span, "write a dict: `{0: f, 1: g}[k]`")
    size = Literal(len(group.items))
    place = ranges.place_in(flat, index, size, group.container.value, span)
    *before, (_, last) = [(Literal(k), v) for k, v in enumerate(group.items)]
    return _chosen(flat, place, before, last, span)


def _place(flat: Context, key: Value, pairs: Pairs, span: Span) -> Value:
    """The place of the entry with this key among some entries."""
    places = [Literal(k) for k in range(len(pairs))]
    if [own for own, _ in pairs] == places:
        return key
    *before, (_, last) = [
        (own, place) for (own, _), place in zip(pairs, places, strict=True)
    ]
    return _chosen(flat, key, before, last, span)


def _equal(flat: Context, key: Value, own: Value, span: Span) -> Value:
    """Whether a key is equal to one of its kind, item by item."""
    if not isinstance(key, Group) or not isinstance(own, Group):
        return comparing.chain(flat, TABLE["eq"], key, own, (), span)
    found: Value = Literal(True)
    for place, pair in enumerate(zip(key.items, own.items, strict=True)):
        test = partial(_equal, flat, *pair, span)
        found = choices.lazily(flat, found, True, test, span) if place else test()
    return found


def contains(
    flat: Context, key: Value, table: Dict, negated: bool, span: Span
) -> Value:
    """`key in table`, by comparisons with the keys of its kind."""
    if isinstance(key, Maybe):
        inside = partial(contains, flat, table=table, negated=False, span=span)
        there = maybe.where_given(flat, key, inside, span)
        return flat.operate(TABLE["not"], (there,), span) if negated else there
    written = keys.key_of(key, flat.wholes)
    if written is not None:
        held = map(keys.plain, table.keys)
        return Literal((keys.plain(written) in held) is not negated)
    alike = tuple(own for own in table.keys if keys.are_alike(own, key))
    if not isinstance(key, Group):
        among = Group(Container.TUPLE, alike)
        return sequences.contains(flat, key, among, negated, span)
    found: Value = Literal(False)
    for own in alike:
        test = partial(_equal, flat, key, own, span)
        found = choices.lazily(flat, found, False, test, span)
    return flat.operate(TABLE["not"], (found,), span) if negated else found


# --- methods --------------------------------------------------------------------------


def _keys(flat: Context, values: Values, span: Span) -> Value:
    expect(values, 1, 1)
    return View(Container.LIST, items_of(values))


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
    key = maybe.settled(flat.given_here, key)
    if isinstance(key, Maybe):
        inner = (table, key.value, default)
        given = maybe.tested(flat, key, True, span)
        arms = partial(_get, flat, inner, span), lambda: default
        return choices.choose(flat, given, *arms, "an entry", span)
    there = contains(flat, key, table, False, span)
    if isinstance(there, Literal):
        return item(flat, table, key, span) if there.value else default
    if there is Special.REFUSED:
        return there
    return _chosen(flat, key, _comparable(table, key), default, span)


def copied(flat: Context, values: Values, span: Span) -> Value:
    """`d.copy()`, `dict(d)`, and `dict(pairs)` of known pairs."""
    expect(values, 0, 1)
    return entries_of(flat, values[0]) if values else Dict((), ())


def entries_of(flat: Context, value: Value) -> Dict:
    """A new dict from a dict, or from known pairs of a literal and a value."""
    if isinstance(value, Dict):
        return Dict(value.keys, value.items)
    pairs = [
        _pair(flat, p) for p in sequences.known_items(value, flat.wholes) or (value,)
    ]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(pairs):
        raise Unfit(f"needs a dict, not {describe(value)}", 'write `{"a": x}`')
    return of(known)


def _pair(flat: Context, value: Value) -> tuple[Key, Value] | None:
    """A key that is written out, and its value; else None."""
    if not isinstance(value, Group) or len(value.items) != 2:
        return None
    key = keys.key_of(value.items[0], flat.wholes)
    return None if key is None else (key, value.items[1])


def made_of(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Dict:
    """`dict(d, a=x)`."""
    expect(values, 0, 1)
    values = [homes.as_dict(flat, value, span) for value in values]
    before = entries_of(flat, values[0]) if values else Dict((), ())
    return united(before, Dict(tuple(map(Literal, keywords)), tuple(keywords.values())))


# fmt: off
METHODS: dict[str, Rule] = {
    "keys":   _keys,
    "values": _values,
    "items":  _pairs,
    "get":    _get,
    "copy":   copied,
}
# fmt: on
