"""Negations that go into the operation that they negate.

`-(2.0 * x / y - z)` is `z - 2.0 * x / y`, `-(2.0 * x / y)` is `-2.0 * x / y`: the sign
costs nothing there. These are the laws:

    -(x - y) = y - x
    -(x + y) = -x - y     where x, or else y, takes the sign in
    -(x * y) = -x * y     likewise
    -(x / y) = -x / y     likewise

A number takes it in. A value does only if nothing else uses it, for it is made anew.
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

    Values that the first `primal` results need stay as they are.
    """
    if not negates(body):
        return body, results
    trees = Trees(body, results, primal)
    signs = _Signs(trees)
    negated = {
        s.out: s.args[0]
        for s in body
        if isinstance(s, Apply)
        and s.op.name == "neg"
        and s.out not in trees.sacred
        and signs.are_taken_by(s.args[0])
    }
    if not negated:
        return body, results

    def write(
        fresh: Builder, statement: Apply, env: dict[Operand, Operand]
    ) -> Operand | None:
        value = negated.get(statement.out)
        return None if value is None else signs.negative(fresh, value, env)

    return rewritten(builder, body, results, trees.sacred, write)


def negates(body: Body) -> bool:
    """Whether a value of the body is the negative of another one."""
    return any(type(s) is Apply and s.op.name == "neg" for s in body)


class _Signs:
    """The values that take a minus sign in at no cost."""

    def __init__(self, trees: Trees) -> None:
        self._made = trees.made
        self._taking: set[Operand] = set()
        for value, statement in self._made.items():  # operands first
            if value in trees.inner and self._has_law(statement):
                self._taking.add(value)

    def are_taken_by(self, operand: Operand) -> bool:
        """Whether the negative of an operand takes as many operations as it does."""
        if isinstance(operand, Literal):
            return operand.type.is_real
        return operand in self._taking

    def _has_law(self, statement: Apply) -> bool:
        name = statement.op.name
        if name == "sub":
            return True
        return name != "neg" and any(map(self.are_taken_by, statement.args))

    def negative(
        self, fresh: Builder, operand: Operand, env: dict[Operand, Operand]
    ) -> Operand:
        """The negative of an operand that takes the sign in, built by the laws above.

        It goes as deep as `Trees` are.
        """
        if isinstance(operand, Literal):
            return literal_of(-number_of(operand))
        statement = self._made[operand]
        name, (x, y) = statement.op.name, statement.args
        if name == "sub":
            return fresh.apply("sub", env.get(y, y), env.get(x, x))
        if self.are_taken_by(x):
            op = "sub" if name == "add" else name
            return fresh.apply(op, self.negative(fresh, x, env), env.get(y, y))
        minus_y = self.negative(fresh, y, env)
        if name == "add":
            return fresh.apply("sub", minus_y, env.get(x, x))
        return fresh.apply(name, env.get(x, x), minus_y)
