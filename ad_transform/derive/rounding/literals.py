"""Literals that mean decimals: 0.1 is one tenth, and the double beside it is in error.

For the sweep such a literal is an input with a known error; the finished program has
the literal back in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import isfinite

from ad_transform.derive.rounding.inputs import Known
from ad_transform.ir.blocks import over_loop
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Operand,
    Origin,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import FLOAT

_CONSTANTS = {
    "math.pi": -1.2246467991473532e-16,
    "math.e": -1.4456468917292502e-16,
    "math.tau": -2.4492935982947064e-16,
}
"""What the doubles of `math` are more than the numbers they are named after."""


def literal_error(literal: Literal) -> float:
    """The double less the decimal that it is the nearest to (its shortest text)."""
    value = literal.value
    if not isinstance(value, float) or not isfinite(value):
        return 0.0
    if literal.origin is Origin.LIBRARY:
        return _CONSTANTS.get(literal.name, 0.0)
    return float(Fraction(value) - Fraction(Decimal(repr(value))))


@dataclass(frozen=True, slots=True)
class Decimals:
    """A function whose inexact literals have become variables, and their errors."""

    function: Function
    literals: Mapping[Var, Literal]
    errors: Mapping[Var, Known]


def unchanged(function: Function) -> Decimals:
    """The function as it is: its literals are the doubles they are."""
    return Decimals(function, {}, {})


def freed(function: Function) -> Decimals:
    """The function with a variable for each literal that is not its decimal."""
    made: dict[Literal, Var] = {}

    def seen(operand: Operand) -> Operand:
        if not isinstance(operand, Literal) or not literal_error(operand):
            return operand
        return made.setdefault(operand, Var(FLOAT))

    body = tuple(
        Apply(s.out, s.op, tuple(map(seen, s.args))) if isinstance(s, Apply) else s
        for s in function.body
    )
    block = Block(function.block.params, body, function.results)
    literals = {var: c for c, var in made.items()}
    errors = {var: Known(literal_error(c)) for var, c in literals.items()}
    return Decimals(replace(function, block=block), literals, errors)


_EXACTLY = frozenset({"plus", "minus", "times", "abs", "ulp"})
"""Operations on literals that are carried out here, to the bit."""


def restored(
    body: Sequence[Statement],
    results: Sequence[Operand],
    literals: Mapping[Var, Literal],
) -> tuple[tuple[Statement, ...], tuple[Operand, ...]]:
    """The program with its literals back."""
    if not literals:
        return tuple(body), tuple(results)
    env: dict[Operand, Operand] = dict(literals.items())
    made: list[Statement] = []
    for statement in body:
        args = tuple(env.get(a, a) for a in statement.inputs)
        match statement:
            case Apply(out, op):
                values = [a.value for a in args if isinstance(a, Literal)]
                if op.name in _EXACTLY and len(values) == len(args):
                    env[out] = Literal(op.compute(*values))
                else:
                    made.append(Apply(out, op, args))
            case Branch(outs, _, _, then, orelse):
                made.append(Branch(outs, args[0], args[1:], then, orelse))
            case Check():
                made.append(statement.over(env))
            case Scan() | While():
                made.append(replace(over_loop(statement, env), outs=statement.outs))
    return tuple(made), tuple(env.get(r, r) for r in results)
