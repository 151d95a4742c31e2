"""Order: `sorted`, and `min` and `max` by a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR
from ad_transform.later import later
from ad_transform.read.arrays import (
    extents,
    indexing,
    rebinding,
)
from ad_transform.read.branches import (
    choices,
    maybe,
)
from ad_transform.read.code import Body, Call, Pack, Push
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import (
    iterables,
    streams,
)
from ad_transform.read.lists import (
    ranking,
    sorting,
)
from ad_transform.read.lists.listing import listed
from ad_transform.read.loops import (
    behind,
    loops,
)
from ad_transform.read.machine.arguments import (
    Unfit,
    Values,
    expect,
    items_of,
    operate,
    whole,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.rows import rows
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.classes import Class
from ad_transform.read.values.described import describe
from ad_transform.read.values.frames import made_at
from ad_transform.read.values.series import Range, Series, Stream
from ad_transform.read.values.storage import Array, Rows
from ad_transform.read.values.structured import Group, Object, is_tuple
from ad_transform.read.values.values import Draft, Number, Special, Value, is_whole

with later():
    from ad_transform.read.arrays import arrays
    from ad_transform.read.flattening import comparing
    from ad_transform.read.objects import overloads

Keywords = Mapping[str, Value]
Rule = Callable[[Context, Values, Keywords, Span], Value]
"""From the arguments and keywords of a function to its result; raises Unfit."""

MOST = 16
"""Most numbers that are put in order."""


def sorted_(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`sorted(items, key=..., reverse=...)` of known items, by comparing neighbours.

    Numbers without a key are put in order by `min` and `max`, which share at a tie.
    """
    expect(values, 1, 1)
    (over,) = values
    if _has_lists(over) and _is_new(flat, over):
        sort(flat, over, (), keywords, span)
        return over
    return _sorted(flat, over, keywords, span)


def _sorted(flat: Context, over: Value, keywords: Keywords, span: Span) -> Value:
    """The items in order as another list, whose items nobody changes."""
    if "key" not in keywords and _is_one_array(over) and not _is_of_wholes(over):
        return sorting.as_list(flat, over, keywords, span)
    down = _is_true(keywords)
    key = keywords.get("key", Special.NONE)
    many = None if _is_known(flat, over) else iterables.series_of(flat, over, span)
    if many is not None:
        of = partial(_key, flat, key, span=span)
        order = ranking.places(flat, many, of, down, span)
        if isinstance(over, Range) and (over.start, over.step) == _FROM_0:
            return order
        return ranking.taken(flat, many, order, span)
    items = _known(flat, (over,))
    if key is Special.NONE and all(isinstance(item, Literal) for item in items):
        found = _in_order([cast(Literal, item) for item in items], down)
    elif len(items) > MOST:
        raise Unfit(f"takes at most {MOST} items that a run computes", _FEWER)
    elif key is Special.NONE and not any(
        isinstance(item, Group | Object) for item in items
    ):
        found = _exchanged(list(items), lambda a, b: _numbers(flat, a, b, down, span))
    else:
        keyed = [_row(flat, key, item, span) for item in items]
        pairs = _exchanged(keyed, lambda a, b: _pairs(flat, a, b, down, span))
        found = [p.items[0] if isinstance(p, Group) else p for p in pairs]
    if Special.REFUSED in found:
        return Special.REFUSED
    return indexing.made(flat, Group(Container.LIST, tuple(found)), span)


