"""Numbers that remember the name they had in the source."""

from __future__ import annotations

from ad_transform.ir.nodes import Literal


class Named(float):
    """A float that is a named constant, as long as nothing is done to it."""

    __slots__ = ("literal",)

    literal: Literal

    def __new__(cls, literal: Literal) -> Named:
        made = super().__new__(cls, literal.value)
        made.literal = literal
        return made


def number_of(literal: Literal) -> float:
    """The number of a literal, with its name if it has one."""
    return Named(literal) if literal.name else float(literal.value)


def literal_of(number: float) -> Literal:
    """The literal for a number, under its name if it still has it."""
    return number.literal if isinstance(number, Named) else Literal(float(number))


def product(c: float, d: float) -> float:
    """c * d; times one a number keeps its name."""
    if c == 1.0:
        return d
    return c if d == 1.0 else c * d


def magnitude(c: float) -> float:
    """|c|; a positive number keeps its name."""
    return c if c > 0.0 else abs(c)
