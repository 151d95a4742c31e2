"""`product`, `combinations` and `permutations`: tuples of items, written out where
these are known; of others generators of loops inside one another, and no lists.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import arrays
from ad_transform.read.code import Body, Call, Give, Item, Operate, Pack, Push, Target
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import (
    iterables,
    iterators,
    once,
)
from ad_transform.read.iterables.iterators import ITEMS, load
from ad_transform.read.lists import listing
from ad_transform.read.lists.orderings import Keywords
from ad_transform.read.machine import arguments
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Range
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Number, Special, Value

_MOST = 6
"""Loops inside one another."""


def product(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
    """`product(a, b)`: all rows of an item of each, the last one running fastest."""
    again = arguments.times(keywords.get("repeat", Special.NONE))
    columns = [_column(flat, value, span) for value in values] * again
    known = [sequences.known_items(column, flat.wholes) for column in columns]
    items = [column for column in known if column is not None]
    if len(items) == len(columns):
        return _rows(flat, "product", columns, itertools.product(*items))
    if len(columns) > _MOST:
        raise Unfit(f"of more than {_MOST} takes items that are known", _NESTED)
    names = {_numbered(ITEMS, k): column for k, column in enumerate(columns)}
    over: list[Body] = [(load(name, span),) for name in names]
    places = tuple((load(_numbered(_PLACE, k), span),) for k in range(len(columns)))
    return _nested(flat, "product", over, places, names, span)


def chosen(choose: Callable[..., Iterable[Sequence[Value]]]) -> iterators.Rule:
    """`combinations(items, 2)`: all choices of two, in order; `permutations(items)` are
    those of all items.
    """
    name = choose.__name__
    fewest = 1 if name == "permutations" else 2

    def rule(flat: Context, values: Values, keywords: Keywords, span: Span) -> Value:
        values = [*values, *keywords.values()]
        expect(values, fewest, 2)
        items = _column(flat, values[0], span)
        known = sequences.known_items(items, flat.wholes)
        said = values[1] if len(values) > 1 else Special.NONE
        if known is not None:
            is_all = said is Special.NONE and name == "permutations"
            many = len(known) if is_all else _number(said)
            return _rows(flat, name, (items,), choose(known, many))
        many = _number(said) if name in _STEPS else 0
        if not 0 < many <= _MOST:
            shown = describe(values[0])
            raise Unfit(f"needs items that are known, not {shown}", _NESTED)
        return _in_order(flat, name, items, many, span)

    return rule


def _number(said: Value) -> int:
    if said is Special.NONE:
        raise Unfit("needs to know how many items it chooses", "write the number")
    return arguments.times(said)


def _in_order(flat: Context, name: str, items: Value, many: int, span: Span) -> Value:
    """The choices of `many` items, by their places in loops, each of which begins
    behind, or at, the place of the one around it.
    """
    start: Number = Literal(0)
    if isinstance(items, Range) and items.step == Literal(1):
        start, stop = items.start, items.stop
    elif isinstance(items, Array):
        stop = iterables.count(flat, items, span)
    else:
        raise Unfit(f"needs items that are known, not {describe(items)}", _NESTED)
    places: list[Body] = [(load(_numbered(_PLACE, k), span),) for k in range(many)]
    by = _STEPS[name]
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


def _rows(
    flat: Context,
    name: str,
    columns: Sequence[Value],
    found: Iterable[Sequence[Value]],
) -> Value:
    """Tuples of items that are known."""
    rows = list(itertools.islice(found, sequences.ITEMS + 1))
    if len(rows) > sequences.ITEMS:
        raise Unfit(f"gives more than {sequences.ITEMS} items", _NESTED)
    items = tuple(Group(Container.TUPLE, tuple(row)) for row in rows)
    made = Group(Container.LIST, items)
    return once.given(flat, f"itertools.{name}", columns, made)


def _moved(op: str, place: Body, by: int, span: Span) -> Body:
    return (*place, Push(Literal(by)), Operate(TABLE[op], 2, span)) if by else place


def _column(flat: Context, value: Value, span: Span) -> Value:
    """Items that loops may go over again; as in Python they are those at the call."""
    if once.waits(value):
        return iterators.called(flat, Dotted("builtins.list"), (value,), span)
    value = listing.listed(flat, once.opened(value), span)
    if isinstance(value, Range):
        return value
    if sequences.known_items(value, flat.wholes) is not None:
        return value
    if isinstance(value, Array) and len(value.places) == 1:
        return arrays.copied(flat, value, Container.LIST, span)
    over = iterables.series_of(flat, value, span)
    if over is None:
        raise Unfit(f"needs items that are known, not {describe(value)}", _NESTED)
    return replace(over, steady=(*over.cells, *over.steady))


def _nested(
    flat: Context,
    name: str,
    over: Sequence[Body],
    items: Sequence[Body],
    names: Mapping[str, Value],
    span: Span,
) -> Value:
    """A generator of tuples of items, in nested loops."""
    row = Pack(Container.TUPLE, (False,) * len(items), span)
    body: Body = (*(i for item in items for i in item), row, Give(span))
    for k in reversed(range(len(over))):
        target = Target(span, _numbered(_PLACE, k))
        body = (*over[k], iterators.loop(target, body, span))
    return iterators.made(flat, name, body, names, span)


def _numbered(name: str, k: int) -> str:
    return f"{name[:-1]} {k}>"


_PLACE = "<place>"
_NESTED = "write one loop inside the other"

_STEPS = {"combinations": 1, "combinations_with_replacement": 0}
"""The distance from the place of an item to the first place of the next one."""

# fmt: off
RULES: Mapping[str, tuple[iterators.Rule, tuple[str, ...]]] = {
    "itertools.product":      (product,                        ("repeat",)),
    "itertools.combinations": (chosen(itertools.combinations), ("r",)),
    "itertools.permutations": (chosen(itertools.permutations), ("r",)),
    "itertools.combinations_with_replacement":
        (chosen(itertools.combinations_with_replacement), ("r",)),
}
# fmt: on
"""The rule of each function, and its keywords."""
