"""Models of errors for programs with branches and loops, as accumulators of terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ad_transform.derive.rounding.actual import checked, signed_term
from ad_transform.derive.rounding.inputs import InputError, Known, input_term
from ad_transform.derive.rounding.largest_errors import Rules, largest_term, lost_digits
from ad_transform.derive.rounding.models import ROOT_OF_THIRD, counts, halved, in_eps
from ad_transform.derive.rounding.operations import is_exact, scales_down
from ad_transform.derive.rounding.pieces import absolute, fold, known_or_infinite
from ad_transform.derive.rounding.residuals import residual
from ad_transform.derive.rounding.reverse import Found
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Literal, Operand

Operands = tuple[Operand, ...]
ZERO = Literal(0.0)


def _largest(builder: Builder, held: Operand, values: Sequence[Operand]) -> Operand:
    return fold(builder, "largest", [held, *dict.fromkeys(values)])


def _more(builder: Builder, held: Operand, terms: Sequence[Operand]) -> Operand:
    for one in terms:
        held = one if held == ZERO else builder.apply("plus", held, one)
    return held


@dataclass(frozen=True, slots=True)
class Linear:
    """Holds the sum of terms in halves of an ulp, their norm, the largest value."""

    rules: Rules
    start: Operands = (ZERO, ZERO, ZERO)

    def errs(self, statement: Apply) -> bool:
        """Whether an operation can make an error."""
        return not is_exact(statement)

    def gather(self, builder: Builder, held: Operands, found: Found) -> Operands:
        """With the terms of a block."""
        terms = [
            largest_term(builder, place, absolute(builder, adjoint), self.rules)
            for place, adjoint in found
        ]
        return self._taken(builder, held, terms, [place.out for place, _ in found])

    def bring(
        self,
        builder: Builder,
        held: Operands,
        value: Operand,
        own: InputError,
        adjoint: Operand,
    ) -> Operands:
        """With the term of an input."""
        one = input_term(builder, value, own, absolute(builder, adjoint))
        return self._taken(builder, held, [one], [value])

    def _taken(
        self,
        builder: Builder,
        held: Operands,
        terms: Sequence[Operand],
        values: Sequence[Operand],
    ) -> Operands:
        if not terms:
            return held
        total, norm, largest = held
        return (
            _more(builder, total, terms),
            fold(builder, "hypot", [norm, *terms]),
            _largest(builder, largest, values),
        )

    def finish(self, builder: Builder, held: Operands) -> Operands:
        """Bound and standard deviation."""
        total, norm, largest = held
        if total == ZERO:
            return ZERO, ZERO
        rms = builder.apply("mul", Literal(0.5 * ROOT_OF_THIRD), norm, hint="rms")
        bound = halved(builder, total, (largest,))
        return bound, known_or_infinite(builder, rms)


@dataclass(frozen=True, slots=True)
class Iri:
    """Holds the norm of adjoints times values."""

    eps: float
    start: Operands = (ZERO,)

    def errs(self, statement: Apply) -> bool:
        """Whether an operation counts, exact or not."""
        return counts(statement)

    def gather(self, builder: Builder, held: Operands, found: Found) -> Operands:
        """With the operations of a block."""
        terms = [builder.apply("mul", a, place.out) for place, a in found]
        return (fold(builder, "hypot", [*held, *terms]),) if terms else held

    def bring(
        self,
        builder: Builder,
        held: Operands,
        value: Operand,
        own: InputError,
        adjoint: Operand,
    ) -> Operands:
        """With an input."""
        size = in_eps(builder, value, own, self.eps)
        return (fold(builder, "hypot", [*held, builder.apply("mul", adjoint, size)]),)

    def finish(self, builder: Builder, held: Operands) -> Operands:
        """The estimate."""
        scaled = builder.apply("mul", Literal(self.eps * ROOT_OF_THIRD), held[0])
        return (known_or_infinite(builder, scaled),)


@dataclass(frozen=True, slots=True)
class Actual:
    """Holds the error as far as it is known, the doubt, the largest value."""

    rules: Rules
    start: Operands = (ZERO, ZERO, ZERO)

    def errs(self, statement: Apply) -> bool:
        """Whether an operation can make an error."""
        return not is_exact(statement)

    def gather(self, builder: Builder, held: Operands, found: Found) -> Operands:
        """With the operations of a block."""
        error, doubt, largest = held
        for place, adjoint in found:
            own = None if scales_down(place.statement) else residual(builder, place)
            if own is None:
                weight = absolute(builder, adjoint)
                most = largest_term(builder, place, weight, self.rules)
                doubt = _more(
                    builder, doubt, [builder.apply("mul", Literal(0.5), most)]
                )
            else:
                error = _more(
                    builder, error, [signed_term(builder, adjoint, own, True)]
                )
                lost = lost_digits(builder, place)
                doubt = doubt if lost == ZERO else _more(builder, doubt, [lost])
        values = [value for place, adjoint in found for value in (place.out, adjoint)]
        if values:
            largest = _largest(builder, largest, values)
        return error, doubt, largest

    def bring(
        self,
        builder: Builder,
        held: Operands,
        value: Operand,
        own: InputError,
        adjoint: Operand,
    ) -> Operands:
        """With what an input brings along."""
        error, doubt, largest = held
        if isinstance(own, Known):
            one = signed_term(builder, adjoint, Literal(own.error), True)
            return _more(builder, error, [one]), doubt, largest
        most = input_term(builder, value, own, absolute(builder, adjoint))
        half = builder.apply("mul", Literal(0.5), most)
        return error, _more(builder, doubt, [half]), largest

    def finish(self, builder: Builder, held: Operands) -> Operands:
        """The error, and what it is uncertain by."""
        error, doubt, largest = held
        lost = [] if largest == ZERO else [builder.apply("lost", largest)]
        whole = _more(builder, known_or_infinite(builder, doubt), lost)
        return checked(builder, error, whole)
