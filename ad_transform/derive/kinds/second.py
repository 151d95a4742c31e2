"""Second derivatives: the first applied to their own results."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.dataclass import replace
from ad_transform.derive import entries
from ad_transform.derive.accumulation.accumulate import OF_PAIRS, Matrix, Task
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.factoring.sharing import SUMS
from ad_transform.derive.kinds.columns import (
    is_of_run_time,
    named,
    nest_of,
    run_time_matrix,
)
from ad_transform.derive.kinds.first import gradient_task
from ad_transform.derive.kinds.twice import ASKED, Passes, cheapest
from ad_transform.derive.kinds.whole_columns import are_whole
from ad_transform.derive.request import Derivation, Operands, Request, column
from ad_transform.derive.signature import matrix_nest
from ad_transform.derive.sweep.solve import accumulate
from ad_transform.diagnostics import Refusal
from ad_transform.eliminate.order import PAIRED, only_of_hessians
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import (
    Block,
    Function,
    Nest,
    Var,
    group,
)
from ad_transform.later import later

with later():
    from ad_transform.derive.entrywise.gradient import of_terms
    from ad_transform.derive.kinds.symmetric import draw

OF_PRODUCTS = (*ASKED, "path-lengths")
"""Orders that products with a vector are also tried in, of functions that are short."""

LONG = 40
"""Statements of a function from which on products are tried in ASKED only: others take
longer."""

FIRST = (SUMS,)
"""Sharing in first derivatives that are differentiated once more: shared products would
be in the way of those of the second derivative."""


def hessian(r: Request) -> Derivation:
    """The Hessian, one triangle computed: the Jacobian of the gradient."""
    r = r.earlier
    n, count = len(r.independents.columns), len(r.primal)
    if is_of_run_time(r.independents.columns):
        return run_time_hessian(r)
    rows = lambda f: _rows(r, f)  # noqa: E731
    passes = Passes(r, _gradient_task(r), rows, lambda _, o: o, lambda: _paired_rows(r))
    outcome = cheapest(passes)
    nest = matrix_nest(n, n, r.options.container)
    if r.value:
        nest = group((r.function.nest, r.independents.nest, nest))
    hints = entries.partials(entries.adjoints(r.columns), r.columns)
    return r.derivation(outcome, nest, (), count, hints)


def _gradient_task(r: Request) -> tuple[Builder, Task]:
    """The task of a gradient that is differentiated once more."""
    builder, task = gradient_task(r)
    return builder, replace(task, shares=FIRST)


def run_time_hessian(r: Request) -> Derivation:
    """The Hessian by arrays whose lengths only a run knows."""
    if r.options.order in PAIRED:
        found = f"{r.function.name!r} has arrays of any length"
        raise Refusal(only_of_hessians(r.options.order, found))
    count = len(r.primal)
    gradient = _gradient(r, accumulate(*gradient_task(r), r.options))
    ends = (*gradient.results, *r.independents.columns)
    if r.sparse and not are_whole(ends):
        outcome = _beside(r, gradient)
    else:
        kept = len(gradient.results) if r.value else 0
        outcome = run_time_matrix(r, gradient, kept, count, symmetric=True)
    nest = nest_of(r)
    if r.value:
        nest = group((r.function.nest, r.independents.nest, nest))
    return r.derivation(outcome, nest, (), count, named(r, ""))


def _beside(r: Request, gradient: Function) -> Outcome:
    """The value and the gradient, if they are asked for, and the entries of the
    Hessian. These are made of a gradient without records, if there is one.
    """
    alone = replace(r, value=False)
    slopes = of_terms(alone)
    if slopes is None:
        slopes = _gradient(alone, accumulate(*gradient_task(alone), r.options))
    entries = run_time_matrix(alone, slopes, 0, 0, symmetric=True)
    if not r.value:
        return entries
    builder, kept = r.copied(gradient, len(r.primal))
    body = (*(s.map_blocks(renewed) for s in builder.body), *entries.body)
    results = (*kept, *entries.results)
    counts = count_statements(body, results)
    return replace(entries, body=body, results=results, counts=counts)


def _gradient(r: Request, first: Outcome) -> Function:
    """The gradient, with the value if that is asked for."""
    nest = r.independents.nest
    if r.value:
        nest = group((r.function.nest, nest))
    return r.finish(first, nest, (), len(r.primal), entries.adjoints(r.columns))


def _slopes(r: Request, first: Outcome) -> tuple[Builder, Operands]:
    """The gradient copied into a builder, and its results behind the value's."""
    return r.copied(_gradient(r, first), len(r.primal))


def _rows(r: Request, first: Outcome) -> tuple[Builder, Task]:
    count = len(r.primal)
    builder, results = _slopes(r, first)
    kept = results if r.value else ()
    lower, upper = (
        lambda m: (*kept, *symmetric(m, max)),
        lambda m: (*kept, *symmetric(m, min)),
    )
    slopes = results[count:]
    ends = r.independents.columns, slopes
    return builder, Task(*ends, (lower, upper), count, callees=r.callees)


def _paired_rows(r: Request) -> tuple[Builder, Task]:
    """The task of `_rows` on the symmetric graph, both passes at once."""
    builder, kept, found = _symmetric(r, ())
    triangle = (lambda m: (*kept, *symmetric(m, max)),)
    return builder, replace(found, assemble=triangle)


