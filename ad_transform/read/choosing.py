"""`product` and `combinations` of which only a run knows the items: generators of loops
inside one another, and no lists of tuples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read import arguments, arrays, iterables, iterators, once, sequences
from ad_transform.read.arguments import Values, expect
from ad_transform.read.callables import Dotted
from ad_transform.read.code import Body, Call, Give, Item, Operate, Pack, Push, Target
from ad_transform.read.context import Context
from ad_transform.read.iterators import ITEMS, load
from ad_transform.read.orderings import Keywords
from ad_transform.read.series import Once, Range
from ad_transform.read.storage import Array
from ad_transform.read.values import Number, Special, Value

_MOST = 6
"""Loops inside one another."""


def product(
    flat: Context, values: Values, keywords: Keywords, span: Span
) -> Value | None:
    """`product(a, b)`: all rows of an item of each, the last one running fastest; None
    where all items are known.
    """
    again = arguments.times(keywords.get("repeat", Special.NONE))
    columns = [_column(flat, value, span) for value in values]
    found = [column for column in columns if column is not None] * again
    if len(found) < len(columns) * again or not 0 < len(found) <= _MOST:
        return None
    if all(sequences.known_items(one, flat.wholes) is not None for one in found):
        return None
    names = {_numbered(ITEMS, k): column for k, column in enumerate(found)}
    over: list[Body] = [(load(name, span),) for name in names]
    items = tuple((load(_numbered(_PLACE, k), span),) for k in range(len(found)))
    return _nested(flat, "product", over, items, names, span)


def combinations(
    flat: Context, values: Values, keywords: Keywords, span: Span
) -> Value | None:
    """`combinations(items, 2)`: all choices of so many, in order; None where the items
    are known.
    """
    return _chosen(flat, "combinations", values, keywords, span)


def with_replacement(
    flat: Context, values: Values, keywords: Keywords, span: Span
) -> Value | None:
    """`combinations_with_replacement(items, 2)`: the same with each item any times."""
    return _chosen(flat, "combinations_with_replacement", values, keywords, span)


def _chosen(
    flat: Context, name: str, values: Values, keywords: Keywords, span: Span
) -> Value | None:
    values = [*values, *keywords.values()]
    expect(values, 2, 2)
    items, many = once.opened(values[0]), arguments.times(values[1])
    known = sequences.known_items(items, flat.wholes) is not None
    if known or not 0 < many <= _MOST:
        return None
    start: Number = Literal(0)
    if isinstance(items, Range) and items.step == Literal(1):
        start, stop = items.start, items.stop
    elif isinstance(items, Array) and len(items.places) == 1:
        stop = iterables.count(flat, items, span)
        items = arrays.copied(flat, items, Container.LIST, span)  # as Python has it
    else:
        return None
    places: list[Body] = [(load(_numbered(_PLACE, k), span),) for k in range(many)]
    by = int(name == "combinations")
    over: list[Body] = []
    for k in range(many):
        behind = places[k - 1] if k else (Push(start),)
        first = _moved("add", behind, by if k else 0, span)
        last = _moved("sub", (Push(stop),), by * (many - 1 - k), span)
        call = Call(("", ""), span)
        over.append((Push(Dotted("builtins.range")), *first, *last, call))
    if isinstance(items, Array):
        places = [(Push(items), *place, Item(span)) for place in places]
    return _nested(flat, name, over, places, {}, span)


def _moved(op: str, place: Body, by: int, span: Span) -> Body:
    return (*place, Push(Literal(by)), Operate(TABLE[op], 2, span)) if by else place


def _column(flat: Context, value: Value, span: Span) -> Value | None:
    """Items that may be gone through again and are, as Python has it, those of before;
    None of anything else.
    """
    if isinstance(value, Once) and not once.is_made(value):
        value = iterators.called(flat, Dotted("builtins.list"), (value,), span)
    value = once.opened(value)
    if isinstance(value, Range):
        return value
    if sequences.known_items(value, flat.wholes) is not None:
        return value
    if isinstance(value, Array) and len(value.places) == 1:
        return arrays.copied(flat, value, Container.LIST, span)
    over = iterables.series_of(flat, value, span)
    if over is None:
        return None
    return replace(over, steady=(*over.cells, *over.steady))


def _nested(
    flat: Context,
    name: str,
    over: Sequence[Body],
    items: Sequence[Body],
    names: Mapping[str, Value],
    span: Span,
) -> Value:
    """A generator of tuples of items, in loops over one thing inside the other."""
    row = Pack(Container.TUPLE, (False,) * len(items), span)
    body: Body = (*(i for item in items for i in item), row, Give(span))
    for k in reversed(range(len(over))):
        target = Target(span, _numbered(_PLACE, k))
        body = (*over[k], iterators.loop(target, body, span))
    return iterators.made(flat, name, body, names, span)


def _numbered(name: str, k: int) -> str:
    return f"{name[:-1]} {k}>"


_PLACE = "<place>"

# fmt: off
FORMS: Mapping[str, tuple[iterators.Form, tuple[str, ...]]] = {
    "itertools.product":      (product,      ("repeat",)),
    "itertools.combinations": (combinations, ("r",)),
    "itertools.combinations_with_replacement": (with_replacement, ("r",)),
}
# fmt: on
"""What each makes of its arguments, None where all is known; and its keywords."""
