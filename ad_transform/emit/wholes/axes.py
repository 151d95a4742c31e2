"""Sums, averages and extremes along one axis of a matrix.

Sums are added as numpy adds them: along rows in pairs of halves, one row after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    made,
    of_list,
    over_all,
    place,
    stored,
)
from ad_transform.emit.wholes.draft import ONE, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.parts import (
    Rule,
    array_of,
    number_of,
)
from ad_transform.emit.wholes.sums import LOWEST, Term, place_among, summed
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.types import Kind

_ZERO = Literal(0.0)


def along_columns(make: Callable[[Draft, Operand, Term], Operand], axis: int) -> Rule:
    """A rule that makes a value of each column (axis 0) or of each row (axis 1)."""

    def rule(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        x = array_of(args[0])

        def at(draft: Draft, indices: Indices) -> Operand:
            (k,) = indices

            def term(inside: Draft, other: Operand) -> Operand:
                return x.element(inside, (other, k) if axis == 0 else (k, other))

            return make(draft, x.lengths[axis], term)

        out = statement.out.type
        return Whole(out.kind, out.shape, (x.lengths[1 - axis],), at)

    return rule


def _as_floats(x: Whole) -> Whole:
    """The array with floats for whole numbers and truth values."""
    if x.kind is Kind.FLOAT:
        return x
    return Whole(
        Kind.FLOAT,
        x.shape,
        x.lengths,
        lambda d, k: d.apply("float", x.element(d, k)),
    )


def sum_rows(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """`np.sum(x, axis=0)`, one row after another."""
    x = _as_floats(array_of(args[0]))
    zeros = draft.filled(_ZERO, x.lengths[1], statement.out.hint)

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        one = x.element(inside, indices)
        return (inside.changed("gain", taken[0], one, indices[1]),)

    (array,) = over_all(draft, x.lengths, (zeros,), body)
    return of_list(array, statement.out.type.shape, x.lengths[1:])


def sum_columns(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """`np.sum(x, axis=1)`"""
    x = stored(draft, _as_floats(array_of(args[0])))
    array, (rows, columns) = x.stored, x.lengths
    assert array is not None

    def at(inside: Draft, indices: Indices) -> Operand:
        first = inside.times(indices[0], columns)
        return inside.apply("pairwise", array, first, columns)

    return Whole(Kind.FLOAT, statement.out.type.shape, (rows,), at)


def shared(make: Callable[[Draft, Apply, Sequence[Value]], Whole], axis: int) -> Rule:
    """Averages along an axis, of the sums along it."""

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        sums, n = make(draft, statement, args), array_of(args[0]).lengths[axis]
        return Whole(
            Kind.FLOAT,
            sums.shape,
            sums.lengths,
            lambda d, k: d.apply("div", sums.element(d, k), n),
        )

    return rule


def sum_of_each(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x.reshape((-1, i)).sum(axis=1)`"""
    x, by = stored(draft, _as_floats(array_of(args[0]))), number_of(args[1])
    array = x.stored
    assert array is not None
    count = draft.apply("floordiv", x.lengths[0], by)

    def at(inside: Draft, indices: Indices) -> Operand:
        return inside.apply("pairwise", array, inside.times(indices[0], by), by)

    return Whole(Kind.FLOAT, statement.out.type.shape, (count,), at)


def sum_of_tiles(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x.reshape((i, -1)).sum(axis=0)`"""
    x, by = array_of(args[0]), number_of(args[1])
    width = draft.apply("floordiv", x.lengths[0], by)

    def at(inside: Draft, indices: Indices) -> Operand:
        (k,) = indices
        return summed(
            inside, by, lambda d, i: x.element(d, (d.plus(d.times(i, width), k),))
        )

    return Whole(Kind.FLOAT, statement.out.type.shape, (width,), at)


def cumulated_rows(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.cumsum(x, axis=0)`"""
    x = _as_floats(array_of(args[0]))
    array = made(draft, x, statement.out.hint)
    rows, columns = x.lengths

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        i, j = indices
        below = inside.plus(i, ONE)
        last = inside.apply("read", taken[0], place(inside, (i, j), x.lengths))
        at = place(inside, (below, j), x.lengths)
        return (inside.changed("gain", taken[0], last, at),)

    lengths = (draft.minus(rows, ONE), columns)
    (array,) = over_all(draft, lengths, (array,), body)
    return of_list(array, x.shape, x.lengths)


def _most(op: str) -> Callable[[Draft, Operand, Term], Operand]:
    def made_of(draft: Draft, count: Operand, term: Term) -> Operand:
        return draft.loop(
            count,
            (LOWEST[op],),
            lambda d, k, taken: (d.apply(op, taken[0], term(d, k)),),
        )[0]

    return made_of


def _where(op: str) -> Callable[[Draft, Operand, Term], Operand]:
    return lambda draft, count, term: place_among(draft, count, op, term)


# fmt: off
RULES: dict[str, Rule] = {
    "sum_rows":          sum_rows,
    "sum_columns":       sum_columns,
    "average_rows":      shared(sum_rows, 0),
    "average_columns":   shared(sum_columns, 1),
    "max_rows":          along_columns(_most("maximum"), 0),
    "max_columns":       along_columns(_most("maximum"), 1),
    "min_rows":          along_columns(_most("minimum"), 0),
    "min_columns":       along_columns(_most("minimum"), 1),
    "argmax_rows":       along_columns(_where("gt"), 0),
    "argmax_columns":    along_columns(_where("gt"), 1),
    "argmin_rows":       along_columns(_where("lt"), 0),
    "argmin_columns":    along_columns(_where("lt"), 1),
    "cumulated_rows":    cumulated_rows,
    "sum_of_each":       sum_of_each,
    "sum_of_tiles":      sum_of_tiles,
}
# fmt: on
