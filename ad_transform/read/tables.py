"""Dicts with literal keys as tables: `{"air": 1.4, "he": 1.66}[gas]`.

They are read and never changed. A key that only the run knows is compared with one
after the other, and raises KeyError where it is none of them, as in Python.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR
from ad_transform.read import choices, sequences
from ad_transform.read.context import Context
from ad_transform.read.drafts import DraftCheck
from ad_transform.read.values import Dict, Draft, Group, Special, Value, describe

CHANGED = "write a new one where it changes, or give every value a name of its own"


def made(flat: Context, parts: Sequence[Value], span: Span) -> Value:
    """A dict of keys and values in turn; of equal keys the last value counts."""
    if Special.REFUSED in parts:
        return Special.REFUSED
    found: dict[object, tuple[Literal, Value]] = {}
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        if not isinstance(key, Literal):
            message = f"a key of this dict is {describe(key)}, and no literal"
            return flat.refuse("AD102", message, span, "write keys as texts or numbers")
        first = found.get(key.value, (key, value))[0]
        found[key.value] = (first, value)
    keys = tuple(key for key, _ in found.values())
    return Dict(keys, tuple(value for _, value in found.values()))


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
    pairs = [
        (own, value)
        for own, value in zip(table.keys, table.items, strict=True)
        if (own.type is STR) is (key.type is STR)
    ]
    if not pairs:
        message = f"the dict has no key that is {describe(key)}"
        return flat.refuse("AD107", message, span, "compare it with one of its keys")
    there = contains(flat, key, table, False, span)
    if isinstance(there, Draft):
        flat.add(DraftCheck(there, (key,), (), span, (), "KeyError"))
    return _chosen(flat, key, pairs, span)


def _chosen(
    flat: Context, key: Draft, pairs: Sequence[tuple[Literal, Value]], span: Span
) -> Value:
    (own, value), *rest = pairs
    if not rest:
        return value
    test = flat.operate(TABLE["eq"], (key, own), span)
    return choices.choose(
        flat,
        test,
        lambda: value,
        lambda: _chosen(flat, key, rest, span),
        "a key",
        span,
    )


def contains(
    flat: Context, key: Value, table: Dict, negated: bool, span: Span
) -> Value:
    """`key in table`, by comparing with the keys of its kind."""
    is_text = isinstance(key, Draft | Literal) and key.type is STR
    keys = tuple(own for own in table.keys if (own.type is STR) is is_text)
    return sequences.contains(flat, key, Group(Container.TUPLE, keys), negated, span)
