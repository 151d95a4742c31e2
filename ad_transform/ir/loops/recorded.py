"""A number that a loop records twice is recorded once: tangents of two values that
differ by a constant are one value. Whoever goes over both records reads one.

Only numbers: an array that is read twice may be changed by one of its readers.
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import changed_inside, is_same
from ad_transform.ir.nodes import (
    Block,
    Function,
    Operand,
    Scan,
    Statement,
    Substitution,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce


def recorded_once(function: Function) -> Function:
    """The function with each record once. Linear."""
    block = bounce(_recorded(function.block))
    return function if block is function.block else replace(function, block=block)


def _recorded(block: Block) -> Task[Block]:
    inner = yield from changed_inside(block, _recorded, leaves=False)
    if block.kinds.isdisjoint((Scan, While)):
        return block if inner is block.body else replace(block, body=tuple(inner))
    env: Substitution = {}
    given = set(block.results)
    body: list[Statement] = []
    for statement in inner:
        made = statement.over(env) if env else statement
        if isinstance(made, Scan):
            made = _read_once(made)
            if len(set(made.reads)) < len(made.reads):
                made = yield _handed_once(made)
        if isinstance(made, Scan | While) and made.snapshots is None:
            made = _once(made, env, given)
        body.append(made)
    if is_same(body, block.body):
        return block
    results = tuple(env.get(result, result) for result in block.results)
    return replace(block, body=tuple(body), results=results)


def _once(loop: Scan | While, env: Substitution, given: set[Operand]) -> Scan | While:
    """The loop with each record once; enters substitutes for the others. Of the lists
    that its block gives none stands for another: a list is given once.
    """
    known: dict[Operand, Operand] = {}
    gone: set[int] = set()
    for k, record in enumerate(loop.records, len(loop.carries)):
        if not isinstance(record, Var) or record.type.is_array:
            continue  # 0.0 and -0.0 are equal, and not alike
        own = loop.outs[k]
        stack = known.setdefault(record, own)
        if stack is not own and stack.type == own.type and not {stack, own} <= given:
            env[own] = stack
            gone.add(k)
            if own in given:
                given.add(stack)
    if not gone:
        return loop
    outs = tuple(out for k, out in enumerate(loop.outs) if k not in gone)
    results = (r for k, r in enumerate(loop.body.results) if k not in gone)
    return replace(loop, outs=outs, body=replace(loop.body, results=tuple(results)))


def _handed_once(loop: Scan) -> Task[Scan]:
    """The loop with each list of numbers once among its reads, so that loops in it read
    it once.
    """
    params, start = loop.body.params, loop.first_read
    known: dict[Operand, Operand] = {}
    env: Substitution = {}
    for k, array in enumerate(loop.reads):
        own = params[start + k]
        if len(array.type.dims) == 1 and not array.type.shape:
            first = known.setdefault(array, own)
            if first is not own:
                env[own] = first
    if not env:
        return loop
    gone = [k for k in range(len(loop.reads)) if params[start + k] in env]
    block = Block(
        tuple(p for p in params if p not in env),
        tuple(statement.over(env) for statement in loop.body.body),
        tuple(env.get(result, result) for result in loop.body.results),
    )
    body = yield _recorded(block)
    reads = tuple(r for k, r in enumerate(loop.reads) if k not in gone)
    return replace(loop, reads=reads, body=body)


def _read_once(loop: Scan) -> Scan:
    """The loop with each stack once among its entries."""
    if len(set(loop.entries)) == len(loop.entries):
        return loop
    params, start = loop.body.params, loop.first_entry
    known: dict[Operand, Operand] = {}
    env: Substitution = {}
    kept: list[int] = []
    for k, stack in enumerate(loop.entries):
        own = params[start + k]
        if stack.type.entry.is_array:
            kept.append(k)
            continue
        param = known.setdefault(stack, own)
        if param is own:
            kept.append(k)
        else:
            env[own] = param
    if not env:
        return loop
    block = Block(
        (*params[:start], *(params[start + k] for k in kept)),
        tuple(statement.over(env) for statement in loop.body.body),
        tuple(env.get(result, result) for result in loop.body.results),
    )
    return replace(loop, entries=tuple(loop.entries[k] for k in kept), body=block)
