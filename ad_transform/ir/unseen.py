"""Elements that a loop stores and nobody reads are not stored.

The way back of `w[i] = ...` reads `w_bar[i]` and stores 0.0 there. Where each trip has
an element of its own, and nothing behind the loop reads `w_bar`, it is only read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ad_transform.ir.carried import has_own_places, times_read, without_carries
from ad_transform.ir.inner import each_block, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    walk,
)


def without_unseen(function: Function) -> Function:
    """The function without such stores. Linear."""
    if not any(isinstance(s, Scan) and _is_candidate(s) for s in walk(function.body)):
        return function
    return each_block(function, _without)


def _without(block: Block) -> Block:
    if not any(isinstance(s, Scan) and _is_candidate(s) for s in block.body):
        return block
    read = times_read(block)
    body: list[Statement] = []
    for statement in block.body:
        made = statement
        if isinstance(made, Scan) and _is_candidate(made):
            pairs = enumerate(zip(made.outs, made.carries, strict=False))
            unread = [k for k, (out, c) in pairs if c.type.dims and not read[out]]
            made = _reading(made, unread) if unread else made
        body.append(made)
    return with_body(block, body)


def _is_candidate(loop: Scan) -> bool:
    """Whether a loop changes arrays, each trip in a place of its own."""
    return has_own_places(loop) and any(carry.type.dims for carry in loop.carries)


def _reading(loop: Scan, unread: Sequence[int]) -> Scan:
    """A loop that only reads carries, out of those that nobody reads behind it, if its
    trips store elements of their own there.
    """
    block = loop.body
    index, *params = block.params
    carries: dict[Operand, int] = {params[k]: k for k in unread}
    read = times_read(block)
    seen: Counter[Operand] = Counter()  # elements of a trip's own
    stores: dict[int, Var] = {}
    for statement in block.body:
        if not isinstance(statement, Apply) or not statement.args:
            continue
        array, *rest = statement.args
        k = carries.get(array)
        if k is None:
            continue
        if statement.op.name == "get" and rest == [index]:
            seen[array] += 1
        elif statement.op.name == "set" and rest[1:] == [index]:
            seen[array] += 1
            if read[statement.out] == 1 and block.results[k] is statement.out:
                stores[k] = statement.out
    gone = [k for k in stores if read[params[k]] == seen[params[k]]]
    if not gone:
        return loop
    dropped = {stores[k] for k in gone}
    body = tuple(s for s in block.body if dropped.isdisjoint(s.outs))
    made = without_carries(replace(loop, body=replace(block, body=body)), gone)
    end = 1 + len(made.carries) + len(made.reads)
    own = made.body.params
    params = [*own[:end], *(params[k] for k in gone), *own[end:]]
    return replace(
        made,
        reads=(*made.reads, *(loop.carries[k] for k in gone)),
        body=replace(made.body, params=tuple(params)),
    )
