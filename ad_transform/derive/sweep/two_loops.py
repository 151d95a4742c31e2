"""A loop in two passes: the first records, the second goes over the records.

A `while` is a counted loop in the second pass.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.sweep.stacks import TRIPS
from ad_transform.derive.sweep.two_passes import (
    Half,
    Halves,
    Later,
    Level,
    Whole,
)
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.blocks.free import free
from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import Block, Literal, Operand, Scan, Var, While
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import INT, Type

Loop = Scan | While
Vars = tuple[Var, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """The carries, reads, entries and records that one of the two loops has, by their
    places in the loop.
    """

    carries: Sequence[int]
    reads: Sequence[int]
    entries: Sequence[int]
    records: Sequence[int]


def two_loops(parent: Level, loop: Loop) -> Task[Halves]:
    """The two loops; raises Whole."""
    if isinstance(loop, Scan):
        bounds = loop.start, loop.stop, loop.step
        if not parent.reached.isdisjoint(bounds):
            raise Whole
    body = loop.body
    operands = (*loop.carries, *loop.reads, *loop.entries)
    pairs = list(zip(body.params[loop.first_carry :], operands, strict=True))
    given: set[Operand] = {p for p, o in pairs if o in parent.reached}
    kept = {
        p
        for p, o in pairs[len(loop.carries) :]
        if p not in given and (o in parent.lasting or isinstance(o, Literal))
    }
    while True:
        own = set(loop.carry_params) - given
        level = Level(body, set(given), set(kept), own, parent.names)
        yield level.taken_apart()
        ends = zip(loop.carry_params, loop.handed_on, strict=True)
        more: set[Operand] = {p for p, end in ends if end in level.reached}
        more |= level.reached.intersection(own)
        if more <= given:
            break
        given |= more
    late = [k for k, p in enumerate(loop.carry_params) if p in given]
    records = [k for k, r in enumerate(loop.records) if r in level.reached]
    results = (
        *(loop.handed_on[k] for k in late),
        *(loop.records[k] for k in records),
    )
    known = set(body.params) - {*loop.carry_params} - given
    known = {p for p in known if not p.type.dims or p in level.lasting}
    second = level.later(results, known)
    if not set(loop.handed_on).isdisjoint(v for v in second.saved if v.type.dims):
        raise Whole
    if any(v.type.dims and v in body.params for v in second.saved):
        raise Whole
    reads = [k for k, p in enumerate(loop.read_params) if p in given]
    entries = [k for k, p in enumerate(loop.entry_params) if p in given]
    return _both(parent, loop, level, second, _Part(late, reads, entries, records))


def _both(parent: Level, loop: Loop, level: Level, later: Later, late: _Part) -> Halves:
    early = _Part(
        _others(loop.carries, late.carries),
        _others(loop.reads, late.reads),
        _others(loop.entries, late.entries),
        _others(loop.stacks, late.records),
    )
    beside, dim = _trips(parent, loop, early, bool(later.saved or early.records))
    recorded = {loop.records[k]: loop.stacks[k] for k in early.records}
    new = tuple(v for v in later.saved if v not in recorded)
    made = dict(recorded)
    for v in new:
        made[v] = Var(_stacked(v.type, dim), f"{v.hint}_list" if v.hint else "")
    stacks = tuple(made[v] for v in later.saved)
    forth = _first(loop, level, new, early, tuple(made[v] for v in new), beside)
    needed = set(free(later.body, later.results))
    read = _Part(
        late.carries,
        [k for k, p in enumerate(loop.read_params) if p in needed],
        [k for k, p in enumerate(loop.entry_params) if p in needed],
        late.records,
    )
    beside = _trips_again(parent, loop, forth, read, stacks)
    return forth, _second(loop, later, read, stacks, beside)


def _others(values: Sequence[object], some: Sequence[int]) -> list[int]:
    return [k for k in range(len(values)) if k not in some]


def _stacked(type_: Type, dim: Dim) -> Type:
    return Type(type_.kind, (dim, *type_.dims), type_.shape)


def _trips(parent: Level, loop: Loop, early: _Part, records: bool) -> tuple[Vars, Dim]:
    """A list that the first loop has to go over for the trips' sake, if any, and the
    first dim of its records.
    """
    if not records:
        return (), 0
    if early.entries:
        return (), loop.entries[early.entries[0]].type.dims[0]
    if loop.entries:
        dim = loop.entries[0].type.dims[0]
        if dim not in parent.stacks:
            raise Whole
        return (parent.stacks[dim],), dim
    if loop.stacks:
        return (), loop.stacks[0].type.dims[0]
    return (), f"{TRIPS}{next(parent.names)}"


def _first(
    loop: Loop, level: Level, saved: Vars, early: _Part, stacks: Vars, beside: Vars
) -> Half:
    """The loop that records."""
    carries = [loop.carry_params[k] for k in early.carries]
    reads = [loop.read_params[k] for k in early.reads]
    params = (
        *loop.body.params[: loop.first_carry],
        *carries,
        *reads,
        *(loop.entry_params[k] for k in early.entries),
        *(Var(stack.type.entry) for stack in beside),
    )
    results = (
        *(loop.handed_on[k] for k in early.carries),
        *(loop.records[k] for k in early.records),
        *saved,
    )
    body = Block(params, level.first, results)
    outs = (
        *(loop.outs[k] for k in early.carries),
        *(loop.stacks[k] for k in early.records),
        *stacks,
    )
    starts = tuple(loop.carries[k] for k in early.carries)
    reading = tuple(loop.reads[k] for k in early.reads)
    if isinstance(loop, Scan):
        if not outs:
            return None
        entries = (*(loop.entries[k] for k in early.entries), *beside)
        return replace(
            loop,
            outs=outs,
            carries=starts,
            reads=reading,
            entries=entries,
            body=body,
        )
    test = loop.test
    amount = len(loop.carries)
    own = (
        *(test.params[k] for k in early.carries),
        *(test.params[amount + k] for k in early.reads),
    )
    if free(test.body, test.results, own):
        raise Whole
    return While(
        (*outs, loop.trips),
        starts,
        reading,
        Block(own, test.body, test.results),
        body,
        None,
        loop.notes,
    )


def _trips_again(
    parent: Level, loop: Loop, forth: Half, part: _Part, stacks: Vars
) -> Vars:
    """A list that the second loop has to go over for the trips' sake, if any: it
    records as many values as the first one, and reads none of those.
    """
    if stacks or part.entries or not part.records:
        return ()
    dim = loop.stacks[part.records[0]].type.dims[0]
    lists = (*(() if forth is None else forth.outs), *parent.stacks.values())
    return tuple(v for v in lists if v.type.dims[:1] == (dim,))[:1]


def _second(loop: Loop, later: Later, part: _Part, stacks: Vars, beside: Vars) -> Half:
    """The loop that goes over the records."""
    outs = (
        *(loop.outs[k] for k in part.carries),
        *(loop.stacks[k] for k in part.records),
    )
    if not outs:
        return None
    entries = (*(loop.entries[k] for k in part.entries), *stacks, *beside)
    index = loop.body.params[0] if isinstance(loop, Scan) else Var(INT, "k")
    params = (
        index,
        *(loop.carry_params[k] for k in part.carries),
        *(loop.read_params[k] for k in part.reads),
        *(loop.entry_params[k] for k in part.entries),
        *later.saved,
        *(Var(stack.type.entry) for stack in beside),
    )
    trips = {e.type.dims[0] for e in entries}
    own = {loop.stacks[k].type.dims[0] for k in part.records}
    if len(trips | own) > 1:
        raise Whole  # trips of another loop
    bounds: tuple[Operand, Operand, Operand] = Literal(0), Literal(0), Literal(1)
    bounds = (
        (loop.start, loop.stop, loop.step)
        if isinstance(loop, Scan)
        else (Literal(0), loop.trips, Literal(1))
    )
    return Scan(
        outs,
        *bounds,
        tuple(loop.carries[k] for k in part.carries),
        tuple(loop.reads[k] for k in part.reads),
        entries,
        renewed(Block(params, later.body, later.results)),
        isinstance(loop, Scan) and loop.backwards,
    )
