"""Iri's formula: `eps * sqrt(1/3 * sum((df/dv * v)**2))` (Yoshida 1989, item 10)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.inputs import InputError, Within
from ad_transform.derive.rounding.largest_errors import Place
from ad_transform.derive.rounding.model import ZERO, Adjoints, Found, Operands
from ad_transform.derive.rounding.pieces import absolute, known_or_infinite, norm
from ad_transform.elementals.calls import GIVEN
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand

_FREE = frozenset({Form.NEGATION, Form.IDENTITY, Form.MAGNITUDE, Form.CHOICE})
ROOT_OF_THIRD = 1.0 / math.sqrt(3.0)


@dataclass(frozen=True, slots=True)
class Iri:
    """The norm of adjoints times values, in units of `eps`.

    All operations but signs, `abs` and choices count, exact or not.
    """

    eps: float
    names: tuple[str, ...] = ("norm",)

    def errs(self, statement: Apply) -> bool:
        """Whether an operation counts; values of calls were counted in the function."""
        if statement.op is GIVEN:
            return False
        return statement.out.type.is_real and statement.op.form not in _FREE

    def gathered(
        self,
        builder: Builder,
        found: Found,
        totals: Sequence[Operands],
        grown: Sequence[Operand],
    ) -> Operands:
        """The norm of some operations and other norms."""
        norms = [own for (own,) in totals if own != ZERO]
        return (norm(builder, self._terms(builder, found), norms),)

    def scaled(self, builder: Builder, totals: Operands, adjoint: Operand) -> Operands:
        """The norm is proportional to the adjoint."""
        (root,) = totals
        return (builder.apply("mul", absolute(builder, adjoint), root),)

    def estimates(self, adjoints: Adjoints, k: int) -> Operands:
        """The formula for result k."""
        builder = adjoints.builder
        norms = [own for (own,) in adjoints.totals[k]]
        terms = self._terms(builder, adjoints.found(k))
        for value, own, adjoint in adjoints.brought(k):
            size = _in_eps(builder, value, own, self.eps)
            terms.append(builder.apply("mul", adjoint, size))
        scale = Literal(self.eps * ROOT_OF_THIRD)
        scaled = builder.apply("mul", scale, norm(builder, terms, norms))
        return (known_or_infinite(builder, scaled),)

    def _terms(self, builder: Builder, found: Found) -> list[Operand]:
        sizes = (self._size(builder, place) for place, _ in found)
        pairs = zip(found, sizes, strict=True)
        return [builder.apply("mul", adjoint, size) for (_, adjoint), size in pairs]

    def _size(self, builder: Builder, place: Place) -> Operand:
        """The size of an operation: its value, or a known size over eps."""
        if place.statement.op.form in (Form.WITHIN, Form.SOLVED):
            return builder.apply("div", place.args[1], Literal(self.eps))
        return place.out


def _in_eps(builder: Builder, value: Operand, own: InputError, eps: float) -> Operand:
    """The size of an input in the formula: its value, or a tolerance over eps."""
    match own:
        case Within(absolute, 0.0):
            return Literal(absolute / eps)
        case Within(_, relative):
            return builder.apply("mul", Literal(relative / eps), value)
    return value
