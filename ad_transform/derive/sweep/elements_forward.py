"""The forward sweep through operations on arrays: the same operation on tangents."""

from __future__ import annotations

from ad_transform.derive.linearise import is_zero, places_of
from ad_transform.derive.sweep.forward import Forward
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Apply, Operand, Var
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
    assert op.layout is not None
    linear = [k for name in op.layout.linear_in for k in places_of(statement, name)]
    dots = {k: parent.tangent(args[k])[direction] for k in linear}
    if all(map(is_zero, dots.values())):
        return parent.zero
    if op.name in _SUMS and any(map(is_zero, dots.values())):
        (dot,) = (d for d in dots.values() if not is_zero(d))
        op, args = TABLE[_SUMS[op.name]], [dot]
    else:
        for k in linear:
            args[k] = parent.whole(args[k], direction)
    hint = parent.context.called(statement.out, direction)
    declared = op.result == DECLARED
    out = Var(statement.out.type if declared else result_type(op, args), hint)
    parent.added.append(Apply(out, op, tuple(args)))
    return out


_SUMS = {"added": "copy", "added_rows": "copy_rows"}
"""Sums of arrays, and what gives one of them alone as an array of its own."""
