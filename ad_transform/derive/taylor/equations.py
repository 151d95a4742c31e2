"""Equations under expansion: the solution of g(x, p) = 0 as p moves.

With the coefficients of x below degree j, and 0 for x_j, that of g is some r_j; it is 0
where J x_j = -r_j, with J = dg/dx at the x that the program has found.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.derive.sweep.forward import handed
from ad_transform.derive.sweep.systems import solution
from ad_transform.derive.taylor.arms import expanded_block
from ad_transform.derive.taylor.expansion import Expansion, Operands
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.nodes import Literal, Solve
from ad_transform.ir.trampoline import Task


def through_equation(parent: Expansion, solve: Solve) -> Task[None]:
    """Enter the coefficients of an equation's unknowns."""
    builder, count = parent.builder, len(solve.unknowns)
    columns = []
    for k in range(count):
        units: list[Operands] = [(Literal(float(k == i)),) for i in range(count)]
        still: list[Operands] = [()] * len(solve.args)
        columns.append((yield _residual(parent, solve, (*units, *still), 1)))
    jacobian = tuple(zip(*columns, strict=True))
    given = [parent.coefficients(arg) for arg in solve.args]
    found: list[Operands] = [()] * count
    for j in parent.degrees:
        rest = yield _residual(parent, solve, (*found, *given), j)
        moved = [builder.apply("neg", r) for r in rest]
        next_ones = solution(builder, jacobian, moved)
        found = [(*own, x) for own, x in zip(found, next_ones, strict=True)]
    for unknown, own in zip(solve.unknowns, found, strict=True):
        parent.enter(unknown, own)


def _residual(
    parent: Expansion, solve: Solve, given: Sequence[Operands], j: int
) -> Task[Operands]:
    """The coefficient of degree j of each residual."""
    block = renewed(solve.residual)
    own = yield expanded_block(parent, block, given, j)
    ends = [own.own.series(result).at(j) for result in own.results]
    made = own.own.block(own.params, ends)
    args = (*solve.unknowns, *solve.args, *handed(given))
    return parent.builder.inline(made, args)
