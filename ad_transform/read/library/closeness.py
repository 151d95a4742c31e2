"""`math.isclose`, by comparisons as Python makes them."""

from __future__ import annotations

import math

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.read.branches import choices
from ad_transform.read.machine.arguments import Unfit, Values, expect, given
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.values.described import describe
from ad_transform.read.values.values import (
    Draft,
    Number,
    Special,
    Value,
    is_text,
    is_whole,
)


def isclose(flat: Context, values: Values, span: Span) -> Value:
    """`math.isclose(a, b, rel_tol=1e-9, abs_tol=0.0)`."""
    expect(values, 2, 4)
    if Special.REFUSED in values:
        return Special.REFUSED
    given_ = [*values[:2], given(values, 2, 1e-9), given(values, 3, 0.0)]
    numbers = [_number(value) for value in given_]
    for tolerance in numbers[2:]:
        _check(flat, tolerance, span)
    known = [float(n.value) for n in numbers if isinstance(n, Literal)]
    if len(known) == 4:
        a, b, rel_tol, abs_tol = known
        return Literal(math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol))
    return _compared(flat, numbers, span)


def _compared(flat: Context, numbers: list[Number], span: Span) -> Value:
    """a == b, or they differ by a finite number that one of the tolerances allows."""
    a, b, rel_tol, abs_tol = numbers

    def of(name: str, *args: Value) -> Value:
        return flat.operate(TABLE[name], args, span)

    difference = of("abs", of("sub", b, a))
    limits: list[Value] = []
    if rel_tol != Literal(0.0):
        sizes = [
            Literal(abs(float(n.value))) if isinstance(n, Literal) else of("abs", n)
            for n in (a, b)
        ]
        limits.append(of("mul", rel_tol, of("max", *sizes)))
    if abs_tol != Literal(0.0):
        limits.append(abs_tol)
    test: Value = Literal(False)
    for limit in limits:
        link = of("le", difference, limit)
        test = choices.lazily(flat, test, False, lambda link=link: link, span)  # type: ignore[misc]
    is_finite = of("lt", difference, Literal(math.inf))
    test = choices.lazily(flat, is_finite, True, lambda: test, span)
    return choices.lazily(flat, of("eq", a, b), False, lambda: test, span)


def _number(value: Value) -> Number:
    if not isinstance(value, Draft | Literal) or is_text(value) or is_whole(value):
        raise Unfit(f"takes numbers, not {describe(value)}", "take an element: `x[0]`")
    return value


def _check(flat: Context, tolerance: Number, span: Span) -> None:
    """Let a tolerance below 0 raise as in Python."""
    if isinstance(tolerance, Literal):
        if float(tolerance.value) < 0:
            raise Unfit("takes tolerances that are not below 0", "leave out the sign")
        return
    below = flat.operate(TABLE["lt"], (tolerance, Literal(0.0)), span)
    test = flat.operate(TABLE["not"], (below,), span)  # a NaN is not below 0
    if isinstance(test, Draft):
        said = ("tolerances must be non-negative",)
        flat.add(DraftCheck(test, said, (), span, (), "ValueError"))
