"""The kinds of derived functions, a table; second order is the first applied twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ad_transform.derive.accumulate import Matrix, Outcome, Task, Trail
from ad_transform.derive.lay import lay
from ad_transform.derive.race import accumulate
from ad_transform.derive.signature import (
    Independents,
    adjoint_seed,
    matrix_nest,
    mirror,
    with_seeds,
)
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.count import Counts
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Nest,
    Operand,
    Parameter,
    Var,
    group,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.options import Options

Operands = tuple[Operand, ...]


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


@dataclass(frozen=True, slots=True)
class _Request:
    """One function to derive."""

    function: Function
    independents: Independents
    value: bool
    name: str
    options: Options

    @property
    def primal(self) -> Operands:
        return self.function.results if self.value else ()

    def laid(self, function: Function, primal: int) -> tuple[Builder, Operands]:
        """A builder that holds the function, and the function's results in it."""
        builder = Builder(TABLE, LAWS)
        sacred = replace(function, primal=primal)
        env = lay(sacred, builder, self.options.powers)
        return builder, tuple(env.get(r, r) for r in function.results)

    def run(self, builder: Builder, task: Task) -> Outcome:
        return accumulate(builder, task, self.options)

    def finish(
        self, outcome: Outcome, nest: Nest, seeds: tuple[Parameter, ...], primal: int
    ) -> Function:
        """The function of an outcome, under the name asked for."""
        parameters = with_seeds(self.function, self.independents, seeds)
        values = tuple(v for p in parameters for v in p.vars)
        block = Block(values, outcome.body, outcome.results)
        return Function(self.name, parameters, block, nest, primal)


Derivation = tuple[Function, Outcome]


def _flat(matrix: Matrix) -> Operands:
    return tuple(entry for row in matrix for entry in row)


def _column(matrix: Matrix) -> Operands:
    return tuple(row[0] for row in matrix)


def _gradient(r: _Request) -> Derivation:
    count = len(r.primal)
    builder, rows = r.laid(r.function, count)
    task = Task(
        r.independents.columns,
        rows,
        (lambda m: (*rows[:count], *_flat(m)),),
        count,
    )
    outcome = r.run(builder, task)
    nest = r.independents.nest
    if r.value:
        nest = group((r.function.nest, nest))
    return r.finish(outcome, nest, (), count), outcome


def _jacobian(r: _Request) -> Derivation:
    count = len(r.primal)
    builder, rows = r.laid(r.function, count)
    columns = r.independents.columns
    task = Task(columns, rows, (lambda m: (*rows[:count], *_flat(m)),), count)
    outcome = r.run(builder, task)
    nest = matrix_nest(len(rows), len(columns), r.options.container)
    if r.value:
        nest = group((r.function.nest, nest))
    return r.finish(outcome, nest, (), count), outcome


def _jvp(r: _Request) -> Derivation:
    seeds = r.independents.seeds()
    count = len(r.function.results)
    builder, rows = r.laid(r.function, count)
    task = Task(
        r.independents.columns,
        rows,
        (lambda m: (*rows, *_column(m)),),
        count,
        tangents=tuple(v for s in seeds for v in s.vars),
    )
    outcome = r.run(builder, task)
    nest = group((r.function.nest, mirror(r.function.nest)))
    return r.finish(outcome, nest, seeds, count), outcome


def _vjp(r: _Request) -> Derivation:
    seed = adjoint_seed(r.function)
    count = len(r.function.results)
    builder, rows = r.laid(r.function, count)
    task = Task(
        r.independents.columns,
        rows,
        (lambda m: (*rows, *m[0]),),
        count,
        adjoints=seed.vars,
    )
    outcome = r.run(builder, task)
    nest = group((r.function.nest, r.independents.nest))
    return r.finish(outcome, nest, (seed,), count), outcome


def _hessian(r: _Request) -> Derivation:
    gradient, first = _gradient(r)
    n, count = len(r.independents.columns), len(r.primal)
    builder, results = r.laid(gradient, count)
    slopes = results[count:]
    kept = results if r.value else ()
    lower, upper = (
        lambda m: (*kept, *_symmetric(m, max)),
        lambda m: (*kept, *_symmetric(m, min)),
    )
    task = Task(r.independents.columns, slopes, (lower, upper), count)
    outcome = r.run(builder, task)
    nest = matrix_nest(n, n, r.options.container)
    if r.value:
        nest = group((r.function.nest, r.independents.nest, nest))
    outcome = _after(first, outcome, outcome.order)
    return r.finish(outcome, nest, (), count), outcome


def _after(first: Outcome, second: Outcome, order: str) -> Outcome:
    """The outcome of a second derivation; the first tells which columns are idle."""
    trails = (*first.trails, *second.trails)
    return replace(second, order=order, idle=first.idle, trails=trails)


def _symmetric(matrix: Matrix, pick: Callable[[int, int], int]) -> Operands:
    """All entries from one triangle, so that the other equals it bit for bit.

    `pick` gives the row to take an entry from, of the row and the column.
    """
    n = len(matrix)
    return tuple(
        matrix[pick(i, j)][i + j - pick(i, j)] for i in range(n) for j in range(n)
    )


