"""`collections.defaultdict`: a dict that makes the entries that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read import entries, keys, tables
from ad_transform.read.arguments import Values
from ad_transform.read.callables import Dotted
from ad_transform.read.code import Body, Call, Push
from ad_transform.read.context import Context
from ad_transform.read.structured import Dict, Group
from ad_transform.read.values import Special, Value

Listed = Callable[[Context, Group, Span], Value]


@dataclass(frozen=True, slots=True, eq=False)
class Default:
    """Which dict one is that makes its entries; by a call of a function."""

    factory: Value


def made(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`defaultdict(float)`, `defaultdict(list, d, a=x)`."""
    factory, *rest = values or (Special.NONE,)
    held = tables.made_of(flat, rest, keywords, span)
    if factory is Special.NONE:
        return held
    return Dict(held.keys, held.items, Default(factory))


def item(flat: Context, table: Dict, key: Value, span: Span, listed: Listed) -> Value:
    """`table[key]`, an entry that is new where there is none; `listed` makes lists."""
    of = table.identity
    if not isinstance(of, Default) or key is Special.REFUSED:
        return tables.item(flat, table, key, span)
    written = keys.key_of(key, flat.wholes)
    if written is None:
        entries.unroll(flat, key)
        return refuse(flat, of.factory, span)
    if keys.plain(written) in map(keys.plain, table.keys):
        return tables.item(flat, table, written, span)
    value = _new(flat, of.factory, span, listed)
    entries.store(flat, table, written, value, span)
    return value


def is_open(flat: Context, table: Dict, key: Value, span: Span) -> bool:
    """Whether only a run knows which entry of a defaultdict is written: refused."""
    written = keys.key_of(key, flat.wholes)
    if written is not None or not isinstance(table.identity, Default):
        return False
    entries.unroll(flat, key)
    return refuse(flat, table.identity.factory, span) is Special.REFUSED


def refuse(flat: Context, factory: Value, span: Span) -> Value:
    """Refuse a key of which only a run knows whether there is an entry (AD107)."""
    message = "a defaultdict is asked for a key that only a run knows"
    help_ = "write all keys out where the dict is made: `d = {0: 0.0, 1: 0.0}`"
    if factory == Dotted("builtins.list"):
        help_ = "give each list a name, and choose: `if k == 0: a.append(v)`"
    return flat.refuse("AD107", message, span, help_)


def _new(flat: Context, factory: Value, span: Span, listed: Listed) -> Value:
    """What an entry is at first."""
    if isinstance(factory, Dotted) and factory.name in _EMPTY:
        return _EMPTY[factory.name]
    if factory == Dotted("builtins.list"):
        return listed(flat, Group(Container.LIST, ()), span)
    if factory == Dotted("builtins.dict"):
        return Dict((), ())
    code: Body = (Push(factory), Call((), span))
    return flat.run(code)


_EMPTY = {"builtins.float": Literal(0.0), "builtins.int": Literal(0)}
