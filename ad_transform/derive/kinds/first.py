"""First derivatives: gradient, Jacobian and the products with a vector."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.accumulate import Task
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.entries import adjoints, partials, tangents
from ad_transform.derive.request import Derivation, Request, column, flat
from ad_transform.derive.signature import adjoint_seed, matrix_nest, mirror
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import LENGTHS
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY, is_of_run
from ad_transform.ir.nodes import Block, Branch, Check, Literal, Operand, Var, group
from ad_transform.ir.simplify import LAWS
from ad_transform.later import later

with later():
    from ad_transform.derive.kinds.adjoint_rows import by_adjoints, is_by_adjoints
    from ad_transform.derive.kinds.columns import (
        is_of_run_time,
        named,
        nest_of,
        run_time_matrix,
    )
    from ad_transform.derive.kinds.whole_columns import are_whole, by_rows
    from ad_transform.derive.sweep.forward import whole


def gradient_task(r: Request) -> tuple[Builder, Task]:
    """The task of the gradient."""
    count = len(r.primal)
    builder, rows = r.copied(r.function, count)
    return builder, Task(
        r.independents.columns,
        rows,
        (lambda m: (*rows[:count], *flat(m)),),
        count,
        callees=r.callees,
    )


def gradient(r: Request) -> Derivation:
    """The gradient: one entry per independent."""
    count = len(r.primal)
    outcome = r.run(*gradient_task(r))
    nest = r.independents.nest
    if r.value:
        nest = group((r.function.nest, nest))
    return r.derivation(outcome, nest, (), count, adjoints(r.columns))


def jacobian(r: Request) -> Derivation:
    """The Jacobian: one row per result, one column per independent."""
    count = len(r.primal)
    if is_of_run_time((*r.function.results, *r.independents.columns)):
        return run_time_jacobian(r)
    builder, rows = r.copied(r.function, count)
    columns = r.independents.columns
    task = Task(columns, rows, (lambda m: (*rows[:count], *flat(m)),), count)
    outcome = r.run(builder, task)
    nest = matrix_nest(len(rows), len(columns), r.options.container)
    if r.value:
        nest = group((r.function.nest, nest))
    hints = partials(r.rows, r.columns)
    return r.derivation(outcome, nest, (), count, hints)


def run_time_jacobian(r: Request) -> Derivation:
    """The Jacobian of arrays whose lengths only a run knows."""
    kept = len(r.primal)
    ends = (*r.function.results, *r.independents.columns)
    are_numbers = not is_of_run_time(r.function.results)
    if are_numbers and are_whole(ends) and not r.sparse:
        outcome = by_rows(r, kept)
    elif is_by_adjoints(r):
        outcome = by_adjoints(r, kept)
    else:
        outcome = run_time_matrix(r, r.function, kept, 0)
    nest = nest_of(r)
    if r.value:
        nest = group((r.function.nest, nest))
    return r.derivation(outcome, nest, (), kept, named(r, "matrix"))


def jvp(r: Request) -> Derivation:
    """The Jacobian times tangents, one seed per independent."""
    seeds = r.independents.seeds()
    count = len(r.function.results)
    builder, rows = r.copied(r.function, count)
    task = Task(
        r.independents.columns,
        rows,
        (lambda m: (*rows, *column(m)),),
        count,
        tangents=(tuple(v for s in seeds for v in s.vars),),
    )
    nest = group((r.function.nest, mirror(r.function.nest, r.function.results)))
    ends = nest, seeds, count, tangents(r.rows)
    outcome = r.run(builder, task)
    return Derivation(outcome, lambda made: r.finish(_filled(made, count), *ends))


def _filled(outcome: Outcome, count: int) -> Outcome:
    """The outcome with zeros for the missing tangents of arrays, of their lengths."""
    values, found = outcome.results[:count], outcome.results[count:]
    pairs = zip(found, values, strict=True)
    lacking = [v for t, v in pairs if v.type.is_array and is_zero(t)]
    if not lacking:
        return outcome
    body, made = whole(outcome.body, (Literal(0.0),) * len(lacking), lacking)
    zeros = dict(zip(lacking, made, strict=True))
    filled = (
        zeros.get(v, t) if is_zero(t) else t for t, v in zip(found, values, strict=True)
    )
    return replace(outcome, body=body, results=(*values, *filled))


def vjp(r: Request) -> Derivation:
    """Adjoints, one seed per result, times the Jacobian."""
    seed = adjoint_seed(r.function)
    count = len(r.function.results)
    r = replace(r, seeded=True)
    builder, rows = r.copied(r.function, count)
    for row, own in zip(rows, seed.vars, strict=True):
        _require_lengths(builder, row, own, seed.name)
    task = Task(
        r.independents.columns,
        rows,
        (lambda m: (*rows, *m[0]),),
        count,
        adjoints=(seed.vars,),
    )
    outcome = r.run(builder, task)
    nest = group((r.function.nest, r.independents.nest))
    hints = adjoints(r.columns)
    return r.derivation(outcome, nest, (seed,), count, hints)


def _require_lengths(builder: Builder, result: Operand, seed: Var, name: str) -> None:
    """Check that a seed is as long along each axis as the array that a run has made."""
    for axis, dim in enumerate(result.type.shape):
        if is_of_run(dim):
            lengths = [_length(builder, LENGTHS[axis], a) for a in (seed, result)]
            what = f"{name} has {'rows of ' * (axis > 0)}length "
            builder.body.append(_equal(builder, lengths, what))
    dims = result.type.dims
    if any(map(is_of_run, dims[:1])):
        lengths = [_length(builder, "size", array) for array in (seed, result)]
        builder.body.append(_equal(builder, lengths, f"{name} has length "))
    if any(dim != ANY and is_of_run(dim) for dim in dims[1:2]):
        builder.body.append(_with_rows(builder, result, seed, name))


def _with_rows(builder: Builder, result: Operand, seed: Var, name: str) -> Branch:
    """Check that the rows of a seed are as long as those of a list, if it has any."""
    inside = Builder(TABLE, LAWS)
    arrays = Var(seed.type), Var(result.type)
    lengths = [_length(inside, "size", array, Literal(0)) for array in arrays]
    check = _equal(inside, lengths, f"{name} has rows of length ")
    arm = Block(arrays, (*inside.body, check), ())
    none = Block(tuple(Var(a.type) for a in arrays), (), ())
    rows = _length(builder, "size", result)
    test = builder.apply("gt", rows, Literal(0))
    return Branch((), test, (seed, result), arm, none)


def _length(builder: Builder, name: str, array: Operand, *index: Literal) -> Operand:
    """A length of an array; it has a name, so that no other is taken to be that."""
    return builder.keep(TABLE[name], (array, *index), named=True)


def _equal(builder: Builder, lengths: Sequence[Operand], what: str) -> Check:
    """Check that two lengths are one."""
    test = builder.keep(TABLE["eq"], tuple(lengths))
    return Check(test, (what, lengths[0], ", not ", lengths[1]), error="ValueError")
