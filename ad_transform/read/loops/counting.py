"""Loops that count: over a range, or over items by their place."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import INT
from ad_transform.read.arrays import extents
from ad_transform.read.code import Each
from ad_transform.read.containers import sequences
from ad_transform.read.loops import loop_ends
from ad_transform.read.loops.loops import Loop, continued, settled
from ad_transform.read.loops.trip_ends import Types
from ad_transform.read.machine.binding import bind
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftStatement
from ad_transform.read.values.series import Range
from ad_transform.read.values.values import Draft, Number, Value

MANY = 1000
"""Trips up to which a loop is unrolled where its index has to be known."""

Item = Callable[[Number], Value]


def itself(index: Number) -> Value:
    """The item of a range at a place that counts as the range does."""
    return index


def counted(
    flat: Context,
    made: Each,
    over: Range,
    trips: range | None,
    item: Item = itself,
) -> None:
    """Let a loop over a range count; `trips` are those of a range that is known."""
    if trips is not None and not trips:
        flat.perform(made.orelse)
        return
    if trips is not None and len(trips) <= MANY and item is itself:
        unrollable: Each | None = made
    else:
        unrollable = None

    def attempt(types: Types) -> Loop:
        loop = Loop(flat, flat.frame, made.binds, types, made.span, bool(trips))
        run = _ranged if made.exits else _scanned
        loop.draft.snapshots = made.snapshots
        loop.say(made)
        run(flat, loop, made, over, unrollable, item)
        return loop

    loop = settled(flat, attempt)
    loop_ends.go_on(flat, loop, made)


def _scanned(
    flat: Context,
    loop: Loop,
    made: Each,
    over: Range,
    unrollable: Each | None,
    item: Item,
) -> None:
    index = Draft(INT, made.span, "" if item is itself else "i")
    _note_sign(flat, over, index)
    if unrollable is not None:
        flat.counters[index] = unrollable

    def trip() -> None:
        bind(flat, flat.frame, made.target, item(index), ())
        flat.perform(made.body)

    loop.draft.index = index
    loop.draft.bounds = (over.start, over.stop, over.step)
    loop.run(trip)


def _ranged(
    flat: Context,
    loop: Loop,
    made: Each,
    over: Range,
    unrollable: Each | None,
    item: Item,
) -> None:
    """A counted loop that may end before its time: its counter is a carry."""
    step = sequences.whole(over.step, flat.wholes)
    start, stop, by = over.start, over.stop, over.step
    if step is None:  # either sign: count the trips
        start, by = Literal(0), Literal(1)
        stop = _number_of_trips(flat, over, made)
    named = item is itself
    counter = (
        loop.counter(start, made.target.name) if named else loop.item_counter(start)
    )
    _note_sign(flat, over, counter.param)
    if unrollable is not None:
        flat.counters[counter.param] = unrollable
    tests: list[tuple[list[DraftStatement], Value]] = []

    def test() -> Value:
        sign = "gt" if step is not None and step < 0 else "lt"
        return flat.apply(TABLE[sign], (counter.param, stop), made.span)

    def trip() -> None:
        tests.append(flat.block(test))
        index: Value = counter.param
        if step is None:
            times = flat.apply(TABLE["mul"], (counter.param, over.step), made.span)
            index = flat.operate(TABLE["add"], (over.start, times), made.span)
        bind(flat, flat.frame, made.target, _placed(item, index), ())
        flat.perform(made.body)
        following = flat.apply(TABLE["add"], (counter.param, by), made.span)
        assert isinstance(following, Draft | Literal)
        counter.end = following

    loop.run(trip)
    continued(loop, tests[0], made.span)


def _placed(item: Item, index: Value) -> Value:
    return item(index) if isinstance(index, Draft | Literal) else index


def _note_sign(flat: Context, over: Range, index: Draft) -> None:
    """Remember that the index of a loop is never below 0."""
    step = sequences.whole(over.step, flat.wholes)
    if step is None:
        return
    least = over.start if step > 0 else over.stop
    known = sequences.whole(least, flat.wholes)
    if extents.is_natural(flat, least) or (step < 0 and known == -1):
        flat.heap.naturals.add(index)


def _number_of_trips(flat: Context, over: Range, made: Each) -> Number:
    """ceil((stop - start) / step), which is no more than 0 where there is none."""
    span = made.span
    down = flat.operate(TABLE["sub"], (over.start, over.stop), span)
    whole = flat.operate(TABLE["floordiv"], (down, over.step), span)
    made_ = flat.operate(TABLE["neg"], (whole,), span)
    return made_ if isinstance(made_, Draft | Literal) else Literal(0)
