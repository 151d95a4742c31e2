"""`for` and `while`, as functions are flattened: unrolled, counted, or tested.

A loop over a tuple or list is unrolled, for its items have no index at run time; so are
one over few numbers, and one whose index has to be known: `t[i]` of a tuple. Any other
`for` is counted, and becomes a tested loop where it may end before its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT
from ad_transform.read import (
    behind,
    branches,
    by_number,
    choices,
    extents,
    iterables,
    long_loops,
    once,
    sequences,
)
from ad_transform.read.binding import bind, bind_item
from ad_transform.read.code import Body, Each, Fail, Repeat
from ad_transform.read.context import Context
from ad_transform.read.described import describe
from ad_transform.read.drafts import DraftStatement
from ad_transform.read.exits import LEAVING
from ad_transform.read.flags import (
    AWAY,
    BROKEN,
    FALSE,
    FLAGS,
    RESULT,
    RETURNED,
    TRUE,
    flag_of,
)
from ad_transform.read.listing import items_of
from ad_transform.read.loops import Loop, continued, gone, settled
from ad_transform.read.rebinding import bases
from ad_transform.read.sequences import Unroll
from ad_transform.read.trip_ends import Types
from ad_transform.read.values import (
    Cell,
    Dict,
    Draft,
    Group,
    Number,
    Once,
    Range,
    Series,
    Special,
    Stream,
    Value,
)

MANY = 1000
"""Trips up to which a loop is unrolled where its index has to be known."""


def each(flat: Context, over: Value, made: Each) -> None:
    """`for target in over: ... else: ...`."""
    before = once.state(flat, over, made.span)
    items = once.opened(over)
    if isinstance(items, Stream):
        items = items_of(flat, items)
    if isinstance(items, Group):
        flat.stack.append(over)  # who changes a list finds that the loop holds it
        _each(flat, items, made)
        flat.stack.pop()
    else:
        _each(flat, items, made)
    if before != once.state(flat, over, made.span):
        message = "a loop over a generator changes what its items are made of"
        help_ = "compute the items in the loop, or make a list of them before it"
        flat.refuse("AD107", message, made.span, help_)


def _each(flat: Context, over: Value, made: Each) -> None:
    if isinstance(over, Group | Dict):
        items_ = over.items if isinstance(over, Group) else over.keys
        if not (isinstance(over, Group) and _kept(flat, made, over)):
            _unrolled(flat, made, items_, isinstance(over, Group))
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
        _counted(flat, made, over, trips, items.item)
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
            if isinstance(over, Draft):
                help_ = sequences.SCALAR
            flat.refuse("AD107", message, made.span, help_)
        _read_on(flat, made)
        return
    trips = sequences.known_range(over, flat.wholes)
    if trips is None:
        _counted(flat, made, over, None)
    elif long_loops.is_short(made, len(trips)):
        _unrolled(flat, made, tuple(map(Literal, trips)))
    else:
        saved = flat.snapshot()
        try:
            _counted(flat, made, over, trips)
        except Unroll as unroll:
            if unroll.loop is not made:
                raise
            flat.restore(saved)
            if not _attempted(flat, made, over, len(trips), _itself):
                _unrolled(flat, made, tuple(map(Literal, trips)))


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
        _counted(flat, made, over, None, item)

    return long_loops.attempted(flat, made, trips, count)


def _names(flat: Context, steady: Iterable[Cell | Draft]) -> set[str]:
    """The names of all whole arrays of which a loop goes over views."""
    below = bases(flat, (one for one in steady if isinstance(one, Draft)))
    names = flat.frame.names.items()
    return {n for n, v in names if not below.isdisjoint(bases(flat, (v,)))}


def _stays(flat: Context, items: Series, grown: int, span: Span) -> None:
    """Refuse a loop over a list that has grown, or may have, in the loop."""
    heap = flat.heap
    longer = heap.grown[grown:]
    for cell in (c for c in items.cells if c.container is Container.LIST):
        apart = heap.aliases.is_apart
        if any(one is cell or not apart(one, cell) for one in longer):
            message = f"{cell.hint or 'a list'!r} may grow while a loop goes over it"
            help_ = "go over a copy, `list(u)`, or over indices with `while`"
            flat.refuse("AD107", message, span, help_)
            return


def _read_on(flat: Context, made: Each) -> None:
    """Say what is wrong inside a loop that is refused."""
    frame = flat.frame

    def trip() -> None:
        for name in made.binds:
            frame.bind(name, Special.REFUSED)
        flat.perform(made.body)

    Loop(flat, frame, made.binds, Types(), made.span).run(trip)
    for name in made.binds:
        frame.bind(name, Special.REFUSED)
    flat.perform(made.orelse)


# --- unrolled -----------------------------------------------------------------------


def _unrolled(
    flat: Context, made: Each, items: Sequence[Value], is_held: bool = False
) -> None:
    """One trip after the other; a loop that may be left goes on under a flag. What
    `is_held` on the stack may have changed, item by item.
    """
    frame = flat.frame
    frame.loops += 1
    top = len(flat.stack) - 1
    over = flat.stack[top] if is_held else Special.NONE
    is_held = is_held and (not isinstance(over, Once) or once.is_made(over))

    def from_(place: int) -> None:
        for k in range(place, len(items)):
            now = _held(flat.stack[top]).items if is_held else items  # type: ignore[union-attr]
            _passed(flat, now)
            bind_item(flat, frame, made.target, now[k])
            flat.perform(made.body)
            last = gone(flat, made.span)
            if AWAY in frame.names:
                frame.bind(AWAY, FALSE)
            if last == TRUE:
                return
            if last != FALSE:
                branches.otherwise(flat, last, lambda k=k: from_(k + 1), made.span)  # type: ignore[misc]
                return

    from_(0)
    frame.loops -= 1
    flags = {name: flag_of(frame.names.get(name)) for name in FLAGS}
    last = gone(flat, made.span)
    for name in FLAGS:
        if name in frame.names:
            frame.bind(name, FALSE)
    _left(flat, flags[RETURNED])
    _else(flat, made.orelse, last, made)


def _held(value: Value) -> Value:
    """The items that are there of what a loop goes over."""
    if isinstance(value, Once):
        return value.held[-1]
    return once.opened(value)


def _passed(flat: Context, items: Sequence[Value]) -> None:
    """Let what a loop goes over have given one more of its items."""
    held = flat.stack[-1] if flat.stack else None
    made = held.held[-1] if isinstance(held, Once) else held
    if held is not None and isinstance(made, Group) and made.items is items:
        flat.stack[-1] = once.passed(held)


# --- kept ---------------------------------------------------------------------------


Item = Callable[[Number], Value]


def _itself(index: Number) -> Value:
    return index


def _counted(
    flat: Context,
    made: Each,
    over: Range,
    trips: range | None,
    item: Item = _itself,
) -> None:
    if trips is not None and not trips:
        flat.perform(made.orelse)
        return
    if trips is not None and len(trips) <= MANY and item is _itself:
        unrollable: Each | None = made
    else:
        unrollable = None

    def attempt(types: Types) -> Loop:
        loop = Loop(flat, flat.frame, made.binds, types, made.span, bool(trips))
        run = _ranged if made.exits else _scanned
        loop.draft.snapshots = made.snapshots
        run(flat, loop, made, over, unrollable, item)
        return loop

    loop = settled(flat, attempt)
    _behind(flat, loop, made)


def _scanned(
    flat: Context,
    loop: Loop,
    made: Each,
    over: Range,
    unrollable: Each | None,
    item: Item,
) -> None:
    index = Draft(INT, made.span, "" if item is _itself else "i")
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
    named = item is _itself
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


def repeat(flat: Context, made: Repeat) -> None:
    """`while test: ... else: ...`."""
    known: list[Value] = []
    refused: list[bool] = []
    surely = _starts(flat, made)

    def attempt(types: Types) -> Loop:
        loop = Loop(flat, flat.frame, made.binds, types, made.span)
        tests: list[tuple[list[DraftStatement], Value]] = []

        def test() -> Value:
            return choices.truth(flat, flat.run(made.test), "`while`", made.span)

        def trip() -> None:
            tests.append(choices.unchanging(flat, test, _TEST, made.span))
            flat.perform(made.body)

        loop.draft.snapshots = made.snapshots
        loop.run(trip)
        known.append(tests[0][1])
        refused.append(flat.module.report.has_error)
        loop.surely = surely
        continued(loop, tests[0], made.span)
        return loop

    loop = settled(flat, attempt)
    if known[-1] == TRUE and loop.last is None:
        if not refused[-1]:  # else what would leave it may be what is refused
            help_ = "leave it with `break` or `return`"
            flat.refuse("AD101", "the loop never ends", made.span, help_)
        flat.frame.bind(RESULT, Special.REFUSED)
    _behind(flat, loop, made, endless=known[-1] == TRUE)


_TEST = (
    "an array is changed in the test of a `while`",
    "write `while True:`, and `break` in an `if` where the test fails",
)


def _starts(flat: Context, made: Repeat) -> bool:
    """Whether it is known that a `while` makes a trip: `k = 0`, `while k < 9`."""
    saved = flat.snapshot()
    with flat.module.shared.apart():
        _, holds = choices.unchanging(
            flat,
            lambda: choices.truth(flat, flat.run(made.test), "`while`", made.span),
            _TEST,
            made.span,
        )
    flat.restore(saved)
    return holds == TRUE


# --- behind loops -------------------------------------------------------------------


def _behind(
    flat: Context, loop: Loop, made: Each | Repeat, endless: bool = False
) -> None:
    frame = flat.frame
    for name in (*loop.binds, RESULT):
        if name in loop.ends:
            frame.bind(name, behind.promised(loop, name))
    returned, broken = loop.flag(RETURNED), loop.flag(BROKEN)
    _left(flat, TRUE if endless and broken == FALSE else returned)
    last: Value = FALSE if loop.last is None else loop.last.out
    if not endless:
        _else(flat, made.orelse, last, made)
        ends = made.orelse[-1] if made.orelse else None
        loop.surely = loop.surely or isinstance(ends, LEAVING)
        if isinstance(ends, Fail) and broken == FALSE and returned != FALSE:
            _left(flat, TRUE)


def _left(flat: Context, returned: Value) -> None:
    """Say that a loop may have returned."""
    if returned in (FALSE, Special.REFUSED):
        return
    flat.frame.bind(AWAY, returned)
    if flat.frame.loops:
        flat.frame.bind(RETURNED, returned)


def _else(flat: Context, orelse: Body, last: Value, made: Each | Repeat) -> None:
    """What runs where a loop has come to its end."""
    if not orelse or last == TRUE:
        return
    if last == FALSE:
        flat.perform(orelse)
    else:
        branches.unless(flat, last, orelse, made.span)
