"""Constants are folded: by + - * /, sqrt and whole powers, and where a function has a
value without rounding, as log(1) has; only so they are alike everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from ad_transform.ir.build import Builder
from ad_transform.ir.constants import Constant, literal_of, root
from ad_transform.ir.decimals import product, quotient, total
from ad_transform.ir.exact_values import EXACT
from ad_transform.ir.laws.patterns import Args, value_of
from ad_transform.ir.nodes import Literal, Operand

Fold = Callable[[Builder, Args], Operand | None]

_COMPUTED: dict[str, Callable[..., float]] = {
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

_FORMED: dict[str, Callable[..., float]] = {
    "add": total,
    "sub": lambda x, y: total(x, -y),
    "mul": product,
    "div": quotient,
    "neg": lambda x: -x,
    "sqrt": root,
}


FOLDED = tuple(_COMPUTED)


@cache
def fold(op: str) -> Fold:
    """Constants as formulas: names stay, and short decimals stay short."""
    formed, computed = _FORMED.get(op), fold_to_the_bit(op)

    def fold(b: Builder, args: Args) -> Operand | None:
        values = [value_of(a) for a in args]
        if formed is None or True not in [a.type.is_real for a in args]:
            return computed(b, args)  # whole numbers remain whole
        if None in values:
            return None
        try:
            result = formed(*values)
        except (ArithmeticError, ValueError):
            return None
        return literal_of(result) if math.isfinite(result) else None

    return fold


def fold_to_the_bit(op: str) -> Fold:
    """Constants as numbers, rounded as the output would round: residuals need that."""
    compute = _COMPUTED[op]

    def fold(b: Builder, args: Args) -> Operand | None:
        values = [a.value if value_of(a) is not None else None for a in args]
        if None in values:
            return None
        try:
            result = compute(*values)
        except (ArithmeticError, ValueError):
            return None
        finite = not isinstance(result, float) or math.isfinite(result)
        return Literal(result) if finite else None

    return fold


@cache
def fold_at(op: str) -> Fold:
    """exp(0) is 1."""
    point, result = EXACT[op]

    def fold(b: Builder, args: Args) -> Operand | None:
        value = value_of(args[0])
        is_there = value == point and math.copysign(1.0, value) > 0.0
        return Literal(result) if is_there else None

    return fold


def fold_magnitude(b: Builder, args: Args) -> Operand | None:
    """abs(-2.0) is 2.0, and a number that is not below 0 keeps its name."""
    number: Operand = args[0]
    value = value_of(number)
    if value is None or value != value:
        return None
    if value == 0 and number.type.is_real:
        return Literal(0.0)  # not -0.0
    return fold("neg")(b, args) if value < 0 else number


_POWERS = 64
"""Powers of named constants up to which they keep the name."""


def fold_choice(beats: str) -> Fold:
    """max(2.0, 3.0) is 3.0, and keeps its name: y if it beats x, else x."""
    compare = _COMPUTED[beats]

    def fold(b: Builder, args: Args) -> Operand | None:
        left, right, *_ = args
        x, y = value_of(left), value_of(right)
        if x is None or y is None or left.type != right.type:
            return None
        found: Operand = right if compare(y, x) else left
        return found

    return fold


def fold_power(b: Builder, args: Args) -> Operand | None:
    # c ** n for a whole n, by multiplication alone (deterministic everywhere)
    base, exponent = value_of(args[0]), value_of(args[1])
    if base is None or exponent is None or exponent % 1 != 0:  # inf % 1 is nan
        return None
    if base == 0.0 and exponent < 0:
        return None
    if isinstance(base, Constant) and 0 < abs(exponent) <= _POWERS:
        found = base ** int(exponent)
        return literal_of(found) if math.isfinite(found) and found != 0.0 else None
    result = 1.0
    for _ in range(min(abs(int(exponent)), 1024)):
        result *= base
    if abs(exponent) > 1024 or not math.isfinite(result) or result == 0.0 != base:
        return None
    return Literal(result if exponent >= 0 else 1.0 / result)


def fold_operator(b: Builder, args: Args) -> Operand | None:
    # i ** k of whole numbers is one, unlike pow(i, k) of `math`
    if any(arg.type.is_real for arg in args):
        return fold_power(b, args)
    base, exponent = args
    if not isinstance(base, Literal) or not isinstance(exponent, Literal):
        return None
    if not 0 <= exponent.value <= _POWERS:  # type: ignore[operator]
        return None
    return Literal(base.value**exponent.value)  # type: ignore[operator]
