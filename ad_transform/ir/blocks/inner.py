"""Changes of whole programs from the innermost blocks outwards.

What does not change stays the same object: a pass tells by that where nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import is_
from types import MappingProxyType

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import (
    Block,
    Function,
    Operand,
    Scan,
    Statement,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce

LoopChange = Callable[[Scan | While, dict[Operand, Operand]], Scan | While]


def changed_inside(
    block: Block, change: Callable[[Block], Task[Block]], leaves: bool = True
) -> Task[Sequence[Statement]]:
    """The statements of a block with `change` applied to their blocks; themselves, if
    nothing changes. Without `leaves`, blocks that hold none stay.
    """
    return changed_at(block.holders, block.body, change, leaves)


def changed_at(
    places: Iterable[int],
    statements: Sequence[Statement],
    change: Callable[[Block], Task[Block]],
    leaves: bool = True,
) -> Task[Sequence[Statement]]:
    """As `changed_inside`, for the statements at some places, which hold blocks."""
    body: list[Statement] | None = None
    for place in places:
        statement = statements[place]
        blocks = statement.blocks
        inner: list[Block] = []
        changed = False
        for held in blocks:
            made = (yield change(held)) if leaves or held.holders else held
            changed = changed or made is not held
            inner.append(made)
        if changed:
            body = list(statements) if body is None else body
            outs, inputs = statement.outs, statement.inputs
            body[place] = statement.rebuilt(outs, inputs, tuple(inner))
    return statements if body is None else body


def holding(statements: Sequence[Statement]) -> list[int]:
    """The places of the statements that hold blocks."""
    return [place for place, statement in enumerate(statements) if statement.blocks]


def each_block(
    function: Function, change: Callable[[Block], Block], leaves: bool = True
) -> Function:
    """The function with `change` applied to its block, then to the blocks in the new
    one, and without dead code. Without `leaves`, blocks that hold none stay.
    """
    return with_block(function, _each(function.block, change, leaves))


def _each(block: Block, change: Callable[[Block], Block], leaves: bool) -> Block:
    """A block with `change` applied to it and to those in it. A program has far more
    blocks than its passes change, and most passes change none: no task is made for
    each.
    """
    same = 0
    for one in block.every if leaves else block.every_holding:
        first = change(one)
        if first is not one:
            break
        same += 1
    else:
        return block
    return _each_from(block, change, leaves, same, first)


def _each_from(
    block: Block,
    change: Callable[[Block], Block],
    leaves: bool,
    same: int,
    first: Block,
) -> Block:
    """The same where so many blocks are known to stay the same, and `first` is the
    changed one after them.
    """
    found: list[Block] = []  # outer ones before those in them
    holders: list[tuple[int, int, list[int]]] = []  # block, statement, blocks in that
    waiting: list[tuple[Block, list[int]]] = [(block, [])]
    while waiting:
        held, places = waiting.pop()
        place = len(found)
        places.append(place)
        made = held if place < same else first if place == same else change(held)
        found.append(made)
        inside: list[tuple[Block, list[int]]] = []
        for k in made.holders if leaves else made.nests:
            inner: list[int] = []
            holders.append((place, k, inner))
            inside += [(one, inner) for one in made.body[k].blocks]
        waiting += inside[::-1]
    bodies: dict[int, list[Statement]] = {}
    for place, k, inner in reversed(holders):
        held = found[place]
        statement = held.body[k]
        blocks = tuple([_over(found[at], bodies.get(at)) for at in inner])
        if not is_same(blocks, statement.blocks):
            if place not in bodies:
                bodies[place] = list(held.body)
            outs, inputs = statement.outs, statement.inputs
            bodies[place][k] = statement.rebuilt(outs, inputs, blocks)
    return _over(found[0], bodies.get(0))


def _over(block: Block, body: Sequence[Statement] | None) -> Block:
    """The block with another body, if there is one."""
    return block if body is None else replace(block, body=tuple(body))


def each_loop(function: Function, change: LoopChange) -> Function:
    """The function with `change` applied to its loops, inner ones first, and without
    dead code. `change` enters substitutes for the values of a loop behind it.
    """
    return with_block(function, bounce(_each_loop(function.block, change)))


def _each_loop(block: Block, change: LoopChange) -> Task[Block]:
    inside = yield from changed_inside(
        block, lambda inner: _each_loop(inner, change), leaves=False
    )
    if block.kinds.isdisjoint((Scan, While)):
        return with_body(block, inside)
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in inside:
        made = statement.over(env) if env else statement
        if isinstance(made, Scan | While):
            made = change(made, env)
        body.append(made)
    return with_body(block, body, env)


def with_body(
    block: Block,
    body: Sequence[Statement],
    env: Mapping[Operand, Operand] = MappingProxyType({}),
) -> Block:
    """The block with a body, and results over `env`; itself, if all is the same."""
    results = block.results
    if env:
        results = tuple([env.get(result, result) for result in results])
    if is_same(body, block.body) and is_same(results, block.results):
        return block
    return replace(block, body=tuple(body), results=results)


@lru_cache(maxsize=1)  # a pass that changes nothing hands its function to the next
def of_value(function: Function) -> frozenset[Operand]:
    """The values that a function computes for its own value: these stay as written."""
    primal = live(function.body, function.results[: function.primal])
    return frozenset(out for statement in walk(primal) for out in statement.outs)


def with_block(function: Function, block: Block) -> Function:
    """The function with a changed block, and without dead code."""
    if block is function.block:
        return function
    body = live(block.body, block.results)
    return replace(function, block=replace(block, body=body))


def is_same(body: Sequence[object], other: Sequence[object]) -> bool:
    """Whether these are the same objects."""
    return body is other or (len(body) == len(other) and all(map(is_, body, other)))
