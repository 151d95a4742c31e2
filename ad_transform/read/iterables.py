"""`range`, `zip`, `enumerate`, `reversed`, `any` and `all`, of what is known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, INT
from ad_transform.read import choices, sequences
from ad_transform.read.arguments import Form, Unfit, Values, expect
from ad_transform.read.context import Context
from ad_transform.read.values import Draft, Group, Number, Range, Value, describe


def range_(flat: Context, values: Values, span: Span) -> Value:
    """`range` of whole numbers, known or not."""
    expect(values, 1, 3)
    ends: list[Number] = []
    for value in values:
        if not isinstance(value, Draft | Literal) or value.type not in (INT, BOOL):
            help_ = "annotate a parameter `int`, or round: `int(n)`"
            raise Unfit(f"takes whole numbers, not {describe(value)}", help_)
        ends.append(value)
    if len(ends) == 1:
        ends.insert(0, Literal(0))
    start, stop, step = (*ends, Literal(1))[:3]
    if step == Literal(0):
        raise Unfit("takes no step of 0", "write a step of 1 or more, or of -1 or less")
    return Range(start, stop, step)


def zip_(flat: Context, values: Values, span: Span) -> Value:
    """Items side by side, as many as the shortest has."""
    columns = [_items(flat, value) for value in values]
    return _listed(Group(Container.TUPLE, row) for row in zip(*columns, strict=False))


def enumerate_(flat: Context, values: Values, span: Span) -> Value:
    """Items with their numbers."""
    expect(values, 1, 2)
    first = sequences.whole(values[1], flat.wholes) if len(values) > 1 else 0
    if first is None:
        raise Unfit("needs a start that is known", "write it as a number")
    rows = enumerate(_items(flat, values[0]), first)
    return _listed(Group(Container.TUPLE, (Literal(k), item)) for k, item in rows)


def reversed_(flat: Context, values: Values, span: Span) -> Value:
    """Items in reverse; of a range with step 1 or -1 a range, known or not."""
    expect(values, 1, 1)
    (over,) = values
    if isinstance(over, Range) and over.step in (Literal(1), Literal(-1)):
        back = TABLE["sub"] if over.step == Literal(1) else TABLE["add"]
        ends = [
            flat.apply(back, (end, Literal(1)), span) for end in (over.stop, over.start)
        ]
        start, stop = (end for end in ends if isinstance(end, Draft | Literal))
        return Range(start, stop, Literal(-1 if over.step == Literal(1) else 1))
    return _listed(_items(flat, over)[::-1])


def every(conjunction: bool) -> Form:
    """`all`, or `any`."""

    def form(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 1)
        sign = "`all`" if conjunction else "`any`"
        found: Value = Literal(conjunction)
        for item in _items(flat, values[0]):
            test = partial(choices.truth, flat, item, sign, span)
            found = choices.lazily(flat, found, conjunction, test, span)
        return found

    return form


def _items(flat: Context, value: Value) -> Sequence[Value]:
    known = sequences.known_items(value, flat.wholes)
    if known is None:
        help_ = "give it a tuple or list, or a range of known numbers"
        raise Unfit(f"needs items that are known, not {describe(value)}", help_)
    return known


def _listed(items: object) -> Group:
    return Group(Container.LIST, tuple(items))  # type: ignore[arg-type]
