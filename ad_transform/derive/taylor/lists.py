"""Operations on arrays under expansion.

Linear operations are done with the coefficients; products have the products of theirs,
and systems of equations one system for each degree. Of anything else the row's tangents
give v', in which x' is a value with a series of its own, and v_j is the coefficient of
degree j - 1 of that, divided by j.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.accumulation.partials import places_of
from ad_transform.derive.taylor.series import ZERO, added, difference
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import ADDED, COPY
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.template import instantiate, parse_template

if TYPE_CHECKING:
    from ad_transform.derive.taylor.expansion import Expansion

_ALONE = {ADDED[rank]: COPY[rank] for rank in COPY}
"""Sums of arrays, and the operation that copies a single term."""

_SYSTEMS = {"solved_for": "mat_vec", "all_solved_for": "mat_mat"}
"""Systems of equations x v = y, and the operation of x v."""


def on_arrays(expansion: Expansion, statement: Apply, j: int) -> Operand:
    """The coefficient of degree j of an operation on arrays."""
    op = statement.op
    assert op.layout is not None
    if op.name in _SYSTEMS:
        return _solution(expansion, statement, j)
    if op.layout.tangent:
        by = _product if _is_product(op) else _by_tangent
        return by(expansion, statement, j)
    places = [k for name in op.layout.linear_in for k in places_of(statement, name)]
    given = {k: expansion.series(statement.args[k]).at(j) for k in places}
    return _like(expansion, statement, given)


def _like(
    expansion: Expansion, statement: Apply, given: Mapping[int, Operand]
) -> Operand:
    """The operation on other arguments at some places; 0 if all of these are 0."""
    op, args = statement.op, list(statement.args)
    left = [value for value in given.values() if not is_zero(value)]
    if not left:
        return ZERO
    if op.name in _ALONE and len(left) < len(given):
        op, args = TABLE[_ALONE[op.name]], left
    else:
        for k, value in given.items():
            args[k] = expansion.whole(args[k], value)
    return expansion.builder.keep(op, tuple(args), declared=statement.out.type)


@cache
def _is_product(op: Elemental) -> bool:
    """Whether each tangent is the operation itself, with a tangent for one argument."""
    layout = op.layout
    return layout is not None and all(
        parse_template(text)
        == parse_template(f"{op.name}({', '.join(_with_dot(op, name))})")
        for name, text in layout.tangent
    )


def _with_dot(op: Elemental, name: str) -> tuple[str, ...]:
    return tuple(f"{p}_dot" if p == name else p for p in op.parameters)


def _product(expansion: Expansion, statement: Apply, j: int) -> Operand:
    """The sum of products of coefficients whose degrees add up to j."""
    x, y = (expansion.series(arg) for arg in statement.args[:2])
    total: Operand = ZERO
    for i in range(j + 1):
        if not (is_zero(x.at(i)) or is_zero(y.at(j - i))):
            term = _like(expansion, statement, {0: x.at(i), 1: y.at(j - i)})
            total = added(expansion.builder, total, term)
    return total


def _solution(expansion: Expansion, statement: Apply, j: int) -> Operand:
    """The system with x as it is: x v_j is y_j without the x_i v_(j-i)."""
    builder, out = expansion.builder, statement.out
    x, y = statement.args
    matrix, values = expansion.series(x), expansion.series(out)
    rest = expansion.series(y).at(j)
    for i in range(1, j + 1):
        if is_zero(matrix.at(i)) or is_zero(values.at(j - i)):
            continue
        left = expansion.whole(x, matrix.at(i))
        right = expansion.whole(out, values.at(j - i))
        term = builder.apply(_SYSTEMS[statement.op.name], left, right)
        rest = (
            builder.apply("neg", term)
            if is_zero(rest)
            else difference(builder, rest, term)
        )
    return _like(expansion, statement, {1: rest})


def _by_tangent(expansion: Expansion, statement: Apply, j: int) -> Operand:
    """The coefficient of degree j - 1 of v', divided by j."""
    op, builder = statement.op, expansion.builder
    assert op.layout is not None
    env: dict[str, Any] = {**op.bind(statement.args), "v": statement.out}
    total: Operand = ZERO
    for name, text in op.layout.tangent:
        if not expansion.series(env[name]).is_constant:
            own = {**env, f"{name}_dot": expansion.rate(env[name])}
            term = instantiate(parse_template(text), own, builder)
            total = added(builder, total, term)
    found = expansion.series(total).at(j - 1)
    return found if is_zero(found) else builder.apply("div", found, Literal(float(j)))
