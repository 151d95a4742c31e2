"""Columns that share a first pass: it computes the values and the partials once, and
records them; the loop over the columns reads them.

One forward sweep carries the tangents along all numbers and along one element of each
array. What depends on the element is in the loop over the columns, see
`sweep.two_passes`. That is done where functions of the primal need not be computed once
for each column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.accumulate import Matrix, Task
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.passes import formed
from ad_transform.derive.request import Request
from ad_transform.derive.sweep.two_passes import in_two_passes
from ad_transform.ir.blocks.live import live
from ad_transform.ir.count import trips
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Call,
    Function,
    Literal,
    Nest,
    Operand,
    Scan,
    Solve,
    Statement,
    Var,
    While,
    group,
    walk,
)
from ad_transform.ir.price import NOMINAL

Operands = tuple[Operand, ...]
Body = tuple[Statement, ...]

CALL, KEPT = 4, 20
"""The cost of a function or a power, and of a call of a kept function, in operations: a
record is one of these."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The statements of the first pass, and the results of the function; the tangents
    of its rows by independent; and for each array its seed, and the second pass.
    """

    first: Body
    results: Operands
    tangents: tuple[Operands, ...]
    seconds: tuple[tuple[Var, Body] | None, ...]
    idle: tuple[Var, ...]


def shared(
    r: Request, function: Function, first: int, xs: Sequence[Var]
) -> Shared | None:
    """The columns of the results from `first` on; None if nothing is to be saved."""
    statements = walk(function.body)
    if not any(map(_is_dear, statements)):
        return None
    loops = (s for s in statements if isinstance(s, Scan | While))
    if any(loop.snapshots is not None for loop in loops):
        return None  # it may hold few states
    builder, results = r.copied(function, len(r.primal))
    seeds = {
        x: Var(x.type, f"{x.hint}_dot" if x.hint else "") for x in xs if x.type.is_array
    }
    directions = tuple(tuple(_tangent(a, b, seeds) for b in xs) for a in xs)
    count = len(results)

    def assemble(matrix: Matrix) -> Operands:
        columns = zip(*matrix, strict=True)
        return (*results, *(entry for column in columns for entry in column))

    rows, primal = results[first:], len(r.primal)
    task = Task(tuple(xs), rows, (assemble,), primal, tangents=directions)
    outcome = r.run(builder, task)
    values, flat = outcome.results[:count], outcome.results[count:]
    passes = in_two_passes(outcome.body, values, flat, seeds.values())
    if passes is None:
        return None
    amount = len(rows)
    tangents = tuple(flat[k * amount : (k + 1) * amount] for k in range(len(xs)))
    seconds: list[tuple[Var, Body] | None] = []
    for x, own in zip(xs, tangents, strict=True):
        body = live(passes.second, own)
        seconds.append((seeds[x], body) if x in seeds else None)
    return Shared(passes.first, values, tangents, tuple(seconds), outcome.idle)


def _tangent(a: Var, b: Var, seeds: dict[Var, Var]) -> Operand:
    if a is not b:
        return Literal(0.0)
    return seeds.get(b, Literal(1.0))


def _is_dear(statement: Statement) -> bool:
    """Whether it computes a function or a power, or calls a kept function."""
    if isinstance(statement, Call):
        return True
    if not isinstance(statement, Apply):
        return False
    return not {"call", "pow"}.isdisjoint(statement.op.classes)


def written_cost(r: Request, outcome: Outcome) -> int:
    """The cost of a run of the code as it is written."""
    nest = group((Nest(),) * len(outcome.results))
    function = formed(r.finish(outcome, nest, (), 0, ()), r.options.target)
    return _cost(function.body)


def _cost(body: Iterable[Statement]) -> int:
    """The cost of a run, at nominal trips of loops: operations, records and what reads
    them.
    """
    total = 0
    waiting = [(tuple(body), 1)]
    while waiting:
        own, times = waiting.pop()
        for statement in own:
            inner = times
            if isinstance(statement, Apply):
                total += times * _of_operation(statement)
            elif isinstance(statement, Call):
                total += times * KEPT
            elif isinstance(statement, Scan | While):
                known = trips(statement)
                inner *= known if isinstance(known, int) else NOMINAL
                total += inner * (1 + len(statement.stacks) + len(statement.entries))
            blocks: tuple[Block, ...] = statement.blocks
            if isinstance(statement, Solve):
                blocks = blocks[:1]  # the residual is never run
            waiting += ((inside.body, inner) for inside in blocks)
    return total


def _of_operation(statement: Apply) -> int:
    classes = statement.op.classes
    return sum(CALL if c in ("call", "pow") else 1 for c in classes) or 1
