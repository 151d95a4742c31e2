"""Matrices by where their elements stand: triangles, diagonals, and their places."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.wholes.arrays import Indices, Whole, of_number
from ad_transform.emit.wholes.draft import ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.layouts import moved
from ad_transform.emit.wholes.parts import Rule, array_of, number_of
from ad_transform.emit.wholes.selections import places_of
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.types import Kind

_ZERO, _ONE = Literal(0.0), Literal(1.0)


def chosen(
    keeps: Callable[[Draft, Indices], Operand], x: Whole, other: Operand
) -> Whole:
    """The array with another number wherever a test does not hold."""

    def at(draft: Draft, indices: Indices) -> Operand:
        test = keeps(draft, indices)
        return draft.choice(test, lambda d: x.element(d, indices), lambda _: other)

    return Whole(x.kind, x.shape, x.lengths, at)


def triangle(op: str, k: int | None) -> Rule:
    """`np.tril(x, k)` by "le", `np.triu(x, k)` by "ge"; None: k is an argument."""

    def rule(_: Draft, __: Apply, args: Sequence[Value]) -> Value:
        x = array_of(args[0])
        shift = Literal(k) if k is not None else number_of(args[1])

        def keeps(draft: Draft, indices: Indices) -> Operand:
            return draft.apply(op, indices[1], draft.plus(indices[0], shift))

        zero = {Kind.FLOAT: _ZERO, Kind.INT: ZERO, Kind.BOOL: Literal(False)}[x.kind]
        return chosen(keeps, x, zero)

    return rule


def identity(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.eye(rows)`"""
    lengths = tuple(map(number_of, args[1:]))
    ones = replace(of_number(_ONE), shape=statement.out.type.shape, lengths=lengths)
    return chosen(lambda d, k: d.apply("eq", k[0], k[1]), ones, _ZERO)


def diagonal_matrix(_: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.diag(x)` of a vector."""
    x = array_of(args[0])
    lengths = (*x.lengths, *x.lengths)
    wide = moved(x, statement, lengths, lambda _, k: k[:1])
    return chosen(lambda d, k: d.apply("eq", k[0], k[1]), wide, _ZERO)


def corner(op: str, which: int) -> Rule:
    """`np.triu_indices(n, k)[which]` by "ge", `np.tril_indices(n, k)` by "le"."""

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        n, shift = map(number_of, args)
        ones = replace(of_number(Literal(True)), shape=("?", "?"), lengths=(n, n))
        kept = chosen(
            lambda d, k: d.apply(op, k[1], d.plus(k[0], shift)), ones, Literal(False)
        )
        true = places_of(draft, kept)
        part = ("floordiv", "mod")[which]
        return Whole(
            Kind.INT,
            statement.out.type.shape,
            true.lengths,
            lambda d, k: d.once(part, true.element(d, k), n),
            is_free=True,
        )

    return rule


# fmt: off
RULES: dict[str, Rule] = {
    "lower":           triangle("le", 0),
    "lower_only":      triangle("le", -1),
    "upper":           triangle("ge", 0),
    "upper_only":      triangle("ge", 1),
    "lower_from":      triangle("le", None),
    "upper_from":      triangle("ge", None),
    "identity":        identity,
    "diagonal_matrix": diagonal_matrix,
    "upper_rows":      corner("ge", 0),
    "upper_columns":   corner("ge", 1),
    "lower_rows":      corner("le", 0),
    "lower_columns":   corner("le", 1),
}
# fmt: on
