"""`for`, as functions are flattened: unrolled, or counted.

A loop over a tuple or list is unrolled, for its items have no index at run time; so are
one over few numbers, and one whose index has to be known: `t[i]` of a tuple. Any other
`for` is counted, and becomes a tested loop where it may end before its time.
"""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays.aliased import refuse_longer
from ad_transform.read.arrays.rebinding import bases
from ad_transform.read.code import Each
from ad_transform.read.containers import sequences
from ad_transform.read.containers.sequences import Unroll
from ad_transform.read.iterables import (
    generators,
    iterables,
    iterators,
    once,
)
from ad_transform.read.lists import (
    by_number,
    sets,
)
from ad_transform.read.lists.listing import items_of
from ad_transform.read.loops import (
    counting,
    long_loops,
    unrolling,
)
from ad_transform.read.loops.counting import Item
from ad_transform.read.loops.loops import Loop
from ad_transform.read.loops.trip_ends import Types
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Range, Series, Stream, is_comprehension
from ad_transform.read.values.storage import Cell, Distinct
from ad_transform.read.values.structured import Dict, Group
from ad_transform.read.values.values import Draft, Special, Value


def each(flat: Context, over: Value, made: Each) -> None:
    """`for target in over: ... else: ...`."""
    source = iterators.source(flat, over, made.span)
    if source is not None and not (made.snapshots or made.solving):
        generators.run(flat, source, made)
        return
    items = once.opened(over)
    source = generators.of(items)
    if source is not None:
        generators.run(flat, source, made)
        return
    before = once.state(flat, over, made.span)
    if isinstance(items, Stream):
        items = items_of(flat, items)
    if isinstance(items, Group):
        flat.stack.append(over)  # a change of the list finds that the loop holds it
        _each(flat, items, made)
        flat.stack.pop()
    else:
        _each(flat, items, made)
    if not is_comprehension(over):  # this is a list by now
        once.unless_changed(flat, over, before, Special.NONE, made.span)


def _each(flat: Context, over: Value, made: Each) -> None:
    if isinstance(over, Group | Dict):
        items_ = over.items if isinstance(over, Group) else over.keys
        if not (isinstance(over, Group) and _kept(flat, made, over)):
            unrolling.unrolled(flat, made, items_, isinstance(over, Group))
        return
    whole = not isinstance(over, Range)
    items = iterables.series_of(flat, over, made.span) if whole else None
    if items is not None:
        over = Range(Literal(0), items.length, Literal(1))
        trips = sequences.known_range(over, flat.wholes)
        grown = len(flat.heap.grown)
        cells = [one for one in items.steady if isinstance(one, Cell)]
        before = [flat.heap.held(cell, made.span) for cell in cells]
        names, changes = _names(flat, items.steady), len(flat.changes)
        counting.counted(flat, made, over, trips, items.item)
        _stays(flat, items, grown, made.span)
        after = [flat.heap.held(cell, made.span) for cell in cells]
        if before != after or any(c.name in names for c in flat.changes[changes:]):
            message = "what a loop goes over is changed in it"
            help_ = "write `for i in range(len(x)):` and read `x[i]`"
            flat.refuse("AD107", message, made.span, help_)
        return
    if not isinstance(over, Range):
        if over is not Special.REFUSED:
            message = f"`for` over {describe(over)} is not supported"
            help_ = "loop over `range(n)`, or over a tuple or list"
            if isinstance(over, Distinct):
                help_ = sets.IN_ORDER
            if isinstance(over, Draft):
                help_ = sequences.way_out(over)
            flat.refuse("AD107", message, made.span, help_)
        _read_on(flat, made)
        return
    trips = sequences.known_range(over, flat.wholes)
    if trips is None:
        counting.counted(flat, made, over, None)
    elif long_loops.is_short(made, len(trips)):
        unrolling.unrolled(flat, made, tuple(map(Literal, trips)))
    else:
        _known(flat, made, over, trips)


def _known(flat: Context, made: Each, over: Range, trips: range) -> None:
    """Keep a loop whose trips are known, unless an index has to be known, or it is
    refused and its trips written out are not.
    """

    def stay() -> None:
        counting.counted(flat, made, over, trips)

    def write_out() -> None:
        unrolling.unrolled(flat, made, tuple(map(Literal, trips)))

    saved = flat.snapshot()
    try:
        if len(trips) > long_loops.TRIES or made.snapshots:
            stay()
        else:
            long_loops.or_written_out(flat, stay, write_out)
    except Unroll as unroll:
        if unroll.loop is not made:
            raise
        flat.restore(saved)
        if not _attempted(flat, made, over, len(trips), counting.itself):
            write_out()


def _kept(flat: Context, made: Each, over: Group) -> bool:
    """Whether a loop over items that are known one by one stays a loop."""
    if not long_loops.is_worth_trying(made, over):
        return False
    item = by_number.item_of(flat, over.items, made.span)
    trips = len(over.items)
    whole = Range(Literal(0), Literal(trips), Literal(1))
    return item is not None and _attempted(flat, made, whole, trips, item)


def _attempted(flat: Context, made: Each, over: Range, trips: int, item: Item) -> bool:
    """Whether a loop is long and stays one; see `long_loops`."""

    def count() -> None:
        counting.counted(flat, made, over, None, item)

    return long_loops.attempted(flat, made, trips, count)


def _names(flat: Context, steady: Iterable[Cell | Draft]) -> set[str]:
    """The names of all whole arrays of which a loop goes over views."""
    below = bases(flat, (one for one in steady if isinstance(one, Draft)))
    if not below:
        return set()
    names = flat.frame.names.items()
    return {n for n, v in names if not below.isdisjoint(bases(flat, (v,)))}


def _stays(flat: Context, items: Series, grown: int, span: Span) -> None:
    """Refuse a loop over a list that has grown in the loop. Where a list has grown that
    may be this one, that is judged once it is known which lists are one.
    """
    aliases, longer = flat.heap.aliases, flat.heap.grown[grown:]
    for cell in (c for c in items.cells if c.container is Container.LIST):
        if cell in longer:
            refuse_longer(flat, cell, span)
            return
        unsure = [one for one in longer if not aliases.is_apart(one, cell)]
        if unsure:
            aliases.walk(cell, unsure, span)


def _read_on(flat: Context, made: Each) -> None:
    """Report the errors inside a loop that is refused."""
    frame = flat.frame

    def trip() -> None:
        for name in made.binds:
            frame.bind(name, Special.REFUSED)
        flat.perform(made.body)

    Loop(flat, frame, made.binds, Types(), made.span).run(trip)
    for name in made.binds:
        frame.bind(name, Special.REFUSED)
    flat.perform(made.orelse)
