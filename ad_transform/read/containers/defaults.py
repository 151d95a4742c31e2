"""`collections.defaultdict`: a dict that makes the entries that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.code import Body, Call, Push
from ad_transform.read.containers import (
    entries,
    keyed,
    keys,
    tables,
)
from ad_transform.read.machine.arguments import Values
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.structured import Dict, Group, Made
from ad_transform.read.values.values import Special, Value

Listed = Callable[[Context, Group, Span], Value]


def made(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`defaultdict(float)`, `defaultdict(list, d, a=x)`."""
    factory, *rest = values or (Special.NONE,)
    given = None if factory is Special.NONE else factory
    return keyed.made(flat, rest, keywords, Made(span, given))


def item(flat: Context, table: Dict, key: Value, span: Span, listed: Listed) -> Value:
    """`table[key]`; a missing entry is made. `listed` makes lists."""
    of = table.identity
    factory = of.factory if isinstance(of, Made) else None
    if factory is None or key is Special.REFUSED:
        return tables.item(flat, table, key, span)
    written = keys.key_of(key, flat.wholes)
    if written is None:
        entries.open_up(flat, table, key)
        return tables.item(flat, table, key, span)
    if keys.plain(written) in map(keys.plain, table.keys):
        return tables.item(flat, table, written, span)
    if factory == keyed.COUNTER:
        return Literal(0)
    value = _new(flat, factory, span, listed)
    entries.store(flat, table, written, value, span)
    return value


def _new(flat: Context, factory: Value, span: Span, listed: Listed) -> Value:
    """The first value of an entry."""
    if isinstance(factory, Dotted) and factory.name in EMPTY:
        return EMPTY[factory.name]
    if factory == Dotted("builtins.list"):
        return listed(flat, Group(Container.LIST, ()), span)
    if factory == Dotted("builtins.dict"):
        return Dict((), ())
    code: Body = (Push(factory), Call((), span))
    return flat.run(code)


EMPTY = {"builtins.float": Literal(0.0), "builtins.int": Literal(0)}
