"""The actual error of a result to first order, sign included, from residuals.

`err = sum(adjoint * residual)`; what has no residual is counted in `unc`. So
`value - err` is a better answer than `value` (Langlois 2001).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ad_transform.derive.rounding.guards import TINY
from ad_transform.derive.rounding.models import (
    absolute,
    choose,
    input_term,
)
from ad_transform.derive.rounding.operations import (
    Place,
    is_exact,
    largest_term,
    scales_down,
)
from ad_transform.derive.rounding.residuals import residual
from ad_transform.derive.rounding.sweep import Swept, primal_of, sweep
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Function, Literal, Operand, Var
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.options import Options

MANY = 64
"""Sums of more terms are rounded once, by a helper."""

_MAY_UNDERFLOW = frozenset({"mul", "div", "sqrt", "pow", "math_pow"})
_ZERO = Literal(0.0)


def actual(
    function: Function, inputs: Sequence[Var], options: Options
) -> tuple[Swept, tuple[Operand, ...], tuple[Operand, ...]]:
    """The signed errors of the results, and what they are uncertain by."""
    primal = primal_of(function, inputs, lambda s: not is_exact(s), options.powers)
    swept = sweep(primal, options)
    unbounded = _unbounded(swept.builder)
    errors, doubts = [], []
    for row in swept.adjoints:
        error, doubt = _estimate(swept, row, unbounded)
        errors.append(error)
        doubts.append(doubt)
    return swept, tuple(errors), tuple(doubts)


def _estimate(
    swept: Swept, row: Sequence[Operand], unbounded: frozenset[Operand]
) -> tuple[Operand, Operand]:
    builder = swept.builder
    known: list[Operand] = []
    unknown: list[Operand] = []
    for place, adjoint in zip(swept.places, row, strict=False):
        if adjoint == _ZERO:
            continue
        error = None if scales_down(place.statement) else residual(builder, place)
        if error is None:
            term = largest_term(builder, place, absolute(builder, adjoint))
            unknown.append(builder.apply("mul", Literal(0.5), term))
            continue
        known.append(_term(builder, adjoint, error, adjoint in unbounded))
        if place.statement.op.name in _MAY_UNDERFLOW:
            unknown.append(_underflow(builder, place, adjoint))
    for value, adjoint in zip(swept.inputs, row[len(swept.places) :], strict=True):
        if adjoint != _ZERO:
            term = input_term(builder, value, absolute(builder, adjoint))
            unknown.append(builder.apply("mul", Literal(0.5), term))
    error, doubt = total(builder, known), total(builder, unknown)
    return _checked(builder, error, _with_lost(swept, error, doubt))


_IF_ANY = parse_template("a * d if d != 0 else 0.0")


def _term(
    builder: Builder, adjoint: Operand, error: Operand, unbounded: bool
) -> Operand:
    """`adjoint * error`; no error is no harm, even where the adjoint is infinite."""
    if unbounded:
        return instantiate(_IF_ANY, {"a": adjoint, "d": error}, builder)
    if adjoint == Literal(1.0):
        return error
    return builder.apply("times", adjoint, error)


_BELOW = parse_template(
    f"abs(a) * 5e-324 if (v > -{TINY} if v < {TINY} else False) else 0.0"
)


def _underflow(builder: Builder, place: Place, adjoint: Operand) -> Operand:
    """What the residual of a tiny product may have lost."""
    return instantiate(_BELOW, {"a": adjoint, "v": place.out}, builder)


def total(builder: Builder, terms: Sequence[Operand]) -> Operand:
    """The sum of terms; a long one is rounded once."""
    if len(terms) > MANY:
        return builder.apply("total", *terms)
    whole: Operand = _ZERO
    for term in terms:
        whole = term if whole == _ZERO else builder.apply("plus", whole, term)
    return whole


def _with_lost(swept: Swept, error: Operand, doubt: Operand) -> Operand:
    """The doubt with what underflow may have taken from a tiny error."""
    if isinstance(error, Literal) or not swept.places:
        return doubt
    builder, values = swept.builder, [p.out for p in swept.places]
    names = {f"v{k}": v for k, v in enumerate(values)}
    test = "True if e > 1e-25 else e < -1e-25"
    lost = parse_template(f"u if ({test}) else u + lost({', '.join(names)})")
    return instantiate(lost, {**names, "e": error, "u": doubt}, builder)


def _checked(
    builder: Builder, error: Operand, doubt: Operand
) -> tuple[Operand, Operand]:
    """Both infinite where the error is not finite."""
    if isinstance(error, Literal):
        return error, doubt
    difference = builder.apply("minus", error, error)
    test = builder.apply("eq", difference, _ZERO)
    infinite = Literal(math.inf)
    return (
        choose(builder, test, error, infinite),
        choose(builder, test, doubt, infinite),
    )


def _unbounded(builder: Builder) -> frozenset[Operand]:
    """Values that guards may have made infinite."""
    found: set[Operand] = set()
    for statement in builder.body:
        guarded = not isinstance(statement, Apply) and bool(statement.outs)
        if guarded or not found.isdisjoint(statement.inputs):
            found.update(statement.outs)
    return frozenset(found)
