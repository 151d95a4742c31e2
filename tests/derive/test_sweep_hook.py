"""The hook of the sweep sees every operation of every trip, with its adjoint."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from derive.sweeps import STEP
from exact import MPMATH
from mpmath import mp, mpf
from structured import Sizes, point, program

from ad_transform.derive.sweep.body import merged
from ad_transform.derive.sweep.context import Context
from ad_transform.derive.sweep.dependence import Dependence
from ad_transform.derive.sweep.hook import Hook
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.reverse import Asked, Reverse
from ad_transform.derive.sweep.solve import RULES, with_own_values
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
    group,
)
from ad_transform.ir.trampoline import bounce
from ad_transform.ir.verify import verify
from ad_transform.options import Options


class Sum:
    """The sum of the adjoints of all operations."""

    names = ("sum",)

    def perturbs(self, statement: Apply) -> bool:
        return statement.out.type.is_real

    def guarded(self, statement: Apply) -> Apply:
        return statement

    def inside(self, block: Block, columns: Sequence[Var], holder: Statement) -> Hook:
        return self

    def gathered(
        self,
        builder: Builder,
        seen: Sequence[tuple[Apply, Operand]],
        totals: Sequence[tuple[Operand, ...]],
    ) -> tuple[Operand, ...]:
        terms = [own for (own,) in totals] + [adjoint for _, adjoint in seen]
        total: Operand = Literal(0.0)
        for term in terms:
            total = builder.apply("add", total, term)
        return (total,)


def summed_adjoints(function: Function) -> Function:
    """The results of a function, and the sum of adjoints for each."""
    hook, count = Sum(), len(function.results)
    block = merged(function.block)
    body, results = block.body, block.results
    units = [tuple(Literal(float(i == k)) for i in range(count)) for k in range(count)]
    rows = tuple(zip(results, units, strict=True))
    ends = ("",) * count
    context = Context(Options(), None, Dependence(hook.perturbs), "{}_bar", ends)
    asked = Asked(
        body, (), rows, results, count, True, hook, ((Literal(0.0),),) * count
    )
    swept = bounce(Reverse(context, asked).sweep(RULES))
    results = (*results, *(total for (total,) in swept.totals))
    body = with_own_values(live(ordered((*swept.forth, *swept.back)), results))
    block = Block(block.params, body, results)
    return Function("sums", function.parameters, block, group((LEAF,) * len(results)))


def shifted(by: mpf) -> Callable[[Elemental], Callable[..., Any]]:
    """Sixty digits, but the result of every operation on floats is more by so much."""

    def library(op: Elemental) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            value = MPMATH(op)(*args)
            return value + by if isinstance(value, mpf | float) else value

        return call

    return library


@pytest.mark.parametrize("seed", range(45))
def test_adjoints_add_up_to_a_common_perturbation(seed: int) -> None:
    """What all operations are off by, times the sum of adjoints, is off in the end."""
    depth = seed % 3
    function = program(random.Random(seed), Sizes(depth=depth, results=1 + seed % 2))
    made = summed_adjoints(function)
    verify(made)
    with mp.workdps(60):
        given = [mpf(x) if isinstance(x, float) else x for x in point(function, seed)]
        ends = [evaluate(function, given, shifted(by)) for by in (STEP, -STEP)]
        found = evaluate(made, given, MPMATH)[len(function.results) :]
        for above, below, total in zip(*ends, found, strict=True):
            wanted = (mpf(above) - mpf(below)) / (2 * STEP)
            assert abs(total - wanted) <= 1e-15 * (1 + abs(wanted))
