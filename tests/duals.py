"""Forward mode by overloading: what a source computes, and its slope in a direction.

A source runs on `Dual`s as it runs on floats: conditions look at values alone.
"""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any


class Dual:
    """A value and its slope."""

    __slots__ = ("slope", "value")

    def __init__(self, value: float, slope: float) -> None:
        self.value = value
        self.slope = slope

    def __add__(self, other: Any) -> Dual:
        y = dual(other)
        return Dual(self.value + y.value, self.slope + y.slope)

    def __sub__(self, other: Any) -> Dual:
        y = dual(other)
        return Dual(self.value - y.value, self.slope - y.slope)

    def __mul__(self, other: Any) -> Dual:
        y = dual(other)
        slope = self.slope * y.value + self.value * y.slope
        return Dual(self.value * y.value, slope)

    def __truediv__(self, other: Any) -> Dual:
        y = dual(other)
        value = self.value / y.value
        return Dual(value, (self.slope - value * y.slope) / y.value)

    def __radd__(self, other: Any) -> Dual:
        return dual(other) + self

    def __rsub__(self, other: Any) -> Dual:
        return dual(other) - self

    def __rmul__(self, other: Any) -> Dual:
        return dual(other) * self

    def __rtruediv__(self, other: Any) -> Dual:
        return dual(other) / self

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __abs__(self) -> Dual:
        return -self if self.value < 0 else self

    def __lt__(self, other: Any) -> bool:
        return self.value < dual(other).value

    def __le__(self, other: Any) -> bool:
        return self.value <= dual(other).value

    def __gt__(self, other: Any) -> bool:
        return self.value > dual(other).value

    def __ge__(self, other: Any) -> bool:
        return self.value >= dual(other).value

    def __bool__(self) -> bool:
        return self.value != 0


def dual(x: Any) -> Dual:
    """A number as one whose slope is 0."""
    return x if isinstance(x, Dual) else Dual(x, 0.0)


def _of(value: Any, slope: Any) -> Any:
    def function(x: Any) -> Dual:
        y = dual(x)
        return Dual(value(y.value), slope(y.value) * y.slope)

    return function


def modules() -> dict[str, ModuleType]:
    """A `math` of duals."""
    made = ModuleType("math")
    made.sin = _of(math.sin, math.cos)  # type: ignore[attr-defined]
    made.tanh = _of(math.tanh, lambda x: 1 - math.tanh(x) ** 2)  # type: ignore[attr-defined]
    made.exp = _of(math.exp, math.exp)  # type: ignore[attr-defined]
    return {"math": made}
