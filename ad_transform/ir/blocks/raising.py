"""Exceptions of the user's own classes: where the output imports them from."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import changed_inside
from ad_transform.ir.nodes import Block, Check, Function, Maker, walk
from ad_transform.ir.trampoline import Task, bounce


def raising(function: Function, known: Callable[[Maker], Maker]) -> Function:
    """The function with other classes of the user for the exceptions that it raises."""
    if Check not in function.block.all_kinds:
        return function
    checks = (s for s in walk(function.body) if isinstance(s, Check))
    if not any(isinstance(check.error, Maker) for check in checks):
        return function
    return replace(function, block=bounce(_raising(function.block, known)))


def _raising(block: Block, known: Callable[[Maker], Maker]) -> Task[Block]:
    statements = yield from changed_inside(block, lambda b: _raising(b, known))
    body = tuple(
        (
            replace(s, error=known(s.error))
            if isinstance(s, Check) and isinstance(s.error, Maker)
            else s
        )
        for s in statements
    )
    return replace(block, body=body)
