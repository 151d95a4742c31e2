"""Lists made by comprehensions, where only the run knows how many items.

Where a reduction reads a comprehension no list is made (`streams`); where it is given a
name, returned or handed on, it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.later import later
from ad_transform.read.branches import (
    branches,
    maybe,
)
from ad_transform.read.code import Body, Gather, Pack
from ad_transform.read.compiling.exits import bound_in, names_of
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import once
from ad_transform.read.machine.binding import bind
from ad_transform.read.machine.context import Context
from ad_transform.read.values.layouts import Listed, Row
from ad_transform.read.values.series import Range, Series, Stream, Yields
from ad_transform.read.values.storage import Array, Lists, Rows, Stack
from ad_transform.read.values.values import Number, Special, Value, is_whole

with later():
    from ad_transform.read.array_functions import creations
    from ad_transform.read.arrays import (
        arrays,
        packing,
    )
    from ad_transform.read.branches import choices
    from ad_transform.read.iterables import (
        generators,
        iterables,
    )
    from ad_transform.read.iterables.streams import inside
    from ad_transform.read.loops import loops
    from ad_transform.read.rows import (
        made_rows,
        nested,
        row_layouts,
        rows,
    )


def listed(flat: Context, value: Value, span: Span) -> Value:
    """A list of the items of a comprehension; any other value as it is."""
    if not isinstance(value, Stream):
        return value
    if value.made.lazy:
        message = "a generator of unknown length cannot be kept"
        help_ = "give it to `sum`, `max` or `any` at once, or write `[...]`"
        return flat.refuse("AD102", message, span, help_)
    return items_of(flat, value)


def items_of(flat: Context, stream: Stream) -> Value:
    """A new list of the items of a stream."""
    if isinstance(stream.over, Yields):
        return generators.listed(flat, stream)
    made, outer = stream.made, flat.frame
    match made.element:
        case (Pack(container=Container.LIST, starred=()),):  # lists that may get items
            flat.displays[made.span] = Container.TUPLE
            if made.span not in flat.layouts:
                flat.relay(made.span, Listed(None))
    flat.frame = inside(stream.frame)
    before = once.state(flat, stream.over, made.span)
    over = iterables.series_of(flat, once.opened(stream.over), made.span)
    is_laid_out = made.span in flat.layouts
    layout = flat.layouts.get(made.span)
    is_one_each = len(made.clauses) == 1 and not made.clauses[0].tests
    if over and is_one_each and isinstance(layout, Row) and layout.is_live:
        items = Series(over.length, _element(flat, over, made))
        flat.displays[made.span] = Container.LIST
        found = made_rows.gathered(flat, items, layout, made.span)
    elif over is None or is_laid_out or len(made.clauses) > 1 or made.clauses[0].tests:
        found = _grown(flat, stream)
    else:
        items = Series(over.length, _element(flat, over, made))
        of_rows = nested.rows(flat, items, lambda s: _series_of(flat, s), made.span)
        found = of_rows or _gathered(flat, stream, items)
    flat.frame = outer
    return once.unless_changed(flat, stream.over, before, found, made.span)


def _gathered(flat: Context, stream: Stream, items: Series) -> Value:
    """A list of the items of a stream; it grows if these are arrays or open lists."""
    span = stream.made.span
    probe = arrays.probed(flat, items, span)
    if is_whole(probe) or isinstance(probe, Stream):
        return _grown(flat, stream)
    layout = row_layouts.layout_of(probe)
    if maybe.is_open(probe):
        layout = row_layouts.NONE_SO_FAR
    if isinstance(layout, Row | Listed):
        flat.displays[span] = Container.LIST
        flat.relay(span, layout)
    return arrays.gathered(flat, items, Container.LIST, span, probe)


def _series_of(flat: Context, stream: Stream) -> Series | None:
    """The items of a comprehension inside another; None where it has conditions or
    several loops.
    """
    made, outer = stream.made, flat.frame
    if len(made.clauses) > 1 or made.clauses[0].tests:
        return None
    flat.frame = inside(stream.frame)
    own = flat.frame
    over = iterables.series_of(flat, once.opened(stream.over), made.span)
    flat.frame = outer
    if over is None:
        return None
    element = _element(flat, over, made)

    def item(k: Number) -> Value:
        outer, flat.frame = flat.frame, own
        value = element(k)
        flat.frame = outer
        return value

    return Series(over.length, item)


def _element(flat: Context, over: Series, made: Gather) -> Callable[[Number], Value]:
    def item(k: Number) -> Value:
        bind(flat, flat.frame, made.clauses[0].target, over.item(k), ())
        return flat.run(made.element)

    return item


def _grown(flat: Context, stream: Stream) -> Value:
    """A list that grows by an item wherever the conditions hold."""
    found = begun(flat, stream.made.span)
    if isinstance(found, Array | Rows | Lists | Stack):
        span = stream.made.span
        _each(flat, stream, lambda item: rows.grow(flat, found, item, span))
    return found


def each(flat: Context, stream: Stream, use: Callable[[Value], None]) -> None:
    """Run something for each item of a comprehension."""
    outer, flat.frame = flat.frame, inside(stream.frame)
    _each(flat, stream, use)
    flat.frame = outer


def _each(flat: Context, stream: Stream, use: Callable[[Value], None]) -> None:
    """Run something for each item, in the frame that has the comprehension's names."""
    _through(flat, 0, once.opened(stream.over), stream.made, use)


