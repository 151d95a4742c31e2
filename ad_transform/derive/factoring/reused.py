"""Values that one expression uses several times, taken apart in it.

A common part of several terms of one sum may be made by itself: with `u = 1 / s`, `2 *
y * u - u` is four operations. Nothing else uses `u`, so the whole is read as one sum,
`(2 * y - 1) / s`, which is three. Only single operations are taken apart so, for the
terms of an expression would multiply otherwise.
"""

from __future__ import annotations

from ad_transform.derive.factoring.polish import Trees, gathered, rewritten
from ad_transform.derive.factoring.terms import cost, write
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Operand

LONG = 2_000
"""Statements up to which a body is read."""

_PRODUCTS = frozenset({"mul", "div", "neg"})


def reused(
    builder: Builder, body: Body, results: Results, primal: int
) -> tuple[Body, Results]:
    """The body and results with expressions written anew that use one of their values
    several times, where that saves operations. Linear; of a body that is not LONG.

    Values that the first `primal` results need stay as they are.
    """
    if len(body) > LONG:
        return body, results
    trees = _Trees(body, results, primal)
    roots = {root: trees.size(root) for root in trees.roots}
    if not roots:
        return body, results
    changed = False

    def anew(
        fresh: Builder, statement: Apply, env: dict[Operand, Operand]
    ) -> Operand | None:
        nonlocal changed
        if statement.out not in roots:
            return None
        total = gathered(statement, trees, env)
        if total is None or cost(total) >= roots[statement.out]:
            return None
        changed = True
        return write(fresh, total)

    found = rewritten(builder, body, results, trees.sacred, anew)
    return found if changed else (body, results)


class _Trees(Trees):
    """Trees with the products that one of them uses several times; `roots` are the
    roots of such trees.
    """

    def __init__(self, body: Body, results: Results, primal: int) -> None:
        super().__init__(body, results, primal)
        single, self.inner = self.inner, set()
        self.roots: dict[Operand, None] = {}
        used_by: dict[Operand, list[Operand | None]] = {r: [None] for r in results}
        for statement in reversed(body):  # users first; values that None uses stay
            root = None
            if isinstance(statement, Apply) and self._is_open(statement):
                root = self._root(statement, used_by, single)
            for a in statement.inputs:
                used_by.setdefault(a, []).append(root)

    def _is_open(self, statement: Apply) -> bool:
        out = statement.out
        is_free = out not in self.sacred and out.type.is_real
        return is_free and statement.op.name in self.names

    def _root(
        self,
        statement: Apply,
        used_by: dict[Operand, list[Operand | None]],
        single: set[Operand],
    ) -> Operand | None:
        """The root of the tree that a statement's operands belong to, if any."""
        out = statement.out
        roots = used_by.get(out, [None])
        root = roots[0]
        if root is None or any(r is not root for r in roots):
            return out
        if len(roots) == 1:
            if out not in single:
                return out
            self.inner.add(out)
            return root
        if statement.op.name not in _PRODUCTS or out.named:
            return out
        self.inner.add(out)
        self.roots[root] = None
        return None

    def size(self, root: Operand) -> int:
        """The number of operations of the tree below a root."""
        met = {root}
        stack: list[Operand] = [root]
        while stack:
            for a in self.made[stack.pop()].args:
                if a in self.inner and a not in met:
                    met.add(a)
                    stack.append(a)
        return len(met)
