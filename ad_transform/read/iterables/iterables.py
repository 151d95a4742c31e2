"""`range`, `zip`, `enumerate`, `reversed`, `any` and `all`, of known items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import (
    extents,
    indexing,
    views,
)
from ad_transform.read.branches import choices
from ad_transform.read.containers import sequences
from ad_transform.read.machine.arguments import Rule, Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import stacks
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Endless, Range, Series
from ad_transform.read.values.storage import Array, Column, Lists, Rows, Stack
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Number, Special, Value, is_whole
from ad_transform.read.wholes import (
    whole_parts,
    wholes,
)

_ZERO, _ONE = Literal(0), Literal(1)


def range_(flat: Context, values: Values, span: Span) -> Value:
    """`range` of whole numbers, known or not."""
    expect(values, 1, 3)
    ends: list[Number] = []
    for value in values:
        number = extents.counted(flat, value, span)
        if number is None:
            help_ = "annotate a parameter `int`, or round: `int(n)`"
            raise Unfit(f"takes whole numbers, not {describe(value)}", help_)
        ends.append(number)
    if len(ends) == 1:
        ends.insert(0, _ZERO)
    start, stop, step = (*ends, _ONE)[:3]
    if step == _ZERO:
        raise Unfit("takes no step of 0", "write a step of 1 or more, or of -1 or less")
    return Range(start, stop, step)


def zip_(flat: Context, values: Values, span: Span) -> Value:
    """Items side by side, as many as the shortest has."""
    if any(isinstance(value, Endless) for value in values):
        return _beside_endless(flat, values, span)
    if any(_is_open(flat, value) for value in values):
        return _beside(flat, values, span)
    columns = [_items(flat, value) for value in values]
    return _listed(Group(Container.TUPLE, row) for row in zip(*columns, strict=False))


def _is_open(flat: Context, value: Value) -> bool:
    """Whether a value has items, and only a run knows how many."""
    if isinstance(value, Range):
        return sequences.known_items(value, flat.wholes) is None
    return isinstance(value, Array | Rows | Lists | Stack | Series)


def enumerate_(flat: Context, values: Values, span: Span) -> Value:
    """Items with their numbers."""
    expect(values, 1, 2)
    over = series_of(flat, values[0], span)
    if over is not None:
        start = values[1] if len(values) > 1 else Literal(0)
        return _numbered(flat, over, start, span)
    first = extents.counted(flat, values[1], span) if len(values) > 1 else Literal(0)
    if first is None:
        raise Unfit("needs a whole number as its start", "leave it out")
    first = extents.known(flat, first)
    numbers = (
        (extents.number(flat, "add", (first, Literal(k)), span), item)
        for k, item in enumerate(_items(flat, values[0]))
    )
    return _listed(Group(Container.TUPLE, row) for row in numbers)


def reversed_(flat: Context, values: Values, span: Span) -> Value:
    """Items in reverse; of a range that is not known, a range."""
    expect(values, 1, 1)
    (over,) = values
    if isinstance(over, Array | Rows | Lists | Stack | Series):
        return _backwards(flat, over, span)
    if isinstance(over, Range) and sequences.known_items(over, flat.wholes) is None:
        return _range_back(flat, over, span)
    return _listed(_items(flat, over)[::-1])


def _range_back(flat: Context, over: Range, span: Span) -> Range:
    """A range from its last number to its first."""

    def of(op: str, *values: Number) -> Number:
        return extents.number(flat, op, values, span)

    back = of("neg", over.step)
    ahead = of("sub", over.start, over.step)
    if over.step in (Literal(1), Literal(-1)):
        return Range(of("sub", over.stop, over.step), ahead, back)
    trips = of("neg", of("floordiv", of("sub", over.start, over.stop), over.step))
    return Range(of("add", ahead, of("mul", trips, over.step)), ahead, back)


def series_of(flat: Context, value: Value, span: Span) -> Series | None:
    """The series that a loop goes over for a value of run-time length; None for any
    other.
    """
    if isinstance(value, Range) and sequences.known_items(value, flat.wholes) is None:
        return _ranged(flat, value, span)
    if is_whole(value):
        over, count = value, wholes.length(flat, value, 0, span)
        return Series(
            count, lambda k: whole_parts.part(flat, over, k, span), (), (over,)
        )
    if isinstance(value, Stack):
        return stacks.series(flat, value, span)
    return views.series(flat, value, span)


def _ranged(flat: Context, over: Range, span: Span) -> Series:
    """A range counted from 0."""
    step = sequences.whole(over.step, flat.wholes)
    if not step:
        return _striding(flat, over, span)
    count = over.stop
    if (over.start, step) != (Literal(0), 1):
        low, high = (over.start, over.stop) if step > 0 else (over.stop, over.start)
        size = extents.number(flat, "sub", (high, low), span)
        count = extents.trips(flat, size, abs(step), span)

    def item(k: Number) -> Value:
        return extents.stepped(flat, over.start, step, k, span)

    return Series(count, item)


def behind_first(flat: Context, items: Series, count: Number, span: Span) -> Series:
    """The items behind the first one, of which there are so many."""

    def following(k: Number) -> Value:
        return items.item(extents.number(flat, "add", (k, Literal(1)), span))

    return replace(items, length=count, item=following)


def _striding(flat: Context, over: Range, span: Span) -> Series:
    """A range of a step that only the run knows, counted from 0."""

    def of(op: str, *values: Number) -> Number:
        return extents.number(flat, op, values, span)

    # rounded down below 0 is rounded up above it, for either sign of the step
    size = of("floordiv", of("sub", over.start, over.stop), over.step)
    return Series(
        of("neg", size), lambda k: of("add", over.start, of("mul", k, over.step))
    )


def _beside(flat: Context, values: Values, span: Span) -> Series:
    """`zip` of sequences of which one has a length that only the run knows."""
    columns = [_column(flat, value, span) for value in values]
    least = columns[0].length
    for column in columns[1:]:
        least = extents.smaller(flat, least, column.length, span)
    return _joined(columns, least)


def alongside(
    flat: Context, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`items(keys, values)` of `in_python`: `zip` of sequences of equal length."""
    if not any(_is_open(flat, value) for value in values):
        return zip_(flat, values, span)
    columns = [_column(flat, value, span) for value in values]
    return _joined(columns, columns[0].length)


