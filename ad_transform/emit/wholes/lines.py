"""Matrices line by line along an axis: in order, and products one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    made,
    of_list,
    over_all,
    place,
    size,
)
from ad_transform.emit.wholes.axes import along_columns
from ad_transform.emit.wholes.draft import ONE, ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.parts import Rule, array_of, read_whole
from ad_transform.emit.wholes.sums import Term
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.types import Kind

_ONE = Literal(1.0)


def argsort(axis: int) -> Rule:
    """`np.argsort(x, axis=axis)`"""

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        return _places(draft, array_of(args[0]), axis, statement.out.hint)

    return rule


def in_order(axis: int) -> Rule:
    """`np.sort(x, axis=axis)`"""

    def rule(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
        x = read_whole(draft, array_of(args[0]))
        return _taken(x, _places(draft, x, axis), axis)

    return rule


def along(axis: int) -> Rule:
    """`np.take_along_axis(x, i, axis=axis)`"""

    def rule(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
        return _taken(read_whole(draft, array_of(args[0])), array_of(args[1]), axis)

    return rule


def _places(draft: Draft, x: Whole, axis: int, hint: str = "") -> Whole:
    """The places of the elements of each line in their order."""
    x = read_whole(draft, x)
    count = x.lengths[axis]

    def line(
        inside: Draft, one: Operand, taken: Sequence[Operand]
    ) -> Sequence[Operand]:
        (items,) = inside.loop(
            count,
            (inside.unset(x.kind, count),),
            lambda d, k, own: (
                d.changed("store", own[0], x.element(d, _across(axis, one, k)), k),
            ),
        )
        places = inside.apply("sorting", items)

        def store(d: Draft, k: Operand, own: Sequence[Operand]) -> Sequence[Operand]:
            at = place(d, _across(axis, one, k), x.lengths)
            return (d.changed("store", own[0], d.apply("read", places, k), at),)

        return inside.loop(count, tuple(taken), store)

    start = draft.unset(Kind.INT, size(draft, x.lengths), hint)
    (array,) = draft.loop(x.lengths[1 - axis], (start,), line)
    return of_list(array, x.shape, x.lengths)


def _across(axis: int, line: Operand, k: Operand) -> Indices:
    """The indices of the k-th element of a line."""
    return (k, line) if axis == 0 else (line, k)


def _taken(x: Whole, places: Whole, axis: int) -> Whole:
    """The elements of each line at places of it."""

    def at(draft: Draft, indices: Indices) -> Operand:
        found = places.element(draft, indices)
        return x.element(draft, _across(axis, indices[1 - axis], found))

    return Whole(x.kind, x.shape, x.lengths, at)


def _product(draft: Draft, count: Operand, term: Term) -> Operand:
    return draft.loop(
        count, (_ONE,), lambda d, k, taken: (d.apply("mul", taken[0], term(d, k)),)
    )[0]


def chained(step: Callable[[Draft, Operand, Operand, Operand], Operand]) -> Rule:
    """Rows that are each made of the row above: `step` makes an element of those of the
    first argument, of the last argument, and above.
    """

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        x = read_whole(draft, array_of(args[0]))
        terms = array_of(args[-1])
        rows, columns = x.lengths

        def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
            above, j = indices
            here = (inside.plus(above, ONE), j)
            at = place(inside, here, x.lengths)
            last = inside.apply("read", taken[0], place(inside, indices, x.lengths))
            own = inside.apply("read", taken[0], at)
            value = step(inside, x.element(inside, here), own, last)
            return (inside.changed("store", taken[0], value, at),)

        start = made(draft, terms, statement.out.hint)
        lengths = (draft.minus(rows, ONE), columns)
        (array,) = over_all(draft, lengths, (start,), body)
        return of_list(array, statement.out.type.shape, x.lengths)

    return rule


def _multiplied(draft: Draft, x: Operand, _: Operand, last: Operand) -> Operand:
    return draft.apply("mul", last, x)


def _extreme(op: str) -> Callable[[Draft, Operand, Operand, Operand], Operand]:
    return lambda draft, x, _, last: draft.apply(op, last, x)


def _recurred(draft: Draft, x: Operand, own: Operand, last: Operand) -> Operand:
    return draft.apply("add", own, draft.apply("mul", x, last))


def behind(first: Literal) -> Rule:
    """The rows, each a row further down, behind a row of equal numbers."""

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        x = read_whole(draft, array_of(args[0]))

        def at(inside: Draft, indices: Indices) -> Operand:
            i, j = indices
            return inside.choice(
                inside.apply("eq", i, ZERO),
                lambda _: first,
                lambda d: x.element(d, (d.minus(i, ONE), j)),
            )

        return Whole(Kind.FLOAT, statement.out.type.shape, x.lengths, at)

    return rule


# fmt: off
RULES: dict[str, Rule] = {
    "argsort_rows":           argsort(0),
    "argsort_columns":        argsort(1),
    "in_order_rows":          in_order(0),
    "in_order_columns":       in_order(1),
    "along_rows":             along(0),
    "along_columns":          along(1),
    "product_rows":           along_columns(_product, 0),
    "cumulated_product_rows": chained(_multiplied),
    "running_max_rows":       chained(_extreme("maximum")),
    "running_min_rows":       chained(_extreme("minimum")),
    "recurred_rows":          chained(_recurred),
    "behind_ones":            behind(_ONE),
    "behind_zeros":           behind(Literal(0.0)),
    "behind_infs":            behind(Literal(inf)),
}
# fmt: on
