"""Small systems of linear equations, written out: A x = b.

One division for one unknown, Cramer's rule for two and three. For more it is a `Solve`
whose primal is Gaussian elimination with pivoting, a printed helper, and whose equation
is A x - b = 0: so it has derivatives of every order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ad_transform.derive.accumulation.accumulate import Matrix
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Solve, Statement, Var
from ad_transform.ir.types import FLOAT, Kind, Type

Operands = Sequence[Operand]


def solution(builder: Builder, matrix: Matrix, right: Operands) -> list[Operand]:
    """The unknowns of a system; the statements for them go into the builder."""
    if all(isinstance(o, Literal) and o.value == 0 for o in right):
        return [Literal(0.0)] * len(right)
    if len(right) == 1:
        return [builder.apply("div", right[0], matrix[0][0])]
    if len(right) <= CRAMER:
        return _by_cramer(builder, matrix, right)
    return _eliminated(builder, matrix, right)


CRAMER = 3
"""Unknowns up to which the solution is written out."""


def _by_cramer(builder: Builder, matrix: Matrix, right: Operands) -> list[Operand]:
    """The unknowns by Cramer's rule: x_k = det(A with b as column k) / det(A)."""
    whole = determinant(builder, matrix)
    found = numerators(builder, matrix, right)
    return [builder.apply("div", above, whole) for above in found]


def numerators(builder: Builder, matrix: Matrix, right: Operands) -> Iterator[Operand]:
    """The numerators det(A with b as column k), each computed when it is asked for."""
    for k in range(len(right)):
        rows = zip(matrix, right, strict=True)
        yield determinant(
            builder, tuple((*row[:k], b, *row[k + 1 :]) for row, b in rows)
        )


def determinant(builder: Builder, matrix: Matrix) -> Operand:
    """The determinant, expanded along the first row."""
    if len(matrix) == 1:
        return matrix[0][0]
    total: Operand = Literal(0.0)
    for k, entry in enumerate(matrix[0]):
        minor = tuple((*row[:k], *row[k + 1 :]) for row in matrix[1:])
        term = builder.apply("mul", entry, determinant(builder, minor))
        total = builder.apply("sub" if k % 2 else "add", total, term)
    return total


def _eliminated(builder: Builder, matrix: Matrix, right: Operands) -> list[Operand]:
    """The unknowns by the printed helper."""
    count = len(right)
    args = (*(entry for row in matrix for entry in row), *right)
    outs = tuple(Var(FLOAT) for _ in right)
    statement = Solve(outs, args, _primal(count), _residual(count))
    builder.body.append(statement)
    return list(outs)


def _primal(count: int) -> Block:
    """The primal `x = _solution([a, ...], [b, ...])`, and the items of x."""
    params = tuple(Var(FLOAT) for _ in range(count * (count + 1)))
    matrix = Var(Type(Kind.FLOAT, (count * count,)))
    right, solved = (Var(Type(Kind.FLOAT, (count,)), h) for h in ("", "solution"))
    outs = tuple(Var(FLOAT) for _ in range(count))
    body: list[Statement] = [
        Apply(matrix, TABLE["pack"], params[: count * count]),
        Apply(right, TABLE["pack"], params[count * count :]),
        Apply(solved, TABLE["solution"], (matrix, right)),
    ]
    body += (Apply(o, TABLE["get"], (solved, Literal(k))) for k, o in enumerate(outs))
    return Block(params, tuple(body), outs)


def _residual(count: int) -> Block:
    """The residual A x - b."""
    unknowns = tuple(Var(FLOAT) for _ in range(count))
    args = tuple(Var(FLOAT) for _ in range(count * (count + 1)))
    builder = Builder(TABLE, {})
    results: list[Operand] = []
    for i in range(count):
        row = args[i * count : (i + 1) * count]
        total: Operand = builder.apply("mul", row[0], unknowns[0])
        for a, x in zip(row[1:], unknowns[1:], strict=True):
            total = builder.apply("add", total, builder.apply("mul", a, x))
        results.append(builder.apply("sub", total, args[count * count + i]))
    return Block((*unknowns, *args), tuple(builder.body), tuple(results))