def _hvp(r: _Request) -> Derivation:
    seeds = r.independents.seeds()
    tangents = tuple(v for s in seeds for v in s.vars)
    candidates = [
        _forward_over_reverse(r, tangents),
        _reverse_over_forward(r, tangents),
    ]
    outcome = min(candidates, key=lambda o: o.rank)
    nest = r.independents.nest
    if r.value:
        nest = group((r.function.nest, nest, nest))
    return r.finish(outcome, nest, seeds, len(r.primal)), outcome


def _forward_over_reverse(r: _Request, tangents: tuple[Var, ...]) -> Outcome:
    gradient, first = _gradient(r)
    count = len(r.primal)
    builder, results = r.laid(gradient, count)
    kept = results if r.value else ()
    task = Task(
        r.independents.columns,
        results[count:],
        (lambda m: (*kept, *_column(m)),),
        count,
        tangents=tangents,
    )
    outcome = r.run(builder, task)
    return _after(first, outcome, f"{outcome.order} over {first.order}")


def _reverse_over_forward(r: _Request, tangents: tuple[Var, ...]) -> Outcome:
    columns, count = r.independents.columns, len(r.primal)
    builder, rows = r.laid(r.function, count)
    kept = rows[:count]
    first = r.run(
        builder,
        Task(
            columns,
            rows,
            (lambda m: (*kept, *_column(m)),),
            count,
            tangents=tangents,
        ),
    )
    values = (*(v for p in r.function.parameters for v in p.vars), *tangents)
    block = Block(values, first.body, first.results)
    tangent = Function(r.name, (), block, Nest(), count)
    builder, results = r.laid(tangent, count)
    # the derivative of the tangent by its seeds is the gradient
    both = (*tangents, *columns) if r.value else columns
    task = Task(both, results[count:], (lambda m: (*results[:count], *m[0]),), count)
    outcome = r.run(builder, task)
    return _after(first, outcome, f"{outcome.order} over {first.order}")


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table: how a kind is derived and what its functions are called."""

    name: str
    derivation: Callable[[_Request], Derivation]
    suffix: str
    value_suffix: str = ""
    scalar: bool = False
    second: bool = False  # whether it is a derivative of a derivative


# fmt: off
KINDS: dict[str, Kind] = {k.name: k for k in (
    Kind("gradient", _gradient, "grad", "value_and_grad", scalar=True),
    Kind("jacobian", _jacobian, "jac",  "value_and_jac"),
    Kind("hessian",  _hessian,  "hess", "value_and_hess", scalar=True, second=True),
    Kind("hvp",      _hvp,      "hvp",  "value_and_hvp",  scalar=True, second=True),
    Kind("jvp",      _jvp,      "jvp"),
    Kind("vjp",      _vjp,      "vjp"),
)}
# fmt: on


def generated_name(source: str, kind: str, value: bool) -> str:
    """The name of the generated function: `f_grad`, `f_value_and_grad`, ..."""
    row = KINDS[kind]
    return f"{source}_{row.value_suffix if value else row.suffix}"


ASKED = ("forward", "reverse", "markowitz")
"""Orders that a second derivative is also tried in, both times the same: the cheapest
gradient need not lead to the cheapest Hessian."""

SHORT = 1_000
"""Statements up to which they are tried."""


def _cheapest(row: Kind, request: _Request) -> Derivation:
    """The derivation asked for; of several that may be chosen, the cheapest.

    A second derivative is also tried with every lower effort, for the gradient on which
    more was spent need not have the cheaper derivative.
    """
    made = row.derivation(request)
    options = request.options
    if not row.second or options.order != "auto":
        return made
    tried: list[dict[str, object]] = [
        {"effort": effort} for effort in range(options.effort)
    ]
    if len(request.function.body) <= SHORT:
        tried += [{"order": order} for order in ASKED]
    others = (
        row.derivation(replace(request, options=options.override(**wish)))
        for wish in tried
    )
    return min((made, *others), key=lambda derivation: derivation[1].rank)


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
    request = _Request(
        function,
        chosen,
        value,
        name or generated_name(function.name, kind, value),
        options,
    )
    derived, outcome = _cheapest(row, request)
    return Derived(
        function=derived,
        source=function.name,
        kind=kind,
        value=value,
        independents=independents,
        order=outcome.order,
        counts=outcome.counts,
        kinks=_kinks(function, chosen),
        warnings=_idle(function, chosen, outcome, span),
        trails=outcome.trails,
    )


def _not_scalar(function: Function, kind: str, span: Span | None) -> Diagnostic:
    count = function.nest.leaves()
    found = (
        f"{count} values in a {function.nest.container.value}"
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
    active: set[Operand] = set(chosen.columns)
    kinks: dict[str, None] = {}
    for statement in function.body:
        if active.isdisjoint(statement.inputs):
            continue
        active.update(statement.outs)
        if isinstance(statement, Apply) and statement.op.kink:
            kinks[statement.op.kink] = None
    return tuple(kinks)
