"""The numbers of a graph at a point, computed by the reference interpreter.

A value whose computation raises has no number, nor has a value made of it: a partial
may be singular where the value is not. Results of called functions have none either:
the functions stand outside of the graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Call,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
    group,
    walk,
)

Numbers = Mapping[Operand, Any]


def numbers(body: Sequence[Statement], given: Mapping[Var, Any]) -> Numbers:
    """The values of a body's variables by those of its inputs; linear."""
    known = dict(cast(Numbers, given))
    for statement in body:
        inputs = [x for x in dict.fromkeys(statement.inputs) if isinstance(x, Var)]
        here = statement.outs and not calls(statement)
        if here and all(x in known for x in inputs):
            known.update(_carried_out(statement, inputs, known))
    return known


def calls(statement: Statement) -> bool:
    """Whether a statement calls a function, or holds one that does."""
    return any(isinstance(inner, Call) for inner in walk((statement,)))


def _carried_out(
    statement: Statement, inputs: Sequence[Var], known: Numbers
) -> dict[Operand, Any]:
    block = Block(tuple(inputs), (statement,), statement.outs)
    program = Function("", (), block, group((LEAF,) * len(statement.outs)))
    try:
        values = evaluate(program, [known[x] for x in inputs])
    except (ArithmeticError, ValueError, TypeError):
        return {}
    return dict(zip(statement.outs, values, strict=True))


def spelled(operand: Operand | None, known: Numbers) -> str:
    """` = 1.25`, four digits; empty for literals and for values without a number."""
    if operand is None or isinstance(operand, Literal) or operand not in known:
        return ""
    value = known[operand]
    return f" = {value:.4g}" if isinstance(value, int | float) else ""
