"""Patterns that laws match operands with: `-x`, `c * x`, a number, an operation."""

from __future__ import annotations

from typing import Any

from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.monomial import Monomial, multiple
from ad_transform.ir.nodes import Apply, Literal, Operand, Var

Args = tuple[Any, ...]

EXACT = 2.0**53
"""Whole numbers below are floats as well."""


def value_of(operand: Operand) -> float | None:
    """The number that a literal stands for; None for anything else."""
    if not isinstance(operand, Literal) or isinstance(operand.value, str):
        return None
    if operand.name and (operand.type.is_real or abs(operand.value) < EXACT):
        return number_of(operand)
    return operand.value


def is_number(operand: Operand, number: float) -> bool:
    """Whether the operand is this number, written out."""
    return isinstance(operand, Literal) and operand.value == number


def args_of(b: Builder, operand: Operand, op: str) -> Args | None:
    """The arguments of the operation `op` that made the operand, if one did."""
    made = b.definition.get(operand) if isinstance(operand, Var) else None
    if isinstance(made, Apply) and made.op.name == op:
        return made.args
    return None


def negated(b: Builder, operand: Operand) -> Operand | None:
    """x if the operand is -x."""
    args = args_of(b, operand, "neg")
    return args[0] if args else None


def scaled(b: Builder, operand: Operand) -> Monomial[Operand] | None:
    """The operand as a monomial if it is a float c * x with a literal c."""
    args = args_of(b, operand, "mul")
    if args is None or not operand.type.is_real:
        return None
    for c, x in (args, args[::-1]):
        if isinstance(c, Literal) and value_of(c) is not None:
            return multiple(number_of(c), x)
    return None


def scaled_or_inverse(b: Builder, operand: Operand) -> Monomial[Operand] | None:
    """The operand as a monomial if it is c * x or c / x with a literal c."""
    quotient = args_of(b, operand, "div")
    above = value_of(quotient[0]) if quotient else None
    if quotient is None or above is None:
        return scaled(b, operand)
    return Monomial(above, ((quotient[1], -1),))


def write(b: Builder, m: Monomial[Operand]) -> Operand:
    """The value of c * x or c / x."""
    ((x, exponent),) = m.powers
    return b.apply("mul" if exponent > 0 else "div", literal_of(m.constant), x)


def if_real(x: Operand) -> Operand | None:
    """The operand if it is a float: a law must not turn a float into an int."""
    return x if x.type.is_real else None
