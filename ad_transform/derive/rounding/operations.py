"""Operations that err, and those that are exact, as products with powers of two."""

from __future__ import annotations

import math
from fractions import Fraction

from ad_transform.ir.build import as_float
from ad_transform.ir.elemental import EXACT, Form
from ad_transform.ir.nodes import Apply, Literal, Operand


def number(operand: Operand) -> float | None:
    """The value of a numeric literal as a float."""
    if not isinstance(operand, Literal) or isinstance(operand.value, str):
        return None
    return float(as_float(operand).value)


def is_exact(statement: Apply) -> bool:
    """Whether an operation makes no error, whatever its arguments are.

    Copies, signs, `abs`, `max`, sums with 0, products with 2**k, first powers, and
    operations on literals whose result happens to be exact. (Products with 2**-k are
    exact unless they underflow, `scales_down`, those with 2**k unless they overflow.)
    """
    op, args = statement.op, statement.args
    if op.ulps == EXACT or not statement.out.type.is_real:
        return True
    values = [number(a) for a in args]
    if all(v is not None for v in values):
        return constant_error(statement) == 0
    match op.form, values:
        case (Form.SUM | Form.DIFFERENCE, [_, 0.0] | [0.0, _]):
            return True
        case (Form.PRODUCT, [float(c), _] | [_, float(c)]):
            return c == 0.0 or (_is_power_of_two(c) and abs(c) >= 1.0)
        case (Form.QUOTIENT, [_, float(c)]):
            return _is_power_of_two(c) and abs(c) <= 1.0
        case (Form.POWER, [_, float(c)]):
            return c in (0.0, 1.0)
    return False


def jumps(statement: Apply) -> bool:
    """Whether an operation on floats may jump to another value: steps, tests."""
    real = any(a.type.is_real for a in statement.args)
    return real and (not statement.out.type.is_real or statement.op.jumps)


def scales_down(statement: Apply) -> bool:
    """Whether an operation is a product with 2**-k, exact unless it underflows."""
    values = [number(a) for a in statement.args]
    match statement.op.form, values:
        case (Form.PRODUCT, [float(c), None] | [None, float(c)]):
            return _is_power_of_two(c) and abs(c) < 1.0
        case (Form.QUOTIENT, [None, float(c)]):
            return _is_power_of_two(c) and abs(c) > 1.0
    return False


def scales_up(statement: Apply) -> bool:
    """Whether an operation is a product with 2**k, exact unless it overflows."""
    values = [number(a) for a in statement.args]
    match statement.op.form, values:
        case (Form.PRODUCT, [float(c), None] | [None, float(c)]):
            return _is_power_of_two(c) and abs(c) > 1.0
        case (Form.QUOTIENT, [None, float(c)]):
            return _is_power_of_two(c) and abs(c) < 1.0
    return False


def _is_power_of_two(c: float) -> bool:
    return math.isfinite(c) and abs(math.frexp(c)[0]) == 0.5


_RATIONAL = {
    Form.SUM: lambda x, y: x + y,
    Form.DIFFERENCE: lambda x, y: x - y,
    Form.PRODUCT: lambda x, y: x * y,
    Form.QUOTIENT: lambda x, y: x / y,
}


def constant_error(statement: Apply) -> float | None:
    """The error of an arithmetic operation on literals; None if it is not known."""
    exact = _RATIONAL.get(statement.op.form)
    values = [number(a) for a in statement.args]
    finite = [v for v in values if v is not None and math.isfinite(v)]
    if exact is None or len(finite) < 2:
        return None
    try:
        rounded = statement.op.compute(*finite)
        error = Fraction(rounded) - exact(*map(Fraction, finite))
        return float(error) or math.copysign(_LEAST, error) if error else 0.0
    except (ArithmeticError, ValueError):
        return None


_LEAST = 5e-324
"""The least positive double, for errors that are no doubles."""
