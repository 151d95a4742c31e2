"""Expressions of numbers alone, which a compiler of Fortran computes before the program
runs.

It refuses `log(0.0_dp)`, `(-0.5_dp)**2.0_dp`, `exp(1000.0_dp)`, also where no run comes
to them, and warns of `exp(-1000.0_dp)`.
"""

from __future__ import annotations

from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Var
from ad_transform.ir.types import Kind

_SMALL, _LARGE = 1e-300, 1e300


class Folded:
    """The values of a function that are computed of numbers alone."""

    def __init__(self) -> None:
        self._known: dict[Var, float] = {}

    def has(self, statement: Apply) -> bool:
        """Whether an operation reads more than numbers, or gives a number that
        compilers compute without a warning.
        """
        op, args = statement.op, statement.args
        if op.layout is not None or statement.out.type.kind is not Kind.FLOAT:
            return True
        found = [
            a.value if isinstance(a, Literal) else self._known.get(a) for a in args
        ]
        numbers = [x for x in found if isinstance(x, int | float)]
        if not numbers or len(numbers) < len(found):
            return True
        if op.form is Form.POWER and numbers[0] < 0:
            return False
        try:
            made = op.compute(*numbers)
        except (ArithmeticError, ValueError):
            return False
        if not isinstance(made, float) or not _SMALL < abs(made) < _LARGE:
            return False
        self._known[statement.out] = made
        return True
