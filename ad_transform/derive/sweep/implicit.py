"""Both sweeps through an equation: the implicit function theorem.

Where g(x, p) = 0 determines x, dx = -J^-1 (dg/dp dp) with J = dg/dx, at the x that the
program has found. So the tangents are the solution of one linear system with J, and the
adjoints that of one with its transpose: p_bar -= dg/dp^T J^-T x_bar. How the program
finds x plays no part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.derive.accumulate import Matrix, Task
from ad_transform.derive.linearise import is_zero
from ad_transform.derive.outcome import Outcome
from ad_transform.derive.sweep.forward import Forward
from ad_transform.derive.sweep.reverse import Operands, Reverse
from ad_transform.derive.sweep.systems import solution
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.elementals import TABLE
from ad_transform.ir import trampoline
from ad_transform.ir.blocks import renewed
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Literal, Operand, Solve, Statement, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.options import Options

Accumulate = Callable[[Builder, Task, Options], Outcome]
"""The cheapest code for a task; see `ad_transform.derive.sweep.solve`."""


def back_through_solve(
    parent: Reverse, solve: Solve, accumulate: Accumulate
) -> trampoline.Task[None]:
    """Enter the adjoints of what an equation depends on."""
    yield from ()  # a task like its siblings, though it needs no other
    unknowns = solve.unknowns
    if any(out in parent.needed for out in solve.outs):
        parent.needed.update(solve.inputs)
    parent.keep_checks(solve)
    seeds = [parent.adjoint(out) for out in unknowns]
    if all(is_zero(o) for seed in seeds for o in seed):
        return
    columns = _columns(solve, parent.varied)
    found = Slopes(parent.context.options, accumulate).of(solve, columns, None)
    builder, entries = _in_builder(found)
    jacobian, slopes = split(entries, len(unknowns), len(columns))
    transposed = tuple(zip(*jacobian, strict=True))
    terms: list[list[Operand]] = [[] for _ in columns]
    for d in range(parent.asked.directions):
        adjoints = solution(builder, transposed, [seed[d] for seed in seeds])
        for k, column in enumerate(columns):
            name = parent.context.called(column, d)
            slope = [row[k] for row in slopes]
            whole = _product(builder, slope, adjoints)
            terms[k].append(builder.apply("neg", whole, hint=name))
    parent.append(builder.body)
    parent.needed.update(solve.inputs)
    for column, term in zip(columns, terms, strict=True):
        parent.add(column, tuple(term))


def forth_through_solve(
    parent: Forward, solve: Solve, accumulate: Accumulate
) -> trampoline.Task[None]:
    """Enter the tangents of the unknowns."""
    yield from ()
    unknowns, directions = solve.unknowns, parent.directions
    columns = tuple(c for c in _columns(solve, parent.varied) if c in parent.tangents)
    given = [parent.tangents[c] for c in columns]
    parent.added.append(solve)
    if not columns:
        return
    seeds = _units(len(unknowns), len(columns))
    seeds += [
        [parent.zero] * len(unknowns) + [t[d] for t in given] for d in range(directions)
    ]
    slopes = Slopes(parent.context.options, accumulate)
    found = slopes.of(solve, columns, tuple(map(tuple, seeds)))
    builder, entries = _in_builder(found)
    jacobian, pushed = split(entries, len(unknowns), directions)
    tangents: list[list[Operand]] = [[] for _ in unknowns]
    for d in range(directions):
        moved = [builder.apply("neg", row[d]) for row in pushed]
        solved = solution(builder, jacobian, moved)
        for own, value in zip(tangents, solved, strict=True):
            own.append(value)
    parent.added += builder.body
    for unknown, tangent in zip(unknowns, tangents, strict=True):
        parent.enter(unknown, tuple(tangent))


def _columns(solve: Solve, varied: object) -> tuple[Var, ...]:
    """The arguments that the residual reads and that matter, each once."""
    assert isinstance(varied, dict)
    residual = solve.residual
    read = {i for s in residual.body for i in s.inputs}.union(residual.results)
    params = residual.params[len(solve.unknowns) :]
    pairs = zip(solve.args, params, strict=True)
    given = [a for a, param in pairs if param in read]
    found = [a for a in given if isinstance(a, Var) and a in varied]
    if any(column.type.dims for column in found):
        text = "an equation that depends on an array has no derivatives yet"
        help_ = "give the residual the numbers that it needs of the array"
        raise Refusal(Diagnostic("AD031", text, help=help_))
    return tuple(dict.fromkeys(found))


class Slopes:
    """The derivatives of the residual at what the program has found."""

    def __init__(self, options: Options, accumulate: Accumulate) -> None:
        self.options = options
        self.accumulate = accumulate

    def of(
        self, solve: Solve, columns: Sequence[Var], tangents: Matrix | None
    ) -> Outcome:
        """The entries row by row: by unknowns, then by columns or along tangents."""
        unknowns = solve.unknowns
        residual = renewed(solve.residual, over=(*unknowns, *solve.args))
        builder, rows = adopted(residual.body, residual.results)
        task = Task(
            (*unknowns, *columns),
            rows,
            (lambda matrix: tuple(o for row in matrix for o in row),),
            tangents=tangents,
        )
        return self.accumulate(builder, task, self.options)


def _in_builder(outcome: Outcome) -> tuple[Builder, Operands]:
    """A builder that goes on where an outcome ends, and its results there."""
    return adopted(outcome.body, outcome.results)


def adopted(body: Sequence[Statement], results: Operands) -> tuple[Builder, Operands]:
    """A builder that holds statements, and some of their values there."""
    builder = Builder(TABLE, LAWS)
    return builder, builder.absorb(body, results)


def split(entries: Operands, count: int, others: int) -> tuple[Matrix, Matrix]:
    """The Jacobian by the unknowns, and what stands beside it."""
    width = count + others
    rows = [entries[k * width : (k + 1) * width] for k in range(count)]
    return tuple(r[:count] for r in rows), tuple(r[count:] for r in rows)


def _units(count: int, others: int) -> list[list[Operand]]:
    zeros: list[Operand] = [Literal(0.0)] * others
    return [
        [*(Literal(float(i == k)) for i in range(count)), *zeros] for k in range(count)
    ]


def _product(
    builder: Builder, row: Sequence[Operand], vector: Sequence[Operand]
) -> Operand:
    total: Operand | None = None
    for a, b in zip(row, vector, strict=True):
        term = builder.apply("mul", b, a)
        total = term if total is None else builder.apply("add", total, term)
    assert total is not None
    return total
