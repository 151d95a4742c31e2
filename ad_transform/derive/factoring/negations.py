"""Negations that sums, differences and numbers below them can take in.

`-(2.0 * x / y + z)` is `-2.0 * x / y - z`. Only what nothing else uses is turned, and
each value that is turned costs what it did.
"""

from __future__ import annotations

from ad_transform.derive.factoring.polish import Trees, rewritten
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.nodes import Apply, Literal, Operand


def negations(
    builder: Builder, body: Body, results: Results, primal: int
) -> tuple[Body, Results]:
    """The body and results with negations taken in where that costs nothing. Linear.

    What the first `primal` results need stays as it is.
    """
    trees = Trees(body, results, primal)
    turning = _Turning(trees)
    roots = {
        s.out
        for s in body
        if isinstance(s, Apply)
        and s.op.name == "neg"
        and s.out not in trees.sacred
        and turning.takes(s.args[0])
    }
    if not roots:
        return body, results

    def write(
        fresh: Builder, statement: Apply, env: dict[Operand, Operand]
    ) -> Operand | None:
        if statement.out not in roots:
            return None
        return turning.write(fresh, statement.args[0], env)

    return rewritten(builder, body, results, trees.sacred, write)


class _Turning:
    """Values with the other sign, which take as many operations."""

    def __init__(self, trees: Trees) -> None:
        self.trees = trees
        self._turns: set[Operand] = set()
        for value in trees.made:  # operands first
            if value in trees.inner and self._is_free(trees.made[value]):
                self._turns.add(value)

    def takes(self, operand: Operand) -> bool:
        """Whether an operand takes a negation in."""
        if isinstance(operand, Literal):
            return operand.type.is_real
        return operand in self._turns

    def _is_free(self, statement: Apply) -> bool:
        name = statement.op.name
        if name == "sub":
            return True
        return name != "neg" and any(map(self.takes, statement.args))

    def write(
        self, fresh: Builder, operand: Operand, env: dict[Operand, Operand]
    ) -> Operand:
        """The operand with the other sign; its depth is that of `Trees` at most."""
        if isinstance(operand, Literal):
            return literal_of(-number_of(operand))
        statement = self.trees.made[operand]
        name = statement.op.name
        x, y = statement.args
        if name == "sub":
            return fresh.apply("sub", env.get(y, y), env.get(x, x))
        turned, kept = (x, y) if self.takes(x) else (y, x)
        value, other = self.write(fresh, turned, env), env.get(kept, kept)
        if name == "add":
            return fresh.apply("sub", value, other)
        return fresh.apply(name, *((value, other) if turned is x else (other, value)))
