"""Literals that mean decimals: 0.1 is one tenth, and the double beside it is in error.

So is, always, the double beside a whole number of too many bits that meets a float. For
the sweep such a literal is an input with a known error; the finished program has
the literal back in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import isfinite

from ad_transform.derive.rounding.inputs import Known
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Origin,
    Statement,
    Var,
)
from ad_transform.ir.types import FLOAT, INT

_CONSTANTS = {
    "math.pi": -1.2246467991473532e-16,
    "math.e": -1.4456468917292502e-16,
    "math.tau": -2.4492935982947064e-16,
}
"""What the doubles of `math` are more than the numbers they are named after."""


def whole_error(literal: Literal) -> float:
    """The double less the whole number that it stands for."""
    value = literal.value
    if not isinstance(value, int) or abs(value) <= 2**53 or abs(value) > 2**1023:
        return 0.0
    return float(int(float(value)) - value)


def decimal_error(literal: Literal) -> float:
    """The double less the decimal that it is the nearest to (its shortest text)."""
    value = literal.value
    if isinstance(value, int):
        return whole_error(literal)
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


def exact(function: Function) -> Decimals:
    """The function with literals for the doubles that they are."""
    return _freed(function, whole_error)


def decimal(function: Function) -> Decimals:
    """The function with a variable for each literal that is not its decimal."""
    return _freed(function, decimal_error)


def _freed(function: Function, error: Callable[[Literal], float]) -> Decimals:
    made: dict[Literal, Var] = {}
    wholes = _wholes(function.body)

    def seen(operand: Operand) -> Operand:
        literal = wholes.get(operand, operand)
        if not isinstance(literal, Literal) or not error(literal):
            return operand
        return made.setdefault(literal, Var(FLOAT))

    def looked_at(statement: Statement) -> Statement:
        if not isinstance(statement, Apply) or not _meets_float(statement):
            return statement
        return Apply(statement.out, statement.op, tuple(map(seen, statement.args)))

    body = tuple(map(looked_at, function.body))
    block = Block(function.block.params, body, function.results)
    literals = {var: c for c, var in made.items()}
    errors = {var: Known(error(c)) for var, c in literals.items()}
    return Decimals(replace(function, block=block), literals, errors)


def _wholes(body: Sequence[Statement]) -> dict[Operand, Literal]:
    """Whole numbers that are computed from literals, such as 10**23."""
    found: dict[Operand, Literal] = {}
    for statement in body:
        if not isinstance(statement, Apply) or statement.op.form not in _WHOLE:
            continue
        args = [found.get(a, a) for a in statement.args]
        values = [a.value for a in args if isinstance(a, Literal)]
        whole = [v for v in values if isinstance(v, int)]
        if len(whole) < len(args) or statement.out.type != INT:
            continue
        power = statement.op.form is Form.POWER
        if not power or 0 <= whole[1] <= 400:  # 10.0**309 is no double
            found[statement.out] = Literal(statement.op.compute(*whole))
    return found


_WHOLE = frozenset({Form.SUM, Form.DIFFERENCE, Form.PRODUCT, Form.NEGATION, Form.POWER})


def _meets_float(statement: Apply) -> bool:
    """Whether whole numbers become floats here: beside floats, not in comparisons."""
    real = any(a.type.is_real for a in statement.args)
    return real and statement.out.type.is_real


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
        again = statement.over(env)
        if isinstance(again, Apply) and again.op.name in _EXACTLY:
            values = [a.value for a in again.args if isinstance(a, Literal)]
            if len(values) == len(again.args):
                env[again.out] = Literal(again.op.compute(*values))
                continue
        made.append(again)
    return tuple(made), tuple(env.get(r, r) for r in results)
