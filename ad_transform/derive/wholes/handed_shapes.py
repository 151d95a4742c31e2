"""Arrays handed into blocks for their shape: loops there begin with zeros like them.

A tangent that is 0 at first is an array behind the loop that computes it. It begins as
zeros in the shape of an array that is there; in a block that has none, one from outside
is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.dims import ANY, Dims, alike
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce


def with_shapes_at_hand(function: Function) -> Function:
    """The function with an array of its shape in each block in which a loop makes one
    of a number, as far as there is one.
    """
    if not function.block.holders:
        return function
    block, _ = bounce(_handed(function.block))
    return function if block is function.block else replace(function, block=block)


Shaped = tuple[Block, list[Dims]]
"""A block, and the shapes that it needs from outside."""


def _handed(block: Block) -> Task[Shaped]:
    there: list[Var] = [p for p in block.params if _is_whole(p)]
    wanted: list[Dims] = []
    body: list[Statement] = []
    for k, statement in enumerate(block.body):
        made = statement
        if isinstance(statement, Scan | While | Branch):
            blocks: list[Block] = []
            lacking: dict[Dims, None] = {}
            for one in statement.blocks:
                changed, more = (yield _handed(one)) if one.holders else (one, [])
                blocks.append(changed)
                lacking.update(dict.fromkeys(more))
            given: list[Var] = []
            for shape in lacking:
                found = _last(there, shape, block.body[:k])
                if found is None:
                    wanted.append(shape)
                else:
                    given.append(found)
            if blocks != list(statement.blocks) or given:
                made = _with_reads(statement, blocks, given)
            wanted += [s for s in _begun(statement) if _last(there, s, ()) is None]
        body.append(made)
        there += [out for out in statement.outs if _is_whole(out)]
    if all(a is b for a, b in zip(body, block.body, strict=True)):
        return block, wanted
    return replace(block, body=tuple(body)), wanted


def _is_whole(value: Operand) -> bool:
    return bool(value.type.shape) and not value.type.dims


def _begun(statement: Statement) -> list[Dims]:
    """The shapes of the carries of a loop that are numbers before it."""
    if not isinstance(statement, Scan | While):
        return []
    pairs = zip(statement.carries, statement.finals, strict=True)
    shapes = [out.type.shape for c, out in pairs if not c.type.shape]
    return [shape for shape in shapes if shape and ANY not in shape]


def _last(there: Sequence[Var], shape: Dims, before: Iterable[Statement]) -> Var | None:
    """The first array of a shape that is there; none that statements have changed."""
    fits = [v for v in there if alike(v.type.shape, shape)]
    if not fits:
        return None
    gone = Consumption().by_all(before)
    left = [v for v in fits if v not in gone]
    return min(left, key=lambda v: v.type.shape != shape, default=None)


def _with_reads(
    statement: Scan | While | Branch, blocks: Sequence[Block], given: Sequence[Var]
) -> Statement:
    """The statement with more values handed to all of its blocks."""
    first = statement.first_entry if isinstance(statement, Scan) else None
    changed = []
    for block in blocks:
        own = tuple(Var(v.type, v.hint) for v in given)
        at = len(block.params) if first is None else first
        params = (*block.params[:at], *own, *block.params[at:])
        changed.append(replace(block, params=params))
    if isinstance(statement, Branch):
        args = (*statement.args, *given)
        return replace(statement, args=args, then=changed[0], orelse=changed[1])
    reads = (*statement.reads, *given)
    if isinstance(statement, Scan):
        return replace(statement, reads=reads, body=changed[0])
    return replace(statement, reads=reads, test=changed[0], body=changed[1])
