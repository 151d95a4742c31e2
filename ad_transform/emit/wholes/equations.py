"""Systems of equations, determinants and factors of square matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    of_list,
    of_number,
    stored,
)
from ad_transform.emit.wholes.draft import ONE, ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.orders import list_of
from ad_transform.emit.wholes.parts import Rule, array_of
from ad_transform.ir.nodes import Apply, Literal, Operand


def solved(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """`np.linalg.solve(x, y)`"""
    x, y = (stored(draft, array_of(arg)) for arg in args)
    return _solved(draft, statement, x, y)


def _solved(draft: Draft, statement: Apply, x: Whole, y: Whole) -> Whole:
    columns = y.lengths[1] if len(y.lengths) > 1 else ONE
    sizes = (x.lengths[0], columns)
    hint = statement.out.hint
    array = draft.apply("solved", list_of(x), list_of(y), *sizes, hint=hint)
    draft.owned.add(array)
    return of_list(array, statement.out.type.shape, y.lengths)


def inverse(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """`np.linalg.inv(x)`"""
    x = stored(draft, array_of(args[0]))

    def at(inside: Draft, indices: Indices) -> Operand:
        return inside.choice(
            inside.apply("eq", *indices),
            lambda _: Literal(1.0),
            lambda _: Literal(0.0),
        )

    ones = replace(of_number(Literal(1.0)), shape=x.shape, lengths=x.lengths)
    eye = replace(ones, at=at, along=None, is_free=False)
    return _solved(draft, statement, x, stored(draft, eye))


def cholesky(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """`np.linalg.cholesky(x)`"""
    x = stored(draft, array_of(args[0]))
    hint = statement.out.hint
    array = draft.apply("rooted", list_of(x), x.lengths[0], hint=hint)
    draft.owned.add(array)
    return of_list(array, x.shape, x.lengths)


def pivots(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """The order of rows in which elimination finds the largest pivots."""
    x = stored(draft, array_of(args[0]))
    rows = x.lengths[0]
    places = draft.apply("pivoting", list_of(x), rows, hint=statement.out.hint)
    draft.owned.add(places)
    return of_list(places, statement.out.type.shape, (rows,))


def _measured(draft: Draft, args: Sequence[Value]) -> Operand:
    """A list of the sign of the determinant, and of the logarithm of its size."""
    x = stored(draft, array_of(args[0]))
    return draft.apply("measured", list_of(x), x.lengths[0])


def determinant(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
    """`np.linalg.det(x)`"""
    both = _measured(draft, args)
    sign, size = (draft.apply("read", both, k) for k in (ZERO, ONE))
    return draft.apply("mul", sign, draft.apply("exp", size))


def measure(which: Literal) -> Rule:
    """`np.linalg.slogdet(x)[which]`"""

    def rule(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
        return draft.apply("read", _measured(draft, args), which)

    return rule


# fmt: off
RULES: dict[str, Rule] = {
    "solved_for":          solved,
    "all_solved_for":      solved,
    "inverse":             inverse,
    "cholesky":            cholesky,
    "pivots":              pivots,
    "determinant":         determinant,
    "sign_of_determinant": measure(ZERO),
    "log_determinant":     measure(ONE),
}
# fmt: on
