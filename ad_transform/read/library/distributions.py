"""The normal distribution of `scipy.stats`, shifted by `loc` and scaled by `scale`."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.read.machine.arguments import (
    Rule,
    Values,
    equals,
    expect,
    given,
    operate,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.values.values import Value


def _standard(flat: Context, values: Values, span: Span) -> Value:
    """(x - loc) / scale."""
    loc, scale, z = given(values, 1, 0.0), given(values, 2, 1.0), values[0]
    if not equals(loc, 0.0):
        z = operate(flat, "sub", (z, loc), span)
    return z if equals(scale, 1.0) else operate(flat, "div", (z, scale), span)


def distributed(op: str, upper: bool) -> Rule:
    """`cdf`, `sf` and their logarithms, of z or -z."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 3)
        z = _standard(flat, values, span)
        return operate(
            flat, op, (operate(flat, "neg", (z,), span) if upper else z,), span
        )

    return rule


def pdf(flat: Context, values: Values, span: Span) -> Value:
    """The density of z, over scale."""
    expect(values, 1, 3)
    scale = given(values, 2, 1.0)
    density = operate(flat, "norm_pdf", (_standard(flat, values, span),), span)
    return (
        density if equals(scale, 1.0) else operate(flat, "div", (density, scale), span)
    )


def logpdf(flat: Context, values: Values, span: Span) -> Value:
    """-z * z / 2 - log(sqrt(2 * pi)) - log(scale)."""
    expect(values, 1, 3)
    scale, z = given(values, 2, 1.0), _standard(flat, values, span)
    square = operate(flat, "mul", (z, z), span)
    half = operate(flat, "mul", (Literal(-0.5), square), span)
    result = operate(flat, "sub", (half, Literal(0.9189385332046728)), span)
    if equals(scale, 1.0):
        return result
    return operate(flat, "sub", (result, operate(flat, "log", (scale,), span)), span)


def quantile(upper: bool) -> Rule:
    """`ppf` and `isf`: loc + scale * z."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 3)
        loc, scale = given(values, 1, 0.0), given(values, 2, 1.0)
        z = operate(flat, "ndtri", values[:1], span)
        if upper:
            z = operate(flat, "neg", (z,), span)
        if not equals(scale, 1.0):
            z = operate(flat, "mul", (z, scale), span)
        return z if equals(loc, 0.0) else operate(flat, "add", (z, loc), span)

    return rule
