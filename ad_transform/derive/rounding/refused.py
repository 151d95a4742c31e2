"""Operations and programs that have no estimates, report or attribution."""

from __future__ import annotations

from ad_transform.derive.rounding.array_results import has_arrays
from ad_transform.derive.rounding.equations import has_equations
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.ir.nodes import Function


def refuse_enclosed(function: Function, span: Span | None) -> None:
    """Raise Refusal AD031 for equations, if an enclosure is asked for."""
    if has_equations(function):
        text = "what solves an equation is not enclosed: nothing proves a root near it"
        help_ = "ask for another model, or leave out `implicit` in a copy of it"
        raise Refusal(Diagnostic("AD031", text, span, help_))


def refuse_arrays(function: Function, span: Span | None) -> None:
    """Raise Refusal AD031 for arrays as results: each element would have a report."""
    if has_arrays(function):
        text = "what each error has a share in is not told of arrays as results"
        help_ = "return one element: what its index is may be a parameter"
        raise Refusal(Diagnostic("AD031", text, span, help_))
