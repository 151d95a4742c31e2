"""Comprehensions and generators, as functions are flattened: their items, one by one.

They run over known items: tuples, lists, ranges of known numbers, and the results of
`zip`, `enumerate` and `reversed` of these. A generator is the list of its items. One
whose number of items is not known is a stream, which only loops can read.
"""

from __future__ import annotations

from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.branches import choices
from ad_transform.read.code import Gather
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import (
    generators,
    once,
)
from ad_transform.read.iterables.streams import inside
from ad_transform.read.lists import listing
from ad_transform.read.machine.binding import bind_item
from ad_transform.read.machine.context import Context
from ad_transform.read.texts import texts
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Range, Series, Stream, is_comprehension
from ad_transform.read.values.storage import Array, Distinct, Lists, Rows, Stack
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Special, Value, is_whole

_IN_ORDER = "go over `sorted(s)`: the order of a set is Python's own"
_LOOP = "write a loop: `for k in range(n): total += ...`"


class _Unlisted(Exception):
    """Only a run knows the items."""


def gather(flat: Context, first: Value, made: Gather) -> Value:
    """The items of a comprehension over `first` as a list, or the stream of them."""
    first = _made(flat, first)
    source = generators.of(first)
    if source is not None:
        return Stream(made, source, flat.frame)
    outer = flat.frame
    saved = flat.snapshot()
    flat.frame = inside(outer)
    items: list[Value] = []
    try:
        with flat.module.shared.apart() as report:
            fits = _clause(flat, 0, first, made, items)
    except _Unlisted:
        flat.restore(saved)
        return Stream(made, first, outer)
    flat.module.report.extend(report.sorted())
    flat.frame = outer
    return Group(Container.LIST, tuple(items)) if fits else Special.REFUSED


def _clause(
    flat: Context, place: int, over: Value, made: Gather, items: list[Value]
) -> bool:
    """Collect the items of the clauses from a place on; False after a report."""
    clause = made.clauses[place]
    known = sequences.known_items(over, flat.wholes)
    if known is None:
        kinds = Range | Array | Rows | Lists | Stack | Series
        if isinstance(over, kinds) or is_whole(over):
            raise _Unlisted
        if over is not Special.REFUSED:
            message = f"a comprehension over {describe(over)} is not supported yet"
            help_ = sequences.way_out(over) if isinstance(over, Draft) else _LOOP
            help_ = _IN_ORDER if isinstance(over, Distinct) else help_
            flat.refuse("AD102", message, made.span, help_)
        return False
    for item in known:
        bind_item(flat, flat.frame, clause.target, item)
        wanted = _wanted(flat, made, place)
        if wanted is None:
            return False
        if not wanted:
            continue
        if len(items) >= sequences.ITEMS:
            flat.refuse("AD004", f"more than {sequences.ITEMS} items", made.span, _LOOP)
            return False
        if place + 1 == len(made.clauses):
            one = once.kept(flat, flat.run(made.element), made.span)
            items.append(listing.listed(flat, one, made.span))
            continue
        inner = _made(flat, once.opened(flat.run(made.clauses[place + 1].over)))
        if not _clause(flat, place + 1, inner, made, items):
            return False
    return True


def _made(flat: Context, over: Value) -> Value:
    """The sequence of a clause inside another: a list `[...]` is made before, and a
    text that is written out is its characters.
    """
    if is_comprehension(over):
        return listing.listed(flat, over, over.made.span)
    return texts.spread(over)


def _wanted(flat: Context, made: Gather, place: int) -> bool | None:
    """Whether the conditions of a clause hold; None after a report."""
    for test in made.clauses[place].tests:
        holds = choices.truth(flat, flat.run(test), "`if`", made.span)
        if isinstance(holds, Draft):
            raise _Unlisted
        if not isinstance(holds, Literal):
            return None
        if not holds.value:
            return False
    return True
