"""`--explain --at "x=1e-8, y=2"`: the line that loses the digits, for these inputs.

The figures of an `error` mark get three more keys: `at`, the inputs; `raises`, what
the function raises there, else null; `results`, one object for each real result.
Places are those of the source: `path:line:column` as text, a span in JSON.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.derive.rounding.attribution import Attribution, attribute, finite
from ad_transform.derive.rounding.error_options import ErrorOptions
from ad_transform.derive.rounding.problem import Problem
from ad_transform.derive.rounding.refused import refuse_arrays
from ad_transform.derive.rounding.written_calls import without_calls
from ad_transform.diagnostics import Diagnostic, Listing, Refusal, Span, beside
from ad_transform.ir.nodes import Function, Parameter, Var
from ad_transform.ir.types import Kind
from ad_transform.options import Options
from ad_transform.read import Request
from ad_transform.run.batch import Mode, Outcome, Work
from ad_transform.run.job import Asked
from ad_transform.run.modes import explained
from ad_transform.run.plan import Misuse

Inputs = Mapping[str, Any]


def inputs(text: str) -> Inputs:
    """The values of `x=1e-8, y=[1, 2]` by name; raises Misuse for other text."""
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        assert isinstance(call, ast.Call) and not call.args
        return {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (AssertionError, SyntaxError, ValueError):
        raise Misuse(f'--at takes values like "x=1e-8, y=2", not {text!r}') from None


def explainer(text: str) -> Mode:
    """The mode that explains, and attributes the errors at the inputs of the text."""
    given = inputs(text)

    def explained_at(work: Work) -> Outcome:
        def addition(
            asked: Sequence[Asked], listing: Listing
        ) -> list[Mapping[str, object]]:
            _refuse_unknown([request for request, _ in asked], given)
            return [_figures(listing, *each, given) for each in asked]

        return explained(work, addition)

    return explained_at


_NO_ERROR = Diagnostic(
    "AD106", "--at is for functions that are marked `error`", None, "mark one `error`"
)


def _refuse_unknown(requests: Sequence[Request], given: Inputs) -> None:
    errors = [request for request in requests if _is_attributed(request)]
    if not errors:
        raise Refusal(_NO_ERROR)
    known = dict.fromkeys(p.name for r in errors for p in r.function.parameters)
    for name in given:
        if name not in known:
            message = f"no function that is marked `error` has a parameter {name!r}"
            help_ = f"known: {', '.join(known)}"
            raise Refusal(Diagnostic("AD106", message, None, help_))


def _figures(
    listing: Listing, request: Request, options: Options, given: Inputs
) -> dict[str, object]:
    if not _is_attributed(request):
        return {}
    used = {
        p.name: given[p.name] for p in request.function.parameters if p.name in given
    }
    try:
        found = attributed(request, options, listing, given)
    except Raised as raised:
        return {"at": used, "raises": str(raised), "results": []}
    return {
        "at": used,
        "raises": None,
        "results": [_result(each, listing.path) for each in found],
    }


def _is_attributed(request: Request) -> bool:
    """Whether its errors have places in the source: a derivative's have none."""
    return KINDS[request.kind].estimates and not request.options.get("of")


class Raised(Exception):
    """The exception that the function raises at the inputs, as text."""


def attributed(
    request: Request, options: Options, listing: Listing, given: Inputs
) -> tuple[Attribution, ...]:
    """The attribution of each real result at the inputs, as its mark has it.

    Raises Raised where the function raises there; Refusal AD106 where an input is
    missing or does not fit, AD031 where there is no report.
    """
    function = without_calls(request.function, request.helpers)
    refuse_arrays(function, request.span)
    names = request.independents if KINDS[request.kind].estimates else ()
    asked = ErrorOptions.of(request.options)
    given_ = function, names, asked, options, request.span, request.helpers
    problem = Problem.of(*given_)
    values = point(function, given, request.name_span)
    try:
        return attribute(problem, listing, values)
    except (
        ArithmeticError,
        LookupError,
        ValueError,
        TypeError,
        AssertionError,
    ) as error:
        raise Raised(f"{type(error).__name__}: {error}") from None


def point(function: Function, given: Inputs, span: Span) -> tuple[Any, ...]:
    """One value for each value of the parameters; AD106 where there is none, and AD031
    for arrays of numpy, with which only generated code computes.
    """
    return tuple(_point(function, given, span))


