"""What has no estimates, and what no report or attribution is made of."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.derive.rounding.array_results import has_arrays
from ad_transform.derive.rounding.equations import has_equations
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.ir.nodes import Function


def refuse_enclosed(function: Function, span: Span | None) -> None:
    """AD031 for equations where they are enclosed."""
    if has_equations(function):
        text = "what solves an equation is not enclosed: nothing proves a root near it"
        help_ = "ask for another model, or leave out `implicit` in a copy of it"
        raise Refusal(Diagnostic("AD031", text, span, help_))


def refuse_arrays(function: Function, span: Span | None) -> None:
    """AD031 for results that are arrays: each element would have its own report."""
    if has_arrays(function):
        text = "what each error has a share in is not told of arrays as results"
        help_ = "return one element: what its index is may be a parameter"
        raise Refusal(Diagnostic("AD031", text, span, help_))


def refuse_calls(helpers: Sequence[Function], span: Span | None) -> None:
    """AD031 for functions that call themselves with arrays."""
    for helper in helpers:
        ends = (*helper.block.params, *helper.results)
        if any(v.type.is_array for v in ends):
            name = helper.name.lstrip("_")
            text = f"rounding errors are not estimated through arrays that {name!r} "
            text += "gives or is given: it calls itself"
            help_ = "let it call itself with numbers, or write it as a loop"
            raise Refusal(Diagnostic("AD031", text, span, help_))
