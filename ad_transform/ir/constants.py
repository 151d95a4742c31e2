"""Numbers that remember the name they had in the source."""

from __future__ import annotations

from ad_transform.ir.nodes import Literal


class Named(float):
    """A float that is a named constant or its negative."""

    __slots__ = ("literal", "sign")

    literal: Literal
    sign: int

    def __new__(cls, literal: Literal, sign: int = 1) -> Named:
        made = super().__new__(cls, sign * float(literal.value))
        made.literal, made.sign = literal, sign
        return made

    def __neg__(self) -> Named:
        return Named(self.literal, -self.sign)


def number_of(literal: Literal) -> float:
    """The number of a literal, with its name if it has one."""
    return Named(literal) if literal.name else float(literal.value)


def literal_of(number: float) -> Literal:
    """The literal for a number, under its name if it still has it."""
    if isinstance(number, Named) and number.sign > 0:
        return number.literal
    return Literal(float(number))


def product(c: float, d: float) -> float:
    """c * d; times one, and minus one, a number keeps its name."""
    if abs(c) == 1.0:
        return d if c > 0.0 else -d
    if abs(d) == 1.0:
        return c if d > 0.0 else -c
    return c * d


def magnitude(c: float) -> float:
    """|c|, under its name if that is a positive number's."""
    return c if c > 0.0 else -c if c < 0.0 else abs(c)
