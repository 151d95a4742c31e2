"""Iterators as generator functions: a loop over one makes each item in the trip that
reads it, and items that no trip reaches are not computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays import (
    extents,
    indexing,
)
from ad_transform.read.code import (
    Body,
    Call,
    Clause,
    Code,
    Compare,
    Each,
    Fork,
    Gather,
    Give,
    Hold,
    Load,
    Operate,
    Push,
    Repeat,
    Target,
)
from ad_transform.read.compiling.exits import bound_in, breaks, fork, names_of
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import (
    generators,
    iterables,
    once,
    streams,
    walks,
)
from ad_transform.read.lists import listing
from ad_transform.read.lists.orderings import Keywords
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.values.callables import Closure, Dotted
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Endless, Once, Series, Stream, Yields
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value, is_int

with later():
    from ad_transform.read.iterables import in_turn

ITEMS, ITEM, FUNCTION = "<items>", "<item>", "<function>"
TOTAL, COUNT = "<total>", "<count>"
ENUMERATE, ZIP = Dotted("builtins.enumerate"), Dotted("builtins.zip")


# --- generator expressions and `map` --------------------------------------------------


def source(flat: Context, value: Value, span: Span) -> Yields | None:
    """The generator with the items of a generator expression, of `map`, or of an
    iterator without an end; None of any other value.
    """
    if not isinstance(value, Once):
        return None
    if once.is_expression(value):
        (stream,) = value.held
        return generators.of(stream) or _of_stream(cast(Stream, stream))
    if isinstance(value.held[0], Endless):
        return value.held[0].source
    return mapped(flat, value.held, span) if once.is_mapped(value) else None


def _of_stream(stream: Stream) -> Yields:
    made, span = stream.made, stream.made.span
    loops = streams.loops_of(made, (*made.element, Give(span)), span)
    code = Code("genexpr", (), (load(ITEMS, span), *loops), span, gives=True)
    return Yields(Closure(code, stream.frame, {}), {ITEMS: stream.over})


def mapped(flat: Context, values: Values, span: Span) -> Yields:
    """The generator with the items of `map(function, ...)`."""
    function, *columns = values
    targets = tuple(Target(span, f"<item {k}>") for k in range(len(columns)))
    loads = tuple(load(target.name, span) for target in targets)
    call: Body = (load(FUNCTION, span), *loads, Call(("",) * len(loads), span))
    over, target = columns[0], targets[0]
    if len(columns) > 1:
        over = called(flat, ZIP, columns, span)
        target = Target(span, items=targets)
    trips = loop(target, (*call, Give(span)), span)
    code = Code("map", (), (load(ITEMS, span), trips), span, gives=True)
    return Yields(Closure(code, None, {}), {ITEMS: over, FUNCTION: function})


# --- functions of `itertools`; see `selecting` ----------------------------------------


def spread(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`starmap(f, rows)`: `f(*row)` for each row."""
    expect(values, 2, 2)
    function, rows = values
    call: Body = (Push(function), load(ITEM, span), Call(("*",), span))
    return gathered(flat, rows, Clause(Target(span, ITEM), (), ()), call, span)


