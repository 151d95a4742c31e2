"""`filter`, `takewhile`, `dropwhile`, `islice` and `compress`: some of the items."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import extents
from ad_transform.read.code import (
    Body,
    Call,
    Clause,
    Compare,
    Fork,
    Give,
    Hold,
    Lazy,
    Operate,
    Push,
    Skip,
    Target,
)
from ad_transform.read.compiling.exits import fork
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import (
    choosing,
    iterables,
    iterators,
    once,
)
from ad_transform.read.iterables.iterators import COUNT, FUNCTION, ITEM, ITEMS, load
from ad_transform.read.lists.orderings import Keywords
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Series
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value


def filtered(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`filter(f, items)`, or of None the items that are true."""
    return _selected(flat, values, False, span)


def unfiltered(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`filterfalse(f, items)`."""
    return _selected(flat, values, True, span)


def _selected(flat: Context, values: Values, negated: bool, span: Span) -> Value:
    expect(values, 2, 2)
    function, items = values
    test: Body = (load(ITEM, span),)
    if function is not Special.NONE:
        test = (Push(function), *test, Call(("",), span))
    if negated:
        test = (*test, Operate(TABLE["not"], 1, span))
    clause = Clause(Target(span, ITEM), (), (test,))
    return iterators.gathered(flat, items, clause, (load(ITEM, span),), span)


def compressed(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`compress(items, wanted)`: the items whose `wanted` is true."""
    expect(values, 2, 2)
    targets = (Target(span, ITEM), Target(span, "<wanted>"))
    clause = Clause(Target(span, items=targets), (), ((load("<wanted>", span),),))
    rows = iterators.called(flat, iterators.ZIP, values, span)
    return iterators.gathered(flat, rows, clause, (load(ITEM, span),), span)


def taken(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`takewhile(f, items)`: up to the first item for which it is false."""
    stop = fork(Fork((), (), span), (), (Skip(True, span),))
    return _tested(flat, "takewhile", values, (*_test(span), stop), span)


def dropped(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`dropwhile(f, items)`: from the first item for which it is false."""
    drops = load(COUNT, span)
    test: Body = (drops, Lazy(True, _test(span), span, True), Hold(COUNT))
    skip = fork(Fork((), (), span), (Skip(False, span),), ())
    return _tested(flat, "dropwhile", values, (*test, drops, skip), span)


def _test(span: Span) -> Body:
    return (load(FUNCTION, span), load(ITEM, span), Call(("",), span))


def _tested(
    flat: Context, name: str, values: Values, before: Body, span: Span
) -> Value:
    """The items that the code `before` neither skips nor leaves the loop at."""
    expect(values, 2, 2)
    function, items = values
    body = (*before, load(ITEM, span), Give(span))
    loop = iterators.loop(Target(span, ITEM), body, span)
    names = {FUNCTION: function, ITEMS: items, COUNT: Literal(True)}
    return iterators.made(flat, name, (load(ITEMS, span), loop), names, span)


def part(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`islice(items, stop)`, `islice(items, start, stop, step)`."""
    expect(values, 2, 4)
    items, *ends = values
    ends = [Special.NONE, *ends] if len(ends) == 1 else ends
    start, stop, step = (*ends, Special.NONE)[:3]
    first: Number = Literal(0)
    if start is not Special.NONE:
        first = _bound(flat, start, "Indices", span)
    by = 1 if step is Special.NONE else sequences.whole(step, flat.wholes)
    if by is None or by < 1:
        raise Unfit("takes a step of 1 or more that is written out", "leave it out")
    if stop is not Special.NONE:
        stop = _bound(flat, stop, "Stop argument", span)
    if not once.waits(items):
        found = _part(flat, once.opened(items), first, stop, by, span)
        if found is not None:
            return once.given(flat, "itertools.islice", values, found)
    return _of_trips(flat, items, first, stop, by, span)


def _bound(flat: Context, value: Value, said: str, span: Span) -> Number:
    """A bound, which is a whole number and not below 0."""
    whole = sequences.whole(value, flat.wholes)
    if whole is not None and whole >= 0:
        return Literal(whole)
    bound = extents.counted(flat, value, span)
    if whole is not None or bound is None:
        raise Unfit(f"takes whole numbers from 0 on, not {describe(value)}", _BOUNDS)
    if not extents.is_natural(flat, bound):
        test = flat.operate(TABLE["ge"], (bound, Literal(0)), span)
        if isinstance(test, Draft):
            flat.add(DraftCheck(test, (said + _RANGE,), (), span, (), "ValueError"))
    return bound


def _part(
    flat: Context, items: Value, start: Number, stop: Value, by: int, span: Span
) -> Value | None:
    """The items of a sequence from one place to another; None of anything else."""
    known = sequences.known_items(items, flat.wholes)
    if known is not None and isinstance(start, Literal):
        if isinstance(stop, Literal) or stop is Special.NONE:
            ends = [sequences.whole(one, flat.wholes) for one in (start, stop)]
            return Group(Container.LIST, tuple(known[ends[0] : ends[1] : by]))
        return None
    over = iterables.series_of(flat, items, span)
    if over is None:
        return None
    size = extents.at_least_none(flat, over.length, span)
    if isinstance(stop, Draft | Literal):
        if not extents.is_within(flat, stop, size):
            stop = extents.number(flat, "min", (stop, size), span)
        size = stop
    less = extents.number(flat, "sub", (size, start), span)
    count = extents.trips(flat, less, by, span)
    read = over.item
    return Series(
        count,
        lambda k: read(extents.stepped(flat, start, by, k, span)),
        over.cells,
        (*over.cells, *over.steady),
    )


def _of_trips(
    flat: Context, items: Value, start: Number, stop: Value, by: int, span: Span
) -> Value:
    """The items of an iterator from one place to another, and not one more."""
    count = load(COUNT, span)
    body: Body = (load(ITEM, span), Give(span))
    if start != Literal(0) or by > 1:
        test = _is_wanted(start, by, span)
        body = (*test, fork(Fork((), (), span), body, ()))
    body = (*body, count, Push(Literal(1)), Operate(TABLE["add"], 2, span))
    body = (*body, Hold(COUNT))
    if stop is not Special.NONE:
        test = (count, Push(stop), Compare(TABLE["ge"], (), span))
        body = (*body, *test, fork(Fork((), (), span), (Skip(True, span),), ()))
    code: Body = (load(ITEMS, span), iterators.loop(Target(span, ITEM), body, span))
    if stop is not Special.NONE:
        test = (Push(stop), Push(Literal(0)), Compare(TABLE["gt"], (), span))
        code = (*test, fork(Fork((), (), span), code, ()))
    names = {ITEMS: items, COUNT: Literal(0)}
    return iterators.made(flat, "islice", code, names, span)


def _is_wanted(start: Number, by: int, span: Span) -> Body:
    """The test whether an item, by its number, is one of those from `start` on in
    steps.
    """
    since: Body = (load(COUNT, span), Push(start), Operate(TABLE["sub"], 2, span))
    behind = (*since, Push(Literal(0)), Compare(TABLE["ge"], (), span))
    if by == 1:
        return behind
    rest = (*since, Push(Literal(by)), Operate(TABLE["mod"], 2, span))
    meets = (*rest, Push(Literal(0)), Compare(TABLE["eq"], (), span))
    return (*behind, Lazy(True, meets, span, True))


_RANGE = " for islice() must be None or an integer: 0 <= x <= sys.maxsize."
_BOUNDS = "round it: `int(n)`"

# fmt: off
RULES: Mapping[str, tuple[iterators.Rule, tuple[str, ...]]] = {
    **iterators.RULES,
    **choosing.RULES,
    "builtins.filter":       (filtered,   ()),
    "itertools.compress":    (compressed, ()),
    "itertools.dropwhile":   (dropped,    ()),
    "itertools.filterfalse": (unfiltered, ()),
    "itertools.islice":      (part,       ()),
    "itertools.takewhile":   (taken,      ()),
}
# fmt: on
"""The rule of each function, and its keywords."""
