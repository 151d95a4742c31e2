"""Constants are folded: by + - * /, sqrt and whole powers only, so alike everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable

from ad_transform.ir.build import Builder
from ad_transform.ir.laws.looks import Args, value_of
from ad_transform.ir.nodes import Literal, Operand

_FOLDS: dict[str, Callable[..., float]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "neg": lambda x: -x,
    "sqrt": math.sqrt,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def fold(op: str) -> Callable[[Builder, Args], Operand | None]:
    compute = _FOLDS[op]

    def fold(b: Builder, args: Args) -> Operand | None:
        values = [value_of(a) for a in args]
        if any(v is None for v in values):
            return None
        try:
            result = compute(*values)
        except (ArithmeticError, ValueError):
            return None
        finite = not isinstance(result, float) or math.isfinite(result)
        return Literal(result) if finite else None

    return fold


def fold_power(b: Builder, args: Args) -> Operand | None:
    # c ** n for a whole n, by multiplication alone (deterministic everywhere)
    base, exponent = value_of(args[0]), value_of(args[1])
    if base is None or exponent is None or exponent % 1 != 0:  # inf % 1 is nan
        return None
    if base == 0.0 and exponent < 0:
        return None
    result = 1.0
    for _ in range(min(abs(int(exponent)), 1024)):
        result *= base
    if abs(exponent) > 1024 or not math.isfinite(result) or result == 0.0 != base:
        return None
    return Literal(result if exponent >= 0 else 1.0 / result)
