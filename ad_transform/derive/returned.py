"""Whole arrays that are returned: each is one of its own, and nobody's view."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var

_VIEWS = frozenset(
    {"turned", "column", "row", "no_column", "no_row", "backwards", "spread"}
)
"""Operations whose results share memory with their arguments."""

_PARTS = ("cut", "columns", "pick", "sliced")
"""What the names of others begin with whose results do."""


def owned(body: list[Statement], results: Sequence[Operand]) -> tuple[Operand, ...]:
    """Results of a body, copied at its end where they are an argument, a view or there
    before.
    """
    made = {s.out: s for s in body if isinstance(s, Apply)}
    found: list[Operand] = []
    for result in results:
        statement = made.get(result) if isinstance(result, Var) else None
        name = statement.op.name if statement else ""
        shared = not name or name in _VIEWS or name.startswith(_PARTS)
        if not result.type.shape or not (shared or result in found):
            found.append(result)
            continue
        copy = Var(result.type, result.hint if isinstance(result, Var) else "")
        op, args = _copying(statement, result)
        body.append(Apply(copy, TABLE[op], args))
        found.append(copy)
    return tuple(found)


def _copying(made: Apply | None, result: Operand) -> tuple[str, tuple[Operand, ...]]:
    """What gives an array of its own that is like a result."""
    if made is None or made.op.name != "spread" or made.args[0].type.shape:
        return "copied", (result,)
    value, like = made.args
    return (
        ("zeros_like", (like,)) if value == Literal(0.0) else ("full_like", made.args)
    )
