"""Both sweeps through an equation: the implicit function theorem.

Where g(x, p) = 0 determines x, dx = -J^-1 (dg/dp dp) with J = dg/dx, at the x that the
program has found. So the tangents are the solution of one linear system with J, and the
adjoints that of one with its transpose: p_bar -= dg/dp^T J^-T x_bar. How the program
finds x plays no part.

Where p holds arrays there is no matrix dg/dp: J^-T x_bar is the seed of a reverse sweep
through the residual, with x held fixed, as `-J^-T x_bar`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.accumulate import Matrix, Task
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.sweep.context import Context
from ad_transform.derive.sweep.forward import Forward
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.reverse import Asked, Operands, Reverse, Rule
from ad_transform.derive.sweep.stacks import trips_of
from ad_transform.derive.sweep.systems import solution
from ad_transform.elementals import TABLE
from ad_transform.ir import trampoline
from ad_transform.ir.blocks.blocks import placed, renewed
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import Block, Literal, Operand, Solve, Statement, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.options import Options

Accumulate = Callable[[Builder, Task, Options], Outcome]
"""The cheapest code for a task; see `ad_transform.derive.sweep.solve`."""


def back_through_solve(
    parent: Reverse, solve: Solve, accumulate: Accumulate, rules: Mapping[type, Rule]
) -> trampoline.Task[None]:
    """Enter the adjoints of the values that an equation depends on."""
    if any(out in parent.needed for out in solve.outs):
        parent.needed.update(solve.inputs)
    parent.keep_checks(solve)
    seeds = [parent.adjoint(out) for out in solve.unknowns]
    if all(is_zero(o) for seed in seeds for o in seed):
        return
    columns = _columns(solve, parent.varied)
    if any(column.type.is_array for column in columns):
        yield from _back_by_sweep(parent, solve, seeds, accumulate, rules)
    else:
        _back_by_slopes(parent, solve, columns, seeds, accumulate)


def _back_by_slopes(
    parent: Reverse,
    solve: Solve,
    columns: Sequence[Var],
    seeds: Sequence[Operands],
    accumulate: Accumulate,
) -> None:
    """Enter the adjoints by partials of the residual, all computed together."""
    found = Slopes(parent.context.options, accumulate).of(solve, columns, None)
    builder, entries = _in_builder(parent.context, found)
    jacobian, slopes = split(entries, len(seeds), len(columns))
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


def _back_by_sweep(
    parent: Reverse,
    solve: Solve,
    seeds: Sequence[Operands],
    accumulate: Accumulate,
    rules: Mapping[type, Rule],
) -> trampoline.Task[None]:
    """Enter the adjoints by a reverse sweep through the residual, one per array."""
    given = {a: parent.saved(a) for a in solve.args if a.type.dims}
    kept = replace(solve, args=tuple(given.get(a, a) for a in solve.args))
    handed = _solved_back(parent, kept, seeds, accumulate)
    columns = {given.get(c, c): c for c in _columns(solve, parent.varied)}
    over = renewed(kept.residual, over=(*kept.unknowns, *kept.args))
    own, ends = adopted(over.body, over.results)
    rows = list(zip(ends, handed, strict=True))
    lists = {inner: outer for inner, outer in columns.items() if outer.type.dims}
    rows += ((inner, parent.handed(outer)) for inner, outer in lists.items())
    asked = Asked(
        own.body,
        tuple(c for c in columns if isinstance(c, Var)),
        tuple(rows),
        (),
        parent.asked.directions,
        True,
        lasting=given.values(),
    )
    swept = yield Reverse(parent.context, asked).sweep(rules)
    parent.append(ordered((*swept.forth, *swept.back)))
    parent.needed.update(solve.inputs)
    terms = zip(*swept.adjoints, strict=True)
    for column, term in zip(columns.values(), terms, strict=True):
        parent.add(column, term)


def _solved_back(
    parent: Reverse,
    solve: Solve,
    seeds: Sequence[Operands],
    accumulate: Accumulate,
) -> list[Operands]:
    """The adjoints of the residuals, -J^-T x_bar, direction by direction."""
    found = Slopes(parent.context.options, accumulate).of(solve, (), None)
    builder, entries = _in_builder(parent.context, found)
    jacobian, _ = split(entries, len(seeds), 0)
    transposed = tuple(zip(*jacobian, strict=True))
    by_direction: list[list[Operand]] = []
    for d in range(parent.asked.directions):
        adjoints = solution(builder, transposed, [seed[d] for seed in seeds])
        by_direction.append([builder.apply("neg", a) for a in adjoints])
    parent.append(builder.body)
    return list(zip(*by_direction, strict=True))


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
    builder, entries = _in_builder(parent.context, found)
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
    """The active arguments that the residual reads, each once."""
    assert isinstance(varied, dict)
    residual = solve.residual
    read = {i for s in residual.body for i in s.inputs}.union(residual.results)
    params = residual.params[len(solve.unknowns) :]
    pairs = zip(solve.args, params, strict=True)
    given = [a for a, param in pairs if param in read]
    found = [a for a in given if isinstance(a, Var) and a in varied]
    return tuple(dict.fromkeys(found))


class Slopes:
    """The derivatives of the residual at the solution that the program has found."""

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


def _in_builder(context: Context, outcome: Outcome) -> tuple[Builder, Operands]:
    """A builder that goes on where an outcome ends, and its results there.

    Its loops record under names of their own: the outcome was made by itself.
    """
    trips: dict[str, Dim] = {t: context.trips() for t in trips_of(outcome.body)}
    block = placed(Block((), outcome.body, outcome.results), (), trips)
    return adopted(block.body, block.results)


def adopted(body: Sequence[Statement], results: Operands) -> tuple[Builder, Operands]:
    """A builder that holds statements, and some of their values there."""
    builder = Builder(TABLE, LAWS)
    return builder, builder.absorb(body, results)


def split(entries: Operands, count: int, others: int) -> tuple[Matrix, Matrix]:
    """The Jacobian by the unknowns, and the columns beside it."""
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
