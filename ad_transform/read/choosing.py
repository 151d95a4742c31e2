"""`combinations(items, 2)` and `product(a, b)` of which only a run knows the items: as
loops inside one another, and not as a list of tuples.
"""

from __future__ import annotations

from dataclasses import replace

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read import arrays, extents, iterables
from ad_transform.read.arguments import Values
from ad_transform.read.callables import Dotted
from ad_transform.read.code import (
    Bind,
    Body,
    Call,
    Clause,
    Each,
    Gather,
    Item,
    Load,
    Operate,
    Pack,
    Push,
    Target,
)
from ad_transform.read.context import Context
from ad_transform.read.exits import breaks
from ad_transform.read.series import Range, Stream
from ad_transform.read.storage import Array
from ad_transform.read.streams import loops_of
from ad_transform.read.values import Value

_NESTED = "write one loop inside the other, and `return` from a function"
_RANGE = Push(Dotted("builtins.range"))


def pairs(flat: Context, items: Value, span: Span) -> Stream | None:
    """All pairs of items, the first in front of the second; None of what is known."""
    first, second = Load("<first>", 0, span), Load("<second>", 0, span)
    one = Push(Literal(1))
    if isinstance(items, Range) and items.step == Literal(1):
        start, stop = items.start, items.stop
        element: Body = (first, second)
    elif isinstance(items, Array) and len(items.places) == 1:
        start, stop = Literal(0), iterables.count(flat, items, span)
        items = arrays.copied(flat, items, Container.LIST, span)  # as Python has it
        element = (Push(items), first, Item(span), Push(items), second, Item(span))
    else:
        return None
    last = extents.number(flat, "sub", (stop, Literal(1)), span)
    behind = (first, one, Operate(TABLE["add"], 2, span), Push(stop))
    inner: Body = (_RANGE, *behind, Call(("", ""), span))
    over = Range(start, last, Literal(1))
    return _nested(flat, over, inner, element, span)


def grid(flat: Context, columns: Values, span: Span) -> Stream | None:
    """All pairs of an item of one with one of another; None of more than two."""
    if len(columns) != 2 or not all(isinstance(c, Range) for c in columns):
        return None
    element = (Load("<first>", 0, span), Load("<second>", 0, span))
    return _nested(flat, columns[0], (Push(columns[1]),), element, span)


def _nested(
    flat: Context, over: Value, inner: Body, element: Body, span: Span
) -> Stream:
    clauses = (
        Clause(Target(span, "<first>"), (), ()),
        Clause(Target(span, "<second>"), inner, ()),
    )
    pair = (*element, Pack(Container.TUPLE, (False, False), span))
    return Stream(Gather(clauses, pair, span), over, flat.frame, is_nested=True)


def run(flat: Context, stream: Stream, made: Each) -> None:
    """A `for` over such pairs; a `break` would leave the inner loop alone."""
    if breaks(made.body):
        message = "`break` out of a loop over pairs is not supported"
        flat.refuse("AD107", message, made.span, _NESTED)
    body = (*stream.made.element, Bind((made.target,)), *made.body)
    flat.perform((Push(stream.over), *loops_of(stream.made, body, made.span)))
    flat.perform(made.orelse)


def inlined(stream: Stream, made: Gather) -> Gather:
    """A comprehension over such pairs, as one over what these are made of."""
    first, *others = made.clauses
    outer, inner = stream.made.clauses
    bound = (*stream.made.element, Bind((first.target,)), Push(Literal(True)))
    inner = replace(inner, tests=(bound, *first.tests))
    return replace(made, clauses=(outer, inner, *others))
