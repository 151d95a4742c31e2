"""Laws of comparisons, and of the greater and the lesser of two."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.ir.build import Builder
from ad_transform.ir.laws.patterns import Args
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.types import INT

MIRRORED = {"eq": "eq", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
"""Comparisons that say the same with operands exchanged, for NaN as well."""

_SIGNS = {"add": 1, "sub": -1}


def number_last(mirrored: str) -> Callable[[Builder, Args], Operand | None]:
    """`0 < x` is written `x > 0`."""

    def number_last(b: Builder, args: Args) -> Operand | None:
        x, y = args
        if isinstance(x, Literal) and not isinstance(y, Literal):
            return b.apply(mirrored, y, x)
        return None

    return number_last


def of_shifted(beats: str) -> Callable[[Builder, Args], Operand | None]:
    """Of whole numbers min(n, n - 1) is n - 1: y if it beats x, else x."""
    sign = 1 if beats == "gt" else -1

    def of_shifted(b: Builder, args: Sequence[Operand]) -> Operand | None:
        if any(arg.type != INT for arg in args):
            return None
        x, y = args
        (base, shift), (other, shift_2) = _shifted(b, x), _shifted(b, y)
        if base is not other or not isinstance(base, Var):
            return None
        return y if sign * (shift_2 - shift) > 0 else x

    return of_shifted


def _shifted(b: Builder, operand: Operand) -> tuple[Operand, int]:
    """A whole number as a base and a shift: n and -1 for n - 1."""
    made = b.definition.get(operand) if isinstance(operand, Var) else None
    if isinstance(made, Apply) and made.op.name in _SIGNS:
        base, shift = made.args
        if isinstance(shift, Literal):
            return base, _SIGNS[made.op.name] * int(shift.value)
    return operand, 0
