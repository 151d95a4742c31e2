"""Arrays of a loop whose lengths alone a trip reads: those of the first one will do.

`K[i:j] += v` compares lengths. Where nothing reads the numbers of K, no trip has to add
to it: all are as long as the array in front of the loop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from ad_transform.derive.wholes.returned import is_shared
from ad_transform.elementals.whole import LENGTHS
from ad_transform.ir.blocks.live import live
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Apply, Block, Operand, Scan, Statement, Var


def of_first(loop: Scan, read: Set[Operand]) -> Scan:
    """The loop with first values of arrays where trips read their lengths, if nothing
    in `read` is a final value of theirs, and no other carry is made of them.
    """
    readers: defaultdict[Operand, list[Statement]] = defaultdict(list)
    for statement in loop.body.body:
        for value in dict.fromkeys(statement.inputs):
            readers[value].append(statement)
    count = len(loop.carries)
    for k, param in enumerate(loop.body.params[1 : 1 + count]):
        shape = param.type.shape
        result = loop.body.results[k]
        if not shape or param.type.dims or ANY in shape or result.type != param.type:
            continue
        if loop.outs[k] in read or loop.carries[k].type != param.type:
            continue
        measured = {s for s in readers[param] if _is_measured(s, readers, loop)}
        if measured:
            made = _with_first(loop, k, measured)
            loop = loop if _is_needed(made.body, k) else made
    return loop


def _is_needed(body: Block, k: int) -> bool:
    """Whether anything but the carry itself needs what a trip has of a carry."""
    results = (*body.results[:k], *body.results[k + 1 :])
    param = body.params[1 + k]
    return param in results or any(param in s.inputs for s in live(body.body, results))


def _is_measured(
    statement: Statement, readers: dict[Operand, list[Statement]], loop: Scan
) -> bool:
    """Whether only lengths of the result of a statement are read, if it is a part."""
    if not isinstance(statement, Apply) or statement.out in loop.body.results:
        return False
    if statement.op.name in LENGTHS:
        return True
    if not is_shared(statement):
        return False
    return all(_is_measured(s, readers, loop) for s in readers[statement.out])


def _with_first(loop: Scan, k: int, measured: set[Statement]) -> Scan:
    param = loop.body.params[1 + k]
    first = Var(param.type, param.hint, param.span)
    env: dict[Operand, Operand] = {param: first}
    body = tuple(s.over(env) if s in measured else s for s in loop.body.body)
    place = 1 + len(loop.carries) + len(loop.reads)
    params = (*loop.body.params[:place], first, *loop.body.params[place:])
    block = Block(params, body, loop.body.results)
    reads = (*loop.reads, loop.carries[k])
    ends = loop.start, loop.stop, loop.step
    rest = loop.backwards, loop.snapshots, loop.notes
    return Scan(loop.outs, *ends, loop.carries, reads, loop.entries, block, *rest)
