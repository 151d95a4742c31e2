"""Statements with blocks in programs that are written out: both arms of a branch, the
trips of a loop, and loops that stay because only a run knows their trips.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from ad_transform.ir.nodes import (
    Block,
    Branch,
    Check,
    Literal,
    Operand,
    Scan,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import Type
from ad_transform.ir.written_values import Unwritten, Value, form, leaves, like

if TYPE_CHECKING:
    from ad_transform.ir.written_out import Writer


def _branch(
    writer: Writer, branch: Branch, env: Mapping[Operand, Value]
) -> Task[list[Value] | None]:
    test = env.get(branch.test, branch.test)
    args = [env.get(a, a) for a in branch.args]
    if isinstance(test, Literal):
        found = yield writer.run(branch.then if test.value else branch.orelse, args)
        return list(found)
    outer = tuple(dict.fromkeys(v for v in leaves(args) if isinstance(v, Var)))
    arms: list[Block] = []
    ends: list[list[Value]] = []
    for block in branch.blocks:
        params = tuple(replace(v) for v in outer)
        inner: dict[Operand, Operand] = dict(zip(outer, params, strict=True))
        own = writer.inside()
        given = [like(a, (inner.get(v, v) for v in leaves(a))) for a in args]
        ends.append((yield own.run(block, given)))
        arms.append(Block(params, tuple(own.body), ()))
    if [form(e) for e in ends[0]] != [form(e) for e in ends[1]]:
        raise Unwritten("an array whose length a branch decides")
    return _joined(writer, branch, test, outer, arms, ends)


def _joined(
    writer: Writer,
    branch: Branch,
    test: Operand,
    outer: tuple[Var, ...],
    arms: list[Block],
    ends: list[list[Value]],
) -> list[Value]:
    """The values of both arms, those that differ given by a branch."""
    given = [dict(zip(arm.params, outer, strict=True)) for arm in arms]
    outs: list[Var] = []
    results: list[list[Operand]] = [[], []]
    found: list[Value] = []
    for out, *pair in zip(branch.outs, *ends, strict=True):
        own_leaves: list[Operand] = []
        for either in zip(*map(leaves, pair), strict=True):
            seen = [own.get(e, e) for own, e in zip(given, either, strict=True)]
            if seen[0] == seen[1] and all(
                isinstance(e, Literal) or e in own
                for own, e in zip(given, either, strict=True)
            ):
                own_leaves.append(seen[0])
                continue
            outs.append(replace(out, type=Type(out.type.kind)))
            own_leaves.append(outs[-1])
            for result, e in zip(results, either, strict=True):
                result.append(e)
        found.append(like(pair[0], iter(own_leaves)))
    then, orelse = (
        replace(arm, results=tuple(own)) for arm, own in zip(arms, results, strict=True)
    )
    if outs or then.body or orelse.body:
        writer.body.append(Branch(tuple(outs), test, outer, then, orelse))
    return found


def _scan(
    writer: Writer, scan: Scan, env: Mapping[Operand, Value]
) -> Task[list[Value] | None]:
    bounds = [env.get(o, o) for o in (scan.start, scan.stop, scan.step)]
    if not all(isinstance(bound, Literal) for bound in bounds):
        return (yield from _still_a_loop(writer, scan, env))
    trips = range(*(int(bound.value) for bound in bounds))
    carries = [env.get(o, o) for o in scan.carries]
    reads = [env.get(o, o) for o in scan.reads]
    entries = [env.get(o, o) for o in scan.entries]
    stacks: list[list[Value]] = [[None] * len(trips) for _ in scan.stacks]
    order = range(len(trips))
    for k in reversed(order) if scan.backwards else order:
        own = [stack[k] for stack in entries]
        given = [Literal(trips[k]), *carries, *reads, *own]
        ends = yield writer.run(scan.body, given)
        carries = ends[: len(carries)]
        for stack, record in zip(stacks, ends[len(carries) :], strict=True):
            stack[k] = record
    return [*carries, *stacks]


def _while(
    writer: Writer, loop: While, env: Mapping[Operand, Value]
) -> Task[list[Value] | None]:
    carries = [env.get(o, o) for o in loop.carries]
    reads = [env.get(o, o) for o in loop.reads]
    stacks: list[list[Value]] = [[] for _ in loop.stacks]
    begin = len(writer.body)
    for trips in count():
        (test,) = yield writer.run(loop.test, (*carries, *reads))
        if not isinstance(test, Literal):
            del writer.body[begin:]
            return (yield from _still_a_loop(writer, loop, env))
        if not test.value:
            return [*carries, *stacks, Literal(trips)]
        ends = yield writer.run(loop.body, (*carries, *reads))
        carries = ends[: len(carries)]
        for stack, record in zip(stacks, ends[len(carries) :], strict=True):
            stack.append(record)
    return None


def _still_a_loop(
    writer: Writer, loop: Scan | While, env: Mapping[Operand, Value]
) -> Task[list[Value]]:
    """A loop whose trips only a run knows, over the elements of what it is given."""
    if loop.stacks or (isinstance(loop, Scan) and loop.entries):
        raise Unwritten("a list that a loop makes")
    carries = [env.get(o, o) for o in loop.carries]
    reads = [env.get(o, o) for o in loop.reads]
    start = 1 if isinstance(loop, Scan) else 0
    kinds = loop.body.params[start : start + len(carries)]
    outer = tuple(dict.fromkeys(v for v in leaves(reads) if isinstance(v, Var)))

    def run(block: Block, first: int) -> Task[Block]:
        own = writer.inside()
        index = tuple(replace(p) for p in block.params[:first])
        pairs = zip(kinds, carries, strict=True)
        params = [_called(kind, value) for kind, value in pairs]
        more = tuple(replace(v) for v in outer)
        inner: dict[Operand, Operand] = dict(zip(outer, more, strict=True))
        seen = [like(r, (inner.get(v, v) for v in leaves(r))) for r in reads]
        ends = yield own.run(
            block, [*index, *(like(p, leaves(p)) for p in params), *seen]
        )
        every = (*index, *leaves(params), *more)
        if block is loop.body and form(ends) != form(carries):
            raise Unwritten("an array whose length a loop decides")
        return Block(every, tuple(own.body), tuple(leaves(ends)))

    body = yield run(loop.body, start)
    outs = [_called(o, v) for o, v in zip(loop.outs, carries, strict=False)]
    begun, every = tuple(leaves(carries)), tuple(leaves(outs))
    if isinstance(loop, Scan):
        bounds = [env.get(o, o) for o in (loop.start, loop.stop, loop.step)]
        how = (loop.backwards, loop.snapshots)
        first, last, step = bounds
        ends = (every, first, last, step, begun, outer, (), body)
        writer.body.append(Scan(*ends, *how))
        return outs
    test = yield run(loop.test, 0)
    trips = replace(loop.trips)
    made = While((*every, trips), begun, outer, test, body, loop.snapshots)
    writer.body.append(made)
    return [*outs, trips]


def _check(
    writer: Writer, check: Check, env: Mapping[Operand, Value]
) -> Task[list[Value] | None]:
    """A test that holds is none."""
    yield from ()
    test = env.get(check.test, check.test)
    holds = isinstance(test, Literal) and bool(test.value)
    return [] if holds and not check.notes else None


def _called(var: Var, value: Value) -> Value:
    """New names for the elements of a value, all those of one."""
    kind = Type(var.type.kind)
    return like(value, (replace(var, type=kind, notes=()) for _ in leaves(value)))


RULES: dict[type, Callable[..., Task[list[Value] | None]]] = {
    Branch: _branch,
    Check: _check,
    Scan: _scan,
    While: _while,
}
"""Statements that are gone through; others stay as they are."""
