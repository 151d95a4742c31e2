"""Loops that fill lists, element by element, and that go through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import MADE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    hint_of,
)
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.types import BOOL, FLOAT, INT, Type

Element = Callable[[Builder, Sequence[Operand], Sequence[Operand]], Operand]
"""The maker of an element, given its indices and the values that the loop reads."""

ZEROS = {
    FLOAT.kind: Literal(0.0),
    INT.kind: Literal(0),
    BOOL.kind: Literal(False),
}
_ZERO, _ONE = Literal(0), Literal(1)


def filled(
    like: Var, sizes: Sequence[Operand], reads: Sequence[Operand], element: Element
) -> tuple[list[Statement], Var]:
    """Statements that fill a list with the elements of a whole array, and the list."""
    type_ = Type(like.type.kind, like.type.shape)
    start = Var(type_, like.hint)
    made = Apply(start, TABLE[MADE[len(sizes)]], (ZEROS[type_.kind], *sizes))
    loop = _loop(start, sizes, (), reads, element)
    return [made, loop], loop.outs[0]


def _loop(
    start: Var,
    sizes: Sequence[Operand],
    around: Sequence[Operand],
    reads: Sequence[Operand],
    element: Element,
) -> Scan:
    """The loops over an axis and later ones; `around` has the earlier indices."""
    size, *rest = sizes
    index, carry = Var(INT, "ijk"[len(around)]), Var(start.type, start.hint)
    given = (*reads, *rest, *around)
    own = tuple(Var(v.type, hint_of(v)) for v in given)
    inner_reads = own[: len(reads)]
    inner_sizes = own[len(reads) : len(reads) + len(rest)]
    place = (*own[len(reads) + len(rest) :], index)
    if rest:
        loop = _loop(carry, inner_sizes, place, inner_reads, element)
        body: tuple[Statement, ...] = (loop,)
        end = loop.outs[0]
    else:
        builder = Builder(TABLE, LAWS_TO_THE_BIT)
        value = element(builder, place, inner_reads)
        end = Var(start.type, start.hint)
        body = (*builder.body, Apply(end, TABLE["set"], (carry, value, *place)))
    block = Block((index, carry, *own), body, (end,))
    out = Var(start.type, start.hint)
    return Scan((out,), _ZERO, size, _ONE, (start,), given, (), block)


def folded(
    like: Var, op: str, start: float, size: Operand, array: Operand
) -> tuple[list[Statement], Var, Var]:
    """Statements that combine the elements of a list one after another; the list of the
    value after each, and the last value.
    """
    type_ = Type(FLOAT.kind, array.type.dims)
    empty = Var(type_, like.hint)
    made = Apply(empty, TABLE["full"], (Literal(0.0), size))
    index, carry, total = Var(INT, "i"), Var(type_, like.hint), Var(FLOAT)
    own, item, after, end = (
        Var(type_),
        Var(FLOAT),
        Var(FLOAT, "", like.span),
        Var(type_),
    )
    body = (
        Apply(item, TABLE["get"], (own, index)),
        Apply(after, TABLE[op], (total, item)),
        Apply(end, TABLE["set"], (carry, after, index)),
    )
    block = Block((index, carry, total, own), body, (end, after))
    outs = (Var(type_, like.hint), Var(FLOAT, like.hint))
    carries = (empty, Literal(start))
    loop = Scan(outs, _ZERO, size, _ONE, carries, (array,), (), block)
    return [made, loop], *outs
