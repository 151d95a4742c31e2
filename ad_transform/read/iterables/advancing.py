"""`next(it)` of the name of an iterator: the name stands for the items behind."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import extents
from ad_transform.read.branches import choices
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import (
    iterables,
    once,
    streams,
)
from ad_transform.read.machine.arguments import Values
from ad_transform.read.machine.binding import bind
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.values.series import Once, Series, Stream
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Value

Element = Callable[[Value], Value]


def advanced(flat: Context, values: Values, span: Span) -> Value | None:
    """The first item of an iterator that has a name, whose names do not give it any
    more, or a default; None where no name gives the iterator, or its items are not
    numbered.
    """
    value = values[0] if values else None
    if not isinstance(value, Once) or not once.has_names(flat.frame, value):
        return None
    if not once.waits(value):
        return _of_sequence(flat, value, value.read(), values[1:], span)
    stream: Value | None = value.held[0] if once.is_expression(value) else None
    if once.is_mapped(value) and not any(map(once.waits, value.held)):
        stream = value.read()
    if not isinstance(stream, Stream) or len(stream.made.clauses) > 1:
        return None
    (clause,) = stream.made.clauses
    over = once.opened(stream.over) if not once.waits(stream.over) else None
    if clause.tests or over is None:
        return None
    known = sequences.known_items(over, flat.wholes)
    items = iterables.series_of(flat, over, span) if known is None else None
    if known is None and items is None:
        return None

    def element(item: Value) -> Value:
        outer, flat.frame = flat.frame, streams.inside(stream.frame)
        bind(flat, flat.frame, clause.target, item, ())
        made = flat.run(stream.made.element)
        flat.frame = outer
        return made

    def left(rest: Value) -> Value:
        behind = replace(stream, over=rest)
        return once.generator(flat, behind, lambda: behind)

    if known:
        once.give_back(flat.frame, value, left(Group(Container.TUPLE, known[1:])))
        return element(known[0])
    if items is None:
        return None
    first, rest = _taken(flat, items, values[1:], element, span)
    once.give_back(flat.frame, value, left(rest))
    return first


def _of_sequence(
    flat: Context, value: Once, made: Value, default: Values, span: Span
) -> Value | None:
    """The first item, as in `advanced`, of an iterator that has made its items."""
    known = sequences.known_items(made, flat.wholes)
    if known:
        rest: Value = Group(Container.TUPLE, known[1:])
        once.give_back(flat.frame, value, once.of(value, (*value.held[:-1], rest)))
        return known[0]
    items = iterables.series_of(flat, made, span) if known is None else None
    if items is None:
        return None
    first, rest = _taken(flat, items, default, lambda item: item, span)
    once.give_back(flat.frame, value, once.of(value, (*value.held[:-1], rest)))
    return first


def _taken(
    flat: Context, items: Series, default: Values, element: Element, span: Span
) -> tuple[Value, Series]:
    """The first of some items, and those behind it; StopIteration where there is none
    and no default.
    """
    item, start = items.item, Literal(0)
    there = flat.operate(TABLE["gt"], (items.length, start), span)
    size = extents.number(flat, "sub", (items.length, Literal(1)), span)
    if default:
        size = extents.at_least_none(flat, size, span)
        first = choices.choose(
            flat,
            there,
            lambda: element(item(start)),
            lambda: default[0],
            "'next'",
            span,
        )
    else:
        if isinstance(there, Draft):
            flat.add(DraftCheck(there, (), (), span, (), "StopIteration"))
        first = element(item(start))

    if isinstance(size, Draft):
        flat.heap.naturals.add(size)
    return first, iterables.behind_first(flat, items, size, span)
