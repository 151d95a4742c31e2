"""The free variables of statements: those that are read and made elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.ir.nodes import Apply, Operand, Statement, Var


def free(
    body: Iterable[Statement], results: Iterable[Operand], params: Iterable[Var] = ()
) -> tuple[Var, ...]:
    """The values that a body or its results read, and that neither it nor the
    parameters bind, in order.
    """
    bound: set[Operand] = set(params)
    found: dict[Var, None] = {}
    for statement in body:
        if type(statement) is Apply:  # nearly always
            for arg in statement.args:
                if type(arg) is Var and arg not in bound:
                    found[arg] = None
            bound.add(statement.out)
            continue
        for value in statement.inputs:
            if isinstance(value, Var) and value not in bound:
                found[value] = None
        bound.update(statement.outs)
    found.update((r, None) for r in results if isinstance(r, Var))
    return tuple(v for v in found if v not in bound)
