"""Statements with blocks in programs that are written out: both arms of a branch, the
trips of a loop, and loops that stay because only a run knows their trips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

from ad_transform.dataclass import replace
from ad_transform.ir.dims import is_of_run, names
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Check,
    Literal,
    Operand,
    Scan,
    Var,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import Type
from ad_transform.ir.written.written_values import (
    Unwritten,
    Value,
    form,
    is_array,
    leaves,
    like,
    made_of,
    unless_it_fits,
)

if TYPE_CHECKING:
    from ad_transform.ir.written.written_out import Writer


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
        found = yield own.run(block, given)
        ends.append([own.renamed(end) for end in found])
        arms.append(own.block(params, ()))
    _unless_equal(ends[0], ends[1], "an array whose length a branch decides")
    return _joined(writer, branch, test, outer, arms, ends)


def _joined(
    writer: Writer,
    branch: Branch,
    test: Operand,
    outer: tuple[Var, ...],
    arms: list[Block],
    ends: list[list[Value]],
) -> list[Value]:
    """The values behind a branch: those that differ between the arms are its outs."""
    given = [dict(zip(arm.params, outer, strict=True)) for arm in arms]
    outs: list[Var] = []
    results: list[list[Operand]] = [[], []]
    found: list[Value] = []
    for out, *pair in zip(branch.outs, *ends, strict=True):
        own_leaves: list[Operand] = []
        names = _names(pair[0], out.hint)
        for name, *either in zip(names, *map(leaves, pair), strict=True):
            seen = [there.get(e, e) for there, e in zip(given, either, strict=True)]
            if seen[0] == seen[1] and all(
                isinstance(e, Literal) or e in there
                for there, e in zip(given, either, strict=True)
            ):
                own_leaves.append(seen[0])
                continue
            own = replace(out, hint=name)
            made, _ = (_number_or_array(own, leaf) for leaf in either)
            outs.append(made)
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
    if writer.part is not None and (
        len(trips) > writer.part.LONG or _has_own_lengths(scan)
    ):
        return (yield from _still_a_loop(writer, scan, env))
    carries = [env.get(o, o) for o in scan.carries]
    reads = [env.get(o, o) for o in scan.reads]
    entries = [env.get(o, o) for o in scan.entries]
    if any(map(is_array, entries)):
        return (yield from _still_a_loop(writer, scan, env))
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
    if writer.part is not None and _has_own_lengths(loop):
        return (yield from _still_a_loop(writer, loop, env))
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


def _has_own_lengths(loop: Scan | While) -> bool:
    """Whether trips make arrays of lengths that a run tells: each trip has its own,
    under one name.
    """
    outside = _lengths(loop.inputs)
    return any(not _lengths(s.outs) <= outside for s in walk(loop.body.body))


def _lengths(values: Iterable[Operand]) -> set[str]:
    """The names of lengths that a run tells in the dims of some values."""
    every = (dim for value in values for dim in value.type.dims if is_of_run(dim))
    return {name for dim in every for name in names(dim)}


def _still_a_loop(
    writer: Writer, loop: Scan | While, env: Mapping[Operand, Value]
) -> Task[list[Value]]:
    """A loop whose trips only a run knows, over the elements of its arrays."""
    entries = [env.get(o, o) for o in loop.entries] if isinstance(loop, Scan) else []
    is_plain = isinstance(loop, While) or writer.part is None
    if is_plain and (loop.stacks or entries):
        raise Unwritten("a list that a loop makes")
    if not all(map(is_array, entries)):
        raise Unwritten("elements that a loop goes over", made_of(*entries))
    carries = [env.get(o, o) for o in loop.carries]
    reads = [env.get(o, o) for o in loop.reads]
    kinds = loop.carry_params
    outer = tuple(dict.fromkeys(v for v in leaves(reads) if isinstance(v, Var)))

    def run(block: Block, first: int) -> Task[Block]:
        own = writer.inside()
        index = tuple(replace(p) for p in block.params[:first])
        items = tuple(
            replace(p) for p in block.params[len(block.params) - len(entries) :]
        )
        pairs = zip(kinds, carries, strict=True)
        params = [_called(kind, value) for kind, value in pairs]
        more = tuple(replace(v) for v in outer)
        inner: dict[Operand, Operand] = dict(zip(outer, more, strict=True))
        seen = [like(r, (inner.get(v, v) for v in leaves(r))) for r in reads]
        found = yield own.run(
            block, [*index, *(like(p, leaves(p)) for p in params), *seen, *items]
        )
        ends = [own.renamed(end) for end in found]
        every = (*index, *leaves(params), *more, *items)
        if block is loop.body:
            given, records = ends[: len(carries)], ends[len(carries) :]
            _unless_equal(given, params, "an array whose length a loop decides")
            _unless_equal(
                records, [None] * len(records), "elements that a loop records"
            )
            for end, param in zip(leaves(given), leaves(params), strict=True):
                unless_it_fits(end, param)
        return own.block(every, leaves(ends))

    body = yield run(loop.body, loop.first_carry)
    outs = [_called(o, v) for o, v in zip(loop.outs, carries, strict=False)]
    begun, every = tuple(leaves(carries)), tuple(leaves(outs))
    if isinstance(loop, Scan):
        stacks = tuple(replace(stack) for stack in loop.stacks)
        scan = replace(
            loop,
            outs=(*every, *stacks),
            start=env.get(loop.start, loop.start),
            stop=env.get(loop.stop, loop.stop),
            step=env.get(loop.step, loop.step),
            carries=begun,
            reads=outer,
            entries=tuple(entries),
            body=body,
        )
        writer.body.append(scan)
        return [*outs, *stacks]
    test = yield run(loop.test, 0)
    trips = replace(loop.trips)
    how = (loop.snapshots, loop.notes)
    made = While((*every, trips), begun, outer, test, body, *how)
    writer.body.append(made)
    return [*outs, trips]


def _unless_equal(some: Sequence[Value], others: Sequence[Value], said: str) -> None:
    """Raise Unwritten where values are not of one form."""
    for one, other in zip(some, others, strict=True):
        if form(one) != form(other):
            raise Unwritten(said, made_of(one, other))


def _check(
    writer: Writer, check: Check, env: Mapping[Operand, Value]
) -> Task[list[Value] | None]:
    """No statement for a check that holds."""
    yield from ()
    test = env.get(check.test, check.test)
    holds = isinstance(test, Literal) and bool(test.value)
    return [] if holds and not check.notes else None


def _called(var: Var, value: Value) -> Value:
    """New names for the elements of a value: `u_0` and `u_1` for those of `u`."""
    names = _names(value, var.hint)
    pairs = zip(leaves(value), names, strict=True)
    return like(value, (_number_or_array(replace(var, hint=n), v) for v, n in pairs))


def _names(value: Value, name: str) -> Iterator[str]:
    """The names of the elements of a value, in order."""
    if not isinstance(value, list):
        yield name
        return
    for k, item in enumerate(value):
        yield from _names(item, f"{name}_{k}" if name else "")


def _number_or_array(var: Var, leaf: Value) -> Var:
    """A new name for an element, or for an array that stays one."""
    if is_array(leaf):
        unless_it_fits(leaf, var)
        return replace(var, notes=())
    return replace(var, type=Type(var.type.kind), notes=())


RULES: dict[type, Callable[..., Task[list[Value] | None]]] = {
    Branch: _branch,
    Check: _check,
    Scan: _scan,
    While: _while,
}
"""Statements that are gone through; others stay as they are."""
