"""Adjoints of everything that errs: one perturbation per operation, one sweep.

A hook on the sweep of `derive.accumulate`, not a second differentiator: each erring
operation gets a column of its own that is added to its result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ad_transform.derive.accumulate import Matrix, Task, Trail
from ad_transform.derive.primal import copy_primal
from ad_transform.derive.race import accumulate
from ad_transform.derive.rounding.guards import Conditions, guarded
from ad_transform.derive.rounding.inputs import Inputs
from ad_transform.derive.rounding.largest_errors import Place
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Function,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.types import FLOAT
from ad_transform.options import Options

Erring = Callable[[Apply], bool]


@dataclass(frozen=True, slots=True)
class Primal:
    """The merged, unsimplified program with the operations that err.

    `disturbed` gives each erring value the column that is added to it.
    """

    builder: Builder
    results: tuple[Operand, ...]
    inputs: Inputs
    disturbed: Mapping[Operand, Var]
    conditions: Conditions

    @property
    def statements(self) -> tuple[Apply, ...]:
        """The erring operations in order."""
        return tuple(
            s
            for s in self.builder.body
            if isinstance(s, Apply) and s.out in self.disturbed
        )


def primal_of(
    function: Function,
    inputs: Inputs,
    errs: Erring,
    powers: str,
) -> Primal:
    """The program of a function, its partials guarded; `inputs` carry errors too."""
    builder = Builder(TABLE, LAWS_TO_THE_BIT)
    env = copy_primal(alive(function), builder, powers)
    results = tuple(env.get(r, r) for r in function.results)
    body = live(tuple(builder.body), results)
    disturbed: dict[Operand, Var] = {
        s.out: Var(FLOAT, s.out.hint) for s in body if isinstance(s, Apply) and errs(s)
    }
    conditions = Conditions.of(body, tuple(inputs), set(disturbed))
    builder.body = [_guard(s, conditions) for s in body]
    for statement in builder.body:
        if isinstance(statement, Apply):
            builder.definition[statement.out] = statement
    return Primal(builder, results, inputs, disturbed, conditions)


def alive(function: Function) -> Function:
    """The function without dead code, its results sacred.

    Dead code goes first: a builder hands out any value that it holds for an equal one,
    so what is removed from its program afterwards could still be referred to.
    """
    body = live(function.body, function.results)
    block = Block(function.block.params, body, function.results)
    return replace(function, block=block, primal=len(function.results))


def _guard(statement: Statement, conditions: Conditions) -> Statement:
    if not isinstance(statement, Apply):
        return statement
    out, args = statement.out, statement.args
    nonlinear = out in conditions.nonlinear
    return Apply(out, guarded(statement.op, args, nonlinear), args)


@dataclass(frozen=True, slots=True)
class Swept:
    """A builder that holds a program and its adjoints, ready for more.

    `places` are the erring operations, `inputs` the inputs that carry errors; the rows
    of `adjoints` belong to the results, the columns to `places` and then to `inputs`.
    """

    builder: Builder
    results: tuple[Operand, ...]
    places: tuple[Place, ...]
    inputs: Inputs
    adjoints: Matrix
    order: str
    trails: tuple[Trail, ...] = ()


def sweep(primal: Primal, options: Options) -> Swept:
    """The adjoints of all errors by the order asked for, by default in reverse."""
    statements = primal.statements
    columns = (*(primal.disturbed[s.out] for s in statements), *primal.inputs)
    kept = _kept(primal)
    task = Task(
        columns,
        primal.results,
        (lambda matrix: (*kept, *(entry for row in matrix for entry in row)),),
        len(kept),
        disturbed=primal.disturbed,
    )
    outcome = accumulate(primal.builder, task, _reverse_unless_told(options))
    builder, values = copied(outcome.body, outcome.results, len(kept))
    env = dict(zip(kept, values, strict=False))
    flat = values[len(kept) :]
    width = len(columns)
    return Swept(
        builder,
        tuple(env.get(r, r) for r in primal.results),
        tuple(_placed(s, primal.conditions, env) for s in statements),
        primal.inputs,
        tuple(flat[k * width : (k + 1) * width] for k in range(len(primal.results))),
        outcome.order,
        outcome.trails,
    )


def _kept(primal: Primal) -> tuple[Operand, ...]:
    """All values of the program: they keep their operations, and can be found again."""
    made = (out for s in primal.builder.body for out in s.outs)
    return (*primal.results, *made)


def _reverse_unless_told(options: Options) -> Options:
    return options.override(order="reverse") if options.order == "auto" else options


def copied(
    body: Sequence[Statement], results: tuple[Operand, ...], primal: int
) -> tuple[Builder, tuple[Operand, ...]]:
    """A new builder with a program, its rows those of the table again."""
    builder = Builder(TABLE, LAWS_TO_THE_BIT)
    rows = tuple(_plain(s) for s in body)
    function = Function("", (), Block((), rows, results), LEAF, primal)
    env = copy_primal(function, builder)
    return builder, tuple(env.get(r, r) for r in results)


def _plain(statement: Statement) -> Statement:
    if not isinstance(statement, Apply):
        return statement
    return Apply(statement.out, TABLE[statement.op.name], statement.args)


def _placed(
    statement: Apply, conditions: Conditions, env: Mapping[Operand, Operand]
) -> Place:
    out, args = statement.out, statement.args
    return Place(
        Apply(out, TABLE[statement.op.name], args),
        tuple(env.get(a, a) for a in args),
        env[out],
        out in conditions.nonlinear and not conditions.passive(statement),
        conditions.passive(statement),
    )
