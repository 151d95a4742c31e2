"""Dicts that take any key: objects of the classes of `in_python.dicts`.

A dict becomes one when a key is written that only a run knows and that equals none of
its keys; then the function is read again. Its entries stand in two lists, and a look-up
goes through them.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.containers import (
    keys,
    sequences,
)
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.series import Range, Series, Stream, Yields
from ad_transform.read.values.storage import Array, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Made, Object, is_tuple
from ad_transform.read.values.values import Draft, Special, Value

with later():
    from ad_transform.read.arrays import indexing
    from ad_transform.read.calls.calls import called_with
    from ad_transform.read.containers import tables
    from ad_transform.read.iterables import once
    from ad_transform.read.lists import listing
    from ad_transform.read.objects import (
        homes,
        making,
        objects,
    )
    from ad_transform.read.project.class_statements import class_at

FILE = "dicts"
_COUNTS = "Counts"
_OPEN = Array | Lists | Range | Rows | Series | Stack | Stream
COUNTER = Dotted("collections.Counter")
"""In place of a factory, for a dict whose missing entries are 0."""

_FACTORIES = {
    "builtins.float": "nought",
    "builtins.int": "zero",
    "builtins.list": "empty",
}


def is_one(value: Value) -> bool:
    """Whether a value is a dict that takes any key."""
    of = value.of if isinstance(value, Object) else None
    return of is not None and of.module.source.path == f"<{FILE}>"


def counts(table: Value) -> bool:
    """Whether a value is a Counter."""
    if isinstance(table, Dict):
        of = table.identity
        return isinstance(of, Made) and of.factory == COUNTER
    return isinstance(table, Object) and is_one(table) and table.of.name == _COUNTS


def opened(flat: Context, op: str, values: list[Value], span: Span) -> list[Value]:
    """The operands of `one + other` or `one - other`; a Counter in front becomes one
    that takes any key.
    """
    if op in _SUMS and isinstance(values[0], Dict) and counts(values[0]):
        return [_begun(flat, values[0], Made(span, COUNTER)), *values[1:]]
    return values


def open_changed(flat: Context, op: str, table: Value) -> None:
    """Begin again with a Counter that takes any key, for `c += other`."""
    if op in _SUMS and isinstance(table, Dict) and counts(table):
        flat.rekey(table)


_SUMS = ("add", "sub")


ASKED = ("most_common", "total", "elements", "subtract")
"""Methods of a Counter that it only has if it takes any key."""


def asked(flat: Context, table: Dict) -> Value:
    """Begin again with a Counter that takes any key; raises Unfit."""
    flat.rekey(table)
    raise Unfit("takes a Counter that is made in the function", "write `Counter(d)`")


def display(flat: Context, parts: Sequence[Value], span: Span) -> Value:
    """`{key: value, **more}`, from keys and values in turn."""
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    if Special.REFUSED in parts or not any(_asks_a_run(flat, *pair) for pair in pairs):
        held = tables.made(flat, parts, span)
        return _settled(flat, held, Made(span)) if isinstance(held, Dict) else held
    found = _begun(flat, Dict((), (), Made(span)), Made(span))
    for key, value in pairs:
        if key is not Special.UNUSED:
            _call(flat, found, "__setitem__", (key, value), span)
        elif isinstance(value, Dict) or is_one(value):
            update(flat, found, value, span)
        else:
            return tables.no_dict(flat, value, span)
    return found


def _asks_a_run(flat: Context, key: Value, value: Value) -> bool:
    """Whether only a run knows a key, or the keys of `**value`."""
    if key is Special.UNUSED:
        return is_one(value)
    return keys.key_of(key, flat.wholes) is None and keys.is_open(key)


def united(flat: Context, one: Value, other: Value, span: Span) -> Value | None:
    """`one | other`; None if one of them is no dict."""
    one, other = (homes.as_dict(flat, value, span) for value in (one, other))
    both = one, other
    if not all(isinstance(table, Dict) or is_one(table) for table in both):
        return None
    if all(map(counts, both)):
        return _combined(flat, "either", one, other, span)
    parts = (Special.UNUSED, one, Special.UNUSED, other)
    return display(flat, parts, span)


def common(flat: Context, one: Value, other: Value, span: Span) -> Value | None:
    """`one & other` of Counters; None for anything else."""
    if not counts(one) or not counts(other):
        return None
    return _combined(flat, "both", one, other, span)


def _combined(
    flat: Context, method: str, one: Value, other: Value, span: Span
) -> Value:
    if isinstance(one, Dict):
        one = _begun(flat, one, Made(span, COUNTER))
    return _call(flat, one, method, (other,), span)


def bounded(flat: Context, sign: str, of: Value, other: Value, span: Span) -> Value:
    """`c |= other` or `c &= other` of a Counter, which changes it."""
    if isinstance(of, Dict):
        flat.rekey(of)
        message = f"`{sign}=` of this Counter is not supported"
        return flat.refuse("AD107", message, span, f"write `c = c {sign} other`")
    _call(flat, of, _BOUNDED[sign], (other,), span)
    return of


_BOUNDED = {"|": "rise_to", "&": "sink_to"}


def update(flat: Context, of: Value, other: Value, span: Span) -> None:
    """`d.update(other)` of a dict that takes any key."""
    _call(flat, of, "update", (other,), span)


def from_keys(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`dict.fromkeys(keys, value)`; raises Unfit."""
    expect(tuple(values), 1, 2)
    value = values[1] if len(values) > 1 else Special.NONE
    if _may_change(value):
        raise Unfit("holds one object under all keys", "write `{k: [] for k in keys}`")
    items = sequences.known_items(values[0], flat.wholes)
    known = [keys.key_of(item, flat.wholes) for item in items or ()]
    found = [key for key in known if key is not None]
    own = Made(span)
    if items is not None and len(found) == len(known):
        return _settled(flat, tables.of((key, value) for key in found), own)
    if value is Special.NONE:
        raise Unfit("takes a value here", "write `dict.fromkeys(keys, 0.0)`")
    made = _begun(flat, Dict((), (), own), own)
    _call(flat, made, "fill", (values[0], value), span)
    return made


