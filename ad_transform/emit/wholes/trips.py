"""Trips that loops run again, while whole arrays become lists: written out in their
loops, and functions again once they compute with lists (see `derive.trips`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ad_transform.dataclass import replace
from ad_transform.derive.sweep.stacks import records_states
from ad_transform.ir.nodes import (
    Block,
    Call,
    Function,
    Operand,
    Scan,
    Snapshots,
    Statement,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce

Loop = Scan | While


def without_steps(functions: Iterable[Function]) -> list[Function]:
    """The functions with the trips of loops that hold few states written out in their
    bodies; each function stands behind those that it calls. Linear.
    """
    every = [*functions]
    names = {s.snapshots.step for f in every for s in _held(f) if s.snapshots}
    steps: dict[str, Function] = {}
    found: list[Function] = []
    for function in every:
        own = function
        if any(_held(function)):
            block = bounce(_with_trips(function.block, steps))
            own = replace(function, block=block)
        if function.name in names:
            steps[function.name] = own
        else:
            found.append(own)
    return found


def _held(function: Function) -> list[Loop]:
    """The loops of a function whose trips are functions."""
    loops = (s for s in walk(function.body) if isinstance(s, Loop))
    return [loop for loop in loops if loop.snapshots and loop.snapshots.step]


def _with_trips(block: Block, steps: Mapping[str, Function]) -> Task[Block]:
    body: list[Statement] = []
    for statement in block.body:
        made = statement
        blocks: list[Block] = []
        for inner in statement.blocks:
            blocks.append((yield _with_trips(inner, steps)))
        if blocks:
            made = statement.rebuilt(statement.outs, statement.inputs, tuple(blocks))
        if isinstance(made, Loop) and made.snapshots and made.snapshots.step:
            made = _with_trip(made, made.snapshots, steps)
        body.append(made)
    return replace(block, body=tuple(body))


def _with_trip(loop: Loop, held: Snapshots, steps: Mapping[str, Function]) -> Statement:
    """A loop without the call of its trip; the one back calls none."""
    plain = replace(loop, snapshots=replace(held, step=""))
    if isinstance(loop, Scan) and loop.entries:
        return plain
    (call,) = loop.body.body
    assert isinstance(call, Call)
    trip = steps[held.step].block
    env: dict[Operand, Operand] = dict(zip(trip.params, call.args, strict=True))
    statements = tuple(statement.over(env) for statement in trip.body)
    ends = (env.get(result, result) for result in trip.results)
    made: dict[Operand, Operand] = dict(zip(call.outs, ends, strict=True))
    results = tuple(made.get(result, result) for result in loop.body.results)
    body = Block(loop.body.params, statements, results)
    return plain.rebuilt(plain.outs, plain.inputs, (*plain.blocks[:-1], body))


def all_held(functions: Iterable[Function]) -> bool:
    """Whether the trips of all loops that hold few states are functions. A loop that
    recorded an array for its lengths alone records nothing more once these are numbers.
    """
    loops = (s for f in functions for s in walk(f.body) if records_states(s))
    return all(isinstance(s, Loop) and s.snapshots and s.snapshots.step for s in loops)