def placed(request: Request, given: Inputs) -> dict[Var, Any]:
    """The values of the parameters of a request; AD106 where there is none."""
    variables = [v for p in request.function.parameters for v in p.vars]
    values = point(request.function, given, request.name_span)
    return dict(zip(variables, values, strict=True))


def _point(function: Function, given: Inputs, span: Span) -> Iterator[Any]:
    for parameter in function.parameters:
        if any(var.type.shape for var in parameter.vars):
            message = f"{parameter.name!r} is computed with as a whole array"
            text = f"{message}: nothing is known of such arrays at a point yet"
            raise Refusal(Diagnostic("AD031", text, span, "leave out `--at`"))
        value = _value(function, parameter, given, span)
        if any(var.type.dims for var in parameter.vars):
            yield _array(parameter, value, span)
            continue
        flat = list(_flat(value))
        if len(flat) != len(parameter.vars):
            message = f"{parameter.name!r} takes {len(parameter.vars)} numbers"
            raise Refusal(Diagnostic("AD106", f"{message}, not {value!r}", span))
        for var, item in zip(parameter.vars, flat, strict=True):
            yield _number(parameter, var, item, span)


def _value(function: Function, parameter: Parameter, given: Inputs, span: Span) -> Any:
    if parameter.name in given:
        return given[parameter.name]
    try:
        return ast.literal_eval(parameter.default or "")
    except (SyntaxError, ValueError):
        message = f"no value is given for {parameter.name!r} of {function.name!r}"
        way_out = f'give it one: --at "{parameter.name}=..."'
        raise Refusal(Diagnostic("AD106", message, span, way_out)) from None


def _array(parameter: Parameter, value: Any, span: Span) -> Any:
    """The elements of an array whose length only a run knows."""
    (var,) = parameter.vars
    try:
        if len(_shape(value)) == len(var.type.dims):
            return _as_lists(value, lambda item: _number(parameter, var, item, span))
    except ValueError:
        pass  # rows of several lengths
    message = f"{parameter.name!r} takes an array of {len(var.type.dims)} dims"
    raise Refusal(Diagnostic("AD106", f"{message}, not {value!r}", span))


def _shape(value: Any) -> tuple[int, ...]:
    """The shape of nested lists; raises ValueError where they are no array."""
    if not isinstance(value, list | tuple):
        return ()
    (inner,) = {_shape(item) for item in value} or {()}
    return len(value), *inner


def _as_lists(value: Any, number: Callable[[Any], Any]) -> Any:
    if isinstance(value, list | tuple):
        return [_as_lists(item, number) for item in value]
    return number(value)


def _number(parameter: Parameter, var: Var, item: Any, span: Span) -> Any:
    """A number as the type of a value has it; AD106 for texts and the like."""
    wanted, types = _WANTED[var.type.kind]
    if isinstance(item, types):
        return float(item) if var.type.is_real else item
    message = f"{parameter.name!r} takes {wanted}, not {item!r}"
    raise Refusal(Diagnostic("AD106", message, span, "write values as in Python"))


_WANTED: dict[Kind, tuple[str, Any]] = {
    Kind.FLOAT: ("a number", (int, float)),
    Kind.INT: ("a whole number", (int,)),
    Kind.BOOL: ("a truth value", (bool, int)),
    Kind.STR: ("a text", (str,)),
}
"""The values of a parameter by its kind, in words and as Python types."""


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    elif isinstance(value, int | float | str):
        yield value
    else:
        raise Refusal(Diagnostic("AD106", f"--at cannot pass {value!r}"))


def _result(found: Attribution, path: str) -> dict[str, object]:
    culprit = found.culprit
    return {
        "value": finite(found.value),
        "bound": finite(found.bound),
        "rms": finite(found.rms),
        "error": finite(found.error),
        "uncertainty": finite(found.uncertainty),
        "loses_digits": culprit.row.place if culprit else None,
        "rows": [
            {
                **_place(share.row.span, path),
                "text": share.row.text,
                "operation": share.row.operation,
                "bound": finite(share.bound),
                "error": finite(share.actual),
                "digits": finite(share.digits),
            }
            for share in found.shares
        ],
    }


def _place(span: Span | None, path: str) -> dict[str, int | str | None]:
    """The span of a row, as diagnostics have it; nulls for inputs and literals.

    It has a `path` of its own where it lies in another file than the source.
    """
    names = ("line", "column", "end_line", "end_column")
    place = {name: getattr(span, name, None) for name in names}
    return {**place, "path": beside(path, span.path)} if span and span.path else place
