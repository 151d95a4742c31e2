"""Functions of the library that are rows of the table of elementals, on numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE, Alias
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Operand
from ad_transform.ir.template import Env, Workshop, instantiate, parse_template
from ad_transform.later import later
from ad_transform.read.arguments import arguments
from ad_transform.read.context import Context
from ad_transform.read.numbers import bounded
from ad_transform.read.structured import Group
from ad_transform.read.values import Number, Special, Value

with later():
    from ad_transform.read import wholes


def called(
    flat: Context, name: str, op: Elemental | Alias, values: Sequence[Value], span: Span
) -> Value:
    """What an operation gives, or a function that others make up."""
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
    """What a function gives that is written with other operations."""
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
