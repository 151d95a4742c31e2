"""Whole arrays that are returned: each is one of its own, and nobody's view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var, hint_of

_SHARING = "turned column row no_column no_row backwards spread diagonal"
_VIEWS = frozenset(_SHARING.split())
"""Operations whose results share memory with their arguments."""

_PARTS = ("block", "cut", "columns", "pick", "sliced")
"""The beginnings of the names of others whose results do."""

_MOVING = "raveled unraveled laid_out layered axes_swapped rows_across line_along"
_LAID_OUT = frozenset(_MOVING.split())
"""Operations whose results may be the memory of their first argument in other axes."""


def owned(body: list[Statement], results: Sequence[Operand]) -> tuple[Operand, ...]:
    """Results of a body. A copy stands at its end for a result that is an argument, a
    view, or an earlier result, perhaps with other axes.
    """
    made: dict[Operand, Apply] = {s.out: s for s in body if isinstance(s, Apply)}
    found: list[Operand] = []
    taken: set[Operand] = set()
    for result in results:
        origin = result
        while origin in made and made[origin].op.name in _LAID_OUT:
            origin = made[origin].args[0]
        if not result.type.shape or not (_is_shared(made, origin) or origin in taken):
            found.append(result)
            taken.add(origin)
            continue
        copy = Var(result.type, hint_of(result))
        op, args = _copying(made.get(result), result)
        body.append(Apply(copy, TABLE[op], args))
        found.append(copy)
    return tuple(found)


def _is_shared(made: Mapping[Operand, Apply], array: Operand) -> bool:
    """Whether an array may have the memory of another, as far as a body shows."""
    if array not in made:
        return True
    name = made[array].op.name
    return name in _VIEWS or name.startswith(_PARTS)


def is_shared(statement: Apply) -> bool:
    """Whether the result of an operation may have the memory of an argument."""
    name = statement.op.name
    return bool(statement.out.type.shape) and (
        name in _VIEWS or name in _LAID_OUT or name == "done" or name.startswith(_PARTS)
    )


def _copying(made: Apply | None, result: Operand) -> tuple[str, tuple[Operand, ...]]:
    """The operation and arguments that make an array of its own like a result."""
    if made is None or made.op.name != "spread" or made.args[0].type.shape:
        return "copied", (result,)
    value, like = made.args
    return (
        ("zeros_like", (like,)) if value == Literal(0.0) else ("full_like", made.args)
    )