def in_turn_of(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`iter(x)`: an iterator as it is, and the items of any other value in turn."""
    expect(values, 1, 1)
    if isinstance(values[0], Once):
        return values[0]
    item: Body = (load(ITEM, span),)
    return gathered(flat, values[0], Clause(Target(span, ITEM), (), ()), item, span)


def gathered(
    flat: Context, items: Value, clause: Clause, element: Body, span: Span
) -> Value:
    """A generator of one clause."""
    return flat.run((Push(items), Gather((clause,), element, span, lazy=True)))


def summed(
    flat: Context, values: Values, keywords: Keywords, span: Span
) -> Value | None:
    """`accumulate(items, function, initial=...)` of an iterator, of items whose number
    only a run knows, or by any function; None of sums of known items, and of sums and
    products of floats, which arrays have (`walks`).
    """
    expect(values, 1, 2)
    items = values[0]
    function = [*values[1:], keywords.get("func", Special.NONE)][0]
    first = keywords.get("initial", Special.NONE)
    if not once.waits(items):
        over = once.opened(items)
        is_known = sequences.known_items(over, flat.wholes) is not None
        is_sum = is_known and function is Special.NONE
        if is_sum or walks.running(over, function) is not None:
            return None
        items = listing.listed(flat, items, span)
        if not is_known and iterables.series_of(flat, once.opened(items), span) is None:
            return None
    if function is Special.NONE:
        function = Dotted("operator.add")
    item, total = load(ITEM, span), load(TOTAL, span)
    step: Body = (Push(function), total, item, Call(("", ""), span), Hold(TOTAL))
    give: Body = (total, Give(span))
    if first is not Special.NONE:
        trips = loop(Target(span, ITEM), (*step, *give), span)
        code = (*give, load(ITEMS, span), trips)
        names = {ITEMS: items, TOTAL: first}
        return made(flat, "accumulate", code, names, span)
    test = (load(COUNT, span), Push(Literal(0)), Compare(TABLE["eq"], (), span))
    chosen = fork(Fork((), (), span), (item, Hold(TOTAL)), step)
    target = Target(span, items=(Target(span, COUNT), Target(span, ITEM)))
    trips = loop(target, (*test, chosen, *give), span)
    if once.waits(items):
        numbered = generators.numbered(flat, items, Literal(0), span)
    else:
        numbered = called(flat, ENUMERATE, (items,), span)
    names = {ITEMS: numbered, TOTAL: Literal(0)}
    return made(flat, "accumulate", (load(ITEMS, span), trips), names, span)


def folded(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`functools.reduce(f, items, start)`."""
    expect(values, 2, 3)
    over, start = values[1], values[2:]
    is_made = once.waits(over) and not start
    before = once.state(flat, over, span) if is_made else []
    total = _folded(flat, values, span)
    return once.unless_changed(flat, over, before, total, span) if is_made else total


def _folded(flat: Context, values: Values, span: Span) -> Value:
    function, items, *start = values
    if once.waits(items) and not start:
        makes = partial(called, flat, Dotted("builtins.list"), (items,), span)
        items = in_turn.at_once(flat, "functools.reduce", makes, items, span)
        if items is Special.REFUSED:
            return items
    if not once.waits(items):
        items = once.opened(items)
        if sequences.known_items(items, flat.wholes) is not None:
            return streams.folded(flat, (function, items, *start), span)
    if not start:
        first, items = _beginning(flat, items, span)
        start = [first]
    step = (Push(function), load(TOTAL, span), load(ITEM, span), Call(("", ""), span))
    trips = loop(Target(span, ITEM), (*step, Hold(TOTAL)), span)
    outer, flat.frame = flat.frame, streams.inside(flat.frame)
    flat.frame.bind(TOTAL, start[0])
    total = flat.run((Push(items), trips, load(TOTAL, span)))
    flat.frame = outer
    return total


def _beginning(flat: Context, items: Value, span: Span) -> tuple[Value, Series]:
    """The first item, and those behind it; a run raises where there is none."""
    over = iterables.series_of(flat, listing.listed(flat, items, span), span)
    if over is None:
        raise Unfit(f"needs items that are known, not {describe(items)}", _ITEMS)
    size = over.length
    there = flat.operate(TABLE["gt"], (size, Literal(0)), span)
    if isinstance(there, Draft):
        said = ("reduce() of empty iterable with no initial value",)
        flat.add(DraftCheck(there, said, (), span, (), "TypeError"))

    rest = extents.number(flat, "sub", (size, Literal(1)), span)
    first = over.item(Literal(0))
    return first, iterables.behind_first(flat, over, rest, span)


def counted(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`count(start, step)`: numbers without an end."""
    expect(values, 0, 2)
    start = [*values, keywords.get("start", Literal(0))][0]
    step = [*values[1:], keywords.get("step", Literal(1))][0]
    count = load(COUNT, span)
    more = (count, Push(step), Operate(TABLE["add"], 2, span), Hold(COUNT))
    code = (_for_ever((count, Give(span), *more), span),)
    if not (is_int(start) and is_int(step)):
        return made(flat, "count", code, {COUNT: start}, span)  # sums of floats

    def item(k: Number) -> Value:
        ahead = extents.number(flat, "mul", (k, step), span)
        return extents.number(flat, "add", (start, ahead), span)

    return _endless(flat, "count", code, {COUNT: start}, item, span)


def repeated(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`repeat(value, times)`; without an end where `times` is missing."""
    expect(values, 1, 2)
    value = values[0]
    times = [*values[1:], keywords.get("times", Special.NONE)][0]
    give: Body = (Push(value), Give(span))
    if times is Special.NONE:
        code = (_for_ever(give, span),)
        return _endless(flat, "repeat", code, {}, lambda k: value, span)
    over = called(flat, Dotted("builtins.range"), (times,), span)
    trips = loop(Target(span, COUNT), give, span)
    return made(flat, "repeat", (load(ITEMS, span), trips), {ITEMS: over}, span)


def chained(
    flat: Context, values: Values, keywords: Keywords, span: Span
) -> Value | None:
    """`chain(a, b)`: the items of one behind those of the other; None where all are
    known, which are a list (`walks`).
    """
    if not any(map(once.waits, values)):
        opened = map(once.opened, values)
        if all(sequences.known_items(v, flat.wholes) is not None for v in opened):
            return None
    give: Body = (load(ITEM, span), Give(span))
    parts = [f"{ITEMS[:-1]} {k}>" for k in range(len(values))]
    trips = ((load(p, span), loop(Target(span, ITEM), give, span)) for p in parts)
    code = tuple(step for pair in trips for step in pair)
    given = (v if once.waits(v) else listing.listed(flat, v, span) for v in values)
    return made(flat, "chain", code, dict(zip(parts, given, strict=True)), span)


def chained_lists(
    flat: Context, values: Values, keywords: Keywords, span: Span
) -> Value:
    """`chain.from_iterable(rows)`."""
    expect(values, 1, 1)
    give: Body = (load(ITEM, span), Give(span))
    inner = (load(TOTAL, span), loop(Target(span, ITEM), give, span))
    code = (load(ITEMS, span), loop(Target(span, TOTAL), inner, span))
    rows = values[0] if once.waits(values[0]) else listing.listed(flat, values[0], span)
    return made(flat, "chain", code, {ITEMS: rows}, span)


def again(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`cycle(items)` of known items, which do not wait until they are read."""
    expect(values, 1, 1)
    over = None if once.waits(values[0]) else once.opened(values[0])
    known = over and sequences.known_items(over, flat.wholes)
    if not known:
        raise Unfit(f"needs items that are known, not {describe(values[0])}", _ITEMS)
    items, size = Group(Container.TUPLE, tuple(known)), Literal(len(known))
    give: Body = (load(ITEM, span), Give(span))
    trips = (load(ITEMS, span), loop(Target(span, ITEM), give, span))

    def item(k: Number) -> Value:
        place = extents.number(flat, "mod", (k, size), span)
        return indexing.item(flat, items, place, flat.wholes, span)

    code = (_for_ever(trips, span),)
    return _endless(flat, "cycle", code, {ITEMS: items}, item, span)


def _for_ever(body: Body, span: Span) -> Repeat:
    always: Body = (Push(Literal(True)),)
    return Repeat(always, body, (), span, tuple(bound_in(body)), False)


def _endless(
    flat: Context,
    name: str,
    code: Body,
    names: Mapping[str, Value],
    item: Callable[[Number], Value],
    span: Span,
) -> Value:
    """An iterator without an end, whose items are numbered."""
    closure = Closure(Code(name, (), code, span, gives=True), None, {})
    value = Endless(item, Yields(closure, dict(names)))
    return once.without_end(flat, name, value)


# --- code -----------------------------------------------------------------------------


def load(name: str, span: Span) -> Load:
    """Code that leaves the value of a name on the stack."""
    return Load(name, 0, span)


def loop(target: Target, body: Body, span: Span) -> Each:
    """A loop over the value on the stack."""
    binds = tuple(dict.fromkeys((*names_of((target,)), *bound_in(body))))
    return Each(target, body, (), span, binds, breaks(body), False)


def called(
    flat: Context, function: Value, values: Sequence[Value], span: Span
) -> Value:
    """The result of a function for some values."""
    pushed = map(Push, (function, *values))
    return flat.run((*pushed, Call(("",) * len(values), span)))


def made(
    flat: Context, name: str, code: Body, names: Mapping[str, Value], span: Span
) -> Value:
    """The generator that a function of this name and code gives."""
    closure = Closure(Code(name, (), code, span, gives=True), None, {})
    return generators.made(flat, closure, names, span)


_ITEMS = "give it a tuple or list, or a range"

Rule = Callable[[Context, Values, Keywords, Span], "Value | None"]

# fmt: off
RULES: Mapping[str, tuple[Rule, tuple[str, ...]]] = {
    "builtins.iter":        (in_turn_of, ()),
    "functools.reduce":     (folded,   ()),
    "itertools.accumulate": (summed,   ("func", "initial")),
    "itertools.chain":      (chained,  ()),
    "itertools.chain.from_iterable": (chained_lists, ()),
    "itertools.count":      (counted,  ("start", "step")),
    "itertools.cycle":      (again,    ()),
    "itertools.repeat":     (repeated, ("times",)),
    "itertools.starmap":    (spread,   ()),
}
# fmt: on
"""The rule of each function, which gives None where arrays do it; and its keywords."""
