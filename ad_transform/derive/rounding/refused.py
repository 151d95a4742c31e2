"""Operations and programs that have no estimates, report or attribution."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ad_transform.derive.rounding.array_results import has_arrays
from ad_transform.derive.rounding.equations import has_equations
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.nodes import Block, Call, Function, Operand, Scan, While
from ad_transform.ir.trampoline import Task, bounce


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


def refuse_calls(
    function: Function, helpers: Sequence[Function], span: Span | None
) -> None:
    """Raise Refusal AD031 for functions that call themselves with arrays. Lists that
    are parameters of the first and are handed on unchanged are allowed: they bring no
    error along.
    """
    for helper in helpers:
        params, results = helper.block.params, helper.results
        if any(v.type.shape for v in params) or any(r.type.is_array for r in results):
            _refuse_call(helper.name, span)
    for own in (function, *helpers):
        lists = frozenset(p for p in own.block.params if p.type.dims)
        bounce(_refuse_made(own.block, lists, span))


def _refuse_made(block: Block, given: Set[Operand], span: Span | None) -> Task[None]:
    """Raise Refusal AD031 for a call with lists that are not `given` to the block."""
    for statement in block.body:
        if isinstance(statement, Call):
            for arg in statement.args:
                if arg.type.is_array and arg not in given:
                    _refuse_call(statement.callee, span)
        carries = statement.carries if isinstance(statement, Scan | While) else ()
        for inner in statement.blocks:
            pairs = handed(statement, inner)
            own = {p for p, o in pairs if o in given and o not in carries}
            yield _refuse_made(inner, own, span)


def _refuse_call(callee: str, span: Span | None) -> None:
    name = callee.lstrip("_")
    text = f"rounding errors are not estimated through arrays that {name!r} "
    text += "gives or is given: it calls itself"
    help_ = "let it read lists that are parameters and have no error, call itself with "
    help_ += "numbers, or write it as a loop"
    raise Refusal(Diagnostic("AD031", text, span, help_))
