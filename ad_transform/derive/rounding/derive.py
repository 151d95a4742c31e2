"""From a function to the function of its value and the estimates of its error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.outcome import Trail
from ad_transform.derive.calls.alike_functions import merged
from ad_transform.derive.kinds.kinds import Derived, Specification
from ad_transform.derive.rounding.actual import Actual
from ad_transform.derive.rounding.array_results import by_element, has_arrays
from ad_transform.derive.rounding.contracted import ORDER as CONTRACTED
from ad_transform.derive.rounding.enclosure.model import enclosure
from ad_transform.derive.rounding.error_options import ErrorOptions
from ad_transform.derive.rounding.finishing import finished
from ad_transform.derive.rounding.iri import Iri
from ad_transform.derive.rounding.linear import Linear
from ad_transform.derive.rounding.model import Adjoints, Model
from ad_transform.derive.rounding.of_derivatives import of_derivative
from ad_transform.derive.rounding.outside import unless_outside
from ad_transform.derive.rounding.overflow import Overflow
from ad_transform.derive.rounding.pieces import absolute, choose
from ad_transform.derive.rounding.problem import Problem, copy_values
from ad_transform.derive.rounding.refused import refuse_arrays, refuse_enclosed
from ad_transform.derive.rounding.report import reports, rows_of
from ad_transform.derive.signature import mirror
from ad_transform.diagnostics import Listing, Span
from ad_transform.ir.blocks.dissolve import dissolved
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count
from ad_transform.ir.loops.directions import downwards
from ad_transform.ir.nodes import (
    Block,
    Bundle,
    Function,
    Literal,
    Nest,
    Operand,
    Var,
    group,
)
from ad_transform.options import Options, weights_of

Operands = tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Estimates:
    """A builder with the results and, in turn, their estimates; with adjoints if any.

    `ends` if the estimates are the lower and upper ends of intervals.
    """

    builder: Builder
    results: Operands
    estimates: tuple[Operands, ...]
    order: str = "forward"
    ends: bool = False
    adjoints: Adjoints | None = None
    trails: tuple[Trail, ...] = ()


@dataclass(frozen=True, slots=True)
class Maker:
    """A row of the table: the maker of estimates, the suffix of the function's name,
    and the names of the estimates of each result.
    """

    make: Callable[[Problem], Estimates]
    suffix: str
    names: tuple[str, ...]


def _by_adjoints(problem: Problem, model: Model) -> Estimates:
    adjoints, estimates = problem.swept(model)
    return Estimates(
        adjoints.builder,
        adjoints.results,
        tuple(zip(*estimates, strict=True)),
        adjoints.order,
        adjoints=adjoints,
        trails=adjoints.trails,
    )


def _linear(p: Problem) -> Estimates:
    return _by_adjoints(p, Linear(p.asked.rules))


def _iri(p: Problem) -> Estimates:
    # a report is made of erring operations, not of all that count here
    return replace(_by_adjoints(p, Iri(p.asked.eps)), adjoints=None)


def _actual(p: Problem) -> Estimates:
    return _by_adjoints(p, Actual(p.asked.rules))


def _enclosure(p: Problem) -> Estimates:
    builder, results, low, high = enclosure(
        p.function, p.inputs, p.options, p.asked.rules, p.called
    )
    return Estimates(builder, results, (low, high), ends=True)


# fmt: off
MODELS: dict[str, Maker] = {
    "linear":    Maker(_linear,    "err",           ("bound", "rms")),
    "iri":       Maker(_iri,       "err_iri",       ("estimate",)),
    "actual":    Maker(_actual,    "err_actual",    ("err", "unc")),
    "enclosure": Maker(_enclosure, "err_enclosure", ("low", "high")),
}
# fmt: on


def estimated(specification: Specification) -> Derived:
    """The estimates that a mark asks for, of the value or of a derivative."""
    if specification.marked.get("of"):
        return of_derivative(specification, _estimated)
    return _estimated(specification)


def _estimated(specification: Specification) -> Derived:
    """The cheapest of the orders that may be worth it; the first wins ties."""
    asked = ErrorOptions.of(specification.marked)
    weights = weights_of(specification.options.cost)
    made = [
        estimate(
            specification.function,
            specification.independents,
            asked,
            name=specification.name,
            options=options,
            span=specification.span,
            listing=specification.listing,
            helpers=specification.helpers,
        )
        for options in _worth_it(specification, asked)
    ]
    return min(made, key=lambda each: int(each.counts.price(weights)))


def _worth_it(specification: Specification, asked: ErrorOptions) -> list[Options]:
    """The options as they were given. Several results of straight code may share
    umbrellas, too; a report would take these apart again.
    """
    options, function = specification.options, specification.function
    straight = not any(s.blocks for s in function.body)
    swept = asked.model != "enclosure" and not asked.report
    if options.order == "auto" and straight and swept and len(function.results) > 1:
        return [options, options.override(order=CONTRACTED)]
    return [options]


def estimate(
    function: Function,
    names: tuple[str, ...],
    asked: ErrorOptions = ErrorOptions(),  # noqa: B008  frozen
    *,
    name: str = "",
    options: Options = Options(),  # noqa: B008  frozen
    span: Span | None = None,
    listing: Listing = Listing(),  # noqa: B008  frozen
    helpers: Sequence[Function] = (),
) -> Derived:
    """The function of value and estimates; each estimate mirrors the result's nesting.

    `helpers` are the functions that it calls. `names` are the inputs whose own error
    counts, taken as rounded to nearest; with `inputs="rounded"` and no names all that
    are real. The report quotes `listing`; AD031 for arrays as results.
    Linear but for the sweeps: one for each result.
    """
    model = MODELS[asked.model]
    if asked.model == "enclosure":
        refuse_enclosed(function, span)
    function = downwards(function)
    programs: list[_Program] = []

    def program(own: Function) -> Block:
        given = own, names, asked, options, span, helpers
        called = programs[0].problem.called if programs else None
        problem = Problem.of(*given, called)
        programs.append(_program(problem, model, listing))
        return programs[-1].block

    if has_arrays(function):
        if asked.report:
            refuse_arrays(function, span)
        block = by_element(function, program, model.names)
    else:
        block = program(function)
    first = programs[0]
    each = mirror(function.nest, function.results)
    nest = group((function.nest, *[each] * len(model.names), *first.report))
    made_of = _named(function, name or f"{function.name}_{model.suffix}", block, nest)
    derived = finished(made_of)
    own, called = first.problem.own, first.problem.called
    before = {h.name: h for p in programs for h in p.before}
    bundle = merged(Bundle(derived, tuple(before.values())))
    return Derived(
        function=bundle.main,
        source=function.name,
        kind="error",
        value=True,
        independents=tuple(
            p.name for p in function.parameters if not own.isdisjoint(p.vars)
        ),
        order=first.order,
        counts=count(derived),
        kinks=(),
        warnings=(),
        model=asked.model,
        trails=first.trails,
        before=bundle.before,
        said=called.said,
        forms=called.forms(h.name for h in bundle.before),
    )


@dataclass(frozen=True, slots=True)
class _Program:
    """The program of values and estimates, and of the report if one is asked for."""

    problem: Problem
    block: Block
    order: str
    trails: tuple[Trail, ...]
    report: tuple[Nest, ...] = ()

    @property
    def before(self) -> tuple[Function, ...]:
        """The helpers that the program calls."""
        return self.problem.called.used(self.block)


def _program(problem: Problem, model: Maker, listing: Listing) -> _Program:
    made = _beside_overflow(model.make(problem))
    results = (*made.results, *(e for each in made.estimates for e in each))
    nests: tuple[Nest, ...] = ()
    if problem.asked.report:
        rows, nest = _report(problem, made, listing)
        results, nests = (*results, *rows), (nest,)
    builder, results = _beside_strays(made, results)
    block = problem.block(builder, results)
    return _Program(problem, block, made.order, made.trails, nests)


def iri_estimates(
    function: Function, options: Options, helpers: Sequence[Function]
) -> tuple[Block, tuple[Function, ...]]:
    """The program of Iri's estimates alone, one for each result, and the functions that
    it calls; inputs are exact.

    AD031 as for `estimate`.
    """
    refuse_arrays(function, None)
    asked = ErrorOptions(model="iri")
    problem = Problem.of(function, (), asked, options, None, helpers)
    made = _beside_overflow(_iri(problem))
    (estimates,) = made.estimates
    builder, results = _beside_strays(made, (*made.results, *estimates))
    block = problem.block(builder, results[len(made.results) :])
    block = dissolved(replace(function, block=block)).block
    return block, problem.called.used(block)


def _beside_overflow(made: Estimates) -> Estimates:
    """The estimates, infinite beside a result that overflowed without an error."""
    builder, columns = made.builder, [list(each) for each in made.estimates]
    overflow = Overflow.of(builder.body)
    for k, result in enumerate(made.results):
        if not overflow.silent(result):
            continue
        size = absolute(builder, result)
        finite = builder.apply("lt", size, Literal(math.inf))
        for j, column in enumerate(columns):
            sign = -1.0 if made.ends and j == 0 else 1.0
            column[k] = choose(builder, finite, column[k], Literal(sign * math.inf))
    return replace(made, estimates=tuple(map(tuple, columns)))


def _beside_strays(made: Estimates, results: Operands) -> tuple[Builder, Operands]:
    """A builder with the results. Behind the values they are infinite if some value is
    no double; in reports they are 0 then.
    """
    count = len(made.results)
    otherwise = [Literal(math.inf)] * (count * len(made.estimates))
    if made.ends:
        otherwise[:count] = [Literal(-math.inf)] * count
    own = [k for k, r in enumerate(results) if k >= count and isinstance(r, Var)]
    builder, values = unless_outside(
        made.builder,
        made.results,
        tuple(results[k] for k in own),
        [(otherwise + [Literal(0.0)] * len(results))[k - count] for k in own],
    )
    found = dict(zip(own, values, strict=True))
    return builder, tuple(found.get(k, r) for k, r in enumerate(results))


def _report(
    problem: Problem, made: Estimates, listing: Listing
) -> tuple[Operands, Nest]:
    """The report. If operations in blocks or in contracted umbrellas have no adjoints
    of their own, it is copied from another program.
    """
    subject = problem.subject(listing)
    hidden = subject.inner or problem.options.order == CONTRACTED
    own = None if hidden else made.adjoints
    adjoints = own or problem.in_reverse().swept(subject.model)[0]
    flat, nest = reports(rows_of(adjoints, subject))
    if own is None:
        flat = copy_values(adjoints.builder, flat, made.builder)
    return flat, nest


def _named(function: Function, name: str, block: Block, nest: Nest) -> Function:
    size, notes = len(function.results), function.notes
    return dissolved(Function(name, function.parameters, block, nest, size, notes))
