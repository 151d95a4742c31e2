"""The model of bounds and deviations: the largest error of each operation, weighed by
its adjoint, to first order.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.inputs import input_term
from ad_transform.derive.rounding.iri import ROOT_OF_THIRD
from ad_transform.derive.rounding.largest_errors import (
    Place,
    Rules,
    largest_term,
    two_bits,
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
    known_or_infinite,
    largest,
    norm,
    summed,
)
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.template import instantiate, parse_template


@dataclass(frozen=True, slots=True)
class Linear:
    """The totals are the sum of `|adjoint| * error` in halves of an ulp, the norm of
    these terms, and the largest value.
    """

    rules: Rules
    names: tuple[str, ...] = ("total", "norm", "largest")

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
        """Sum, norm and largest value of some operations and of other totals."""
        sums, norms, sizes = columns(totals, 3)
        terms = self.terms(builder, found)
        values = [*(place.out for place, _ in found), *grown]
        return (
            summed(builder, [*sums, *terms]),
            norm(builder, terms, norms),
            largest(builder, values, sizes),
        )

    def scaled(self, builder: Builder, totals: Operands, adjoint: Operand) -> Operands:
        """Totals for an adjoint: all but the largest value are proportional to it."""
        total, root, size = totals
        weight = absolute(builder, adjoint)
        both = builder.apply("mul", weight, size)
        return (
            builder.apply("mul", weight, total),
            builder.apply("mul", weight, root),
            largest(builder, [size, both]),
        )

    def terms(self, builder: Builder, found: Found) -> list[Operand]:
        """`|adjoint| * error` in halves of an ulp for each operation."""
        return [
            largest_term(builder, place, absolute(builder, adjoint), self.rules)
            for place, adjoint in found
        ]

    def estimates(self, adjoints: Adjoints, k: int) -> Operands:
        """The bound and the standard deviation of the error of result k."""
        builder, found = adjoints.builder, adjoints.found(k)
        sums, norms, sizes = columns(adjoints.totals[k], 3)
        terms = self.terms(builder, found)
        for value, own, adjoint in adjoints.brought(k):
            weight = absolute(builder, adjoint)
            terms.append(input_term(builder, value, own, weight))
        if not (terms or sums):
            return ZERO, ZERO
        total = summed(builder, [*sums, *terms])
        scale = Literal(0.5 * ROOT_OF_THIRD)
        root = norm(builder, terms, norms)
        rms = builder.apply("mul", scale, root, hint="rms")
        places = [place for place, _ in found]
        bound = _bound(adjoints, places, total, sizes)
        return bound, known_or_infinite(builder, rms)


def _bound(
    adjoints: Adjoints,
    places: Sequence[Place],
    total: Operand,
    sizes: Sequence[Operand],
) -> Operand:
    """Half of the total; sums and scalings have plain adjoints and lose nothing.

    `sizes` are the largest values in blocks.
    """
    builder = adjoints.builder
    if not sizes and all(_is_plain(p.statement) for p in places):
        half = instantiate(_HALF, {"t": total}, builder)
        return known_or_infinite(builder, half)
    values = (*(p.out for p in places), *adjoints.grown, *adjoints.inputs)
    return _halved(builder, total, values, sizes)


def _is_plain(statement: Apply) -> bool:
    scales = scales_down(statement) or two_bits(statement) is not None
    return scales or statement.op.form in _SUMS


_HALF = parse_template("0.5 * t if t > 1e-300 else t")
_SUMS = frozenset({Form.SUM, Form.DIFFERENCE, Form.TOTAL})


_SMALL = 1e-25
"""Totals above it are not touched by an adjoint that has underflowed."""


def _halved(
    builder: Builder,
    total: Operand,
    values: Sequence[Operand],
    sizes: Sequence[Operand],
) -> Operand:
    """Half of the total; the value of `small_bound` if it is tiny or NaN."""
    if isinstance(total, Literal):
        return Literal(0.5 * float(total.value))
    test = builder.apply("gt", total, Literal(_SMALL))
    given = tuple(
        v for v in dict.fromkeys((total, *values, *sizes)) if isinstance(v, Var)
    )
    params = tuple(Var(v.type, v.hint) for v in given)
    inside: dict[Operand, Operand] = dict(zip(given, params, strict=True))
    half, small = builder.inner(), builder.inner()
    then = half.block(params, (half.apply("mul", Literal(0.5), inside[total]),))
    there = [[inside.get(v, v) for v in side] for side in (values, sizes)]
    size = largest(small, *there)
    orelse = small.block(params, (small.apply("small_bound", inside[total], size),))
    return builder.branch(test, given, then, orelse)[0]
