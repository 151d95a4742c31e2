"""Elements that a loop stores and nobody reads are not stored.

The way back of `w[i] = ...` reads `w_bar[i]` and stores 0.0 there. Where each trip has
an element of its own, and nothing behind the loop reads `w_bar`, it is only read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from ad_transform.ir.inner import each_block, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
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
    read = _times(block.body, block.results)
    body: list[Statement] = []
    for statement in block.body:
        made = statement
        if isinstance(made, Scan) and _is_candidate(made):
            unread = [not read[out] for out in made.outs[: len(made.carries)]]
            made = _reading(made, unread)
        body.append(made)
    return with_body(block, body)


def _times(body: Sequence[Statement], results: Sequence[Operand]) -> Counter[Operand]:
    """How often values are read."""
    read = Counter(operand for statement in body for operand in statement.inputs)
    read.update(results)
    return read


def _is_candidate(loop: Scan) -> bool:
    """Whether a loop changes arrays, and the index of a trip is a place of its own."""
    is_told = isinstance(loop.start, Literal) and int(loop.start.value) >= 0
    if not is_told or loop.step != Literal(1) or loop.snapshots is not None:
        return False
    return any(carry.type.dims for carry in loop.carries)


def _reading(loop: Scan, unread: Sequence[bool]) -> Scan:
    """A loop that only reads what it stores elements of that nobody reads."""
    block, count = loop.body, len(loop.carries)
    index, *params = block.params
    own = {
        param: end
        for param, end, is_unread in zip(params, block.results, unread, strict=False)
        if is_unread and param.type.dims
    }
    read = _times(block.body, block.results)
    seen: Counter[Operand] = Counter()  # elements of a trip's own
    stores: dict[Operand, Apply] = {}
    for statement in block.body if own else ():
        if isinstance(statement, Apply) and not own.keys().isdisjoint(
            statement.args[:1]
        ):
            array, *rest = statement.args
            if statement.op.name == "get" and rest == [index]:
                seen[array] += 1
            elif statement.op.name == "set" and rest[1:] == [index]:
                seen[array] += 1
                stores[array] = statement
    gone = {
        array: store
        for array, store in stores.items()
        if read[array] == seen[array]
        and read[store.out] == 1
        and own[cast(Var, array)] is store.out
    }
    if not gone:
        return loop
    kept = [k for k in range(count) if params[k] not in gone]
    moved = [k for k in range(count) if params[k] in gone]
    dropped = {store.out for store in gone.values()}
    ends = len(loop.reads) + count
    return replace(
        loop,
        outs=(*(loop.outs[k] for k in kept), *loop.stacks),
        carries=tuple(loop.carries[k] for k in kept),
        reads=(*loop.reads, *(loop.carries[k] for k in moved)),
        body=Block(
            (
                *(index, *(params[k] for k in kept), *params[count:ends]),
                *(*(params[k] for k in moved), *params[ends:]),
            ),
            tuple(s for s in block.body if dropped.isdisjoint(s.outs)),
            (*(block.results[k] for k in kept), *block.results[count:]),
        ),
    )
