"""The forward sweep through operations on arrays: the same operation on tangents."""

from __future__ import annotations

from typing import Any

from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.accumulation.partials import partial_of, places_of, transmits
from ad_transform.derive.sweep.forward import Forward
from ad_transform.derive.sweep.shapes import fitted
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import ADDED, COPY
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Operand, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.ir.trampoline import Task
from ad_transform.ir.typing import DECLARED, result_type


def forth_through_operation(parent: Forward, statement: Apply) -> Task[None]:
    """Enter the operation, and its tangents: `x[i] = v` has `x_dot[i] = v_dot`."""
    yield from ()  # a task like its siblings, though it holds no blocks
    parent.added.append(statement)
    tangents = (_tangent(parent, statement, d) for d in range(parent.directions))
    parent.enter(statement.out, tuple(tangents))


def _tangent(parent: Forward, statement: Apply, direction: int) -> Operand:
    op, args = statement.op, list(statement.args)
    if op.layout is None or op.layout.tangent:
        return _by_terms(parent, statement, direction)
    linear = [k for name in op.layout.linear_in for k in places_of(statement, name)]
    dots = {k: parent.tangent(args[k])[direction] for k in linear}
    if all(map(is_zero, dots.values())):
        return parent.zero
    if op.name in _ADDING and is_zero(dots[1]):  # x[i] += c leaves x_dot as it is
        return _like(parent, args[0], dots[0])
    if op.name in _SUMS and any(map(is_zero, dots.values())):
        (dot,) = (d for d in dots.values() if not is_zero(d))
        op, args = TABLE[_SUMS[op.name]], [dot]
    else:
        for k in linear:
            args[k] = _like(parent, args[k], parent.whole(args[k], direction))
    hint = parent.context.called(statement.out, direction)
    declared = op.result == DECLARED
    out = Var(statement.out.type if declared else result_type(op, args), hint)
    parent.added.append(Apply(out, op, tuple(args)))
    return out


def _like(parent: Forward, value: Operand, tangent: Operand) -> Operand:
    """A tangent in the shape of its value."""
    builder = Builder(TABLE, LAWS)
    made = fitted(builder, tangent, value)
    parent.added += builder.body
    return made


def _by_terms(parent: Forward, statement: Apply, direction: int) -> Operand:
    """The sum of the terms of all arguments, each by itself."""
    op, builder = statement.op, Builder(TABLE, parent.context.laws)
    total: Operand = parent.zero
    env: dict[str, Any] = {**op.bind(statement.args), "v": statement.out}
    templates = dict(op.layout.tangent) if op.layout else {}
    for k, arg in enumerate(statement.args):
        dot = parent.tangent(arg)[direction]
        if is_zero(dot) or not transmits(statement, k):
            continue
        if op.layout is None:
            partial = partial_of(builder, statement, k)
            term = builder.apply("mul", partial, dot)
        else:
            name = op.parameters[k]
            own = env | {f"{name}_dot": fitted(builder, dot, arg)}
            term = instantiate(parse_template(templates[name]), own, builder)
        total = builder.apply("add", total, term)
    if not is_zero(total):
        hint = parent.context.called(statement.out, direction)
        total = fitted(builder, total, statement.out)
        if builder.body and builder.body[-1].outs == (total,):
            named = Var(total.type, hint)
            builder.body[-1] = builder.body[-1].binding((named,))
            total = named
    parent.added += builder.body
    return total


_ADDING = frozenset({"add_at", "sub_at"})
"""Operations that add their second argument to an element of their first."""

_SUMS = {ADDED[rank]: COPY[rank] for rank in COPY}
"""Sums of arrays, and the operation that copies a single term."""
