"""Estimates of the errors of a derivative: the derivative is a function like any other.

The estimates are those of the derivative's operations as it is printed, in the order
that the options choose. They have no places in the source: no report is made of them.
Trips that are run again from a state give the same numbers: all states are held here.
"""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.dataclass import replace
from ad_transform.derive.kinds.kinds import Derived, Specification, derive
from ad_transform.derive.rounding.folded import numbers_of
from ad_transform.derive.rounding.written_calls import without_calls
from ad_transform.derive.trips.trips import without_states
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.ir.nodes import Function
from ad_transform.options import derivative_in

_CLASH = {
    "report": "a report names operations of the source, and a derivative has its own",
    "packed": "`packed` of the errors of a derivative is not supported yet",
}


def of_derivative(
    asked: Specification, estimated: Callable[[Specification], Derived]
) -> Derived:
    """The estimates of every entry of the derivative that `of` names.

    Where those of the derivatives of functions that are called are refused, these are
    written out. Raises Refusal AD023 for a name that carries no derivative, AD031 for
    options that belong to estimates of the value, and the refusals of derivatives and
    estimates.
    """
    for option, text in _CLASH.items():
        if asked.marked.get(option):
            help_ = f"leave out `{option}`, or `of`"
            raise Refusal(Diagnostic("AD031", text, asked.span, help_))
    kind, names = derivative_in(str(asked.marked["of"]))
    real = _real(asked.function)
    _refuse_others(asked, names, real)
    written = replace(asked, function=without_calls(asked.function, asked.helpers))
    if written.function is asked.function:
        return _of_derivative(asked, kind, names, estimated)
    try:
        return _of_derivative(asked, kind, names, estimated)
    except Refusal:
        return _of_derivative(written, kind, names, estimated)


def _of_derivative(
    asked: Specification,
    kind: str,
    names: tuple[str, ...],
    estimated: Callable[[Specification], Derived],
) -> Derived:
    """The estimates of the derivative of a kind."""
    made = derive(
        without_states(asked.function),
        kind,
        names or _real(asked.function),
        options=asked.options,
        span=asked.span,
        helpers=tuple(map(without_states, asked.helpers)),
        runs=_with_equations,
    )
    function = replace(made.function, primal=len(made.function.results))
    known = numbers_of((asked.function, *asked.helpers))
    marked = {**asked.marked, "of": "", "known": known}
    of_it = replace(asked, function=function, marked=marked, helpers=made.before)
    found = estimated(of_it)
    by = f" by {', '.join(names)}" if names else ""
    source = f"the {kind} of {made.source}{by}"
    return replace(found, source=source, kinks=made.kinks, warnings=made.warnings)


def _with_equations(function: Function) -> Function:
    """The function as it is: its equations stay, as their residuals are errors, too."""
    return function


def _refuse_others(
    asked: Specification, names: tuple[str, ...], real: tuple[str, ...]
) -> None:
    """Raise Refusal AD023 for a parameter without a derivative."""
    for name in names:
        if name not in real:
            text = f"{name!r} is no parameter of {asked.function.name!r} that carries "
            help_ = f"known: {', '.join(real)}"
            raise Refusal(Diagnostic("AD023", text + "a derivative", asked.span, help_))


def _real(function: Function) -> tuple[str, ...]:
    return tuple(
        p.name for p in function.parameters if any(v.type.is_real for v in p.vars)
    )
