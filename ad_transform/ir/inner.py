"""Changes of whole programs from the innermost blocks outwards.

What does not change stays the same object: a pass tells by that where nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ad_transform.ir.nodes import Block, Statement
from ad_transform.ir.trampoline import Task


def changed_inside(
    statements: Iterable[Statement], change: Callable[[Block], Task[Block]]
) -> Task[list[Statement]]:
    """The statements with what `change` makes of the blocks in them."""
    body: list[Statement] = []
    for statement in statements:
        inner: list[Block] = []
        for held in statement.blocks:
            inner.append((yield change(held)))
        same = all(a is b for a, b in zip(inner, statement.blocks, strict=True))
        made = statement.rebuilt(statement.outs, statement.inputs, tuple(inner))
        body.append(statement if same else made)
    return body


def is_same(body: Sequence[Statement], other: Sequence[Statement]) -> bool:
    """Whether these are the same objects."""
    alike = len(body) == len(other)
    return alike and all(a is b for a, b in zip(body, other, strict=True))
