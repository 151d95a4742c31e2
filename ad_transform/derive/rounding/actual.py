"""The actual error of a result to first order, sign included, from residuals.

`err = sum(adjoint * residual)`; operations without residuals are counted in `unc`. So
`value - err` is a better answer than `value` (Langlois 2001).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.inputs import Known, input_term
from ad_transform.derive.rounding.largest_errors import (
    Place,
    Rules,
    largest_term,
    lost_digits,
)
from ad_transform.derive.rounding.model import (
    ZERO,
    Adjoints,
    Found,
    Operands,
    columns,
)
from ad_transform.derive.rounding.operations import is_exact, scales_down
from ad_transform.derive.rounding.pieces import (
    absolute,
    choose,
    fold,
    known_or_infinite,
    largest,
    product,
    summed,
)
from ad_transform.derive.rounding.residuals import has_residual, residual
from ad_transform.elementals.conditions import TINY
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.template import instantiate, parse_template

_MAY_UNDERFLOW = frozenset({Form.PRODUCT, Form.QUOTIENT, Form.ROOT, Form.POWER})
FEW = 5
"""Terms that are added one by one; a call of fsum costs as much as ten sums."""


@dataclass(frozen=True, slots=True)
class Actual:
    """The totals are the error as far as it is known, the doubt, and the largest of
    values and adjoints.
    """

    rules: Rules
    names: tuple[str, ...] = ("error", "doubt", "largest")

    def errs(self, statement: Apply) -> bool:
        """Whether an operation can make an error."""
        return not is_exact(statement)

    def gathered(
        self,
        builder: Builder,
        found: Found,
        totals: Sequence[Operands],
        grown: Sequence[Operand],
    ) -> Operands:
        """Error, doubt and largest value of some operations and of other totals."""
        known, unknown, sizes = columns(totals, 3)
        for place, adjoint in found:
            error, doubts = self._of_operation(builder, place, adjoint, True)
            known += [error] if error is not None else []
            unknown += doubts
        values = [v for place, adjoint in found for v in (place.out, adjoint)]
        return (
            summed(builder, known),
            summed(builder, unknown),
            largest(builder, values, sizes),
        )

    def scaled(self, builder: Builder, totals: Operands, adjoint: Operand) -> Operands:
        """The error takes the sign of the adjoint, the doubt its size."""
        error, doubt, size = totals
        both = builder.apply("mul", adjoint, size)
        return (
            product(builder, adjoint, error),
            builder.apply("mul", absolute(builder, adjoint), doubt),
            largest(builder, [size, adjoint, both]),
        )

    def _of_operation(
        self, builder: Builder, place: Place, adjoint: Operand, unbounded: bool
    ) -> tuple[Operand | None, list[Operand]]:
        """The error that an operation causes in the result, if known, and doubts."""
        error = None if scales_down(place.statement) else residual(builder, place)
        if error is None:
            weight = absolute(builder, adjoint)
            term = largest_term(builder, place, weight, self.rules)
            return None, [builder.apply("mul", Literal(0.5), term)]
        lost = lost_digits(builder, place)
        doubts = [] if lost == ZERO else [lost]
        return _signed_term(builder, adjoint, error, unbounded), doubts

    def estimates(self, adjoints: Adjoints, k: int) -> Operands:
        """The signed error of result k, and its uncertainty."""
        builder, found = adjoints.builder, adjoints.found(k)
        known, unknown, sizes = columns(adjoints.totals[k], 3)
        unbounded = _unbounded(builder)
        for place, adjoint in found:
            error, doubts = self._of_operation(
                builder, place, adjoint, adjoint in unbounded
            )
            known += [error] if error is not None else []
            unknown += doubts
        for value, own, adjoint in adjoints.brought(k):
            if isinstance(own, Known):
                error = Literal(own.error)
                signed = _signed_term(builder, adjoint, error, adjoint in unbounded)
                known.append(signed)
                continue
            term = input_term(builder, value, own, absolute(builder, adjoint))
            unknown.append(builder.apply("mul", Literal(0.5), term))
        error = _sum(builder, known)
        doubt = known_or_infinite(builder, _sum(builder, unknown))
        if isinstance(error, Var):
            doubt = _with_lost(adjoints, k, error, doubt, sizes)
        return _checked(builder, error, doubt)


_IF_ANY = parse_template("a * d if d != 0 else 0.0")


def _signed_term(
    builder: Builder, adjoint: Operand, error: Operand, unbounded: bool
) -> Operand:
    """`adjoint * error`; an error of 0 stays 0, even if the adjoint is infinite."""
    if unbounded:
        return instantiate(_IF_ANY, {"a": adjoint, "d": error}, builder)
    return product(builder, adjoint, error)


def _sum(builder: Builder, terms: Sequence[Operand]) -> Operand:
    """The sum of terms; more than a few, which may cancel, are rounded once."""
    if len(terms) > FEW:
        return fold(builder, "total", terms)
    return summed(builder, terms)


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
    adjoints: Adjoints,
    k: int,
    error: Operand,
    doubt: Operand,
    sizes: Sequence[Operand],
) -> Operand:
    """The doubt with losses by underflow added; `sizes` are the largest values in
    blocks, which may not be ample.
    """
    builder = adjoints.builder
    scales = [*(p.out for p in adjoints.places), *adjoints.matrix[k]]
    values = [v for v in dict.fromkeys(scales) if isinstance(v, Var)]
    if sizes:
        lost = builder.apply("lost", largest(builder, values, sizes))
        return summed(builder, [doubt, lost])
    ample = _ample(builder, error, _products(adjoints.found(k)))
    given = tuple(v for v in dict.fromkeys((doubt, *values)) if isinstance(v, Var))
    params = tuple(Var(v.type, v.hint) for v in given)
    inside: dict[Operand, Operand] = dict(zip(given, params, strict=True))
    less, more = builder.inner(), builder.inner()
    here = inside.get(doubt, doubt)
    lost = more.apply("lost", largest(more, [inside[v] for v in values]))
    then = less.block(params, (here,))
    orelse = more.block(params, (summed(more, [here, lost]),))
    return builder.branch(ample, given, then, orelse)[0]


def _products(found: Found) -> list[Operand]:
    """The values whose residuals may have lost something to underflow.

    With an adjoint of 1, the loss of a residual by underflow stays tiny.
    """
    return [
        place.out
        for place, adjoint in found
        if place.statement.op.form in _MAY_UNDERFLOW
        and isinstance(adjoint, Var)
        and has_residual(place.statement)
        and not scales_down(place.statement)
    ]


def _checked(
    builder: Builder, error: Operand, doubt: Operand
) -> tuple[Operand, Operand]:
    """Error and doubt, both infinite if the error is not finite."""
    if isinstance(error, Literal):
        return error, doubt
    difference = builder.apply("minus", error, error)
    test = builder.apply("eq", difference, ZERO)
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