def sort(
    flat: Context, of: Value, values: Values, keywords: Keywords, span: Span
) -> Value:
    """`x.sort(key=..., reverse=...)`; a list of known items becomes another list."""
    expect(values, 0, 0)
    if isinstance(of, Group):
        names = [name for name, value in flat.frame.names.items() if value is of]
        is_shared = rebinding.is_shared(flat, of, next(iter(names), ""))
        if len(names) == 1 and not is_shared and not flat.frame.loops:
            flat.frame.bind(names[0], sorted_(flat, (of,), keywords, span))
            return Special.NONE
        flat.refit(of)
    by_place = "key" in keywords or _is_of_wholes(of) or _is_of_few(flat, of, span)
    if not by_place:
        rows.taken_apart(flat, of)
    if isinstance(of, Rows) or (by_place and isinstance(of, Array)):
        made = _sorted(flat, of, keywords, span)
        sorting.replace(flat, of, made, span)
        return Special.NONE
    sorting.sort(flat, of, keywords, span)
    return Special.NONE


def _is_one_array(value: Value) -> bool:
    """Whether a value is an array or a list of numbers, or of rows in numpy."""
    if not isinstance(value, Array):
        return is_whole(value)
    return len(value.axes) < 2 or value.cell.container is Container.ARRAY


def _has_lists(value: Value) -> bool:
    """Whether a value is a list of lists that a run makes."""
    if isinstance(value, Rows):
        return value.layout.kind is Container.LIST
    is_list = isinstance(value, Array) and value.cell.container is Container.LIST
    return is_list and len(cast(Array, value).axes) > 1


def _is_of_few(flat: Context, value: Value, span: Span) -> bool:
    """Whether a value is a list of lists of equal lengths, few and known."""
    if not _has_lists(value) or not isinstance(value, Array):
        return False
    size = whole(extents.shape(flat, value, span).items[1])
    return size is not None and size <= ranking.MOST


def _is_new(flat: Context, value: Value) -> bool:
    """Whether nobody else has a list: it may be put in order where it is."""
    held = rebinding.inside(rebinding.others(flat, ""))
    own = rebinding.bases(flat, (value,))
    return own.isdisjoint(rebinding.bases(flat, held))


def _is_of_wholes(value: Value) -> bool:
    """Whether a value is a list of whole numbers, truth values or texts."""
    is_list = isinstance(value, Array) and value.cell.container is Container.LIST
    return is_list and not cast(Array, value).cell.type.is_real


def _is_true(keywords: Keywords) -> bool:
    down = keywords.get("reverse", Literal(False))
    if not isinstance(down, Literal):
        raise Unfit("takes `reverse` as it is written", "write `reverse=True`")
    return bool(down.value)


def _in_order(items: list[Literal], down: bool) -> list[Value]:
    if len({item.type == STR for item in items}) > 1:
        raise Unfit("does not compare texts with numbers", "sort them apart")
    values: list[Any] = [item.value for item in items]
    places = sorted(range(len(items)), key=values.__getitem__, reverse=down)
    return [items[k] for k in places]


def _exchanged(
    items: list[Value], pair: Callable[[Value, Value], tuple[Value, Value]]
) -> list[Value]:
    """The items in order, by exchanging neighbours; equal ones keep their order."""
    for end in range(len(items) - 1, 0, -1):
        for k in range(end):
            items[k : k + 2] = pair(items[k], items[k + 1])
    return items


def _numbers(
    flat: Context, a: Value, b: Value, down: bool, span: Span
) -> tuple[Value, Value]:
    first, last = ("max", "min") if down else ("min", "max")
    return operate(flat, first, (a, b), span), operate(flat, last, (b, a), span)


def _pairs(
    flat: Context, a: Value, b: Value, down: bool, span: Span
) -> tuple[Value, Value]:
    """Two items with their keys, in order."""
    if Special.REFUSED in (a, b):
        return Special.REFUSED, Special.REFUSED
    behind = _before(flat, b, a, "gt" if down else "lt", span)
    both = _chosen(
        flat,
        behind,
        Group(Container.TUPLE, (b, a)),
        Group(Container.TUPLE, (a, b)),
        span,
    )
    if not isinstance(both, Group):
        return Special.REFUSED, Special.REFUSED
    first, last = both.items
    return first, last


# --- the least by a key ---------------------------------------------------------------


