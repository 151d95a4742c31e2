"""A record that is the same in all trips of a loop is one value, and no list.

    for k in range(n):                   for k in range(n):
        rate = exp(-e / t)                   rate = exp(-e / t)
        saved.append((y, rate))              y_list.append(y)
        ...                                  ...
    for y, rate in reversed(saved):      for y in reversed(y_list):

An exponential may raise, so it does not stand in front of the loop; but the way back
may read what the last trip has computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import each_block, is_same
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import Kind

T = TypeVar("T")

_NOTHING = {Kind.FLOAT: Literal(0.0), Kind.INT: Literal(0), Kind.BOOL: Literal(False)}
"""Stand-ins for a value where there are no trips: nothing reads it then."""


def one_for_all(function: Function) -> Function:
    """The function with such values behind the loops that compute them. Linear."""
    if not any(isinstance(s, Scan) and s.entries for s in function.nested):
        return function
    return each_block(function, _changed, leaves=False)


def _changed(block: Block) -> Block:
    if Scan not in block.kinds:
        return block
    body = list(block.body)
    for place, loop in enumerate(block.body):
        if not isinstance(loop, Scan | While) or not loop.stacks:
            continue
        alike = _alike(loop) if loop.snapshots is None else []
        readers = _readers(body, [stack for stack, _ in alike])
        for stack, value in alike:
            mine = readers[stack]
            if stack in block.results or not mine:
                continue
            if not all(k is not None and _may_do_without(body[k]) for k in mine):
                continue
            last: Operand | None = _outside(loop).get(value)
            if last is None:
                forth = body[place]
                assert isinstance(forth, Scan | While)
                last = own = Var(value.type, value.hint)
                body[place] = _computing(forth, stack, own)
            for k in mine:
                back = body[k] if k is not None else None
                assert k is not None and isinstance(back, Scan)
                body[k] = _reading(back, stack, last)
    return block if is_same(body, block.body) else replace(block, body=tuple(body))


def _outside(loop: Scan | While) -> dict[Operand, Operand]:
    """The values that a loop reads in all trips, by its parameters."""
    return dict(zip(loop.read_params, loop.reads, strict=True))


def _alike(loop: Scan | While) -> list[tuple[Var, Var]]:
    """The stacks of numbers that are the same in all trips, with these numbers."""
    known = {*_outside(loop)}
    for statement in loop.body.body:
        if not isinstance(statement, Apply) or statement.out.type.is_array:
            continue
        if all(isinstance(a, Literal) or a in known for a in statement.args):
            known.add(statement.out)
    records = zip(loop.stacks, loop.records, strict=True)
    return [
        (stack, value)
        for stack, value in records
        if isinstance(value, Var) and value in known and value.type.kind in _NOTHING
        if not value.type.is_array
    ]


def _readers(
    body: Sequence[Statement], stacks: Sequence[Var]
) -> dict[Operand, list[int | None]]:
    """The loops that go over stacks, by place; None for any other reader."""
    found: dict[Operand, list[int | None]] = {stack: [] for stack in stacks}
    for k, statement in enumerate(body) if stacks else ():
        for operand in dict.fromkeys(statement.inputs):
            if operand in found:
                found[operand].append(k if _goes_over(statement, operand) else None)
    return found


def _goes_over(statement: Statement, stack: Operand) -> bool:
    """Whether a statement is a loop over a stack, which it only goes over, and once."""
    if not isinstance(statement, Scan) or statement.snapshots is not None:
        return False
    return stack in statement.entries and statement.inputs.count(stack) == 1


def _may_do_without(loop: Statement) -> bool:
    """Whether a loop may go over one list less: its records are as long as another."""
    return isinstance(loop, Scan) and (not loop.stacks or len(loop.entries) > 1)


def _computing(loop: Scan | While, stack: Var, last: Var) -> Scan | While:
    """The loop with a carry, the value of the trip before, in place of a stack."""
    count, place = len(loop.carries), loop.outs.index(stack)
    outs = _moved(loop.outs, place, count, last)
    carries = (*loop.carries, _NOTHING[last.type.kind])
    body = _carrying(loop.body, loop.first_read, last)
    results = _moved(body.results, place, count, body.results[place])
    body = replace(body, results=results)
    if isinstance(loop, Scan):
        return replace(loop, outs=outs, carries=carries, body=body)
    test = _carrying(loop.test, count, last)
    return replace(loop, outs=outs, carries=carries, body=body, test=test)


def _carrying(block: Block, place: int, last: Var) -> Block:
    """A block with one more parameter, for the value of the trip before."""
    before = Var(last.type, last.hint)
    params = (*block.params[:place], before, *block.params[place:])
    return replace(block, params=params)


def _reading(loop: Scan, stack: Var, last: Operand) -> Scan:
    """The loop that reads one value in place of the entries of a stack."""
    k = loop.entries.index(stack)
    end, params = loop.first_entry, loop.body.params
    return replace(
        loop,
        reads=(*loop.reads, last),
        entries=(*loop.entries[:k], *loop.entries[k + 1 :]),
        body=replace(loop.body, params=_moved(params, end + k, end, params[end + k])),
    )


def _moved(values: tuple[T, ...], place: int, to: int, value: T) -> tuple[T, ...]:
    """The values with `value` at an earlier place, in place of one of them."""
    return (*values[:to], value, *values[to:place], *values[place + 1 :])
