"""Systems of equations, determinants and factors of square matrices, eigenvalues and
pseudo-inverses.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    of_list,
    of_number,
    stored,
)
from ad_transform.emit.wholes.draft import LIST, ONE, ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.orders import list_of
from ad_transform.emit.wholes.parts import Rule, array_of
from ad_transform.emit.wholes.products import mat_vec
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.types import Kind, Type


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


def _eigen(draft: Draft, args: Sequence[Value]) -> Operand:
    """A list of the eigenvalues, and of the eigenvectors row by row: made once."""
    x = stored(draft, array_of(args[0]))
    given = list_of(x), x.lengths[0]
    key = ("eigen", *given)
    if key not in draft.known:
        out = draft.known[key] = Var(Type(Kind.FLOAT, LIST))
        draft.body.append(Apply(out, draft.rows["eigen"], given))
    found: Operand = draft.known[key]
    return found


def eigenvalues(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """`np.linalg.eigvalsh(x)`"""
    both, lengths = _eigen(draft, args), array_of(args[0]).lengths[:1]

    def along(inside: Draft, k: Operand) -> Operand:
        return inside.apply("read", both, k)

    shape = statement.out.type.shape
    return Whole(
        Kind.FLOAT, shape, lengths, lambda d, k: along(d, k[0]), along, is_free=True
    )


def eigenvectors(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """`np.linalg.eigh(x)[1]`"""
    both, lengths = _eigen(draft, args), array_of(args[0]).lengths
    n = lengths[0]

    def at(inside: Draft, indices: Indices) -> Operand:
        i, j = indices
        place = inside.plus(inside.times(inside.plus(i, ONE), n), j)
        return inside.apply("read", both, place)

    return Whole(Kind.FLOAT, statement.out.type.shape, lengths, at, is_free=True)


def _inverted(draft: Draft, x: Whole, cut: Operand, hint: str = "") -> Operand:
    array = draft.apply("inverted", list_of(x), *x.lengths, cut, hint=hint)
    draft.owned.add(array)
    return array


def pseudo_inverse(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """`np.linalg.pinv(x)`"""
    x = stored(draft, array_of(args[0]))
    array = _inverted(draft, x, Literal(1e-15), statement.out.hint)
    return of_list(array, statement.out.type.shape, x.lengths[::-1])


def least_squares(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.linalg.lstsq(x, y, rcond=None)[0]`"""
    x, y = (stored(draft, array_of(arg)) for arg in args)
    most = draft.most(*x.lengths)
    array = _inverted(draft, x, draft.apply("mul", Literal(2.0**-52), most))
    inverse = of_list(array, x.shape[::-1], x.lengths[::-1])
    return mat_vec(draft, statement, (inverse, y))


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
    "eigenvalues":         eigenvalues,
    "eigenvectors":        eigenvectors,
    "pseudo_inverse":      pseudo_inverse,
    "least_squares":       least_squares,
}
# fmt: on
