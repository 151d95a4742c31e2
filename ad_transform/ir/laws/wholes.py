"""Laws of arrays: choices for each element."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ad_transform.ir.nodes import Literal, Operand

if TYPE_CHECKING:
    from ad_transform.ir.build import Builder


def where_decided(_: Builder, args: tuple[Operand, ...]) -> Operand | None:
    # where(True, x, y) -> x; where(t, x, x) -> x
    test, x, y = args
    if isinstance(test, Literal):
        return x if test.value else y
    return x if x == y else None
