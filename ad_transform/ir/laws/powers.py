"""Laws of powers: whole ones by squaring, half ones by square roots."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of
from ad_transform.ir.decimals import total
from ad_transform.ir.elemental import Form
from ad_transform.ir.laws.patterns import Args, args_of, is_number, value_of
from ad_transform.ir.laws.signs import POSITIVE, is_nonzero, signs
from ad_transform.ir.nodes import Apply, Literal, Operand, Var

_MOST = 64  # powers up to this exponent cost fewer multiplications than a call of pow

_MANY = 3
"""Multiplications from which on the slope of a power is a power: that is as fast, and
overflows, which raises, nowhere but where the power itself does."""


def of_one(b: Builder, args: Args) -> Operand | None:
    # 1 ** x -> 1
    x, y = args
    real = x.type.is_real or y.type.is_real
    return Literal(1.0) if real and is_number(x, 1) else None


def one_less(b: Builder, args: Args) -> Operand | None:
    # x ** (y - 1) -> x ** y / x where that is there, itself is not, and x is not 0
    x, y = args
    above = _one_more(b, y)
    if above is None or _found(b, x, y) or not is_nonzero(b, x):
        return None
    made = _found(b, x, above)
    return b.apply("div", made, x) if made else None


def _found(b: Builder, x: Operand, y: Operand) -> Operand | None:
    return b.find("pow", x, y) or b.find("math_pow", x, y)


_LESS = frozenset({-1, -0.5, 0, 0.5, 1, 2})
"""Exponents of powers that cost at most one operation as they are."""


def _one_more(b: Builder, y: Operand) -> Operand | None:
    """The number n of an exponent y = n - 1, as a derivative has it; None for _LESS."""
    exponent = value_of(y)
    if exponent is not None:
        if exponent in _LESS:
            return None
        if type(exponent) is int:  # x ** 2 is not x ** 2.0
            return Literal(exponent + 1)
        return literal_of(total(exponent, 1.0))
    less = args_of(b, y, "sub")
    return less[0] if less and is_number(less[1], 1) else None


def power(b: Builder, args: Args) -> Operand | None:
    x, y = args
    exponent = value_of(y)
    if exponent is None or not x.type.is_real:
        return None
    known = b.find("pow", x, y)
    if exponent not in (0, 1) and known is not None:
        return known
    if exponent % 1 == 0 and abs(exponent) <= _MOST:  # inf % 1 is nan
        whole = int(exponent)
        return None if _is_long_slope(b, x, whole) else whole_power(b, x, whole)
    return _ROOTS[exponent](b, x) if exponent in _ROOTS else None


def _is_long_slope(b: Builder, x: Operand, n: int) -> bool:
    """Whether x ** n takes _MANY multiplications and x ** (n + 1) is a power, too."""
    products = n.bit_length() + n.bit_count() - 2
    return n > 0 and products >= _MANY and _found(b, x, Literal(n + 1)) is not None


def whole_power(b: Builder, x: Operand, n: int) -> Operand:
    """x ** n by repeated squaring."""
    if n < 0:  # x ** -n -> 1 / x ** n
        return b.apply("div", Literal(1.0), whole_power(b, x, -n))
    result: Operand | None = None
    square = x
    while n:
        if n & 1:
            result = square if result is None else b.apply("mul", result, square)
        n >>= 1
        if n:
            square = b.apply("mul", square, square)
    return Literal(1.0) if result is None else result  # x ** 0 -> 1


_ROOTS: dict[float, Callable[[Builder, Operand], Operand]] = {
    0.5: lambda b, x: b.apply("sqrt", x),
    -0.5: lambda b, x: b.apply("div", Literal(1.0), b.apply("sqrt", x)),
    1.5: lambda b, x: b.apply("mul", x, b.apply("sqrt", x)),
}


def never_zero(b: Builder, args: Args) -> Operand | None:
    # z ** x != 0 -> True for z > 0: where it underflows, its multiples are 0 anyway
    x, y = args
    made = b.definition.get(x) if isinstance(x, Var) else None
    if not isinstance(made, Apply) or made.op.form is not Form.POWER:
        return None
    positive = is_number(y, 0) and signs(b, made.args[0]) == POSITIVE
    return Literal(True) if positive else None
