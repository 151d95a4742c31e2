"""Decisions of a program that rounding may turn: an arm, a step, a sign."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.rounding.operations import jumps
from ad_transform.ir.blocks.live import live
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Block, Check, Function, Operand, Statement
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


def may_jump(function: Function) -> bool:
    """Whether rounding may decide a step or a way that adjoints do not see."""
    body = deciding(function.body, function.results)
    return any(not isinstance(s, Apply) or jumps(s) for s in body)
