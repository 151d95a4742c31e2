"""Second order by overloading: what a source computes, its slopes in two directions and
its curvature between them.

A source runs on `Hyper`s as it runs on floats: conditions look at values alone, and the
values are Python's to the bit.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any


class Hyper:
    """A value, its slopes `s` and `t` in two directions, and its curvature `st`."""

    __slots__ = ("s", "st", "t", "value")

    def __init__(self, value: Any, s: float = 0.0, t: float = 0.0, st: float = 0.0):
        self.value, self.s, self.t, self.st = value, s, t, st

    def chain(self, value: Any, slope: float, bend: float) -> Hyper:
        """A function of it by its value and derivatives."""
        bent = slope * self.st + bend * self.s * self.t
        return Hyper(value, slope * self.s, slope * self.t, bent)

    def _plus(self, other: Hyper, value: Any, sign: float) -> Hyper:
        s, t = self.s + sign * other.s, self.t + sign * other.t
        return Hyper(value, s, t, self.st + sign * other.st)

    def __add__(self, other: Any) -> Hyper:
        y = hyper(other)
        return self._plus(y, self.value + y.value, 1.0)

    def __sub__(self, other: Any) -> Hyper:
        y = hyper(other)
        return self._plus(y, self.value - y.value, -1.0)

    def _times(self, y: Hyper, value: Any) -> Hyper:
        s = self.s * y.value + self.value * y.s
        t = self.t * y.value + self.value * y.t
        st = self.st * y.value + self.s * y.t + self.t * y.s + self.value * y.st
        return Hyper(value, s, t, st)

    def __mul__(self, other: Any) -> Hyper:
        y = hyper(other)
        return self._times(y, self.value * y.value)

    def __truediv__(self, other: Any) -> Hyper:
        y = hyper(other)
        v = y.value
        inverse = y.chain(1.0 / v, -1.0 / v / v, 2.0 / v / v / v)
        return self._times(inverse, self.value / v)

    def __pow__(self, other: Any) -> Hyper:
        y = hyper(other)
        assert not (y.s or y.t or y.st), "only constant powers"
        v, p = self.value, y.value
        slope = p * _power(v, p - 1) if p else 0.0
        bend = p * (p - 1) * _power(v, p - 2) if p not in (0, 1) else 0.0
        return self.chain(v**p, slope, bend)

    def __mod__(self, other: Any) -> Hyper:
        return Hyper(self.value % hyper(other).value, self.s, self.t, self.st)

    def __floordiv__(self, other: Any) -> Hyper:
        return Hyper(self.value // hyper(other).value)

    def __radd__(self, other: Any) -> Hyper:
        return hyper(other) + self

    def __rsub__(self, other: Any) -> Hyper:
        return hyper(other) - self

    def __rmul__(self, other: Any) -> Hyper:
        return hyper(other) * self

    def __rtruediv__(self, other: Any) -> Hyper:
        return hyper(other) / self

    def __neg__(self) -> Hyper:
        return self.chain(-self.value, -1.0, 0.0)

    def __abs__(self) -> Hyper:
        sign = (self.value > 0) - (self.value < 0)
        return self.chain(abs(self.value), sign, 0.0)

    def __lt__(self, other: Any) -> bool:
        return bool(self.value < hyper(other).value)

    def __le__(self, other: Any) -> bool:
        return bool(self.value <= hyper(other).value)

    def __gt__(self, other: Any) -> bool:
        return bool(self.value > hyper(other).value)

    def __ge__(self, other: Any) -> bool:
        return bool(self.value >= hyper(other).value)

    def __eq__(self, other: Any) -> bool:
        return bool(self.value == hyper(other).value)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self.value != 0)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> Any:
        raise TypeError("a float has no slopes")


def _power(x: float, p: float) -> float:
    """x ** p, infinite at a pole."""
    return math.inf if x == 0 and p < 0 else x**p


def hyper(x: Any) -> Hyper:
    """A number as one whose slopes are 0."""
    return x if isinstance(x, Hyper) else Hyper(x)


def shared(pick: Callable[..., Any], first: Any, *rest: Any, **how: Any) -> Any:
    """`max` or `min`: what is equal shares the slopes, but not by a key."""
    values = [first, *rest] if rest else list(first)
    best = pick(values, **how)
    if "key" in how or not values:
        return best
    if not any(isinstance(v, Hyper) for v in values):
        return best
    top = hyper(best).value
    equal = [hyper(v) for v in values if hyper(v).value == top] or [hyper(best)]
    parts = [sum(getattr(v, k) for v in equal) / len(equal) for k in ("s", "t", "st")]
    return Hyper(top, *parts)


def _of(value: Any, slope: Any, bend: Any) -> Any:
    def function(x: Any) -> Hyper:
        v = hyper(x).value
        return hyper(x).chain(value(v), slope(v), bend(v))

    return function


def _hypot(x: Any, y: Any) -> Hyper:
    made = (hyper(x) * x + hyper(y) * y) ** 0.5
    return Hyper(math.hypot(hyper(x).value, hyper(y).value), made.s, made.t, made.st)


def _atan2(y: Any, x: Any) -> Hyper:
    q = hyper(y) / x  # right of the axis only
    v = q.value
    made = q.chain(0.0, 1 / (1 + v * v), -2 * v / (1 + v * v) ** 2)
    return Hyper(math.atan2(hyper(y).value, hyper(x).value), made.s, made.t, made.st)


def _copysign(x: Any, y: Any) -> Hyper:
    x, sign = hyper(x), math.copysign(1.0, hyper(y).value)
    own = math.copysign(1.0, x.value)
    return x.chain(math.copysign(x.value, sign), sign * own, 0.0)


def modules() -> dict[str, ModuleType]:
    """A `math` of such numbers."""
    made = ModuleType("math")
    own: dict[str, Any] = {
        "sin": _of(math.sin, math.cos, lambda v: -math.sin(v)),
        "cos": _of(math.cos, lambda v: -math.sin(v), lambda v: -math.cos(v)),
        "exp": _of(math.exp, math.exp, math.exp),
        "tanh": _of(math.tanh, _tanh1, lambda v: -2 * math.tanh(v) * _tanh1(v)),
        "sqrt": _of(math.sqrt, lambda v: 0.5 / v**0.5, lambda v: -0.25 / v**1.5),
        "log": _of(math.log, lambda v: 1 / v, lambda v: -1 / v**2),
        "log1p": _of(math.log1p, lambda v: 1 / (1 + v), lambda v: -1 / (1 + v) ** 2),
        "floor": lambda x: math.floor(hyper(x).value),
        "prod": math.prod,
        "hypot": _hypot,
        "atan2": _atan2,
        "copysign": _copysign,
    }
    vars(made).update(own)
    return {"math": made}


def _tanh1(v: float) -> float:
    return 1.0 / math.cosh(v) ** 2 if abs(v) < 300 else 0.0


BUILTINS: dict[str, Any] = {
    "max": partial(shared, builtins.max),
    "min": partial(shared, builtins.min),
    "float": lambda x: x if isinstance(x, Hyper) else builtins.float(x),
}