def _joined(columns: Sequence[Series], length: Number) -> Series:
    """The first `length` items side by side."""

    def item(k: Number) -> Value:
        return Group(Container.TUPLE, tuple(column.item(k) for column in columns))

    cells = tuple(cell for column in columns for cell in column.cells)
    steady = tuple(one for column in columns for one in column.steady)
    return Series(length, item, cells, steady)


def count(flat: Context, value: Value, span: Span) -> Number:
    """The number of items of a sequence."""
    return extents.at_least_none(flat, _column(flat, value, span).length, span)


def _beside_endless(flat: Context, values: Values, span: Span) -> Value:
    """`zip` of sequences and of items without an end: as many as the others have."""
    others = [value for value in values if not isinstance(value, Endless)]
    if not others:
        raise Unfit("has no end", "give it a sequence as well")
    if any(_is_open(flat, value) for value in others):
        length = _beside(flat, others, span).length
        columns = [_column(flat, value, span) for value in others]
        cells = tuple(cell for column in columns for cell in column.cells)
        steady = tuple(one for column in columns for one in column.steady)
        left = iter(columns)
        items = [v.item if isinstance(v, Endless) else next(left).item for v in values]

        def row(k: Number) -> Value:
            return Group(Container.TUPLE, tuple(item(k) for item in items))

        return Series(length, row, cells, steady)
    known = [_items(flat, value) for value in others]
    places = [Literal(k) for k in range(min(map(len, known)))]
    given = iter(known)
    rows = [
        [*map(value.item, places)] if isinstance(value, Endless) else next(given)
        for value in values
    ]
    return _listed(Group(Container.TUPLE, row) for row in zip(*rows, strict=False))


def column(flat: Context, value: Value, span: Span) -> Series | None:
    """The series that a clause of a comprehension goes over; None after a report."""
    try:
        return _column(flat, value, span)
    except Unfit as unfit:
        if value is not Special.REFUSED:
            message = f"a comprehension over {describe(value)} is not supported"
            flat.refuse("AD102", message, span, unfit.help)
    return None


def _column(flat: Context, value: Value, span: Span) -> Series:
    found = series_of(flat, value, span)
    if found is None and isinstance(value, Range):
        found = _ranged(flat, value, span)
    if found is None and isinstance(value, Group):
        group = value
        length = Literal(len(group.items))
        return Series(
            length, lambda k: indexing.item(flat, group, k, flat.wholes, span)
        )
    if found is None:
        raise Unfit(f"needs a sequence, not {describe(value)}")
    return found


def _numbered(flat: Context, over: Series, start: Value, span: Span) -> Value:
    first = extents.counted(flat, start, span)
    if first is None:
        raise Unfit("needs a whole number as its start", "leave it out")

    def item(k: Number) -> Value:
        number = extents.number(flat, "add", (k, first), span)
        return Group(Container.TUPLE, (number, over.item(k)))

    return Series(over.length, item, over.cells, over.steady)


def _backwards(flat: Context, over: Column | Stack | Series, span: Span) -> Value:
    """Items from the last to the first, counted from there."""
    items = series_of(flat, over, span)
    assert items is not None
    last = extents.number(flat, "sub", (items.length, Literal(1)), span)

    def item(k: Number) -> Value:
        return items.item(extents.number(flat, "sub", (last, k), span))

    return Series(items.length, item, (), items.steady)


def every(conjunction: bool) -> Rule:
    """`all`, or `any`."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 1)
        sign = "`all`" if conjunction else "`any`"
        found: Value = Literal(conjunction)
        for item in _items(flat, values[0]):
            test = partial(choices.truth, flat, item, sign, span)
            found = choices.lazily(flat, found, conjunction, test, span)
        return found

    return rule


def _items(flat: Context, value: Value) -> Sequence[Value]:
    known = sequences.known_items(value, flat.wholes)
    if known is None:
        help_ = "give it a tuple or list, or a range of known numbers"
        raise Unfit(f"needs items that are known, not {describe(value)}", help_)
    return known


def _listed(items: object) -> Group:
    return Group(Container.LIST, tuple(items))  # type: ignore[arg-type]
