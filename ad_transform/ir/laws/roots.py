"""Laws of roots of numbers: what is multiplied or divided by one twice."""

from __future__ import annotations

from ad_transform.ir.build import Builder
from ad_transform.ir.constants import Constant, literal_of, number_of
from ad_transform.ir.laws.patterns import Args, args_of, scaled
from ad_transform.ir.monomial import Monomial, multiple
from ad_transform.ir.nodes import Literal, Operand


def mul_root(b: Builder, args: Args) -> Operand | None:
    # r * (c * r * x) -> c * q * x for the root r of a number q
    for r, x in (args, args[::-1]):
        q = _square(b, r)
        m = _without(b, x, r, "mul") if q is not None else None
        if m is not None and q is not None:
            return _written(b, m.scaled(q))
    return None


def div_root(b: Builder, args: Args) -> Operand | None:
    # c * x / r / r -> c / q * x for the root r of a number q
    x, r = args
    q = _square(b, r)
    m = _without(b, x, r, "div") if q else None
    return _written(b, m.over(Monomial(q))) if m is not None and q else None


def _square(b: Builder, r: Operand) -> float | Constant | None:
    """The number that a value is the root of."""
    root = args_of(b, r, "sqrt")
    return number_of(root[0]) if root and isinstance(root[0], Literal) else None


def _without(b: Builder, x: Operand, r: Operand, op: str) -> Monomial[Operand] | None:
    """The constant and the rest of x if that is multiplied, or divided, by r."""
    m = scaled(b, x) or multiple(1.0, x)
    ((inner, _),) = m.powers
    if inner is r and op == "mul":
        return Monomial(m.constant)
    left, right = args_of(b, inner, op) or (None, None)
    if right is r:
        rest = left
    elif left is r and op == "mul":
        rest = right
    else:
        return None
    if isinstance(rest, Literal):
        return Monomial(number_of(rest)).scaled(m.constant)
    return Monomial(m.constant, ((rest, 1),))


def _written(b: Builder, m: Monomial[Operand]) -> Operand:
    if not m.powers:
        return literal_of(m.constant)
    return b.apply("mul", literal_of(m.constant), m.powers[0][0])
