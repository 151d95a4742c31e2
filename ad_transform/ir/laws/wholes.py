"""Laws of arrays: choices for each element, and elements of written arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ad_transform.ir.laws.patterns import args_of, if_real
from ad_transform.ir.nodes import Literal, Operand

if TYPE_CHECKING:
    from ad_transform.ir.build import Builder


def where_decided(_: Builder, args: tuple[Operand, ...]) -> Operand | None:
    # where(True, x, y) -> x; where(t, x, x) -> x
    test, x, y = args
    if isinstance(test, Literal):
        return x if test.value else y
    return x if x == y else None


def picked(b: Builder, args: tuple[Operand, ...]) -> Operand | None:
    # array([x, y])[1] -> y
    array, place = args
    numbers = args_of(b, array, "vector")
    if numbers is None or not isinstance(place, Literal):
        return None
    at = int(place.value)
    return if_real(numbers[at]) if -len(numbers) <= at < len(numbers) else None
