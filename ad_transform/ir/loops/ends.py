"""Loops over lists alone are as long as the lists: nothing tells them where to end.

The trips of a `while` inside a loop are recorded for its way back. Where that goes over
what the trips have recorded, the number of trips is not needed, and nobody counts them.
A loop back over all trips but the one that left the loop (`derive.last_trips`) is as
long as the lists are where that one records nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import changed_at, changed_inside, is_same, with_block
from ad_transform.ir.loops.exits import exit_of, read_in
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce

_END = "<end>"
"""The name of a literal that stands for an end that no loop says."""


def without_ends(function: Function) -> Function:
    """The function as it is printed: ends of loops that do not say them are literals,
    without the counts, records and values for them. Counts and records are those
    without the trips that leave (`unread_at_the_end`). Linear.
    """
    if not any(isinstance(s, While) or _is_endless(s) for s in function.nested):
        return function
    counts = {n: loop.trips for n, loop in trips_but_the_last(function).items()}
    if counts:
        function = with_block(function, bounce(_over(function.block, counts)))
    made = with_block(function, bounce(_without(function.block)))
    loops = (s for s in made.nested if isinstance(s, Scan))
    unsure = any(is_end(loop.stop) and needs_index(loop) for loop in loops)
    return function if unsure else made


def trips_but_the_last(function: Function) -> Mapping[Operand, While]:
    """The loops by their numbers of trips less one that left: a loop back over so many
    goes over all records of the loop forth. Linear.
    """
    loops: dict[Operand, While] = {}
    less: dict[Operand, Operand] = {}  # trips, by their number less 1
    found: dict[Operand, While] = {}
    if not any(isinstance(s, While) for s in function.nested):
        return found
    for statement in walk(function.body):
        match statement:
            case While():
                loops[statement.trips] = statement
            case Apply(out=out, op=op, args=(trips, Literal(value=1))):
                if op.name == "sub" and trips in loops:
                    less[out] = trips
            case Branch() if not less.keys().isdisjoint(statement.args):
                for out, fewer, trips in _picked(statement):
                    if fewer in less and less[fewer] is trips:
                        found[out] = loops[less.pop(fewer)]
    assert not less, "a number of trips is not used as derive.last_trips has it"
    return found


def _picked(branch: Branch) -> Iterator[tuple[Var, Operand, Operand]]:
    """The results of a branch that are arguments in both arms, with these arguments."""
    given: list[dict[Operand, Operand]] = [
        dict(zip(block.params, branch.args, strict=True)) for block in branch.blocks
    ]
    results = zip(*(block.results for block in branch.blocks), strict=True)
    for out, ends in zip(branch.outs, results, strict=True):
        one, other = (known.get(end) for known, end in zip(given, ends, strict=True))
        if one is not None and other is not None:
            yield out, one, other


def unread_at_the_end(function: Function) -> Set[Var]:
    """Values of loops of which nobody reads the part of the trip that leaves: lists of
    its records, numbers of trips that count it, and carries that it makes.
    """
    loops = trips_but_the_last(function).values()
    found = {one for loop in loops for one in (loop.trips, *loop.stacks)}
    nested = function.nested
    if any(isinstance(s, While) and s.stacks for s in nested):
        blocks = (b for s in nested for b in s.blocks)
        for block in (function.block, *blocks):
            found.update(_read_if_stayed(block))
    return found


def _read_if_stayed(block: Block) -> Iterator[Var]:
    """The values of loops that a block reads only where no trip has left them; none of
    a loop of which it reads a record elsewhere.
    """
    left = {
        loop: exit
        for loop in block.body
        if isinstance(loop, While) and loop.stacks and loop.snapshots is None
        if (exit := exit_of(loop)) is not None
    }
    wanted = {out for loop in left for out in loop.outs}
    readers: dict[Operand, dict[Statement, None]] = {}
    for statement in block.body if left else ():
        for value in wanted.intersection(statement.inputs):
            readers.setdefault(value, {})[statement] = None
    for loop, exit in left.items():
        flag = loop.outs[exit.flag]
        unread = {out for out in loop.outs if out not in block.results}
        for reader in dict.fromkeys(s for o in loop.outs for s in readers.get(o, ())):
            given: Set[Var] = unread.intersection(reader.inputs)
            if given and isinstance(reader, Branch) and reader.test is flag:
                given = _read_in_first(reader, given)
            unread -= given
        if unread.issuperset((loop.trips, *loop.stacks)):
            yield from unread


def _read_in_first(branch: Branch, values: Set[Var]) -> Set[Var]:
    """The values among some that the first arm of a branch reads."""
    read = read_in(branch.then)
    pairs = zip(branch.args, branch.then.params, strict=True)
    return {a for a, p in pairs if isinstance(a, Var) and a in values and p in read}


def _over(block: Block, env: Mapping[Operand, Operand]) -> Task[Block]:
    """The block with other values where it reads those in `env`."""
    over = [statement.over(env) for statement in block.body]
    body = yield from changed_at(block.holders, over, lambda inner: _over(inner, env))
    results = tuple(env.get(result, result) for result in block.results)
    if is_same(body, block.body) and is_same(results, block.results):
        return block
    return replace(block, body=tuple(body), results=results)


def is_end(operand: Operand) -> bool:
    """Whether an operand stands for an end that no loop says."""
    return isinstance(operand, Literal) and operand.name == _END


def _without(block: Block) -> Task[Block]:
    inside = yield from changed_inside(block, _without, leaves=False)
    body = [_endless(statement) for statement in inside]
    return block if is_same(body, block.body) else replace(block, body=tuple(body))


def _endless(statement: Statement) -> Statement:
    if not isinstance(statement, Scan) or not _is_endless(statement):
        return statement
    end = Literal(1, _END)
    return replace(statement, start=Literal(0), stop=end, step=Literal(1))


def _is_endless(statement: Statement) -> bool:
    """Whether it is a loop over lists whose end is a value that it need not say."""
    if not isinstance(statement, Scan) or needs_index(statement):
        return False
    return any(isinstance(v, Var) for v in statement.inputs[:3])


def needs_index(loop: Scan) -> bool:
    """Whether a loop has to count: its body reads the index, or it reads no lists."""
    index, body = loop.body.params[0], loop.body
    read = any(index in s.inputs for s in body.body) or index in body.results
    return read or not loop.entries or is_held(loop)


def is_held(loop: Scan | While) -> bool:
    """Whether a loop holds only some of its records."""
    return loop.snapshots is not None and bool(loop.snapshots.step)
