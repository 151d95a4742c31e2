"""One straight run as an elimination task: all orders compete for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.accumulate import IN_PARTS, Matrix, Task
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.accumulation.race import accumulate
from ad_transform.derive.factoring.ways import quotients
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder, Laws
from ad_transform.ir.laws.signs import learn
from ad_transform.ir.nodes import Apply, Operand, Statement, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.options import Options

Operands = tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A run to differentiate.

    `roots` are values of it that are read elsewhere, `columns` those that it depends
    on; `tangents` and `adjoints` are those of a Task. Each value in `perturbed` has a
    column of its own; these stand before the others.
    """

    body: Sequence[Apply]
    roots: Operands
    columns: tuple[Var, ...]
    rows: Operands
    tangents: Matrix | None = None
    adjoints: Matrix | None = None
    perturbed: Mapping[Operand, Var] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Solved:
    """The statements added to a run's own, and the entries asked for."""

    added: tuple[Statement, ...]
    entries: Matrix


def solve(
    run: Run,
    options: Options,
    known: Mapping[Var, int] | None,
    laws: Laws = LAWS,
) -> tuple[Solved, Outcome]:
    """The cheapest code for a run, and the outcome that it is taken from.

    Values that the roots are made of stay as they are, and are not among the added
    ones; `known` are the signs that values may have. The run's divisors are not 0 here,
    either.
    """
    builder = Builder(TABLE, laws)
    builder.known = dict(known) if known is not None else None
    rows = builder.absorb(run.body, run.rows)
    if builder.known is not None:
        learn(builder, run.body, {})
    count = len(run.roots)
    widths: list[int] = []

    def assembled(matrix: Matrix) -> Operands:
        widths[:] = [len(row) for row in matrix]
        return (*run.roots, *(entry for row in matrix for entry in row))

    task = Task(
        (*run.perturbed.values(), *run.columns),
        rows,
        (assembled,),
        count,
        tangents=run.tangents,
        adjoints=run.adjoints,
        perturbed=run.perturbed or None,
        shares=IN_PARTS,
        ways=quotients,  # a loop has products with its constants made in front of it
    )
    outcome = accumulate(builder, task, options)
    sacred = made_of(run.body, run.roots)
    added = tuple(s for s in outcome.body if sacred.isdisjoint(s.outs))
    flat = iter(outcome.results[count:])
    entries = tuple(tuple(next(flat) for _ in range(width)) for width in widths)
    return Solved(added, entries), outcome


def made_of(body: Sequence[Apply], roots: Operands) -> set[Operand]:
    """The values of a run that the roots are computed from, the roots included."""
    found = set(roots)
    for statement in reversed(body):
        if statement.out in found:
            found.update(statement.args)
    return found
