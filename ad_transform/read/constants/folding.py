"""Folding: constants are computed as far as every machine agrees.

`+ - * /`, square roots and integer powers of literals have the same bits everywhere
(contract, rule 22). The result of any other operation stays a draft.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import Type
from ad_transform.ir.typing import result_type
from ad_transform.later import later
from ad_transform.read.flattening.flatten import Flattener
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.values import Draft, Number, Value

with later():
    from ad_transform.read.constants import of_numpy

_BITS = 10_000
"""The most bits of a whole number that is computed here."""


class Folder(Flattener):
    """A flattener that computes the results that every machine agrees on.

    Any other result is a draft that no statement makes, with a number near it in
    `shared.near`: only the output knows the number, when it is imported.
    """

    def apply(self, op: Elemental, args: Sequence[Number], span: Span) -> Value:
        near = [self._near(arg) for arg in args]
        folds = op.folds and all(isinstance(arg, Literal) for arg in args)
        if op.name == "pow" and folds:
            folds = type(near[1]) is int and abs(near[1]) <= 10_000
        try:
            result = self._result(op, near) if None not in near else None
        except (ArithmeticError, ValueError) as error:
            message = f"this constant cannot be computed: {_reason(op, error)}"
            return self.refuse("AD122", message, span, _DEFINED)
        if isinstance(result, complex):
            return self.refuse(
                "AD122", "this constant is a complex number", span, _REAL
            )
        if folds and result is not None:
            return Literal(result)
        made = Draft(result_type(op, args), span)  # type: ignore[arg-type]
        self.module.shared.made[made] = op, args
        if isinstance(result, int | float):
            self.module.shared.near[made] = result
        return made

    def declare(
        self, op: Elemental, args: Sequence[Number], type_: Type, span: Span
    ) -> Draft:
        out = super().declare(op, args, type_, span)
        self.module.shared.made[out] = op, args
        return out

    def computed(
        self,
        name: str,
        values: Sequence[Value],
        keywords: Mapping[str, Value],
        span: Span,
    ) -> Value | None:
        return of_numpy.result(name, values, keywords, span)

    def enter(self, closure: Closure, names: dict[str, Value], span: Span) -> Value:
        given = self.module.shared.given.setdefault(closure.code, {})
        for name, value in names.items():
            if isinstance(value, Literal | Draft):
                given.setdefault(name, set()).add(value.type)
        return super().enter(closure, names, span)

    def _near(self, number: Number) -> Any:
        """A number near a value; None if none is known."""
        return (
            number.value
            if isinstance(number, Literal)
            else self.module.shared.near.get(number)
        )

    def _result(self, op: Elemental, values: Sequence[Any]) -> Any:
        if op.name == "pow" and _is_long_power(*values):
            raise OverflowError
        if not op.folds and any(map(_is_wide, values)):
            return None  # `round(5, -(10**9))` would take an hour
        try:
            result = op.compute(*values)
        except (TypeError, NotImplementedError):
            return (
                None  # NotImplementedError: only generated code computes whole arrays
            )
        if isinstance(result, int) and result.bit_length() > _BITS:
            raise OverflowError
        return result


def _is_wide(number: object) -> bool:
    return isinstance(number, int) and abs(number) > 1_000_000


def _is_long_power(base: Any, exponent: Any) -> bool:
    if not isinstance(base, int) or not isinstance(exponent, int):
        return False
    return base.bit_length() * abs(exponent) > 2 * _BITS and abs(base) > 1


_REAL = "write real and imaginary part by themselves"
_DEFINED = "Python would raise an error here, too: correct the definition"


def _reason(op: Elemental, error: Exception) -> str:
    """The reason of an error, in words that no version of Python changes."""
    if isinstance(error, ZeroDivisionError):
        return "it divides by zero"
    if isinstance(error, OverflowError):
        return "a number in it is too large"
    return f"{op.name!r} is not defined there"
