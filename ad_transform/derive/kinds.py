"""The kinds of derived functions, a table, and the derivation of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ad_transform.derive.accumulate import Outcome, Trail
from ad_transform.derive.first import gradient, jacobian, jvp, vjp
from ad_transform.derive.hoist import hoisted
from ad_transform.derive.request import Derivation, Request
from ad_transform.derive.second import hessian, hvp
from ad_transform.derive.signature import (
    Independents,
)
from ad_transform.derive.sweep.active import active_operations
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.ir.constants import as_real
from ad_transform.ir.count import Counts, count
from ad_transform.ir.held import held
from ad_transform.ir.nodes import (
    Function,
    Literal,
)
from ad_transform.options import Options


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived function with what its documentation says."""

    function: Function
    source: str
    kind: str
    value: bool
    independents: tuple[str, ...]
    order: str
    counts: Counts
    kinks: tuple[str, ...]
    warnings: tuple[Diagnostic, ...]
    model: str = ""  # of an error estimate
    trails: tuple[Trail, ...] = ()  # how the code came about
    rivals: Mapping[str, int] = field(default_factory=dict)  # orders: what they cost
    program: Function | None = None  # what it is derived from, if that gives names
    vector: str = ""  # the parameter that holds the independents, if one does


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table: how a kind is derived and what its functions are called."""

    name: str
    derivation: Callable[[Request], Derivation]
    suffix: str
    value_suffix: str = ""
    scalar: bool = False
    second: bool = False  # whether it is a derivative of a derivative


# fmt: off
KINDS: dict[str, Kind] = {k.name: k for k in (
    Kind("gradient", gradient, "grad", "value_and_grad", scalar=True),
    Kind("jacobian", jacobian, "jac",  "value_and_jac"),
    Kind("hessian",  hessian,  "hess", "value_and_hess", scalar=True, second=True),
    Kind("hvp",      hvp,      "hvp",  "value_and_hvp",  scalar=True, second=True),
    Kind("jvp",      jvp,      "jvp"),
    Kind("vjp",      vjp,      "vjp"),
)}
# fmt: on


def generated_name(source: str, kind: str, value: bool) -> str:
    """The name of the generated function: `f_grad`, `f_value_and_grad`, ..."""
    row = KINDS[kind]
    return f"{source}_{row.value_suffix if value else row.suffix}"


def derive(
    function: Function,
    kind: str,
    independents: tuple[str, ...],
    *,
    value: bool = False,
    name: str = "",
    options: Options = Options(),  # noqa: B008  frozen
    span: Span | None = None,
) -> Derived:
    """The derived function of a kind.

    Raises Refusal (AD029) where the kind needs one scalar result and there is another;
    warns (AD030) of independents that do not matter. `span` locates both.
    """
    row = KINDS[kind]
    if row.scalar and not (function.nest.is_leaf and function.results[0].type.is_real):
        raise Refusal(_not_scalar(function, kind, span))
    chosen = Independents.named(function, independents)
    request = Request(
        function,
        chosen,
        value,
        name or generated_name(function.name, kind, value),
        options,
    )
    derived, outcome = row.derivation(request)
    derived = held(_in_floats(hoisted(held(derived))))
    return Derived(
        function=derived,
        source=function.name,
        kind=kind,
        value=value,
        independents=independents,
        order=outcome.order,
        counts=count(derived),
        kinks=_kinks(function, chosen),
        warnings=_idle(function, chosen, outcome, span),
        trails=outcome.trails,
        rivals={name: made.price for name, made in outcome.rivals.items()},
    )


def _in_floats(function: Function) -> Function:
    """The function with no whole number among what its derivative returns."""
    results = tuple(
        as_real(r) if k >= function.primal and isinstance(r, Literal) else r
        for k, r in enumerate(function.results)
    )
    return replace(function, block=replace(function.block, results=results))


def _not_scalar(function: Function, kind: str, span: Span | None) -> Diagnostic:
    count = function.nest.leaves()
    found = (
        f"{count} value{'s' * (count != 1)} in a {function.nest.container.value}"
        if function.nest.container
        else f"a value of type {function.results[0].type}"
    )
    return Diagnostic(
        "AD029",
        f"a {kind} needs one float result, and {function.name!r} returns {found}",
        span,
        help="ask for the jacobian, or return one float",
    )


def _idle(
    function: Function, chosen: Independents, outcome: Outcome, span: Span | None
) -> tuple[Diagnostic, ...]:
    idle = set(outcome.idle)
    return tuple(
        Diagnostic(
            "AD030",
            f"the result of {function.name!r} does not depend on {p.name!r}: "
            "its derivative is zero",
            span,
            help=f"leave {p.name!r} out of the mark if that is meant",
        )
        for p in chosen.parameters
        if idle.issuperset(p.vars)
    )


def _kinks(function: Function, chosen: Independents) -> tuple[str, ...]:
    """The conventions that the derivative may have used, in order of appearance."""
    kinks = {
        operation.op.kink: None
        for operation in active_operations(function.body, chosen.columns)
        if operation.op.kink
    }
    return tuple(kinks)
