"""Decisions of a program that rounding may turn: an arm, a step, a sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.rounding.operations import jumps
from ad_transform.ir.blocks.live import live
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Call,
    Check,
    Function,
    Operand,
    Statement,
)
from ad_transform.ir.trampoline import Task, bounce


def deciding(
    body: Sequence[Statement], results: tuple[Operand, ...]
) -> tuple[Statement, ...]:
    """The statements that the results are made of. Checks decide nothing, nor do
    operands for the error of a root.
    """
    kept = tuple(s for s in body if not isinstance(s, Check))
    return live(bounce(_roots_alone(Block((), kept, results))).body, results)


def _roots_alone(block: Block) -> Task[Block]:
    """A block whose roots, inner ones too, have no operands for their errors."""
    body: list[Statement] = []
    for statement in block.body:
        inner: list[Block] = []
        for own in statement.blocks:
            inner.append((yield _roots_alone(own)))
        rest = statement.outs, statement.inputs, tuple(inner)
        body.append(statement.rebuilt(*rest) if inner else _alone(statement))
    return replace(block, body=tuple(body))


def _alone(statement: Statement) -> Statement:
    """A root without the operands for its error."""
    if isinstance(statement, Apply) and statement.op.form is Form.SOLVED:
        return Apply(statement.out, statement.op, statement.args[:1])
    return statement


def may_jump(function: Function, called: Callable[[str], Function]) -> bool:
    """Whether rounding may decide a step or a way that adjoints do not see, in it or in
    those that it calls, which are `called` by name. Linear in each of them.
    """
    found = {function.name}
    waiting = [function]
    while waiting:
        own = waiting.pop()
        for statement in deciding(own.body, own.results):
            if isinstance(statement, Call):
                if statement.callee not in found:
                    found.add(statement.callee)
                    waiting.append(called(statement.callee))
            elif not isinstance(statement, Apply) or jumps(statement):
                return True
    return False
