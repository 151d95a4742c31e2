"""Laws of comparisons."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.ir.build import Builder
from ad_transform.ir.laws.patterns import Args
from ad_transform.ir.nodes import Literal, Operand

MIRRORED = {"eq": "eq", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
"""What says the same with its operands exchanged, for NaN as well."""


def number_last(mirrored: str) -> Callable[[Builder, Args], Operand | None]:
    """`0 < x` is written `x > 0`."""

    def number_last(b: Builder, args: Args) -> Operand | None:
        x, y = args
        if isinstance(x, Literal) and not isinstance(y, Literal):
            return b.apply(mirrored, y, x)
        return None

    return number_last
