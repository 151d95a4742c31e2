"""The actual error of a result to first order, sign included, from residuals.

`err = sum(adjoint * residual)`; what has no residual is counted in `unc`. So
`value - err` is a better answer than `value` (Langlois 2001).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ad_transform.derive.rounding.inputs import Inputs, Known, input_term
from ad_transform.derive.rounding.largest_errors import Rules, largest_term, lost_digits
from ad_transform.derive.rounding.operations import is_exact, scales_down
from ad_transform.derive.rounding.pieces import (
    absolute,
    choose,
    fold,
    known_or_infinite,
    product,
)
from ad_transform.derive.rounding.residuals import residual
from ad_transform.derive.rounding.sweep import Swept, primal_of, sweep
from ad_transform.elementals.conditions import TINY
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Function, Literal, Operand, Var
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.options import Options

_MAY_UNDERFLOW = frozenset({Form.PRODUCT, Form.QUOTIENT, Form.ROOT, Form.POWER})
_ZERO = Literal(0.0)
FEW = 5
"""Terms that are added one by one; a call of fsum costs as much as ten sums."""


def actual(
    function: Function, inputs: Inputs, options: Options, rules: Rules
) -> tuple[Swept, tuple[Operand, ...], tuple[Operand, ...]]:
    """The signed errors of the results, and what they are uncertain by."""
    powers = options.powers
    primal = primal_of(function, inputs, lambda s: not is_exact(s), powers)
    swept = sweep(primal, options)
    unbounded = _unbounded(swept.builder)
    errors, doubts = [], []
    for row in swept.adjoints:
        error, doubt = _estimate(swept, row, unbounded, rules)
        errors.append(error)
        doubts.append(doubt)
    return swept, tuple(errors), tuple(doubts)


def _estimate(
    swept: Swept,
    row: Sequence[Operand],
    unbounded: frozenset[Operand],
    rules: Rules,
) -> tuple[Operand, Operand]:
    builder = swept.builder
    known: list[Operand] = []
    unknown: list[Operand] = []
    products: list[Operand] = []
    for place, adjoint in zip(swept.places, row, strict=False):
        if adjoint == _ZERO:
            continue
        error = None if scales_down(place.statement) else residual(builder, place)
        if error is None:
            term = largest_term(builder, place, absolute(builder, adjoint), rules)
            unknown.append(builder.apply("mul", Literal(0.5), term))
            continue
        known.append(signed_term(builder, adjoint, error, adjoint in unbounded))
        lost = lost_digits(builder, place)
        if lost != _ZERO:
            unknown.append(lost)
        if place.statement.op.form in _MAY_UNDERFLOW and isinstance(adjoint, Var):
            # with an adjoint of 1, what underflow takes from the residual stays tiny
            products.append(place.out)
    for (value, own), adjoint in zip(
        swept.inputs.items(), row[len(swept.places) :], strict=True
    ):
        if adjoint == _ZERO:
            continue
        if isinstance(own, Known):
            error = Literal(own.error)
            known.append(signed_term(builder, adjoint, error, adjoint in unbounded))
            continue
        term = input_term(builder, value, own, absolute(builder, adjoint))
        unknown.append(builder.apply("mul", Literal(0.5), term))
    error = _sum(builder, known)
    doubt = known_or_infinite(builder, _sum(builder, unknown))
    if isinstance(error, Var):
        scales = [*(p.out for p in swept.places), *row]
        ample = _ample(builder, error, products)
        doubt = _with_lost(builder, ample, doubt, scales)
    return checked(builder, error, doubt)


_IF_ANY = parse_template("a * d if d != 0 else 0.0")


def signed_term(
    builder: Builder, adjoint: Operand, error: Operand, unbounded: bool
) -> Operand:
    """`adjoint * error`; no error is no harm, even where the adjoint is infinite."""
    if unbounded:
        return instantiate(_IF_ANY, {"a": adjoint, "d": error}, builder)
    return product(builder, adjoint, error)


def _sum(builder: Builder, terms: Sequence[Operand]) -> Operand:
    """The sum of terms; of more than a few, which may cancel, it is rounded once."""
    if len(terms) > FEW:
        return fold(builder, "total", terms)
    whole: Operand = _ZERO
    for term in terms:
        whole = term if whole == _ZERO else builder.apply("plus", whole, term)
    return whole


def _ample(builder: Builder, error: Operand, products: Sequence[Operand]) -> Operand:
    """Whether neither residuals nor adjoints can have lost anything to underflow."""
    test = instantiate(_AWAY["1e-25"], {"x": error}, builder)
    for value in dict.fromkeys(products):
        env = {"x": value, "so_far": test}
        test = instantiate(_AWAY[TINY], env, builder)
    return test


_APART = "True if x > {0} else x < -{0}"
_AWAY = {
    "1e-25": parse_template(_APART.format("1e-25")),
    TINY: parse_template(f"({_APART.format(TINY)}) if so_far else False"),
}


def _with_lost(
    builder: Builder, ample: Operand, doubt: Operand, scales: Sequence[Operand]
) -> Operand:
    """The doubt with what underflow may have taken, adjoints and values being given."""
    given = tuple(v for v in dict.fromkeys((doubt, *scales)) if isinstance(v, Var))
    params = tuple(Var(v.type, v.hint) for v in given)
    inside: dict[Operand, Operand] = dict(zip(given, params, strict=True))
    less, more = builder.inner(), builder.inner()
    here = inside.get(doubt, doubt)
    largest = fold(more, "largest", [inside[v] for v in scales if v in inside])
    then = less.block(params, (here,))
    lost = more.apply("lost", largest)
    whole = lost if here == _ZERO else more.apply("plus", here, lost)
    orelse = more.block(params, (whole,))
    return builder.branch(ample, given, then, orelse)[0]


def checked(
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
