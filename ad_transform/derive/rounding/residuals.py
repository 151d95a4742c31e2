"""The rounding error of an operation, `computed - exact`, itself in plain doubles.

TwoSum (Knuth), TwoProduct (Dekker, with Veltkamp's splitting, whose halves are shared
by all products of a value), residuals of quotients and roots. Exact but for underflow;
NaN where a splitting overflows (above 2**996).
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from ad_transform.derive.rounding.largest_errors import Place, is_square
from ad_transform.derive.rounding.operations import constant_error, number
from ad_transform.elementals.conditions import TINY
from ad_transform.ir.build import Builder, as_float
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand, hint_of
from ad_transform.ir.template import instantiate, parse_template

_SPLITTER = 134217729.0  # 2**27 + 1


def residual(builder: Builder, place: Place) -> Operand | None:
    """The error of an operation; None where it has no residual (library functions)."""
    known = constant_error(place.statement)
    if known is not None:
        return Literal(known)
    rule = _RULES.get(place.statement.op.form)
    return None if rule is None else rule(builder, place)


def has_residual(statement: Apply) -> bool:
    """Whether `residual` knows the error of an operation."""
    form = statement.op.form
    if constant_error(statement) is not None:
        return True
    return form in _RULES and (form is not Form.POWER or is_square(statement))


def zero_if_exact(builder: Builder, place: Place) -> Operand:
    """The error of a product, quotient or root, or a value that is 0 with it."""
    form, args = place.statement.op.form, _floats(place)
    match form:
        case Form.QUOTIENT:
            return remainder(builder, place.out, args[1], args[0])
        case Form.ROOT:
            return remainder(builder, place.out, place.out, args[0])
    return _RULES[form](builder, place) or Literal(1.0)


# --- products -------------------------------------------------------------------------


def _halves(builder: Builder, x: Operand) -> tuple[Operand, Operand | None]:
    """The upper and the lower 26 bits of a value; None if the lower ones are 0."""
    known = number(x)
    if known is not None:
        upper = _split(known)
        lower = known - upper
        return Literal(upper), (Literal(lower) if lower else None)
    scaled = builder.apply("times", Literal(_SPLITTER), x)
    rest = builder.apply("minus", scaled, x)
    name = hint_of(x)
    high, low = (f"{name}_high", f"{name}_low") if name else ("", "")
    upper_ = builder.apply("minus", scaled, rest, hint=high)
    return upper_, builder.apply("minus", x, upper_, hint=low)


def _split(value: float) -> float:
    """The upper 26 bits; a value too large for the splitting is scaled down for it."""
    if abs(value) > 2.0**990 and isfinite(value):
        return _split(value * 2.0**-60) * 2.0**60
    scaled = _SPLITTER * value
    upper = scaled - (scaled - value)
    return upper if upper == upper else value


def product_error(builder: Builder, x: Operand, y: Operand, p: Operand) -> Operand:
    """`p - x * y` exactly, for p the rounded product (Dekker 1971)."""
    x1, x2 = _halves(builder, x)
    if x is y and x2 is not None:
        rest = builder.apply("minus", p, builder.apply("times", x1, x1))
        twice = builder.apply("plus", x1, x1)
        rest = builder.apply("minus", rest, builder.apply("times", twice, x2))
        return builder.apply("minus", rest, builder.apply("times", x2, x2))
    y1, y2 = _halves(builder, y)
    rest = p
    for a, b in ((x1, y1), (x1, y2), (x2, y1), (x2, y2)):
        if a is not None and b is not None:
            rest = _less_product(builder, rest, a, b)
    return rest


def _less_product(builder: Builder, rest: Operand, a: Operand, b: Operand) -> Operand:
    """`rest - a * b`; the sign of a negative literal goes into the difference."""
    sign = "minus"
    for value in (a, b):
        known = number(value)
        if known is not None and known < 0.0:
            sign = "plus"
            a, b = (Literal(-known) if x is value else x for x in (a, b))
            break
    return builder.apply(sign, rest, builder.apply("times", a, b))


def remainder(builder: Builder, x: Operand, y: Operand, z: Operand) -> Operand:
    """`x * y - z` for a product close to z: a helper, which fuses where Python can."""
    return builder.apply("remainder_of", x, y, z)


# --- one rule for each operation ------------------------------------------------------


def _floats(place: Place) -> tuple[Operand, ...]:
    return tuple(as_float(a) if isinstance(a, Literal) else a for a in place.args)


_SUM = parse_template("plus(minus(minus(v, minus(v, x)), x), minus(minus(v, x), y))")
_DIFFERENCE = parse_template(
    "plus(minus(minus(v, minus(v, x)), x), plus(minus(v, x), y))"
)


def _sum(builder: Builder, place: Place) -> Operand:
    x, y = _floats(place)
    return instantiate(_SUM, {"x": x, "y": y, "v": place.out}, builder)


def _difference(builder: Builder, place: Place) -> Operand:
    x, y = _floats(place)
    return instantiate(_DIFFERENCE, {"x": x, "y": y, "v": place.out}, builder)


def _product(builder: Builder, place: Place) -> Operand:
    x, y = _floats(place)
    return product_error(builder, x, y, place.out)


def _quotient(builder: Builder, place: Place) -> Operand:
    x, y = _floats(place)
    rest = remainder(builder, place.out, y, x)
    if isinstance(x, Literal):
        return builder.keep(builder.table["div"], (rest, y))
    return instantiate(_QUOTIENT, {"x": x, "y": y, "r": rest}, builder)


# where x is tiny the remainder has underflowed, and nothing is known
_NOTHING = "(0.0 if x == 0.0 else 1e999)"
_QUOTIENT = parse_template(
    f"r / y if (True if x > {TINY} else x < -{TINY}) else {_NOTHING}"
)
_ROOT = parse_template(f"r / (v + v) if x > {TINY} else {_NOTHING}")


def _root(builder: Builder, place: Place) -> Operand:
    (x,) = _floats(place)
    rest = remainder(builder, place.out, place.out, x)
    return instantiate(_ROOT, {"r": rest, "v": place.out, "x": x}, builder)


def _power(builder: Builder, place: Place) -> Operand | None:
    """The error of `x**2`: the library's power may differ from `x * x`."""
    if not is_square(place.statement):
        return None
    x = place.args[0]
    p = builder.apply("times", x, x)
    error = product_error(builder, x, x, p)
    return builder.apply("plus", builder.apply("minus", place.out, p), error)


def _total(builder: Builder, place: Place) -> Operand:
    return builder.apply("sum_error", place.out, *place.args)


_RULES: dict[Form, Callable[[Builder, Place], Operand | None]] = {
    Form.SUM: _sum,
    Form.DIFFERENCE: _difference,
    Form.PRODUCT: _product,
    Form.QUOTIENT: _quotient,
    Form.ROOT: _root,
    Form.POWER: _power,
    Form.TOTAL: _total,
    Form.OFF: lambda _, place: place.args[1],
    Form.SOLVED: lambda _, place: place.args[1],
}