def _may_change(value: Value) -> bool:
    if is_tuple(value):
        return any(map(_may_change, value.items))
    return not isinstance(value, Draft | Literal) and value is not Special.NONE


def dict_(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`dict(d, a=x)`, `dict(zip(k, x))`."""
    return made(flat, values, keywords, Made(span))


def made(
    flat: Context, values: Values, keywords: Mapping[str, Value], own: Made
) -> Value:
    """A dict from another one, or from pairs, and from keywords; raises Unfit."""
    expect(tuple(values), 0, 1)
    keywords = {k: once.kept(flat, v, own.site) for k, v in keywords.items()}
    if not values or _is_known(flat, values[0]):
        held = tables.made_of(flat, values, keywords, own.site)
        return _settled(flat, held, own)
    found = _begun(flat, Dict((), (), own), own)
    _fill(flat, found, values[0], own.site)
    for word, value in keywords.items():
        _call(flat, found, "__setitem__", (Literal(word), value), own.site)
    return found


def copied(flat: Context, table: Dict, held: Dict, span: Span) -> Value:
    """A copy of a dict with the entries `held`, and with the same factory."""
    of = table.identity
    own = Made(span, of.factory if isinstance(of, Made) else None)
    return _settled(flat, held, own)


def copied_whole(flat: Context, table: Object, span: Span) -> Value:
    """A copy of a dict that takes any key."""
    return _call(flat, table, "copy", (), span)


def _fill(flat: Context, found: Value, of: Value, span: Span) -> None:
    """Store the entries of another dict, or pairs, one by one."""
    if isinstance(of, Stream) and not isinstance(of.over, Yields):

        def put(pair: Value) -> None:
            if isinstance(pair, Group) and len(pair.items) == 2:
                _call(flat, found, "__setitem__", pair.items, span)
            else:
                flat.unspreadable(pair, span)

        listing.each(flat, of, put)
        return
    _call(flat, found, "update" if is_one(of) else "put", (of,), span)


def _is_known(flat: Context, value: Value) -> bool:
    """Whether a value is a dict with known keys or pairs with such keys, or is neither
    a dict nor pairs.
    """
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
    """A dict with its identity; or an object, or a dict that takes any key, if it has
    to be one.
    """
    held = Dict(held.keys, held.items, own)
    flat.rows_out.made[own] = tuple(flat.heap.running)
    flat.rows_out.keyed[own] = held.keys
    if own.site in flat.sites:
        return _begun(flat, held, own)
    return homes.boxed(flat, held) if own.site in flat.boxed and held.keys else held


def _begun(flat: Context, held: Dict, own: Made) -> Value:
    """A dict that takes any key, with some entries."""
    module = flat.module.elsewhere.library(FILE)
    columns = (held.keys, held.items) if _are_plain(held) else ((), ())
    sites = _sites(own.site)
    name = "Entries"
    given = [_list_at(flat, *pair) for pair in zip(columns, sites, strict=True)]
    flat.heap.of_dicts.update(_sites(own.site))
    if own.factory == COUNTER:
        name = _COUNTS
    elif own.factory is not None:
        name, factory = "Defaults", own.factory
        known = factory.name if isinstance(factory, Dotted) else ""
        if known in _FACTORIES:
            factory = module.definitions.define(_FACTORIES[known])
        given.append(factory)
    of = class_at(module, name)
    assert of is not None
    found = making.construct(flat, of, given, {}, own.site, called_with)
    for entry in () if columns[0] else zip(held.keys, held.items, strict=True):
        _call(flat, found, "enter", entry, own.site)
    return found


def _are_plain(table: Dict) -> bool:
    """Whether keys and values are single numbers or texts of one kind each."""
    for column in (table.keys, table.items):
        kinds = {v.type if isinstance(v, Draft | Literal) else None for v in column}
        if len(kinds) != 1 or any(kind is None or kind.dims for kind in kinds):
            return False
    return True


def _sites(span: Span) -> tuple[Span, Span]:
    """Places for the list of keys and the list of values, where nothing else is made:
    the pairs of a comprehension have the place of the dict.
    """
    key = span._replace(end_column=span.end_column - 1)
    return key, key._replace(column=span.column + 1)


def _list_at(flat: Context, items: Sequence[Value], span: Span) -> Value:
    return indexing.made(flat, Group(Container.LIST, tuple(items)), span)


def _call(
    flat: Context, of: Value, method: str, values: Sequence[Value], span: Span
) -> Value:
    function = objects.attribute(flat, of, method, span)
    assert function is not None
    return called_with(flat, function, list(values), {}, span)


def items(flat: Context, value: Value, span: Span) -> Value:
    """The list of keys of a dict that takes any key; any other value unchanged."""
    if not isinstance(value, Object) or not is_one(value):
        return value
    return flat.heap.fields.item(value, "key", span)
