"""Arrays whose elements are those of others at other places, and lengths of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    place,
    size,
    stored,
)
from ad_transform.emit.wholes.draft import ONE, ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.parts import (
    Rule,
    array_of,
    number_of,
)
from ad_transform.ir.nodes import Apply, Literal, Operand

_ZERO, _ONE = Literal(0.0), Literal(1.0)

Places = Callable[[Draft, Indices], Indices]


def moved(
    x: Whole, statement: Apply, lengths: Sequence[Operand], places: Places
) -> Whole:
    """The array of the elements at other places."""
    return Whole(
        x.kind,
        statement.out.type.shape,
        tuple(lengths),
        lambda draft, indices: x.element(draft, places(draft, indices)),
        is_free=x.is_free,
    )


def turned(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x.T`"""
    x = array_of(args[0])
    return moved(x, statement, x.lengths[::-1], lambda _, k: k[::-1])


def column(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x[:, None]`"""
    x = array_of(args[0])
    return moved(x, statement, (*x.lengths, ONE), lambda _, k: k[:-1])


def row(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x[None, :]`"""
    x = array_of(args[0])
    return moved(x, statement, (ONE, *x.lengths), lambda _, k: k[1:])


def no_column(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x[:, 0]`"""
    x = array_of(args[0])
    return moved(x, statement, x.lengths[:1], lambda _, k: (*k, ZERO))


def no_row(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x[0]`"""
    x = array_of(args[0])
    return moved(x, statement, x.lengths[1:], lambda _, k: (ZERO, *k))


def backwards(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x[::-1]`"""
    x = array_of(args[0])

    def places(draft: Draft, indices: Indices) -> Indices:
        last = draft.minus(x.lengths[0], ONE)
        return (draft.minus(last, indices[0]), *indices[1:])

    return moved(x, statement, x.lengths, places)


def rolled(axis: int) -> Rule:
    """`np.roll(x, i, axis)`"""

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        x, by = array_of(args[0]), number_of(args[1])

        def places(draft: Draft, indices: Indices) -> Indices:
            own = list(indices)
            back = draft.minus(own[axis], by)
            own[axis] = draft.once("mod", back, x.lengths[axis])
            return tuple(own)

        return moved(x, statement, x.lengths, places)

    return rule


def rolled_in_line(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.roll(x, i)` of all elements one behind the other."""
    x = array_of(args[0])
    if len(x.lengths) == 1:
        return rolled(0)(draft, statement, args)
    line = in_line(draft, x)
    found = rolled(0)(draft, statement, (line, args[1]))
    return laid(draft, array_of(found), x.shape, x.lengths)


def in_line(draft: Draft, x: Whole) -> Whole:
    """`x.ravel()`"""
    if len(x.lengths) == 1:
        return x
    x = x if x.along is not None else stored(draft, x)
    along = x.along
    assert along is not None
    return Whole(
        x.kind,
        ("?",),
        (size(draft, x.lengths),),
        lambda d, k: x.numbered(d, k[0]),
        along,
        x.stored,
        x.is_free,
    )


def laid(
    draft: Draft, x: Whole, shape: tuple[int | str, ...], lengths: Sequence[Operand]
) -> Whole:
    """The elements of a line in rows."""
    sizes = tuple(lengths)
    return Whole(
        x.kind,
        shape,
        sizes,
        lambda d, k: x.element(d, (place(d, k, sizes),)),
        lambda d, k: x.element(d, (k,)),
        x.stored,
        x.is_free,
    )


def laid_out(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x.reshape((rows, columns))`"""
    x, (rows, columns) = in_line(draft, array_of(args[0])), map(number_of, args[1:])
    (count,) = x.lengths
    if rows == Literal(-1):
        rows = draft.apply("floordiv", count, columns)
    if columns == Literal(-1):
        columns = draft.apply("floordiv", count, rows)
    return laid(draft, x, statement.out.type.shape, (rows, columns))


def unraveled(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x.reshape(np.shape(y))`"""
    x, like = array_of(args[0]), array_of(args[1])
    if len(like.lengths) == 1:
        return in_line(draft, x)
    return laid(draft, in_line(draft, x), like.shape, like.lengths)


def diagonal(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.diag(x)` of a matrix."""
    x = array_of(args[0])
    return moved(x, statement, x.lengths[:1], lambda _, k: (k[0], k[0]))


def repeated_each(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.repeat(x, i)`"""
    x, by = array_of(args[0]), number_of(args[1])
    length = draft.times(draft.exact(x.lengths[0]), by)
    return moved(x, statement, (length,), lambda d, k: (d.once("floordiv", k[0], by),))


def tiled(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.tile(x, i)`"""
    x, by = array_of(args[0]), number_of(args[1])
    (count,) = x.lengths
    length = draft.times(draft.exact(count), by)
    return moved(x, statement, (length,), lambda d, k: (d.once("mod", k[0], count),))


def behind(first: Operand) -> Rule:
    """The elements one place later, behind another."""

    def rule(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        x = array_of(args[0])

        def at(draft: Draft, indices: Indices) -> Operand:
            (k,) = indices
            return draft.choice(
                draft.apply("eq", k, ZERO),
                lambda _: first,
                lambda d: x.element(d, (d.minus(k, ONE),)),
            )

        return Whole(x.kind, x.shape, x.lengths, at)

    return rule


def measure(axis: int) -> Rule:
    """`len(x)`, `np.shape(x)[1]`"""

    def rule(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
        return draft.exact(array_of(args[0]).lengths[axis])

    return rule


def count(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
    """`x.size`"""
    lengths = [draft.exact(n) for n in array_of(args[0]).lengths]
    return size(draft, lengths)


# fmt: off
RULES: dict[str, Rule] = {
    "turned":          turned,
    "column":          column,
    "row":             row,
    "no_column":       no_column,
    "no_row":          no_row,
    "backwards":       backwards,
    "rolled":          rolled_in_line,
    "rolled_rows":     rolled(0),
    "rolled_columns":  rolled(1),
    "raveled":         lambda d, s, a: in_line(d, array_of(a[0])),
    "laid_out":        laid_out,
    "unraveled":       unraveled,
    "diagonal":        diagonal,
    "repeated":        repeated_each,
    "tiled":           tiled,
    "behind_one":      behind(_ONE),
    "behind_zero":     behind(_ZERO),
    "behind_inf":      behind(Literal(inf)),
    "length":          measure(0),
    "width":           measure(1),
    "depth":           measure(2),
    "count":           count,
}
# fmt: on
