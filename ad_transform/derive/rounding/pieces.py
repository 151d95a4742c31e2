"""Pieces of estimates: norms, long sums, choices, signs."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.template import instantiate, parse_template

MANY = 60
"""Arguments of one call; more are taken together in stages."""


def fold(builder: Builder, op: str, values: Sequence[Operand]) -> Operand:
    """An associative operation on any number of values, in calls of a few each."""
    while len(values) > MANY:
        parts = (values[k : k + MANY] for k in range(0, len(values), MANY))
        values = [builder.apply(op, *part) for part in parts]
    return builder.apply(op, *values)


def norm(
    builder: Builder, terms: Sequence[Operand], norms: Sequence[Operand] = ()
) -> Operand:
    """The root of the sum of squares, which neither overflows nor underflows; `norms`
    are terms that are not negative.
    """
    terms = [t for t in terms if t != Literal(0.0)]
    if len(terms) + len(norms) > 1:
        return fold(builder, "hypot", [*norms, *terms])
    return next(iter(norms), absolute(builder, terms[0]) if terms else Literal(0.0))


def largest(
    builder: Builder, values: Sequence[Operand], others: Sequence[Operand] = ()
) -> Operand:
    """The largest magnitude of values; `others` are magnitudes already."""
    if not values and len(others) < 2:
        return next(iter(others), Literal(0.0))
    return fold(builder, "largest", [*others, *dict.fromkeys(values)])


def summed(builder: Builder, terms: Sequence[Operand]) -> Operand:
    """The sum of terms in their order, without zeros."""
    whole: Operand = Literal(0.0)
    for term in terms:
        if whole == Literal(0.0):
            whole = term
        elif term != Literal(0.0):
            whole = builder.apply("plus", whole, term)
    return whole


_IF_KNOWN = parse_template("x if x == x else 1e999")
_CHOICE = parse_template("x if test else y")


def known_or_infinite(builder: Builder, value: Operand) -> Operand:
    """The value; infinity if it is NaN."""
    if isinstance(value, Literal):
        return value
    return instantiate(_IF_KNOWN, {"x": value}, builder)


def choose(builder: Builder, test: Operand, x: Operand, y: Operand) -> Operand:
    """`x if test else y`."""
    return instantiate(_CHOICE, {"x": x, "y": y, "test": test}, builder)


def product(builder: Builder, adjoint: Operand, error: Operand) -> Operand:
    """`adjoint * error` as it is; an adjoint of 1 or -1 costs no product."""
    if isinstance(adjoint, Literal) and abs(float(adjoint.value)) == 1.0:
        return error if adjoint.value == 1.0 else builder.apply("neg", error)
    return builder.apply("times", adjoint, error)


def absolute(builder: Builder, value: Operand) -> Operand:
    """`abs(value)` without a call where the sign is known or does not matter."""
    if isinstance(value, Literal):
        return literal_of(abs(number_of(value)))
    made = builder.definition.get(value)
    if isinstance(made, Apply):
        if made.op.form is Form.NEGATION:
            return absolute(builder, made.args[0])
        if is_never_negative(builder, value):
            return value
    return builder.apply("abs", value)


_DEPTH = 4


def is_never_negative(builder: Builder, value: Operand, depth: int = _DEPTH) -> bool:
    """Whether a value is known not to be negative, by the operations before it."""
    if isinstance(value, Literal):
        return isinstance(value.value, int | float) and value.value >= 0
    made = builder.definition.get(value)
    if not isinstance(made, Apply) or depth == 0:
        return False
    op, args = made.op, made.args
    if op.form is Form.PRODUCT and args[0] is args[1]:
        return True
    if op.keeps_nonnegative:
        return all(is_never_negative(builder, a, depth - 1) for a in args)
    return op.never_negative
