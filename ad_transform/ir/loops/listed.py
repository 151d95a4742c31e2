"""A list whose items are also recorded is the record: `sum(exp(t) for t in x)` keeps
one list of exponentials for its derivative, not two alike.

The list is new in front of the loop, every trip appends one value to it and does no
more with it, and behind the loop it is only read. Stacks stand in the order of trips.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.carried import Loop, changes, makes_empty, without_carries
from ad_transform.ir.blocks.inner import changed_inside, is_same, with_block
from ad_transform.ir.loops.recorded import recorded_once
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.trampoline import Task, bounce


def listed_once(function: Function) -> Function:
    """The function with such lists once; linear in the statements, times the lists."""
    function = recorded_once(function)
    return with_block(function, bounce(_listed(function.block)))


def _listed(block: Block) -> Task[Block]:
    body = [*(yield from changed_inside(block, _listed, leaves=False))]
    fresh = {s.outs[0] for s in body if makes_empty(s)}
    for place, statement in enumerate(body):
        if isinstance(statement, Loop) and not fresh.isdisjoint(statement.carries):
            _merge(body, place, fresh, block.results)
    if is_same(body, block.body):
        return block
    return replace(block, body=tuple(body))


def _merge(
    body: list[Statement], place: int, fresh: set[Var], results: Sequence[Operand]
) -> None:
    """Let the records of a loop be read in the place of lists alike."""
    loop = body[place]
    assert isinstance(loop, Loop)
    if loop.snapshots is not None or getattr(loop, "backwards", False):
        return
    alike: dict[Operand, Operand] = {}
    gone: dict[int, Statement] = {}
    for k, append in changes(loop).items():
        if append.op.name != "append" or loop.carries[k] not in fresh:
            continue
        stack = _record_of(loop, append.args[1])
        if stack is not None and _is_only_read(
            loop.outs[k], body[place + 1 :], results
        ):
            alike[loop.outs[k]] = stack
            gone[k] = append
    if gone:
        kept = [s for s in loop.body.body if not any(s is a for a in gone.values())]
        loop = replace(loop, body=replace(loop.body, body=tuple(kept)))
        body[place] = without_carries(loop, gone)
        body[place + 1 :] = [s.over(alike) for s in body[place + 1 :]]


def _record_of(loop: Loop, value: Operand) -> Var | None:
    """The stack of a value that a loop records in each trip."""
    pairs = zip(loop.records, loop.stacks, strict=True)
    return next((stack for record, stack in pairs if record is value), None)


def _is_only_read(
    array: Var, body: Sequence[Statement], results: Sequence[Operand]
) -> bool:
    users = [s for s in body if array in s.inputs]
    reads = all(isinstance(s, Apply) and not s.op.consumes for s in users)
    return (
        reads and array not in results and not any(s.outs[0].type.dims for s in users)
    )
