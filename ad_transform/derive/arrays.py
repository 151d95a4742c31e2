"""Derivatives of operations on arrays: the operation itself forth, its transpose back.

All of them are linear in the arrays and the values written. What a row says in `Layout`
is carried out here: `x[i] = y` has the tangent `x_dot[i] = y_dot`, and on the way back
`y_bar += x_bar[i]; x_bar[i] = 0.0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ad_transform.derive.linearise import places_of
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.template import instantiate, parse_template


def is_structural(statement: Apply) -> bool:
    """Whether an operation is one on arrays, whose derivative stands in its layout."""
    return statement.op.layout is not None


def tangent(
    builder: Builder, statement: Apply, dots: Mapping[Operand, Operand]
) -> Operand:
    """The tangent of an operation on arrays; it consumes the tangents of what the
    operation consumes.

    `dots` has the tangents of its numbers, 0.0 where there is none, and of its arrays,
    which have to be there: `like(array, 0.0)` of one that is constant.
    """
    op, args = statement.op, list(statement.args)
    assert op.layout is not None
    for name in op.layout.linear_in:
        for k in places_of(statement, name):
            args[k] = dots[args[k]] if args[k] in dots else _zero(args[k])
    return builder.apply(op.name, *args, declared=statement.out.type)


def transposed(
    builder: Builder,
    statement: Apply,
    v_bar: Operand,
    bars: Mapping[Operand, Operand] | None = None,
) -> dict[int, Operand]:
    """By the place of an argument, what its adjoint becomes.

    Of an array that is the whole new adjoint, of a number a term to be added. `v_bar`
    is the adjoint of the result, `bars` has those of arrays that the operation only
    reads. Both are consumed: an operation that changes an array hands on its adjoint,
    changed back.
    """
    op, args = statement.op, statement.args
    assert op.layout is not None
    env: dict[str, Any] = {"v_bar": v_bar}
    for name, given in op.bind(args).items():
        env[f"*{name}" if isinstance(given, tuple) else name] = given
    now = dict(bars or {})
    found: dict[int, Operand] = {}
    for name, template in op.layout.transpose:
        for k in places_of(statement, name):
            own = {**env, "k": Literal(k), "bar": now.get(args[k])}
            found[k] = now[args[k]] = instantiate(
                parse_template(template), own, builder
            )
    return found


def _zero(value: Operand) -> Operand:
    assert not value.type.dims
    return Literal(0.0)