def _paired_column(r: Request, tangents: tuple[Var, ...]) -> tuple[Builder, Task]:
    """The task of `_forward` on the symmetric graph, both passes at once."""
    builder, kept, found = _symmetric(r, tangents)
    product = (lambda m: (*kept, *column(m)),)
    return builder, replace(found, assemble=product, tangents=(tangents,))


def _symmetric(r: Request, tangents: tuple[Var, ...]) -> tuple[Builder, Operands, Task]:
    """The symmetric graph as a task; the value and gradient if they are asked for."""
    columns, count = r.independents.columns, len(r.primal)
    builder, (row,) = r.copied(r.function, count)
    drawn = draw(builder, columns, row, tangents)
    kept = (row, *drawn.slopes) if r.value else ()
    task = Task(columns, drawn.slopes, (), count, drawn=drawn.graphs, callees=r.callees)
    return builder, kept, replace(task, shares=OF_PAIRS)


def symmetric(matrix: Matrix, pick: Callable[[int, int], int]) -> Operands:
    """All entries from one triangle, so that the other equals it bit for bit.

    `pick` gives the row to take an entry from, of the row and the column.
    """
    n = len(matrix)
    return tuple(
        matrix[pick(i, j)][i + j - pick(i, j)] for i in range(n) for j in range(n)
    )


def hvp(r: Request) -> Derivation:
    """The Hessian times tangents, forward over reverse or reverse over forward."""
    seeds = r.independents.seeds()
    tangents = tuple(v for s in seeds for v in s.vars)
    if r.last and _repeats_levels(r):
        makes = [_reverse_over_forward]  # the only way that may take records
    else:
        r = r.earlier
        makes = [_forward_over_reverse]
        if not any(v.type.dims for v in tangents):
            # lists of lists have tangents, but no adjoints
            makes.append(_reverse_over_forward)
    ways: list[Outcome] = []
    refused: list[Refusal] = []
    for make in makes:  # users may give the derivatives that one way asks for
        try:
            ways.append(cheapest(make(r, tangents)))
        except Refusal as refusal:
            refused.append(refusal)
    if not ways:
        raise refused[0]
    outcome = min(ways, key=lambda o: o.rank)
    rivals = {
        name: min((way.rivals[name] for way in ways), key=lambda o: o.rank)
        for name in ways[0].rivals
        if all(name in way.rivals for way in ways)
    }
    more = tuple(way for way in ways if way is not outcome)
    if not rivals:
        outcome = outcome.beside(more)
    outcome = replace(outcome, rivals=rivals)
    nest = r.independents.nest
    if r.value:
        nest = group((r.function.nest, nest, nest))
    hints = entries.tangents(entries.adjoints(r.columns))
    return r.derivation(outcome, nest, seeds, len(r.primal), hints)


def _repeats_levels(r: Request) -> bool:
    """Whether a gradient without records computes values again at every level."""
    if not any(r.calls.is_recursive(f.name) for f in r.calls.used(r.function)):
        return False
    first = accumulate(*_gradient_task(r.earlier), r.options)
    return r.calls.repeats_levels(_gradient(r, first))


def _forward_over_reverse(r: Request, tangents: tuple[Var, ...]) -> Passes:
    pairs = lambda: _paired_column(r, tangents)  # noqa: E731
    second = lambda f: _forward(r, f, tangents)  # noqa: E731
    return Passes(r, _gradient_task(r), second, _over, pairs, _asked(r))


def _reverse_over_forward(r: Request, tangents: tuple[Var, ...]) -> Passes:
    task = _tangent_task(r.earlier, tangents)
    second = lambda f: _reverse(r, f, tangents)  # noqa: E731
    return Passes(r, task, second, _over, asked=_asked(r))


def _asked(r: Request) -> tuple[str, ...]:
    return OF_PRODUCTS if len(r.function.body) < LONG else ASKED


def _over(first: str, second: str) -> str:
    return f"{second} over {first}"


def _forward(
    r: Request, first: Outcome, tangents: tuple[Var, ...]
) -> tuple[Builder, Task]:
    """The product of the gradient's Jacobian with tangents."""
    count = len(r.primal)
    builder, results = _slopes(r, first)
    kept = results if r.value else ()
    return builder, Task(
        r.independents.columns,
        results[count:],
        (lambda m: (*kept, *column(m)),),
        count,
        tangents=(tangents,),
        callees=r.callees,
    )


def _tangent_task(r: Request, tangents: tuple[Var, ...]) -> tuple[Builder, Task]:
    columns, count = r.independents.columns, len(r.primal)
    builder, rows = r.copied(r.function, count)
    kept = rows[:count]
    return builder, Task(
        columns,
        rows,
        (lambda m: (*kept, *column(m)),),
        count,
        tangents=(tangents,),
        callees=r.callees,
        shares=FIRST,
    )


def _reverse(
    r: Request, first: Outcome, tangents: tuple[Var, ...]
) -> tuple[Builder, Task]:
    """The gradient of the tangent."""
    columns, count = r.independents.columns, len(r.primal)
    values = (*(v for p in r.function.parameters for v in p.vars), *tangents)
    block = Block(values, first.body, first.results)
    tangent = Function(r.name, (), block, Nest(), count)
    builder, results = r.copied(tangent, count)
    # the derivative of the tangent by its seeds is the gradient
    both = (*tangents, *columns) if r.value else columns
    return builder, Task(
        both,
        results[count:],
        (lambda m: (*results[:count], *m[0]),),
        count,
        callees=r.callees,
    )
