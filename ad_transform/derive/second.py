"""Second derivatives: the first applied to their own results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ad_transform.derive.accumulate import Matrix, Outcome, Task
from ad_transform.derive.first import gradient
from ad_transform.derive.request import Derivation, Operands, Request, column
from ad_transform.derive.signature import (
    matrix_nest,
)
from ad_transform.ir.nodes import (
    Block,
    Function,
    Nest,
    Var,
    group,
)


def hessian(r: Request) -> Derivation:
    """The Hessian, one triangle computed: the Jacobian of the gradient."""
    slope, first = gradient(r)
    n, count = len(r.independents.columns), len(r.primal)
    builder, results = r.laid(slope, count)
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


def hvp(r: Request) -> Derivation:
    """The Hessian times tangents, forward over reverse or reverse over forward."""
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


def _forward_over_reverse(r: Request, tangents: tuple[Var, ...]) -> Outcome:
    slope, first = gradient(r)
    count = len(r.primal)
    builder, results = r.laid(slope, count)
    kept = results if r.value else ()
    task = Task(
        r.independents.columns,
        results[count:],
        (lambda m: (*kept, *column(m)),),
        count,
        tangents=tangents,
    )
    outcome = r.run(builder, task)
    return _after(first, outcome, f"{outcome.order} over {first.order}")


def _reverse_over_forward(r: Request, tangents: tuple[Var, ...]) -> Outcome:
    columns, count = r.independents.columns, len(r.primal)
    builder, rows = r.laid(r.function, count)
    kept = rows[:count]
    first = r.run(
        builder,
        Task(
            columns,
            rows,
            (lambda m: (*kept, *column(m)),),
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
