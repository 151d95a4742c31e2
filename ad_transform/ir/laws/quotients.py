"""Laws of quotients and of signs; `x / x` is 1 only where x is known not to be 0."""

from __future__ import annotations

import math

from ad_transform.ir.build import Builder
from ad_transform.ir.constants import Constant, literal_of, number_of
from ad_transform.ir.laws.patterns import (
    Args,
    args_of,
    if_real,
    is_number,
    negated,
    scaled,
    scaled_or_inverse,
    value_of,
    write,
)
from ad_transform.ir.laws.signs import is_nonzero
from ad_transform.ir.monomial import Monomial, multiple
from ad_transform.ir.nodes import Literal, Operand, Var
from ad_transform.later import later

with later():
    from fractions import Fraction


def div_unit(b: Builder, args: Args) -> Operand | None:
    x, y = args
    if is_number(x, 0):  # 0 / x -> 0
        return Literal(0.0)
    if is_number(y, 1):  # x / 1 -> x
        return if_real(x)
    if is_number(y, -1) and x.type.is_real:  # x / -1 -> -x
        return b.apply("neg", x)
    return None


def div_power_of_two(b: Builder, args: Args) -> Operand | None:
    x, y = args
    c = value_of(y)
    if c is not None and c != 0 and abs(math.frexp(c)[0]) == 0.5 and 2**-99 < c < 2**99:
        return write(b, multiple(1.0 / c, x))  # x / 2 -> 0.5 * x, exactly
    return None


def div_signs(b: Builder, args: Args) -> Operand | None:
    x, y = args
    nx, ny = negated(b, x), negated(b, y)
    if nx is not None and ny is not None:  # -x / -y -> x / y
        return b.apply("div", nx, ny)
    if nx is not None:  # -x / y -> -(x / y)
        c = value_of(y)
        if c is not None:  # -x / c -> x / -c
            return b.apply("div", nx, literal_of(-c))
        return b.apply("neg", b.apply("div", nx, y))
    if ny is not None:  # x / -y -> -(x / y), c / -y -> -c / y
        c = value_of(x)
        if c is not None:
            return b.apply("div", literal_of(-c), ny)
        return b.apply("neg", b.apply("div", x, ny))
    return None


def div_constants(b: Builder, args: Args) -> Operand | None:
    x, y = args
    d, m = value_of(y), scaled(b, x)
    if d is not None and d != 0 and m:  # (c * x) / d -> (c / d) * x
        return write(b, m.over(Monomial(d)))
    return None


def neg_signs(b: Builder, args: Args) -> Operand | None:
    (x,) = args
    nx = negated(b, x)
    if nx is not None:  # -(-x) -> x
        return nx
    difference = args_of(b, x, "sub")
    if difference:  # -(x - y) -> y - x
        return b.apply("sub", difference[1], difference[0])
    m = scaled_or_inverse(b, x)
    return write(b, m.signed(-1)) if m else None  # -(c * x) -> -c * x


def div_equals(b: Builder, args: Args) -> Operand | None:
    """A quotient by a factor of its dividend; infinities are not told from numbers."""
    x, y = args
    if not isinstance(y, Var) or not y.type.is_real or not x.type.is_real:
        return None
    if x is y:  # x / x -> 1
        return Literal(1.0) if is_nonzero(b, y) else None
    factors = args_of(b, x, "mul")
    if factors and y in factors and is_nonzero(b, y):  # (x * y) / y -> x
        return if_real(factors[0] if factors[1] is y else factors[1])
    return None


def div_multiples(b: Builder, args: Args) -> Operand | None:
    x, y = args
    below, above = scaled(b, y), scaled(b, x)
    if below is None or below.constant == 0:
        return None
    c, ((u, _),) = below
    if above and above.constant == c:  # (c * x) / (c * y) -> x / y
        return b.apply("div", above.powers[0][0], u)
    if not isinstance(x, Literal) or value_of(x) is None:
        return None
    number = number_of(x)
    if number == 0 or not (math.isfinite(c) and math.isfinite(number / c)):
        return None
    found = number / c
    if isinstance(found, Constant) or not _is_exact(found, c, number):
        return None
    return b.apply("div", literal_of(found), u)  # c / (d * x) -> (c / d) / x


def _is_exact(found: float, c: float, number: float) -> bool:
    """Whether a ratio is not rounded, by its formula or as it is."""
    if isinstance(c, Constant) and isinstance(number, Constant):
        return True
    return Fraction(found) * Fraction(c) == Fraction(number)


def mul_equals(b: Builder, args: Args) -> Operand | None:
    for y, x in (args, args[::-1]):
        quotient = args_of(b, x, "div")
        if quotient is None or quotient[1] is not y or not isinstance(y, Var):
            continue
        if is_nonzero(b, y):  # y * (x / y) -> x
            return if_real(quotient[0])
    return None
