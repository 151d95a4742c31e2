"""`itertools` and `zip`: items side by side, behind one another, in all pairs, summed
up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from functools import partial

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import extents
from ad_transform.read.arrays.extents import is_float
from ad_transform.read.branches import choices
from ad_transform.read.code import Call, Push
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import iterables
from ad_transform.read.lists.orderings import Keywords
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Number, Special, Value, is_whole


def zip_(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`zip(..., strict=True)`: lengths that differ are an error, before any trip."""
    if keywords["strict"] != Literal(True):
        return iterables.zip_(flat, values, span)
    known = [sequences.known_items(value, flat.wholes) for value in values]
    lengths = [len(items) for items in known if items is not None]
    if len(lengths) == len(known):
        if len(set(lengths)) > 1:
            said = " and ".join(map(str, lengths))
            raise Unfit(f"is strict, and the lengths are {said}", "leave out `strict`")
        return iterables.zip_(flat, values, span)
    counts = [iterables.count(flat, value, span) for value in values]
    for other in counts[1:]:
        extents.agree(flat, counts[0], other, span)
    return iterables.zip_(flat, values, span)


def zip_longest(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`zip_longest(a, b, fillvalue=v)`: as many as the longest has."""
    fill = keywords.get("fillvalue", Special.NONE)
    known = [sequences.known_items(value, flat.wholes) for value in values]
    if None not in known:
        columns = [column or () for column in known]
        return _rows(itertools.zip_longest(*columns, fillvalue=fill))
    if fill is Special.NONE:
        raise Unfit("needs a `fillvalue`", "say what stands for what is not there")
    counts = [iterables.count(flat, value, span) for value in values]
    series = [iterables.column(flat, value, span) for value in values]
    most = counts[0]
    for other in counts[1:]:
        if not extents.same_length(flat, most, other):
            most = extents.number(flat, "max", (most, other), span)

    def part(column: Series | None, size: Number, k: Number) -> Value:
        if column is None:
            return Special.REFUSED
        there = flat.operate(TABLE["lt"], (k, size), span)
        item = partial(column.item, k)
        return choices.choose(flat, there, item, lambda: fill, "`zip_longest`", span)

    def row(k: Number) -> Value:
        parts = zip(series, counts, strict=True)
        return Group(Container.TUPLE, tuple(part(*one, k) for one in parts))

    found = [column for column in series if column is not None]
    cells = tuple(cell for column in found for cell in column.cells)
    return Series(most, row, cells, tuple(one for c in found for one in c.steady))


def pairwise(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`pairwise(items)`: each item with the next one."""
    expect(values, 1, 1)
    known = sequences.known_items(values[0], flat.wholes)
    if known is not None:
        return _rows(itertools.pairwise(known))
    over = iterables.series_of(flat, values[0], span)
    if over is None:
        raise Unfit(f"needs a sequence, not {describe(values[0])}")
    less = extents.number(flat, "sub", (over.length, Literal(1)), span)

    def item(k: Number) -> Value:
        following = extents.number(flat, "add", (k, Literal(1)), span)
        return Group(Container.TUPLE, (over.item(k), over.item(following)))

    length = extents.at_least_none(flat, less, span)
    return Series(length, item, over.cells, (*over.cells, *over.steady))


def chain(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`chain(a, b)`: the items of one behind those of the other."""
    columns = [_known(flat, value, _ONE_BY_ONE) for value in values]
    return Group(Container.LIST, tuple(itertools.chain(*columns)))


def accumulate(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`accumulate(items, function, initial=...)`: the totals up to each item, by
    default sums. Of items whose number only a run knows, sums and products.
    """
    expect(values, 1, 2)
    function = [*values[1:], keywords.get("func", Special.NONE)][0]
    first = keywords.get("initial", Special.NONE)
    if sequences.known_items(values[0], flat.wholes) is None:
        running = _running(flat, values[0], function, first, span)
        if running is not None:
            return running
    items = list(_known(flat, values[0], _TOTAL))
    if first is not Special.NONE:
        items.insert(0, first)

    def step(total: Value, item: Value) -> Value:
        if function is Special.NONE:
            return flat.operate(TABLE["add"], (total, item), span)
        return flat.run((*map(Push, (function, total, item)), Call(("", ""), span)))

    return Group(Container.LIST, tuple(itertools.accumulate(items, step)))


def _running(
    flat: Context, over: Value, function: Value, first: Value, span: Span
) -> Value | None:
    """The sums or products of floats up to each; None for other items or functions."""
    name = running(over, function)
    if name is None:
        return None

    def call(name: str, *args: Value) -> Value:
        pushed = map(Push, (Dotted(name), *args))
        return flat.run((*pushed, Call(("",) * len(args), span)))

    if first is not Special.NONE:
        head = Group(Container.LIST, (first,))
        parts = Group(Container.TUPLE, (head, over))
        over = call("numpy.concatenate", parts)
    return call(name, over)


def running(over: Value, function: Value) -> str | None:
    """The function of numpy that accumulates floats, or None."""
    is_array = isinstance(over, Array) and len(over.axes) == 1 and is_float(over)
    is_whole_one = is_whole(over) and len(over.type.shape) == 1 and over.type.is_real
    if not (is_array or is_whole_one):
        return None
    if function is Special.NONE:
        return "numpy.cumsum"
    return _RUNNING.get(function.name if isinstance(function, Dotted) else "")


_RUNNING = {"operator.add": "numpy.cumsum", "operator.mul": "numpy.cumprod"}
"""Functions of numpy that add and multiply one after the other, as Python does."""


def _known(flat: Context, value: Value, help_: str) -> Sequence[Value]:
    known = sequences.known_items(value, flat.wholes)
    if known is None:
        raise Unfit(f"needs items that are known, not {describe(value)}", help_)
    return known


def _rows(rows: Iterable[Sequence[Value]]) -> Group:
    made = tuple(Group(Container.TUPLE, tuple(row)) for row in rows)
    return Group(Container.LIST, made)


_ONE_BY_ONE = "write one loop behind the other"
_TOTAL = "keep the total so far in the loop: `total += x[i]`"
