"""The errors that inputs bring along: known ones, of a rounding, within a tolerance.

A tolerance is written as a number, in units of the input, or in percent of it:
`uncertainties="x=1e-6, y=0.5%"`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Function, Literal, Operand, Passing, Var


@dataclass(frozen=True, slots=True)
class Known:
    """A known signed error, computed less exact, such as that of a decimal literal."""

    error: float


@dataclass(frozen=True, slots=True)
class Rounded:
    """An error of half an ulp of the input at most."""


@dataclass(frozen=True, slots=True)
class Within:
    """An error of `absolute`, or so many times the magnitude of the input, at most."""

    absolute: float = 0.0
    relative: float = 0.0


InputError: TypeAlias = Known | Rounded | Within
Inputs: TypeAlias = Mapping[Var, InputError]


def input_term(
    builder: Builder, value: Operand, own: InputError, weight: Operand
) -> Operand:
    """`weight` times twice the largest error of an input."""
    match own:
        case Known(error):
            return builder.apply("mul", weight, Literal(2.0 * abs(error)))
        case Rounded():
            return builder.apply("mul", weight, builder.apply("ulp", value))
        case Within(absolute, 0.0):
            return builder.apply("mul", weight, Literal(2.0 * absolute))
        case Within(_, relative):
            size = builder.apply("abs", value)
            twice = builder.apply("mul", Literal(2.0 * relative), size)
            return builder.apply("mul", weight, twice)


# --- from the mark --------------------------------------------------------------------

_PAIR = re.compile(r"\s*([^\W\d]\w*)\s*=\s*([^,%\s]+)\s*(%?)\s*")


def pairs(text: str) -> dict[str, tuple[float, bool]]:
    """The numbers of `x=1e-6, y=0.5%` by name, with True for percent.

    Raises ValueError for any other text, and for numbers that are not positive.
    """
    found: dict[str, tuple[float, bool]] = {}
    for part in filter(str.strip, text.split(",")):
        match = _PAIR.fullmatch(part)
        value = float(match[2]) if match else math.nan
        if match is None or match[1] in found or not 0.0 < value < math.inf:
            raise ValueError(f"expected `name=number` once a name, found {part!r}")
        found[match[1]] = (value, bool(match[3]))
    return found


def input_errors(
    function: Function,
    names: tuple[str, ...],
    rounded: bool,
    uncertainties: str,
    span: Span | None,
) -> dict[Var, InputError]:
    """The errors of the inputs: `names` are rounded, or all real ones if `rounded` and
    none is named; a tolerance replaces the rounding.

    Raises Refusal: AD020 for text that is no list of tolerances, AD023 for the name of
    anything but a real parameter.
    """
    try:
        given = pairs(uncertainties)
    except ValueError as error:
        help_ = 'write `uncertainties="x=1e-6, y=0.5%"`'
        raise Refusal(Diagnostic("AD020", str(error), span, help_)) from None
    errors: dict[Var, InputError] = {}
    parameters = [p for p in function.parameters if p.passing is not Passing.MODULE]
    for parameter in parameters:
        real = [v for v in parameter.vars if v.type.is_real]
        if parameter.name in names or (rounded and not names):
            errors.update(dict.fromkeys(real, Rounded()))
        size, percent = given.pop(parameter.name, (0.0, False))
        if size and real:
            own = Within(relative=size / 100.0) if percent else Within(size)
            errors.update(dict.fromkeys(real, own))
        elif size:
            given[parameter.name] = (size, percent)
            break
    if given:
        text = f"{next(iter(given))!r} is no real parameter of {function.name!r}"
        known = ", ".join(p.name for p in parameters)
        raise Refusal(Diagnostic("AD023", text, span, f"known: {known}"))
    return errors
