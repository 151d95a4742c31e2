"""A number that a loop records twice is recorded once: tangents of two values that
differ by a constant are one value. Whoever goes over both records reads one.

Only numbers: an array that is read twice may be changed by one of its readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

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
    pairs = [*zip(loop.reads, loop.body.params[loop.first_read :], strict=False)]
    env = _twins(pairs, _is_list)
    if not env:
        return loop
    body = yield _recorded(_without(loop.body, env))
    return replace(loop, reads=tuple(r for r, p in pairs if p not in env), body=body)


def _read_once(loop: Scan) -> Scan:
    """The loop with each stack of numbers once among its entries."""
    pairs = [*zip(loop.entries, loop.body.params[loop.first_entry :], strict=True)]
    env = _twins(pairs, lambda stack: not stack.type.entry.is_array)
    if not env:
        return loop
    entries = tuple(e for e, p in pairs if p not in env)
    return replace(loop, entries=entries, body=_without(loop.body, env))


def _is_list(operand: Operand) -> bool:
    return len(operand.type.dims) == 1 and not operand.type.shape


def _twins(
    pairs: Iterable[tuple[Operand, Var]], is_one: Callable[[Operand], bool]
) -> Substitution:
    """Parameters of operands that an earlier one has, too, with the first of these."""
    known: dict[Operand, Var] = {}
    env: Substitution = {}
    for operand, own in pairs:
        if is_one(operand):
            first = known.setdefault(operand, own)
            if first is not own:
                env[own] = first
    return env


def _without(block: Block, env: Substitution) -> Block:
    """A block in which other parameters stand for some."""
    return Block(
        tuple(p for p in block.params if p not in env),
        tuple(statement.over(env) for statement in block.body),
        tuple(env.get(result, result) for result in block.results),
    )
