"""Loops back that take the last item of a list in each trip read it at their index.

A list that has got one item in each trip of a loop over `range(n)` is as long as there
are trips, and so is the list of their slopes. The trips back, n - 1 first, that take
the last one each, `h_bar.pop()`, read `h_bar[j]`. Loops over the items go over
`range(n)`, too.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.carried import (
    changes,
    counts_up,
    makes_empty,
    reading_carries,
)
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.lists.lengths import keep_length
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)

_LAST = Literal(-1)


def read_at_index(function: Function) -> Function:
    """The function with such items read so. Linear."""
    if "pop" not in function.block.all_operations:
        return function
    return each_block(function, _changed)


def _takes_off(statement: Statement) -> bool:
    return isinstance(statement, Apply) and statement.op.name == "pop"


def _changed(block: Block) -> Block:
    empty = {s.outs[0] for s in block.body if makes_empty(s)}
    if empty.isdisjoint(c for s in block.body for c in s.inputs):
        return block
    read = block.times_read
    trips: dict[Operand, Operand] = {}  # by lists with an item for each
    sizes: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement
        if isinstance(made, Apply) and made.args and made.args[0] in trips:
            if made.op.name == "size" and len(made.args) == 1:
                sizes[made.out] = trips[made.args[0]]
            elif made.op.name == "like":
                trips[made.out] = trips[made.args[0]]
        if isinstance(made, Scan) and made.snapshots is None and counts_up(made):
            made = replace(made, stop=sizes.get(made.stop, made.stop))
            made = _by_index(made, trips, read)
            own, kept = changes(made), keep_length(made)
            for k, carry in enumerate(made.carries):
                out, change = made.outs[k], own.get(k)
                grows = change is not None and change.op.name == "append"
                if carry in empty and grows:
                    trips[out] = made.stop
                elif carry in trips and k in kept:
                    trips[out] = trips[carry]
        body.append(made)
    return with_body(block, body)


def _by_index(
    loop: Scan,
    trips: Mapping[Operand, Operand],
    read: Mapping[Operand, int],
) -> Scan:
    """The loop with last items of lists read at its index, where a list has one item
    for each trip back, and nobody needs the rest of the list.
    """
    if not loop.backwards:
        return loop
    made = loop
    for carry, out in zip(loop.carries, loop.outs, strict=False):
        if trips.get(carry) != loop.stop or read.get(out, 0):
            continue
        made = _without_list(made, made.outs.index(out))
    return made


def _without_list(loop: Scan, k: int) -> Scan:
    """A loop that reads carry k, a list, in place of taking its last items; the same
    loop where it uses the list otherwise.
    """
    block, index = loop.body, loop.body.params[0]
    param = block.params[1 + k]
    reading = [s for s in block.body if param in s.inputs]
    pops = [s for s in reading if _takes_off(s)]
    left = pops[0].outs[0] if len(pops) == 1 else None
    if left is not block.results[k] or block.times_read[left] != 1:
        return loop
    if param in block.results:
        return loop
    others = [s for s in reading if s is not pops[0]]
    if any(not _takes_last(s, param) for s in others):
        return loop
    at = (param, index)
    body = tuple(
        replace(s, args=at) if isinstance(s, Apply) and s in others else s
        for s in block.body
        if s is not pops[0]
    )
    results = tuple(param if r is left else r for r in block.results)
    inner = replace(block, body=body, results=results)
    return reading_carries(replace(loop, body=inner), [k])


def _takes_last(statement: Statement, array: Var) -> bool:
    is_read = isinstance(statement, Apply) and statement.op.name == "get"
    return is_read and statement.inputs == (array, _LAST)
