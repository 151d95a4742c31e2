"""The solution of an equation, as a value that is off by the residual.

Where `g(x, p) = 0` determines x, the exact result is the root itself, by whatever steps
the program finds it. It has found x with g(x, p) = r, not quite 0: to first order x is
off by `J^-1 r` with J = dg/dx. So the residual is computed once more, at the solution
found, and its own roundings and the errors of p reach x through `-J^-1`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.accumulate import Matrix
from ad_transform.derive.sweep.implicit import Slopes, adopted, split
from ad_transform.derive.sweep.solve import accumulate
from ad_transform.derive.sweep.systems import CRAMER, determinant, numerators
from ad_transform.elementals.calls import GIVEN, SOLVED
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Solve,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import FLOAT
from ad_transform.options import Options


def has_equations(function: Function) -> bool:
    """Whether a statement of a function solves an equation."""
    return any(isinstance(s, Solve) for s in walk(function.body))


def with_roots(function: Function, options: Options) -> Function:
    """The function in which the unknowns of equations are off by the residuals."""
    if not has_equations(function):
        return function
    return replace(function, block=bounce(_with_roots(function.block, options)))


def _with_roots(block: Block, options: Options) -> Task[Block]:
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Solve):
            body += _off(statement, options)
            continue
        inner: list[Block] = []
        for own in statement.blocks:
            inner.append((yield _with_roots(own, options)))
        body.append(statement.rebuilt(statement.outs, statement.inputs, tuple(inner)))
    return replace(block, body=tuple(body))


def _off(solve: Solve, options: Options) -> list[Statement]:
    """The statement that solves an equation, and its unknowns with their errors."""
    unknowns = solve.unknowns
    count = len(unknowns)
    found = tuple(Var(FLOAT, v.hint) for v in unknowns)
    fixed = tuple(Var(FLOAT, v.hint) for v in unknowns)
    solved = solve.binding((*found, *solve.outs[count:]))
    residual = renewed(solve.residual, over=(*fixed, *solve.args))
    outcome = Slopes(options, accumulate).of(
        replace(solve, outs=(*fixed, *solve.outs[count:])), (), None
    )
    builder, entries = adopted(outcome.body, outcome.results)
    jacobian, _ = split(entries, count, 0)
    solved_for = _by_inverse if count > CRAMER else _by_cramer
    errors, inverse = solved_for(builder, jacobian, residual.results)
    behind: list[Statement] = []
    for k, unknown in enumerate(unknowns):
        slopes = [builder.apply("neg", entry) for entry in inverse[k]]
        args = (fixed[k], errors[k], *residual.results, *slopes)
        behind.append(Apply(unknown, SOLVED, args))
    exact = (Apply(a, GIVEN, (b,)) for a, b in zip(fixed, found, strict=True))
    return [solved, *exact, *residual.body, *builder.body, *behind]


_OVER = parse_template("1.0 / y if y != 0.0 else 1e999")


def _by_cramer(
    builder: Builder, matrix: Matrix, right: Sequence[Operand]
) -> tuple[list[Operand], list[list[Operand]]]:
    """The unknowns of a small system and its inverse, by Cramer's rule; infinite if it
    has none.
    """
    count = len(right)
    units = [[Literal(float(k == i)) for k in range(count)] for i in range(count)]
    found = _quotients(builder, matrix, right)
    columns = [_quotients(builder, matrix, unit) for unit in units]
    return found, [[column[k] for column in columns] for k in range(count)]


def _quotients(
    builder: Builder, matrix: Matrix, right: Sequence[Operand]
) -> list[Operand]:
    """The unknowns of a small system."""
    over = instantiate(_OVER, {"y": determinant(builder, matrix)}, builder)
    found = numerators(builder, matrix, right)
    return [builder.apply("mul", above, over) for above in found]


def _by_inverse(
    builder: Builder, matrix: Matrix, right: Sequence[Operand]
) -> tuple[list[Operand], list[list[Operand]]]:
    """The same by the inverse, which elimination finds in a printed helper."""
    count = len(right)
    entries = builder.apply("pack", *(entry for row in matrix for entry in row))
    whole = (entries, Literal(count))
    found = builder.apply(
        "listed_inverse", *whole, hint="inverse", declared=entries.type
    )
    places = (count * i for i in range(count))
    inverse = [
        [builder.apply("get", found, Literal(k + j)) for j in range(count)]
        for k in places
    ]
    return [_product(builder, row, right) for row in inverse], inverse


def _product(
    builder: Builder, row: Sequence[Operand], vector: Sequence[Operand]
) -> Operand:
    """The sum of products."""
    total: Operand = Literal(0.0)
    for one, other in zip(row, vector, strict=True):
        total = builder.apply("add", total, builder.apply("mul", one, other))
    return total
