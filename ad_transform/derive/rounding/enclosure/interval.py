"""Intervals of errors, by center and radius (midpoint-radius arithmetic, Rump 1999).

The error of a value is the computed value less the exact one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.ir.build import as_float
from ad_transform.ir.nodes import Literal, Operand, Var
from ad_transform.ir.types import FLOAT, Type

ZERO = Literal(0.0)


@dataclass(frozen=True, slots=True)
class Interval:
    """The error of a value lies within `radius` of `center`."""

    center: Operand = ZERO
    radius: Operand = ZERO

    @property
    def is_zero(self) -> bool:
        return self.center == ZERO and self.radius == ZERO


Given = Sequence[Interval]
"""The intervals of the arguments of an operation."""

NONE = Interval()
UNKNOWN = Interval(ZERO, Literal(math.inf))


def constant(error: float) -> Interval:
    """A known error, itself rounded to nearest."""
    slack = abs(error) * 2.0**-52 + 5e-324
    return Interval(Literal(error), Literal(slack)) if error else NONE


def pairs(values: Sequence[Var]) -> tuple[Var, ...]:
    """New variables for the center and the radius of each value."""
    return tuple(
        Var(
            Type(FLOAT.kind, v.type.dims, v.type.shape),
            f"{v.hint}_{side}" if v.hint else "",
        )
        for v in values
        for side in ("center", "radius")
    )


def floating(operand: Operand) -> Operand:
    """The operand, a whole literal as a float."""
    return as_float(operand) if isinstance(operand, Literal) else operand
