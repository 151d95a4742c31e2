"""Functions of a few numbers: some are written out, some have optional arguments."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.build import as_float
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import FLOAT
from ad_transform.read.machine.arguments import (
    Rule,
    Unfit,
    Values,
    expect,
    folded,
    items_of,
    leaves,
    operate,
    whole,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Special, Value, is_int, is_text

_BOUNDS = {"maximum": "max", "fmax": "max", "minimum": "min", "fmin": "min"}


def bounded(op: Elemental, values: Values) -> tuple[Elemental, Values]:
    """The bound of a float by a number: a literal is no NaN, so the care that numpy
    takes of one comes with the order of the arguments. Whole numbers are none either.
    """
    if op.name in _BOUNDS and all(map(is_int, values)):
        return TABLE[_BOUNDS[op.name]], values
    floats = [v for v in values if isinstance(v, Draft) and v.type == FLOAT]
    numbers = [v for v in values if isinstance(v, Literal) and v.value == v.value]
    if op.name not in _BOUNDS or not (floats and numbers):
        return op, values
    pair = (floats[0], as_float(numbers[0]))
    return TABLE[_BOUNDS[op.name]], pair[::-1] if op.name[0] == "f" else pair


def log(flat: Context, values: Values, span: Span) -> Value:
    """`math.log(x)` and `math.log(x, base)`."""
    expect(values, 1, 2)
    return operate(flat, "log_base" if len(values) > 1 else "log", values, span)


def rounded(flat: Context, values: Values, span: Span) -> Value:
    """`round(x)` and `round(x, digits)`."""
    expect(values, 1, 2)
    if len(values) == 1:
        return operate(flat, "round", values, span)
    digits = values[1]
    if isinstance(digits, Draft | Literal) and digits.type == FLOAT:
        raise Unfit("takes a whole number of digits", "give an int, `round(x, 2)`")
    return operate(flat, "round_to", values, span)


def floated(flat: Context, values: Values, span: Span) -> Value:
    """`float(x)`; `float("inf")` is a number written out."""
    return _converted(flat, float, values, span)


def wholly(flat: Context, values: Values, span: Span) -> Value:
    """`int(x)`; `int("3")` is a number written out, that of any other text is not."""
    return _converted(flat, int, values, span)


def _converted(
    flat: Context, kind: type[float | int], values: Values, span: Span
) -> Value:
    expect(values, 1, 1)
    text = values[0]
    if isinstance(text, Draft) and is_text(text):
        return flat.apply(TABLE[f"text_as_{kind.__name__}"], (text,), span)
    if not isinstance(text, Literal) or not isinstance(text.value, str):
        return operate(flat, kind.__name__, values, span)
    try:
        return Literal(kind(text.value))
    except ValueError:
        raise Unfit(f"of {text.value!r} has no value", "write a number") from None


def quotient_and_rest(flat: Context, values: Values, span: Span) -> Value:
    """`divmod(x, y)`: `(x // y, x % y)`."""
    expect(values, 2, 2)
    parts = (operate(flat, op, values, span) for op in ("floordiv", "mod"))
    return Group(Container.TUPLE, tuple(parts))


def clip(flat: Context, values: Values, span: Span) -> Value:
    """`numpy.clip`: minimum(maximum(x, a), b), either of which may be None."""
    expect(values, 1, 3)
    result = values[0]
    for op, bound in zip(("maximum", "minimum"), values[1:], strict=False):
        if bound is not Special.NONE:
            result = flat.operate(*bounded(TABLE[op], (result, bound)), span)
    return result


def polyval(coefficients: int, lowest_first: bool) -> Rule:
    """A polynomial by Horner's rule, by the place and the order of its coefficients."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 2, 2)
        items, x = items_of(values, coefficients), values[1 - coefficients]
        if not items:
            return Literal(0.0)
        ordered = items[::-1] if lowest_first else items
        total = ordered[0]
        for item in ordered[1:]:
            scaled = operate(flat, "mul", (total, x), span)
            total = operate(
                flat, "add", (item, scaled) if lowest_first else (scaled, item), span
            )
        return total

    return rule


def polygamma(flat: Context, values: Values, span: Span) -> Value:
    """`polygamma(n, x)` of an order n that is written out."""
    expect(values, 2, 2)
    order = whole(values[0])
    if order is None or not 0 <= order <= 50:
        raise Unfit("takes a written order up to 50", "write `polygamma(1, x)`")
    if order == 0:
        return operate(flat, "digamma", values[1:], span)
    return operate(flat, "polygamma", values, span)


def logsumexp(flat: Context, values: Values, span: Span) -> Value:
    """`logsumexp` of all items, from the left."""
    expect(values, 1, 1)
    items = leaves(values)
    return folded(flat, "logaddexp", items, span) if items else Literal(-math.inf)


_BITS = 10_000
"""Length of a whole number that comes out."""


_MOST = 5_000
"""Largest argument of `factorial` and the like."""


def counted(name: str, low: int, high: int, kind: str = "") -> Rule:
    """`comb`, `factorial` and the like of whole numbers; `kind` converts the result."""
    compute: Callable[..., int] = getattr(math, name)

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, low, high)
        if Special.REFUSED in values:
            return Special.REFUSED
        wholes = [whole(value) for value in values]
        if None not in wholes:
            made: Value = _written(compute, cast("list[int]", wholes))
        elif all(map(is_int, values)):
            made = _of_runs(flat, name, values, span)
        else:
            help_ = "give it whole numbers, or `math.gamma(x + 1)` for a factorial"
            raise Unfit("takes whole numbers", help_)
        return operate(flat, kind, (made,), span) if kind else made

    return rule


def power_in_ring(flat: Context, values: Values, span: Span) -> Value:
    """`pow(a, b, m)` of whole numbers."""
    expect(values, 3, 3)
    if Special.REFUSED in values:
        return Special.REFUSED
    if not all(map(is_int, values)):
        raise Unfit("takes whole numbers beside a modulus", "write `a**b % m`")
    return operate(flat, "pow_in_ring", values, span)


def _written(compute: Callable[..., int], wholes: Sequence[int]) -> Literal:
    """The result of `comb` and the like for numbers that are written out."""
    if any(abs(n) > _MOST for n in wholes):
        raise Unfit(f"takes numbers up to {_MOST}", "write the number")
    try:
        result = compute(*wholes)
    except ValueError:
        raise Unfit("is not defined there", "Python would raise, too") from None
    if result.bit_length() > _BITS:
        raise Unfit("gives too long a number", "write it as a float")
    return Literal(result)


def _of_runs(flat: Context, name: str, values: Values, span: Span) -> Value:
    """The result of `comb` and the like for numbers that a run knows."""
    if name == "perm" and len(values) == 1:
        name = "factorial"
    if len(values) == 1 and name in ("gcd", "lcm"):
        return operate(flat, "abs", values, span)
    made, *rest = values
    if not rest:
        name = "whole_root" if name == "isqrt" else name
        return operate(flat, name, values, span)
    for value in rest:
        made = operate(flat, name, (made, value), span)
    return made
