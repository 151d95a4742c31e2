"""A value that one trip leaves to the next is recorded once, not in both.

`x_list.append(x)`, `new_list.append(x + v * dt)` with that as the next x need one list:
on the way back the new value of a trip is the x of the trip that has just been gone
through, and at first the x that the loop has left: so the way back begins at its last
trip.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.nodes import (
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)


def next_records(function: Function) -> Function:
    """The function without such second records of numbers. Linear."""
    if not any(isinstance(s, Scan) and s.entries for s in function.nested):
        return function
    return each_block(function, _changed, leaves=False)


@dataclass(frozen=True, slots=True)
class _Twice:
    """A carry of a loop, of which two stacks record the value at the beginning of each
    trip and at its end. The trips are those of `range(*bounds)`.
    """

    begin: Var
    end: Var
    out: Var
    bounds: tuple[Operand, Operand, Operand]


def _changed(block: Block) -> Block:
    if block.kinds.isdisjoint((Scan, While)):
        return block
    body = list(block.body)
    for loop in [block.body[k] for k in block.holders]:
        if not isinstance(loop, Scan | While) or len(loop.stacks) < 2:
            continue
        for twice in _recorded_twice(loop):
            places = [k for k, s in enumerate(body) if twice.end in s.inputs]
            if twice.end in block.results:
                continue
            made = [_carrying(body[k], twice) for k in places]
            if all(made):
                for k, one in zip(places, made, strict=True):
                    body[k] = one or body[k]
    return with_body(block, body)


def _recorded_twice(loop: Scan | While) -> Sequence[_Twice]:
    """The carries that a loop records so."""
    if loop.snapshots is not None:
        return ()
    bounds: tuple[Operand, Operand, Operand]
    if isinstance(loop, Scan):
        bounds = loop.start, loop.stop, loop.step
    else:
        bounds = Literal(0), loop.trips, Literal(1)
    carried = zip(loop.carry_params, loop.handed_on, loop.finals, strict=True)
    stacks = dict(zip(loop.records, loop.stacks, strict=True))
    return [
        _Twice(stacks[param], stacks[end], out, bounds)
        for param, end, out in carried
        if param in stacks and end in stacks and param is not end
        if not out.type.dims
    ]


def _carrying(loop: Statement, twice: _Twice) -> Scan | None:
    """A loop back that carries the values of the second stack; None for others."""
    if not isinstance(loop, Scan) or not loop.backwards or loop.snapshots is not None:
        return None
    if (loop.start, loop.stop, loop.step) != twice.bounds:
        return None  # it may begin before the trip that has left
    if twice.end in (*loop.carries, *loop.reads):
        return None
    if twice.begin not in loop.entries or loop.entries.count(twice.end) > 1:
        return None
    count, first = len(loop.carries), loop.first_entry
    params, results = list(loop.body.params), list(loop.body.results)
    begun = params[first + loop.entries.index(twice.begin)]
    taken = params.pop(first + loop.entries.index(twice.end))
    params.insert(loop.first_read, taken)
    hint = taken.hint or twice.out.hint
    results.insert(count, begun)
    outs = list(loop.outs)
    outs.insert(count, replace(taken, hint=hint))
    return replace(
        loop,
        outs=tuple(outs),
        carries=(*loop.carries, twice.out),
        entries=tuple(e for e in loop.entries if e is not twice.end),
        body=Block(tuple(params), loop.body.body, tuple(results)),
    )