def begun(flat: Context, site: Span) -> Value:
    """An empty list that grows by items, laid out as it was found to be."""
    flat.displays[site] = Container.TUPLE
    if site in flat.layouts:
        return made_rows.made(flat, (), flat.layouts[site], site)
    return packing.packed(flat, (), Container.LIST, site)


def _through(
    flat: Context,
    place: int,
    over: Value,
    made: Gather,
    use: Callable[[Value], None],
) -> None:
    clause = made.clauses[place]

    def rest() -> None:
        if place + 1 == len(made.clauses):
            use(listed(flat, flat.run(made.element), made.span))
        else:
            inner = once.opened(flat.run(made.clauses[place + 1].over))
            _through(flat, place + 1, inner, made, use)

    def trip(item: Value) -> None:
        bind(flat, flat.frame, clause.target, item, ())
        _where(flat, clause.tests, rest, made.span)

    known = sequences.known_items(over, flat.wholes)
    for one in known or ():
        trip(one)
    if known is not None or over is Special.REFUSED:
        return
    series = iterables.column(flat, over, made.span)
    if series is not None:
        kept = (name for test in clause.tests for name in bound_in(test))
        names = tuple(dict.fromkeys((*names_of((clause.target,)), *kept)))
        run = series.item
        loops.trips(flat, series.length, lambda k: trip(run(k)), made.span, names)


def _where(
    flat: Context, tests: Sequence[Body], run: Callable[[], None], span: Span
) -> None:
    """Run something where all conditions hold."""
    if not tests:
        run()
        return
    first, *rest = tests
    holds = choices.truth(flat, flat.run(first), "`if`", span)
    branches.where(flat, holds, lambda: _where(flat, rest, run, span), span)


def of_range(flat: Context, value: Value, span: Span) -> Value:
    """A range as a tuple of its numbers, or as a list of them where only a run knows
    these; any other value as it is.
    """
    value = sequences.spelled_out(value, flat.wholes)
    if not isinstance(value, Range):
        return value
    return creations.as_list(flat, (value,), span)


def is_lazy(value: Value) -> bool:
    """Whether a value is a generator, of which numpy makes no array."""
    return isinstance(value, Stream) and value.made.lazy


def list_of(flat: Context, value: Value) -> Value:
    """A stream as a list of its items; any other value as it is."""
    return items_of(flat, value) if isinstance(value, Stream) else value
