"""Which operations err, and by how many halves of a unit in the last place at most."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from ad_transform.derive.rounding.guards import LOST, TINY
from ad_transform.derive.rounding.pieces import is_never_negative
from ad_transform.ir.build import Builder, as_float
from ad_transform.ir.elemental import EXACT
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.template import instantiate, parse_template

# --- exact operations ----------------------------------------------------------------


def number(operand: Operand) -> float | None:
    """The value of a numeric literal as a float."""
    if not isinstance(operand, Literal) or isinstance(operand.value, str):
        return None
    return float(as_float(operand).value)


def is_exact(statement: Apply) -> bool:
    """Whether an operation makes no error, whatever its arguments are.

    Copies, signs, `abs`, `max`, sums with 0, products with 2**k, first powers, and
    operations on literals whose result happens to be exact. (Products with 2**-k are
    exact unless they underflow: `scales_down`.)
    """
    op, args = statement.op, statement.args
    if op.ulps == EXACT or not statement.out.type.is_real:
        return True
    values = [number(a) for a in args]
    if all(v is not None for v in values):
        return constant_error(statement) == 0
    match op.name, values:
        case ("add" | "sub", [_, 0.0]) | ("add" | "sub", [0.0, _]):
            return True
        case ("mul", [float(c), _]) | ("mul", [_, float(c)]):
            return c == 0.0 or (_is_power_of_two(c) and abs(c) >= 1.0)
        case ("div", [_, float(c)]):
            return _is_power_of_two(c) and abs(c) <= 1.0
        case ("pow" | "math_pow", [_, float(c)]):
            return c in (0.0, 1.0)
    return False


def scales_down(statement: Apply) -> bool:
    """Whether an operation is a product with 2**-k, exact unless it underflows."""
    values = [number(a) for a in statement.args]
    match statement.op.name, values:
        case ("mul", [float(c), None]) | ("mul", [None, float(c)]):
            return _is_power_of_two(c) and abs(c) < 1.0
        case ("div", [None, float(c)]):
            return _is_power_of_two(c) and abs(c) > 1.0
    return False


def _is_power_of_two(c: float) -> bool:
    return math.isfinite(c) and abs(math.frexp(c)[0]) == 0.5


_RATIONAL = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
}


def constant_error(statement: Apply) -> float | None:
    """The error of an arithmetic operation on literals, None where it is not known."""
    exact = _RATIONAL.get(statement.op.name)
    values = [number(a) for a in statement.args]
    finite = [v for v in values if v is not None and math.isfinite(v)]
    if exact is None or len(finite) < 2:
        return None
    try:
        rounded = statement.op.compute(*finite)
        return float(Fraction(rounded) - exact(*map(Fraction, finite)))
    except (ArithmeticError, ValueError):
        return None


# --- the largest error --------------------------------------------------------------

_INEXACT = {
    "add": "True if ne(minus(v, x), y) else ne(minus(v, y), x)",
    "sub": "True if ne(minus(x, v), y) else ne(plus(v, y), x)",
}
_CANCELLED = f"0.0 if abs(v) > {LOST} * abs(m) else 1e999"
_UNDERFLOWN = f"a * 1e-323 if (v < {TINY} if v > -{TINY} else False) else 0.0"


@dataclass(frozen=True, slots=True)
class Place:
    """An operation at its place: its operands and result, as the builder has them.

    `suspect` if it is a difference of inexact values whose result is used nonlinearly.
    """

    statement: Apply
    args: tuple[Operand, ...]
    out: Operand
    suspect: bool = False


def largest_term(builder: Builder, place: Place, weight: Operand) -> Operand:
    """`weight`, not negative, times the largest error in halves of an ulp.

    The error of a sum is zero where the sum is exact; where that comes of cancellation
    that may have left nothing, and the result is used nonlinearly, it is infinite.
    """
    statement, name = place.statement, place.statement.op.name
    known = constant_error(statement)
    if known is not None:
        return builder.apply("mul", weight, Literal(2.0 * abs(known)))
    if name in ("sum", "sum_from", "fsum"):
        error = builder.apply("sum_error", place.out, *place.args)
        return _product(builder, weight, 2.0, builder.apply("abs", error))
    args = (as_float(a) if isinstance(a, Literal) else a for a in place.args)
    env = dict(zip("xy", args, strict=False)) | {"a": weight, "v": place.out}
    if scales_down(statement):
        return instantiate(parse_template(_UNDERFLOWN), env, builder)
    if name in _INEXACT:
        exact = _CANCELLED if place.suspect and _may_cancel(builder, place) else "0.0"
        env["m"] = next(a for a in place.args if not isinstance(a, Literal))
        text = f"a * ulp(v) if ({_INEXACT[name]}) else ({exact})"
        return instantiate(parse_template(text), env, builder)
    parts = two_bits(statement)
    if parts is not None:
        text = "a * ulp(v) if minus(v, times({1}, {0})) != times({2}, {0}) else 0.0"
        return instantiate(parse_template(text.format(*parts)), env, builder)
    if statement.op.ulps == math.inf:
        return instantiate(parse_template("32 * a * ulp(1 + abs(v))"), env, builder)
    unit = builder.apply("ulp", place.out)
    return _product(builder, weight, 2.0 * statement.op.ulps, unit)


def two_bits(statement: Apply) -> tuple[str, float, float] | None:
    """x, m and n of a product c * x with c = m + n, powers of two not below 1 but for
    their signs, m within a factor 2 of c; None for anything else.

    Then `v - m * x` is exact (Sterbenz), and c * x is so if that is `n * x`.
    """
    for name, operand in zip("yx", statement.args, strict=False):
        c = number(operand)
        if statement.op.name != "mul" or c is None or not c.is_integer():
            continue
        whole = abs(int(c))
        if not 0 < whole < 1 << 53:
            continue
        for high in (1 << whole.bit_length(), 1 << whole.bit_length() - 1):
            rest = whole - high
            if rest and abs(rest) & (abs(rest) - 1) == 0:
                sign = 1.0 if c > 0 else -1.0
                return name, sign * high, sign * rest
    return None


def _may_cancel(builder: Builder, place: Place) -> bool:
    """Whether the terms of a sum may have opposite signs."""
    if place.statement.op.name == "sub":
        return True
    return not all(is_never_negative(builder, a) for a in place.args)


def own_error(builder: Builder, place: Place) -> Operand:
    """The largest error of an operation."""
    term = largest_term(builder, place, Literal(0.5))
    return term


def _product(builder: Builder, weight: Operand, c: float, unit: Operand) -> Operand:
    scaled = builder.apply("mul", Literal(c), weight)
    return builder.apply("mul", scaled, unit)