def extreme(name: str) -> Rule:
    """`min` or `max` with `key` or `default`; by a key the first one at a tie."""

    def rule(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
        key = keywords.get("key", Special.NONE)
        if key is Special.NONE and are_tuples(flat, values, span):
            values = [listed(flat, value, span) for value in values]
        elif key is Special.NONE:
            return _or_default(flat, name, values, keywords, span)
        over = iterables.series_of(flat, values[0], span) if len(values) == 1 else None
        if over is not None and "default" not in keywords:
            return _searched(flat, name, over, key, span)
        items = values if len(values) > 1 else _known(flat, values)
        if not items:
            return _default(keywords)
        best = _row(flat, key, items[0], span)
        for item in items[1:]:
            other = _row(flat, key, item, span)
            better = _before(flat, other, best, _BETTER[name], span)
            best = _chosen(flat, better, other, best, span)
        return best.items[0] if isinstance(best, Group) else best

    return rule


def are_tuples(flat: Context, values: Values, span: Span) -> bool:
    """Whether the least of some values, or of the items of one, is a tuple or an
    object.
    """
    if len(values) == 1 and isinstance(values[0], Stream):
        last = values[0].made.element[-1]
        return isinstance(last, Pack) and last.container is Container.TUPLE
    if len(values) == 1 and isinstance(values[0], Series):
        probe = arrays.probed(flat, values[0], span)
        return is_tuple(probe)
    items: Sequence[Value] = values
    if len(values) == 1 and isinstance(values[0], Rows):
        kind = values[0].layout.kind
        return kind is Container.TUPLE or isinstance(kind, Class)
    if len(values) == 1 and isinstance(values[0], Array):
        return (
            extents.rank(values[0]) > 1 and values[0].cell.container is Container.LIST
        )
    if len(values) == 1:
        items = sequences.known_items(values[0], flat.wholes) or ()
    return bool(items) and all(
        isinstance(one, Object) or is_tuple(one) for one in items
    )


_BETTER = {"min": "lt", "max": "gt"}
_WORDS = {"min": "smallest", "max": "largest"}
"""The name that the output gives to the key of the best item so far."""
_BEST, _LEAST = "<best>", "<key>"


def _searched(flat: Context, name: str, over: Series, key: Value, span: Span) -> Value:
    """The best of items of which only a run knows how many there are: a loop, whose
    names are in a frame of its own, for the block around it may not run.
    """
    outer, flat.frame = flat.frame, streams.inside(flat.frame)
    try:
        return _search(flat, name, over, key, span)
    finally:
        flat.frame = outer


def _search(flat: Context, name: str, over: Series, key: Value, span: Span) -> Value:
    """The best of the items, in the frame that has the names of the loop."""
    frame = flat.frame
    there = flat.operate(TABLE["gt"], (over.length, Literal(0)), span)
    if isinstance(there, Draft):
        said = (f"{name}() of nothing",)
        flat.add(DraftCheck(there, said, (), span, (), "ValueError"))

    def bind(row: Value) -> None:
        items = row.items if isinstance(row, Group) else (Special.REFUSED,) * 2
        frame.bind(_BEST, items[0])
        frame.bind(_LEAST, items[1])

    def trip(k: Number) -> None:
        own = (frame.names[name] for name in (_BEST, _LEAST))
        best = (made_at(v, span) for v in own)
        before = Group(Container.TUPLE, tuple(best))
        place = extents.number(flat, "add", (k, Literal(1)), span)
        other = _row(flat, key, ranking.opened(flat, over.item(place), span), span)
        better = _before(flat, other, before, _BETTER[name], span)
        bind(_chosen(flat, better, other, before, span))

    first = ranking.opened(flat, over.item(Literal(0)), span)
    bind(_row(flat, key, first, span))
    rest = extents.number(flat, "sub", (over.length, Literal(1)), span)
    loop = loops.trips(flat, rest, trip, span, (_BEST, _LEAST))
    keys_ = loop.leaves.get(_LEAST, [])
    for carry in keys_ if key is not Special.NONE and len(keys_) == 1 else ():
        carry.param.hint = carry.param.hint or _WORDS[name]
        carry.out.hint = carry.out.hint or _WORDS[name]
    for carry in loop.leaves.get(_BEST, []):
        if isinstance(carry.end, Draft) and not carry.end.hint:
            carry.out.of = carry.end  # it has the name of the best item
    return behind.promised(loop, _BEST).at(span)


def _or_default(
    flat: Context, name: str, values: Values, keywords: Keywords, span: Span
) -> Value:
    """The least item, or the default where there is none."""
    given = tuple(map(Push, (Dotted(f"builtins.{name}"), *values)))
    code: Body = (*given, Call(("",) * len(values), span))
    if len(values) != 1:
        return flat.run(code)
    (over,) = values
    if isinstance(over, Array | Range | Series) and not _is_known(flat, over):
        size = iterables.count(flat, over, span)
        there = flat.operate(TABLE["gt"], (size, Literal(0)), span)
        default = _default(keywords)
        return choices.choose(
            flat, there, lambda: flat.run(code), lambda: default, repr(name), span
        )
    return flat.run(code) if _known(flat, values) else _default(keywords)


def _default(keywords: Keywords) -> Value:
    if "default" not in keywords:
        raise Unfit("of nothing has no value", "give it two values or more")
    return keywords["default"]


def _row(flat: Context, key: Value, item: Value, span: Span) -> Value:
    """An item with its key."""
    return Group(Container.TUPLE, (item, _key(flat, key, item, span=span)))


def _key(flat: Context, key: Value, item: Value, *, span: Span) -> Value:
    """The key of an item; without a function of keys the item itself."""
    if key is Special.NONE:
        return comparing.in_order(flat, item, span)
    code: Body = (Push(key), Push(item), Call(("",), span))
    return maybe.certain(flat, flat.run(code), span)


def _before(flat: Context, one: Value, other: Value, op: str, span: Span) -> Value:
    """Whether the key of one is before that of the other."""
    if not isinstance(one, Group) or not isinstance(other, Group):
        return Special.REFUSED
    keys = one.items[1], other.items[1]
    own = overloads.compared(flat, op, *keys, span)
    if own is not None:
        return choices.truth(flat, own, "a comparison", span)
    _expect_key(*keys)
    return comparing.ordered(flat, TABLE[op], keys[:1], keys[1:], span)


def _expect_key(one: Value, other: Value) -> None:
    """Refuse keys that are no numbers, and no tuples of numbers of one length."""
    if isinstance(one, Group) and isinstance(other, Group):
        if not one.items or len(one.items) != len(other.items):
            raise Unfit("needs keys of one length", _KEY)
        for a, b in zip(one.items, other.items, strict=True):
            _expect_key(a, b)
        return
    for found in (one, other):
        if not isinstance(found, Draft | Literal) and found is not Special.REFUSED:
            raise Unfit(f"needs a key that is a number, not {describe(found)}", _KEY)


def _chosen(flat: Context, test: Value, one: Value, other: Value, span: Span) -> Value:
    return choices.choose(
        flat, test, lambda: one, lambda: other, "a choice by a key", span
    )


# --- arguments ------------------------------------------------------------------------


def _is_known(flat: Context, value: Value) -> bool:
    return sequences.known_items(value, flat.wholes) is not None


def _known(flat: Context, values: Values) -> Values:
    known = sequences.known_items(values[0], flat.wholes) if values else None
    if known is None and values:
        raise Unfit(f"needs items that are known, not {describe(values[0])}", _LOOP)
    return items_of(values) if known is None else known


_FROM_0 = Literal(0), Literal(1)
_LOOP = "go through it with a loop, and keep the best so far"
_FEWER = "put fewer items in order, or do that outside"
_KEY = "let the key return a number, or a tuple of numbers"
