"""Values that only messages show are not computed: compiled languages raise without a
word.
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import changed_inside, is_same, with_block
from ad_transform.ir.nodes import Block, Check, Function, Statement
from ad_transform.ir.trampoline import Task, bounce


def unsaid(function: Function) -> Function:
    """The function with checks that have no message. Linear."""
    return with_block(function, bounce(_unsaid(function.block)))


def _unsaid(block: Block) -> Task[Block]:
    body = yield from changed_inside(block, _unsaid)
    body = list(map(_silent, body))
    return block if is_same(body, block.body) else replace(block, body=tuple(body))


def _silent(statement: Statement) -> Statement:
    if not isinstance(statement, Check) or all(
        isinstance(part, str) for part in statement.message
    ):
        return statement
    return replace(statement, message=(), formats=())
