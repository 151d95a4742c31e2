"""New arrays, and those whose elements are functions of others."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    of_list,
    of_number,
    over_all,
    place,
    size,
    spread,
)
from ad_transform.emit.wholes.draft import ONE, ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value, as_whole
from ad_transform.emit.wholes.parts import (
    Rule,
    array_of,
    number_of,
)
from ad_transform.emit.wholes.selections import places_of
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.types import Kind

_ZERO, _ONE = Literal(0.0), Literal(1.0)


def joined(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.concatenate((x, y, ...))`"""
    parts = [array_of(arg) for arg in args]
    begins: list[Operand] = [ZERO]
    for part in parts:
        begins.append(draft.plus(begins[-1], draft.exact(part.lengths[0])))
    lengths = (begins.pop(), *parts[0].lengths[1:])
    kind = statement.out.type.kind
    array: Operand = draft.unset(kind, size(draft, lengths), statement.out.hint)
    for part, before in zip(parts, begins, strict=True):
        array = _copied_in(draft, array, part, before, lengths)
    return of_list(array, statement.out.type.shape, lengths)


def _copied_in(
    draft: Draft,
    array: Operand,
    x: Whole,
    before: Operand,
    lengths: Sequence[Operand],
) -> Operand:
    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        at = place(inside, (inside.plus(indices[0], before), *indices[1:]), lengths)
        element = x.element(inside, indices)
        if x.kind is not array.type.kind:  # truth values among whole numbers
            element = inside.apply("int", element)
        return (inside.changed("store", taken[0], element, at),)

    return over_all(draft, x.lengths, (array,), body)[0]


def vector(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.array([x, y])`"""
    numbers = tuple(map(number_of, args))
    array = draft.apply("pack", *numbers, hint=statement.out.hint)
    draft.owned.add(array)
    return of_list(array, statement.out.type.shape, (Literal(len(numbers)),))


def cross(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.cross(x, y)`, of the three numbers along the last axis."""
    x, y = map(array_of, args)
    lengths = x.lengths
    array = draft.unset(x.kind, size(draft, lengths), statement.out.hint)

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        own = taken[0]
        for k, (i, j) in enumerate(_TURNS):
            u, v = (
                inside.apply("mul", x.element(inside, first), y.element(inside, second))
                for first, second in (
                    ((*indices, Literal(i)), (*indices, Literal(j))),
                    ((*indices, Literal(j)), (*indices, Literal(i))),
                )
            )
            at = place(inside, (*indices, Literal(k)), lengths)
            own = inside.changed("store", own, inside.apply("sub", u, v), at)
        return (own,)

    (found,) = over_all(draft, lengths[:-1], (array,), body)
    return of_list(found, x.shape, lengths)


_TURNS = ((1, 2), (2, 0), (0, 1))


def equal(value: Operand, axes: slice = slice(None)) -> Rule:
    """An array of equal numbers, along some axes of the first argument."""

    def rule(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        x = array_of(args[0])
        shape = statement.out.type.shape
        return replace(of_number(value), shape=shape, lengths=x.lengths[axes])

    return rule


def spread_over(_: Draft, __: Apply, args: Sequence[Value]) -> Value:
    """A value broadcast to the shape of an array."""
    return spread(as_whole(args[0]), array_of(args[1]))


def filled(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.full(size, value)`"""
    value, *lengths = map(number_of, args)
    shape = statement.out.type.shape
    return replace(of_number(value), shape=shape, lengths=tuple(lengths))


def counted_up(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.arange(size)`"""
    _value, length = map(number_of, args)
    return _numbers(statement, length)


def numbered(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.arange(len(x), dtype=float)`"""
    return _numbers(statement, array_of(args[0]).lengths[0])


def _numbers(statement: Apply, length: Operand) -> Whole:
    kind = statement.out.type.kind

    def at(draft: Draft, indices: Indices) -> Operand:
        (k,) = indices
        return draft.apply("float", k) if kind is Kind.FLOAT else k

    return Whole(kind, statement.out.type.shape, (length,), at, is_free=True)


def spaced(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.linspace(start, stop, size)`: the last one is stop."""
    start, stop, length = map(number_of, args)
    return _spaced(draft, statement, start, stop, length)


def weights(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.linspace(1.0, 0.0, len(x))`"""
    (length,) = array_of(args[0]).lengths
    return _spaced(draft, statement, _ONE, _ZERO, length)


def _spaced(
    draft: Draft, statement: Apply, start: Operand, stop: Operand, length: Operand
) -> Whole:
    last = draft.minus(length, ONE)
    step = draft.apply("div", draft.apply("sub", stop, start), last)

    def between(inside: Draft, k: Operand) -> Operand:
        return inside.apply("add", inside.apply("mul", k, step), start)

    def at(inside: Draft, indices: Indices) -> Operand:
        (k,) = indices
        return inside.choice(
            inside.apply("eq", k, ZERO),
            lambda _: start,
            lambda d: d.choice(
                d.apply("eq", k, last), lambda _: stop, lambda e: between(e, k)
            ),
        )

    return Whole(Kind.FLOAT, statement.out.type.shape, (length,), at)


def nearest(op: str) -> Rule:
    """`np.floor(x)` and its like."""

    def rule(_: Draft, __: Apply, args: Sequence[Value]) -> Value:
        x = array_of(args[0])
        return Whole(
            Kind.FLOAT,
            x.shape,
            x.lengths,
            lambda d, k: d.apply(op, x.element(d, k)),
        )

    return rule


def held(_: Draft, __: Apply, args: Sequence[Value]) -> Value:
    """`np.clip(x, 0, i)`"""
    x, most = array_of(args[0]), number_of(args[1])
    return Whole(
        x.kind,
        x.shape,
        x.lengths,
        lambda d, k: d.least(d.most(x.element(d, k), ZERO), most),
    )


def true_places(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
    """`np.flatnonzero(x)`"""
    return places_of(draft, array_of(args[0]))


# fmt: off
RULES: dict[str, Rule] = {
    "joined":          joined,
    "all_joined":      joined,
    "vector":          vector,
    "cross":           cross,
    "zeros_like":      equal(_ZERO),
    "zero_rows":       equal(_ZERO, slice(0, 1)),
    "zero_columns":    equal(_ZERO, slice(1, 2)),
    "no_places":       equal(ZERO),
    "full_like":       spread_over,
    "spread":          spread_over,
    "filled":          filled,
    "filled_rows":     filled,
    "counted_up":      counted_up,
    "numbered":        numbered,
    "spaced":          spaced,
    "weights":         weights,
    "floor_each":      nearest("floor_of"),
    "ceil_each":       nearest("ceil_of"),
    "trunc_each":      nearest("trunc_of"),
    "rint_each":       nearest("rint_of"),
    "held":            held,
    "true_places":     true_places,
}
# fmt: on
