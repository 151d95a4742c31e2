"""Products of vectors and matrices, added up one term after another."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    of_list,
    over_all,
    place,
    size,
)
from ad_transform.emit.wholes.draft import Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.parts import (
    Rule,
    array_of,
    read_whole,
)
from ad_transform.emit.wholes.sums import summed
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.types import Kind

_ZERO = Literal(0.0)


def dot(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
    """`x @ y` of vectors."""
    x, y = map(array_of, args)

    def term(inside: Draft, k: Operand) -> Operand:
        return inside.apply("mul", x.element(inside, (k,)), y.element(inside, (k,)))

    return summed(draft, x.lengths[0], term)


def mat_vec(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`A @ x`"""
    A, x = array_of(args[0]), read_whole(draft, array_of(args[1]))

    def at(inside: Draft, indices: Indices) -> Operand:
        (i,) = indices

        def term(deep: Draft, k: Operand) -> Operand:
            return deep.apply("mul", A.element(deep, (i, k)), x.element(deep, (k,)))

        return summed(inside, x.lengths[0], term)

    return Whole(Kind.FLOAT, statement.out.type.shape, A.lengths[:1], at)


def vec_mat(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x @ A`, one row after another."""
    x, A = read_whole(draft, array_of(args[0])), array_of(args[1])
    zeros = draft.filled(_ZERO, A.lengths[1], statement.out.hint)

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        i, j = indices
        one = inside.apply("mul", x.element(inside, (i,)), A.element(inside, (i, j)))
        return (inside.changed("gain", taken[0], one, j),)

    (array,) = over_all(draft, A.lengths, (zeros,), body)
    return of_list(array, statement.out.type.shape, A.lengths[1:])


def mat_mat(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`A @ B`"""
    A, B = (read_whole(draft, array_of(arg)) for arg in args)
    lengths = (A.lengths[0], B.lengths[1])
    zeros = draft.filled(_ZERO, size(draft, lengths), statement.out.hint)

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        i, k, j = indices
        one = inside.apply("mul", A.element(inside, (i, k)), B.element(inside, (k, j)))
        at = place(inside, (i, j), lengths)
        return (inside.changed("gain", taken[0], one, at),)

    every = (lengths[0], A.lengths[1], lengths[1])
    (array,) = over_all(draft, every, (zeros,), body)
    return of_list(array, statement.out.type.shape, lengths)


def outer(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.outer(x, y)`"""
    x, y = (read_whole(draft, array_of(arg)) for arg in args)
    return Whole(
        Kind.FLOAT,
        statement.out.type.shape,
        (*x.lengths, *y.lengths),
        lambda d, k: d.apply("mul", x.element(d, k[:1]), y.element(d, k[1:])),
    )


def convolved(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.convolve(x, y)`"""
    x, y = (read_whole(draft, array_of(arg)) for arg in args)
    length = draft.minus(draft.plus(x.lengths[0], y.lengths[0]), Literal(1))
    zeros = draft.filled(_ZERO, length, statement.out.hint)

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        i, j = indices
        one = inside.apply("mul", x.element(inside, (i,)), y.element(inside, (j,)))
        return (inside.changed("gain", taken[0], one, inside.plus(i, j)),)

    (array,) = over_all(draft, (*x.lengths, *y.lengths), (zeros,), body)
    return of_list(array, statement.out.type.shape, (length,))


def correlated(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.correlate(x, y, "valid")` of a longer x"""
    x, y = (read_whole(draft, array_of(arg)) for arg in args)
    length = draft.plus(draft.minus(x.lengths[0], y.lengths[0]), Literal(1))

    def at(inside: Draft, indices: Indices) -> Operand:
        def term(deep: Draft, k: Operand) -> Operand:
            one = x.element(deep, (deep.plus(indices[0], k),))
            return deep.apply("mul", one, y.element(deep, (k,)))

        return summed(inside, y.lengths[0], term)

    return Whole(Kind.FLOAT, statement.out.type.shape, (length,), at)


# fmt: off
RULES: dict[str, Rule] = {
    "dot":               dot,
    "mat_vec":           mat_vec,
    "vec_mat":           vec_mat,
    "mat_mat":           mat_mat,
    "outer":             outer,
    "convolved":         convolved,
    "correlated":        correlated,
}
# fmt: on
