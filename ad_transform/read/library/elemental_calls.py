"""Functions of the library that are rows of the table of elementals, on numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE, Alias, recognise
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Literal, Operand
from ad_transform.ir.template import Env, Workshop, instantiate, parse_template
from ad_transform.later import later
from ad_transform.read.library.numbers import bounded
from ad_transform.read.machine.arguments import arguments
from ad_transform.read.machine.context import Context
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value, is_whole

with later():
    from ad_transform.read.wholes import wholes

OF_NUMBERS = frozenset(
    f"math.{name}"
    for name in (
        *("sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
        *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        *("exp", "expm1", "log1p", "log2", "log10", "sqrt", "pow", "fabs", "erf"),
    )
)
"""Functions that have one meaning, and take numbers by position."""


def of_numbers(
    flat: Context, name: str, values: Sequence[Value], span: Span
) -> Value | None:
    """The result of one of `OF_NUMBERS` for numbers; None for other functions and
    values.

    Most programs call nothing else, and need no forms of arrays, lists and keywords.
    """
    row = recognise(name) if name in OF_NUMBERS else None
    if row is None or not all(map(_is_number, values)):
        return None
    return called(flat, name, row, values, span)


def _is_number(value: Value) -> bool:
    return isinstance(value, Draft | Literal) and not is_whole(value)


def called(
    flat: Context, name: str, op: Elemental | Alias, values: Sequence[Value], span: Span
) -> Value:
    """The result of an operation, or of a function that is written with others."""
    wanted = len(op.parameters)
    variadic = isinstance(op, Elemental) and op.variadic
    if not variadic and len(values) != wanted:
        message = f"{name!r} takes {arguments(wanted)}, not {len(values)}"
        help_ = f"write `{name}({', '.join(op.parameters)})`"
        return flat.refuse("AD106", message, span, help_)
    if any(isinstance(v, Group) for v in values):
        help_ = f"call {name!r} for every element"
        message = f"{name!r} of a tuple or list is not supported"
        return flat.refuse("AD107", message, span, help_)
    if isinstance(op, Elemental):
        return flat.operate(*bounded(op, values), span)
    numbers = [flat.number(value, span) for value in values]
    if None in numbers:
        return Special.REFUSED
    return composed(flat, op, cast("Sequence[Number]", numbers), span)


def composed(flat: Context, op: Alias, numbers: Sequence[Number], span: Span) -> Value:
    """The result of a function that is written with other operations."""
    env = cast(Env, dict(zip(op.parameters, numbers, strict=True)))
    bench = cast(Workshop, _Bench(flat, span))
    return cast(Value, instantiate(parse_template(op.template), env, bench))


class _Bench:
    """The workshop in which the template of a composite spelling is instantiated."""

    def __init__(self, flat: Context, span: Span) -> None:
        self.flat = flat
        self.span = span

    def apply(self, op: str, *args: Operand) -> Operand:
        row, values = bounded(TABLE[op], cast(Any, args))
        if any(arg.type.shape for arg in args):
            wholes.require_known(row)
        return cast(Operand, self.flat.apply(row, cast(Any, values), self.span))
