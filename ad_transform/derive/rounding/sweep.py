"""Adjoints of everything that errs: one perturbation per operation, one sweep.

A straight body is one run, of which the order may be asked for; a body with branches
and loops goes through the reverse sweep with a hook.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.accumulate import Matrix
from ad_transform.derive.accumulation.outcome import Trail
from ad_transform.derive.entries import names_of
from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.contracted import ORDER as CONTRACTED
from ad_transform.derive.rounding.contracted import Area, areas
from ad_transform.derive.rounding.hook import Backs, ErrorHook
from ad_transform.derive.rounding.inputs import Inputs
from ad_transform.derive.rounding.jumps import deciding
from ad_transform.derive.rounding.model import ZERO, Adjoints, Model, Operands
from ad_transform.derive.sweep.context import Context
from ad_transform.derive.sweep.dependence import Dependence
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.reverse import Asked, Reverse
from ad_transform.derive.sweep.runs import Run, solve
from ad_transform.derive.sweep.solve import RULES
from ad_transform.derive.sweep.stacks import fresh_trips
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Call,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.trampoline import bounce
from ad_transform.ir.types import FLOAT
from ad_transform.options import Options


def alive(function: Function) -> Function:
    """The function without dead code, its results sacred.

    Dead code goes first: a builder hands out any value that it holds for an equal one,
    so a value removed from its program afterwards could still be referred to.
    """
    body = live(function.body, function.results)
    block = Block(function.block.params, body, function.results)
    return replace(function, block=block, primal=len(function.results))


@dataclass(frozen=True, slots=True)
class _Primal:
    """The merged, unsimplified program, and the input of its sweep."""

    body: tuple[Statement, ...]
    results: Operands
    inputs: tuple[Var, ...]
    hook: ErrorHook
    context: Context


@dataclass(frozen=True, slots=True)
class _Swept:
    """A program with its adjoints, before equal operations are merged.

    `seen` are the operations that err, in order; for each result, `matrix` has their
    adjoints and those of the inputs, `totals` those that come out of blocks. Operations
    in `areas` are not among `seen`; the last columns are the adjoints of their tops.
    """

    body: tuple[Statement, ...]
    seen: tuple[Apply, ...]
    matrix: Matrix
    totals: tuple[tuple[Operands, ...], ...]
    order: str
    trails: tuple[Trail, ...] = ()
    areas: tuple[Area, ...] = ()


def sweep(
    function: Function,
    inputs: Inputs,
    options: Options,
    model: Model,
    called: Backs,
    nonlinear: Sequence[Operand] = (),
) -> tuple[Adjoints, tuple[Statement, ...]]:
    """The adjoints of all errors, and the statements that decide the results.

    By the order asked for, by default in reverse. The values `nonlinear` may be used in
    any way outside; `called` are the functions that it calls. Linear in the program and
    in the number of its real results.
    """
    builder = Builder(TABLE, LAWS_TO_THE_BIT)
    env = copy_primal(alive(function), builder, options.powers)
    results = tuple(env.get(r, r) for r in function.results)
    body = live(tuple(builder.body), results)
    outside = [env.get(v, v) for v in nonlinear]
    hook = ErrorHook.of(model, body, tuple(inputs), called, outside)
    straight = all(map(_is_plain, body))
    ends = [r for r in results if straight or r.type.is_real]
    context = Context(
        reverse_unless_told(options),
        None,
        Dependence(hook.perturbs),
        "{}_bar" if len(ends) == 1 else "d{end}_d{}",
        names_of(ends),
        fresh_trips(body),
        LAWS_TO_THE_BIT,
    )
    primal = _Primal(body, results, tuple(inputs), hook, context)
    swept = (_straight if straight else _by_blocks)(primal)
    return _merged(primal, swept, inputs)


def reverse_unless_told(options: Options) -> Options:
    """The options in reverse order, if they say auto."""
    # every operation has an adjoint, so there is little to choose: of 15,200 operations
    # of estimates all orders together save one, in three times the time
    return options.override(order="reverse") if options.order == "auto" else options


def _is_plain(statement: Statement) -> bool:
    """Whether a statement has no blocks, makes no array, and calls no function that is
    swept.
    """
    if isinstance(statement, Call) and not statement.inert:
        return False
    return not (statement.blocks or any(out.type.is_array for out in statement.outs))


def _straight(primal: _Primal) -> _Swept:
    """A body without branches and loops: one run, results by columns."""
    operations = [s for s in primal.body if isinstance(s, Apply)]
    context = primal.context
    apart: list[Area] = []
    if context.options.order == CONTRACTED:
        apart = areas(operations, primal.results, primal.hook, context)
    inside = {s for area in apart for s in area.seen}
    seen = [s for s in operations if primal.hook.perturbs(s) and s not in inside]
    erring = [*(s.out for s in seen), *(area.top for area in apart)]
    run = Run(
        [primal.hook.guarded(s) for s in operations],
        tuple(s.out for s in operations),
        primal.inputs,
        primal.results,
        perturbed={out: Var(FLOAT, out.hint) for out in erring},
    )
    solved, outcome = solve(run, context.options, context.known, context.laws)
    first, last = len(seen), len(erring)
    return _Swept(
        (*primal.body, *solved.added, *(s for area in apart for s in area.added)),
        tuple(seen),
        tuple((*row[:first], *row[last:], *row[first:last]) for row in solved.entries),
        ((),) * len(primal.results),
        outcome.order,
        outcome.trails,
        tuple(apart),
    )


def _by_blocks(primal: _Primal) -> _Swept:
    """A body with branches or loops: a direction for each result that may be off."""
    off = [k for k, result in enumerate(primal.results) if result.type.is_real]
    count = len(off)
    units = [
        tuple(Literal(1.0 if i == k else 0.0) for i in range(count))
        for k in range(count)
    ]
    kept = deciding(primal.body, primal.results)
    values = (v for s in primal.body for v in (*s.inputs, *s.outs))
    asked = Asked(
        primal.body,
        primal.inputs,
        tuple((primal.results[k], unit) for k, unit in zip(off, units, strict=True)),
        (*primal.results, *(out for s in kept for out in s.outs)),
        count,
        True,
        primal.hook,
        lasting=[v for v in values if v.type.dims],
    )
    swept = bounce(Reverse(primal.context, asked).sweep(RULES))
    adjoint = dict(swept.gathering.seen)
    seen = [s for s in primal.body if isinstance(s, Apply) and s in adjoint]
    nothing: Operands = (ZERO,) * (len(seen) + len(primal.inputs))
    matrix = [nothing] * len(primal.results)
    totals: list[tuple[Operands, ...]] = [()] * len(primal.results)
    sets = (swept.gathering.totals, *swept.gathering.others)
    for direction, k in enumerate(off):
        of_it = (adjoint[s][direction] for s in seen)
        matrix[k] = (*of_it, *swept.adjoints[direction])
        own = (one[direction] for one in sets)
        totals[k] = tuple(one for one in own if any(t != ZERO for t in one))
    body = ordered((*swept.forth, *swept.back))
    order = primal.context.options.order
    return _Swept(body, tuple(seen), tuple(matrix), tuple(totals), order)


def _merged(
    primal: _Primal, swept: _Swept, inputs: Inputs
) -> tuple[Adjoints, tuple[Statement, ...]]:
    """The same program in one builder, with equal operations done once."""
    made = {out for s in swept.body for out in s.outs}
    kept = [out for s in primal.body for out in s.outs if out in made]
    flat = [v for row in swept.matrix for v in row]
    flat += [t for sets in swept.totals for own in sets for t in own]
    flat += [v for area in swept.areas for v in area.adjoints]
    builder, env = relaid(swept.body, kept, flat)

    def renamed(values: Operands) -> Operands:
        return tuple(env.get(v, v) for v in values)

    places = tuple(primal.hook.place(s, env) for s in swept.seen)
    rows = tuple(map(renamed, swept.matrix))
    last = len(rows[0]) - len(swept.areas) if rows else 0
    matrix = tuple(row[:last] for row in rows)
    gathered = [
        primal.hook.gathered_at(builder, area.seen, renamed(area.adjoints), env)
        for area in swept.areas
    ]
    adjoints = Adjoints(
        builder,
        renamed(primal.results),
        places,
        inputs,
        matrix,
        tuple(
            (
                *map(renamed, sets),
                *primal.hook.brought(builder, zip(places, row, strict=False)),
                *primal.hook.scaled(builder, gathered, row[last:]),
            )
            for sets, row in zip(swept.totals, rows, strict=True)
        ),
        renamed(primal.hook.grown),
        swept.order,
        swept.trails,
    )
    kept_ = deciding(primal.body, primal.results)
    return adjoints, tuple(_over(s, env) for s in kept_)


def relaid(
    body: tuple[Statement, ...], kept: Sequence[Operand], others: Sequence[Operand]
) -> tuple[Builder, Mapping[Operand, Operand]]:
    """A new builder with a program, and its values; `kept` ones keep operations."""
    builder = Builder(TABLE, LAWS_TO_THE_BIT)
    results = (*kept, *others)
    function = Function("", (), Block((), body, results), LEAF, len(kept))
    return builder, copy_primal(function, builder)


def _over(statement: Statement, env: Mapping[Operand, Operand]) -> Statement:
    """A statement of the source over its values in another builder."""
    found = (env.get(out, out) for out in statement.outs)
    outs = tuple(v for v in found if isinstance(v, Var))
    inputs = tuple(env.get(i, i) for i in statement.inputs)
    return statement.rebuilt(outs, inputs, statement.blocks)
