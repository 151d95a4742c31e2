"""The two models of the size of errors: Iri's formula, and bound with deviation."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ad_transform.derive.rounding.inputs import (
    InputError,
    Inputs,
    Within,
    input_term,
)
from ad_transform.derive.rounding.largest_errors import Rules, largest_term, two_bits
from ad_transform.derive.rounding.operations import is_exact, scaled_up, scales_down
from ad_transform.derive.rounding.pieces import (
    absolute,
    fold,
    known_or_infinite,
    norm,
)
from ad_transform.derive.rounding.sweep import Swept, primal_of, sweep
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Function, Literal, Operand, Var
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.options import Options

_FREE = frozenset({Form.NEGATION, Form.IDENTITY, Form.MAGNITUDE, Form.CHOICE})
ROOT_OF_THIRD = 1.0 / math.sqrt(3.0)


def iri(
    function: Function, inputs: Inputs, options: Options, eps: float
) -> tuple[Swept, tuple[Operand, ...]]:
    """`eps * sqrt(1/3 * sum((df/dv * v)**2))` for each result (Yoshida 1989, item 10).

    All operations but signs, `abs` and choices count, exact or not.
    """
    swept = sweep(primal_of(function, inputs, counts, options.powers), options)
    builder = swept.builder
    own = (in_eps(builder, v, e, eps) for v, e in swept.inputs.items())
    values = (*(p.out for p in swept.places), *own)
    estimates = []
    for row in swept.adjoints:
        terms = [builder.apply("mul", a, v) for a, v in zip(row, values, strict=True)]
        scale = Literal(eps * ROOT_OF_THIRD)
        scaled = builder.apply("mul", scale, norm(builder, terms))
        estimates.append(known_or_infinite(builder, scaled))
    return swept, tuple(estimates)


def in_eps(builder: Builder, value: Operand, own: InputError, eps: float) -> Operand:
    """What stands for an input in the formula: itself, or a tolerance over eps."""
    match own:
        case Within(absolute, 0.0):
            return Literal(absolute / eps)
        case Within(_, relative):
            return builder.apply("mul", Literal(relative / eps), value)
    return value


def counts(statement: Apply) -> bool:
    return statement.out.type.is_real and statement.op.form not in _FREE


def linear(
    function: Function, inputs: Inputs, options: Options, rules: Rules
) -> tuple[Swept, tuple[Operand, ...], tuple[Operand, ...]]:
    """Bounds and standard deviations of the errors of the results, to first order."""
    primal = primal_of(function, inputs, lambda s: not is_exact(s), options.powers)
    swept = sweep(primal, options)
    pairs = [_bound_and_rms(swept, row, rules) for row in swept.adjoints]
    return swept, tuple(b for b, _ in pairs), tuple(r for _, r in pairs)


def _bound_and_rms(
    swept: Swept, row: Sequence[Operand], rules: Rules
) -> tuple[Operand, Operand]:
    builder = swept.builder
    terms = terms_of(swept, row, rules)
    if not terms:
        return Literal(0.0), Literal(0.0)
    total = terms[0]
    for term in terms[1:]:
        total = builder.apply("plus", total, term)
    scale = Literal(0.5 * ROOT_OF_THIRD)
    rms = builder.apply("mul", scale, norm(builder, terms), hint="rms")
    return _bound(swept, row, total), known_or_infinite(builder, rms)


def _bound(swept: Swept, row: Sequence[Operand], total: Operand) -> Operand:
    """Half of the total; sums and scalings, whose adjoints are plain, lose nothing."""
    pairs = zip(swept.places, row, strict=False)
    places = [place for place, adjoint in pairs if adjoint != Literal(0.0)]
    if all(_is_plain(p.statement) for p in places):
        half = instantiate(_HALF, {"t": total}, swept.builder)
        return known_or_infinite(swept.builder, half)
    grown = scaled_up(swept.builder.body)
    values = (*(p.out for p in places), *grown, *swept.inputs)
    return halved(swept.builder, total, values)


def _is_plain(statement: Apply) -> bool:
    scales = scales_down(statement) or two_bits(statement) is not None
    return scales or statement.op.form in _SUMS


_HALF = parse_template("0.5 * t if t > 1e-300 else t")
_SUMS = frozenset({Form.SUM, Form.DIFFERENCE, Form.TOTAL})


_SMALL = 1e-25
"""Totals above it are not touched by an adjoint that has underflowed."""


def halved(builder: Builder, total: Operand, values: Sequence[Operand]) -> Operand:
    """Half of the total; where it is tiny or NaN, what the helper makes of it."""
    if isinstance(total, Literal):
        return Literal(0.5 * float(total.value))
    test = builder.apply("gt", total, Literal(_SMALL))
    given = tuple(v for v in dict.fromkeys((total, *values)) if isinstance(v, Var))
    params = tuple(Var(v.type, v.hint) for v in given)
    inside: dict[Operand, Operand] = dict(zip(given, params, strict=True))
    half, small = builder.inner(), builder.inner()
    then = half.block(params, (half.apply("mul", Literal(0.5), inside[total]),))
    largest = fold(small, "largest", [inside.get(v, v) for v in values])
    orelse = small.block(params, (small.apply("small_bound", inside[total], largest),))
    return builder.branch(test, given, then, orelse)[0]


def terms_of(swept: Swept, row: Sequence[Operand], rules: Rules) -> list[Operand]:
    """`|adjoint| * error` in halves of an ulp, for all that errs and matters."""
    builder, inputs = swept.builder, list(swept.inputs.items())
    terms = []
    for k, adjoint in enumerate(row):
        weight = absolute(builder, adjoint)
        if weight == Literal(0.0):
            continue
        if k < len(swept.places):
            terms.append(largest_term(builder, swept.places[k], weight, rules))
        else:
            value, own = inputs[k - len(swept.places)]
            terms.append(input_term(builder, value, own, weight))
    return terms
