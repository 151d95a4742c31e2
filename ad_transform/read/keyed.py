"""Dicts that take any key: objects of the classes of `in_python.dicts`.

A dict is one where a key is written that only a run knows and that none of its keys can
be; then the function is read again. Its entries stand in two lists, and who asks for a
key goes through them.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read import keys, sequences, tables
from ad_transform.read.arguments import Values, expect
from ad_transform.read.callables import Dotted
from ad_transform.read.context import Context
from ad_transform.read.series import Range, Series, Stream
from ad_transform.read.storage import Array, Lists, Rows, Stack
from ad_transform.read.structured import Dict, Group, Made, Object
from ad_transform.read.values import Value

with later():
    from ad_transform.read import indexing, making, objects
    from ad_transform.read.calls import called_with
    from ad_transform.read.class_statements import class_at

FILE = "dicts"
_OPEN = Array | Lists | Range | Rows | Series | Stack | Stream
COUNTER = Dotted("collections.Counter")
"""What is in the place of a factory: entries that are not there are 0."""

_FACTORIES = {
    "builtins.float": "nought",
    "builtins.int": "zero",
    "builtins.list": "empty",
}


def is_one(value: Value) -> bool:
    """Whether a value is a dict that takes any key."""
    of = value.of if isinstance(value, Object) else None
    return of is not None and of.module.source.path == f"<{FILE}>"


def counts(table: Dict) -> bool:
    """Whether a dict is a Counter."""
    of = table.identity
    return isinstance(of, Made) and of.factory == COUNTER


def display(flat: Context, parts: Sequence[Value], span: Span) -> Value:
    """`{key: value, **more}` of keys and values in turn."""
    held = tables.made(flat, parts, span)
    return _settled(flat, held, Made(span)) if isinstance(held, Dict) else held


def dict_(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`dict(d, a=x)`, `dict(zip(k, x))`."""
    return made(flat, values, keywords, Made(span))


def made(
    flat: Context, values: Values, keywords: Mapping[str, Value], own: Made
) -> Value:
    """A dict of another one, or of pairs, and of keywords; raises Unfit."""
    expect(tuple(values), 0, 1)
    if not values or _is_known(flat, values[0]):
        held = tables.made_of(flat, values, keywords, own.site)
        return _settled(flat, held, own)
    taking = "update" if is_one(values[0]) else "put"
    found = _begun(flat, Dict((), (), own), own)
    _call(flat, found, taking, (values[0],), own.site)
    for word, value in keywords.items():
        _call(flat, found, "__setitem__", (Literal(word), value), own.site)
    return found


def _is_known(flat: Context, value: Value) -> bool:
    """Whether a value is a dict with known keys, pairs with such keys, or neither."""
    if isinstance(value, Dict):
        return True
    known = sequences.known_items(value, flat.wholes)
    if known is None:
        return not is_one(value) and not isinstance(value, _OPEN)
    pairs = (pair.items for pair in known if isinstance(pair, Group) and pair.items)
    return all(keys.key_of(key, flat.wholes) is not None for key, *_ in pairs)


def counter(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`Counter(items)`, `Counter(d)`, `Counter(a=2)`."""
    expect(tuple(values), 0, 0 if keywords else 1)
    own = Made(span, COUNTER)
    if keywords or any(isinstance(v, Dict) or is_one(v) for v in values):
        return made(flat, values, keywords, own)
    items = sequences.known_items(values[0], flat.wholes) if values else ()
    known = [keys.key_of(item, flat.wholes) for item in items or ()]
    found = [key for key in known if key is not None]
    if items is None or len(found) < len(known):
        counted = _begun(flat, Dict((), (), own), own)
        _call(flat, counted, "count", values, span)
        return counted
    counts = Tally(keys.plain(key) for key in found)
    pairs = tables.of((key, Literal(counts[keys.plain(key)])) for key in found)
    return _settled(flat, pairs, own)


def _settled(flat: Context, held: Dict, own: Made) -> Value:
    """A dict with its identity, or one that takes any key where it has to."""
    held = Dict(held.keys, held.items, own)
    return _begun(flat, held, own) if own.site in flat.sites else held


def _begun(flat: Context, held: Dict, own: Made) -> Value:
    """A dict that takes any key, with some entries."""
    module = flat.module.elsewhere.library(FILE)
    name, given = "Entries", [_list_at(flat, span) for span in _sites(own.site)]
    if own.factory == COUNTER:
        name = "Counts"
    elif own.factory is not None:
        name, factory = "Defaults", own.factory
        known = factory.name if isinstance(factory, Dotted) else ""
        if known in _FACTORIES:
            factory = module.definitions.define(_FACTORIES[known])
        given.append(factory)
    of = class_at(module, name)
    assert of is not None
    found = making.construct(flat, of, given, {}, own.site, called_with)
    for entry in zip(held.keys, held.items, strict=True):
        _call(flat, found, "__setitem__", entry, own.site)
    return found


def _sites(span: Span) -> tuple[Span, Span]:
    """Where the lists of keys and of values are made: no list stands there."""
    return span._replace(end_column=span.end_column - 1), span


def _list_at(flat: Context, span: Span) -> Value:
    return indexing.made(flat, Group(Container.LIST, ()), span)


def _call(
    flat: Context, of: Value, method: str, values: Sequence[Value], span: Span
) -> Value:
    function = objects.attribute(flat, of, method, span)
    assert function is not None
    return called_with(flat, function, list(values), {}, span)


def items(flat: Context, value: Value, span: Span) -> Value:
    """The list of the keys of a dict that takes any key; any other value as it is."""
    if not isinstance(value, Object) or not is_one(value):
        return value
    return flat.heap.fields.item(value, "key", span)
