"""Shifts: by how much computed values may be off, as center and radius."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ad_transform.ir.build import as_float
from ad_transform.ir.nodes import Literal, Operand

ZERO = Literal(0.0)


@dataclass(frozen=True, slots=True)
class Shift:
    """Computed less exact lies within `radius` of `center`."""

    center: Operand = ZERO
    radius: Operand = ZERO

    @property
    def is_zero(self) -> bool:
        return self.center == ZERO and self.radius == ZERO


NONE = Shift()
UNKNOWN = Shift(ZERO, Literal(math.inf))


def constant(error: float) -> Shift:
    """A known error, itself rounded to nearest."""
    slack = abs(error) * 2.0**-52 + 5e-324
    return Shift(Literal(error), Literal(slack)) if error else NONE


def floating(operand: Operand) -> Operand:
    """The operand, a whole literal as a float."""
    return as_float(operand) if isinstance(operand, Literal) else operand
