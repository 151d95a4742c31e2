"""Numbers that know what they are made of.

In derivative code a constant is a float. One that a named constant of the module has
gone into is a `Constant`: its number decides what it is (0, 1, negative), its formula
is what the output says. Arithmetic carries the formulas along, so no pass need know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ad_transform.ir import formulas
from ad_transform.ir.formulas import (
    LONGEST,
    Formula,
    Name,
    definition,
    evaluated,
    names,
)
from ad_transform.ir.monomial import Monomial
from ad_transform.ir.nodes import Literal, Origin


class Constant(float):
    """A float with a formula in which a named constant occurs."""

    __slots__ = ("formula", "is_local")

    formula: Formula
    is_local: bool
    """Whether it has a name of its function."""

    def __new__(
        cls, value: float, formula: Formula, inside: Sequence[Literal] | None = None
    ) -> Constant:
        made = super().__new__(cls, value)
        made.formula = formula
        made.is_local = False
        for name in names(formula) if inside is None else inside:
            if name.origin is Origin.LOCAL:
                made.is_local = True
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return (Constant, (float(self), self.formula))

    def __neg__(self) -> float:
        return _made(formulas.scaled(self.formula, -1.0), float.__neg__(self))

    def __abs__(self) -> float:
        return -self if self < 0.0 else self

    def __mul__(self, other: float) -> float:
        if type(other) is float and other == 1.0:
            return self
        return _joined(formulas.times, float.__mul__, self, other)

    def __rmul__(self, other: float) -> float:
        return _joined(formulas.times, float.__mul__, other, self)

    def __truediv__(self, other: float) -> float:
        if type(other) is float and other == 1.0:
            return self
        return _joined(formulas.over, float.__truediv__, self, other)

    def __rtruediv__(self, other: float) -> float:
        return _joined(formulas.over, float.__truediv__, other, self)

    def __add__(self, other: float) -> float:
        return _joined(formulas.plus, float.__add__, self, other)

    def __radd__(self, other: float) -> float:
        return _joined(formulas.plus, float.__add__, other, self)

    def __sub__(self, other: float) -> float:
        return _joined(_minus, float.__sub__, self, other)

    def __rsub__(self, other: float) -> float:
        return _joined(_minus, float.__sub__, other, self)

    def __pow__(self, n: Any, modulus: Any = None) -> Any:
        if modulus is None and float(n).is_integer() and 0 < abs(n) <= 64:
            return _made(self.formula.power(int(n)), float(self) ** n)
        return float.__pow__(self, n)


def _minus(p: Formula, q: Formula) -> Formula:
    return formulas.plus(p, formulas.scaled(q, -1.0))


def _formula(number: float, other: float) -> Formula:
    """The formula of an operand; a local name survives beside 1 and -1 alone."""
    if not isinstance(number, Constant):
        return Monomial(float(number))
    if number.is_local and abs(float(other)) != 1.0:
        return Monomial(float(number))
    return number.formula


def _joined(
    join: Callable[[Formula, Formula], Formula],
    compute: Callable[[float, float], float],
    c: float,
    d: float,
) -> float:
    number = compute(float(c), float(d))  # raises what it would raise for floats
    return _made(join(_formula(c, d), _formula(d, c)), number)


def _made(formula: Formula, number: float) -> float:
    """The number with its formula; without it where it has none worth telling."""
    inside = names(formula)
    if not inside or len(inside) > LONGEST:
        return number if inside else formula.constant
    value = evaluated(formula)
    return Constant(value, formula, inside) if math.isfinite(value) else number


def number_of(literal: Literal) -> float:
    """The number of a literal, with its formula if it has one."""
    value = float(literal.value)
    if literal.formula is not None:
        return Constant(value, literal.formula)
    if not literal.name:
        return value
    return Constant(value, Monomial(1.0, ((Name(literal), 1),)), (literal,))


def literal_of(number: float) -> Literal:
    """The literal for a number, under its name or with its formula if it has one."""
    if not isinstance(number, Constant):
        return Literal(float(number))
    formula = number.formula
    match formula:
        case Monomial(1.0, ((Name(literal), 1),)):
            return literal
    if number.is_local:  # no name outside of its function
        return Literal(float(number))
    return Literal(float(number), definition(formula), Origin.FORMULA, (), formula)


def as_real(literal: Literal) -> Literal:
    """The literal; if its name stands for a whole number in Python, a float of it."""
    formula = literal.formula
    if formula is None and literal.name:
        formula = Monomial(1.0, ((Name(literal), 1),))
    if formula is None or not formulas.is_whole(formula):
        return literal
    number = float(literal.value)
    if literal.origin is Origin.LOCAL:  # no name outside of its function
        return Literal(number)
    text = f"float({literal.name})"
    return Literal(number, text, Origin.FORMULA, (), formula)


def root(c: float) -> float:
    """The square root of c."""
    number = math.sqrt(c)
    return (
        _made(formulas.root(c.formula), number) if isinstance(c, Constant) else number
    )
