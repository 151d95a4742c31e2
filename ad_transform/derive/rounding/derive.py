"""From a function to the function of its value and the estimates of its error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ad_transform.derive.accumulate import Trail
from ad_transform.derive.kinds import Derived
from ad_transform.derive.rounding.actual import actual
from ad_transform.derive.rounding.enclosure import enclosure
from ad_transform.derive.rounding.inputs import Inputs, input_errors
from ad_transform.derive.rounding.literals import freed, restored, unchanged
from ad_transform.derive.rounding.models import iri, linear
from ad_transform.derive.rounding.report import Listing, reports
from ad_transform.derive.rounding.sweep import Swept
from ad_transform.derive.rounding.wish import Wish as Wish  # noqa: PLC0414
from ad_transform.derive.signature import mirror
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.ir.build import Builder, live
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Nest,
    Operand,
    Statement,
    group,
)
from ad_transform.options import Options

Operands = tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Estimates:
    """A builder with the results and, in turn, their estimates; the sweep if any."""

    builder: Builder
    results: Operands
    estimates: tuple[Operands, ...]
    order: str = "forward"
    swept: Swept | None = None
    trails: tuple[Trail, ...] = ()


@dataclass(frozen=True, slots=True)
class Model:
    """A row of the table: how estimates are made, and the name of the function.

    `blocks` are the statements with blocks that the model can look into.
    """

    make: Callable[[Function, Inputs, Options, Wish], Estimates]
    suffix: str
    blocks: tuple[type[Statement], ...] = ()


def _swept(swept: Swept, *estimates: Operands) -> Estimates:
    return Estimates(
        swept.builder, swept.results, estimates, swept.order, swept, swept.trails
    )


def _linear(f: Function, inputs: Inputs, o: Options, wish: Wish) -> Estimates:
    return _swept(*linear(f, inputs, o, wish.rules))


def _iri(f: Function, inputs: Inputs, o: Options, wish: Wish) -> Estimates:
    swept, estimates = iri(f, inputs, o, wish.eps)
    builder, results, order = swept.builder, swept.results, swept.order
    return Estimates(builder, results, (estimates,), order, trails=swept.trails)


def _actual(f: Function, inputs: Inputs, o: Options, wish: Wish) -> Estimates:
    return _swept(*actual(f, inputs, o, wish.rules))


def _enclosure(f: Function, inputs: Inputs, o: Options, wish: Wish) -> Estimates:
    builder, results, low, high = enclosure(f, inputs, o, wish.rules)
    return Estimates(builder, results, (low, high))


# fmt: off
MODELS: dict[str, Model] = {
    "linear":    Model(_linear,    "err"),
    "iri":       Model(_iri,       "err_iri"),
    "actual":    Model(_actual,    "err_actual"),
    "enclosure": Model(_enclosure, "err_enclosure", (Branch,)),
}
# fmt: on


def estimate(
    function: Function,
    names: tuple[str, ...],
    wish: Wish = Wish(),  # noqa: B008  frozen
    *,
    name: str = "",
    options: Options = Options(),  # noqa: B008  frozen
    span: Span | None = None,
    listing: Listing = Listing(),  # noqa: B008  frozen
) -> Derived:
    """The function of value and estimates; each estimate mirrors the result's nesting.

    `names` are the inputs whose own error counts, taken as rounded to nearest; with
    `inputs="rounded"` and no names all that are real. The report quotes `listing`;
    AD031 where the model has none, and for branches. Linear but for the sweeps: one
    for each result.
    """
    model = MODELS[wish.model]
    _refuse_blocks(function, model, span)
    decimals = (freed if wish.literals == "decimal" else unchanged)(function)
    rounded = wish.inputs == "rounded"
    own = input_errors(function, names, rounded, wish.uncertainties, span)
    inputs = {**own, **decimals.errors}
    made = model.make(decimals.function, inputs, options, wish)
    nests = [function.nest, *(mirror(function.nest) for _ in made.estimates)]
    results = (*made.results, *(e for each in made.estimates for e in each))
    if wish.report:
        rows, nest = _report(made, wish, listing, span)
        results, nests = (*results, *rows), [*nests, nest]
    body = live(tuple(made.builder.body), results)
    body, results = restored(body, results, decimals.literals)
    block = Block(function.block.params, body, results)
    name = name or f"{function.name}_{model.suffix}"
    return Derived(
        function=_named(function, name, block, group(tuple(nests))),
        source=function.name,
        kind="error",
        value=True,
        independents=names,
        order=made.order,
        counts=count_statements(body),
        kinks=(),
        warnings=(),
        model=wish.model,
        trails=made.trails,
    )


def _refuse_blocks(function: Function, model: Model, span: Span | None) -> None:
    """AD031 for a float that comes out of a block the model cannot look into."""
    for statement in function.body:
        known = (Apply, *model.blocks)
        if not isinstance(statement, known) and any(
            o.type.is_real for o in statement.outs
        ):
            name = type(statement).__name__.lower()
            text = f"the rounding error of a {name} is not estimated yet"
            raise Refusal(Diagnostic("AD031", text, span, "mark what stands inside"))


def _report(
    made: Estimates, wish: Wish, listing: Listing, span: Span | None
) -> tuple[Operands, Nest]:
    if made.swept is None:
        raise Refusal(
            Diagnostic(
                "AD031",
                f"no report is made for model {wish.model!r} yet",
                span,
                help='ask `error(report=True)` or `error(model="actual", report=True)`',
            )
        )
    return reports(made.swept, listing, wish.rules)


def _named(function: Function, name: str, block: Block, nest: Nest) -> Function:
    return Function(name, function.parameters, block, nest, len(function.results))
