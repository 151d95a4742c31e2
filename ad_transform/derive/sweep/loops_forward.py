"""The forward sweep through a loop: tangents are carried, recorded and gone over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.sweep.body import merged
from ad_transform.derive.sweep.forward import (
    Forward,
    ForwardRule,
    Operands,
    Pushed,
    handed,
    whole,
)
from ad_transform.ir.nodes import Block, Operand, Scan, Statement, Var, While
from ad_transform.ir.trampoline import Task

Loop = Scan | While
_Place = tuple[int, int]  # the place of a carry, read, entry or record, and a direction


def forth_through_loop(
    parent: Forward, loop: Loop, rules: Mapping[type, ForwardRule]
) -> Task[None]:
    """Enter the loop with its tangents."""
    body = merged(loop.body)
    called = parent.context.called
    count = len(loop.carries)
    outer = (*loop.carries, *loop.reads, *loop.entries)
    params = body.params[loop.first_carry :]
    carried, recorded = _reached(parent, loop, outer)
    carries = {
        (c, d): Var(params[c].type, called(params[c], d, loop.outs[c]))
        for c, d in carried
    }
    given = [parent.tangent(o) for o in outer[count:]]
    reads = handed(given[: len(loop.reads)])
    parent.context.still.update(params[count : count + len(loop.reads)])
    parent.context.tell_signs(params[count : count + len(loop.reads)], loop.reads)
    stacks = handed(given[len(loop.reads) :])
    inner: dict[Operand, Operand] = {o: Var(o.type, o.hint) for o in reads}
    parent.context.still.update(inner.values())
    names = {
        tangent: called(entry, d)
        for entry, of_entry in zip(
            params[count + len(loop.reads) :], given[len(loop.reads) :], strict=True
        )
        for d, tangent in enumerate(of_entry)
    }
    inner.update({o: Var(o.type.entry, names.get(o) or o.hint) for o in stacks})
    tangents: list[Operands] = []
    zero = parent.zero
    for c in range(count):
        own = (carries.get((c, d), zero) for d in range(parent.directions))
        tangents.append(tuple(own))
    tangents += [tuple(inner.get(t, t) for t in tangent) for tangent in given]
    active = [k for k, t in enumerate(tangents) if not all(map(is_zero, t))]
    rows = [c for c in range(count) if any((c, d) in carried for d in _all(parent))]
    lists = [
        r
        for r in range(len(loop.stacks))
        if any((r, d) in recorded for d in _all(parent))
    ]
    ends = (*(body.results[c] for c in rows), *(body.results[count + r] for r in lists))
    sweep = Forward(
        parent.context,
        body.body,
        tuple(params[k] for k in active),
        tuple(tuple(tangents[k][d] for k in active) for d in _all(parent)),
        ends,
        body.results,
    )
    pushed: Pushed = yield sweep.sweep(rules)
    place = {("carry", c): n for n, c in enumerate(rows)}
    place |= {("record", r): len(rows) + n for n, r in enumerate(lists)}
    made = [
        *(pushed.tangents[d][place["carry", c]] for c, d in carried),
        *(pushed.tangents[d][place["record", r]] for r, d in recorded),
    ]
    values = [
        *(body.results[c] for c, _ in carried),
        *(body.results[count + r] for r, _ in recorded),
    ]
    statements, made_whole = whole(pushed.body, made, values)
    results = (
        *body.results[:count],
        *made_whole[: len(carried)],
        *body.results[count:],
        *made_whole[len(carried) :],
    )
    own_params = (
        *body.params[: loop.first_carry],
        *params[:count],
        *carries.values(),
        *params[count : count + len(loop.reads)],
        *(inner[o] for o in reads),
        *params[count + len(loop.reads) :],
        *(inner[o] for o in stacks),
    )
    block = Block(
        tuple(v for v in own_params if isinstance(v, Var)), statements, results
    )
    outs = {
        (c, d): Var(loop.outs[c].type, called(params[c], d, loop.outs[c]))
        for c, d in carried
    }
    rows_out = {
        (r, d): Var(loop.stacks[r].type, called(loop.stacks[r], d)) for r, d in recorded
    }
    starts = tuple(
        parent.start(loop.carries[c], d, loop.outs[c].type) for c, d in carried
    )
    every = (*loop.outs[:count], *outs.values(), *loop.stacks, *rows_out.values())
    parent.added.append(
        extended(loop, block, every, (starts, reads, stacks), list(carries.values()))
    )
    _enter(parent, loop.outs[:count], outs)
    _enter(parent, loop.stacks, rows_out)


def _all(parent: Forward) -> range:
    return range(parent.directions)


def _reached(
    parent: Forward, loop: Loop, outer: Operands
) -> tuple[list[_Place], list[_Place]]:
    """The carries and records with a tangent in a direction, after any trips."""
    inner = parent.context.dependence.of(loop.body)
    start, count = loop.first_carry, len(loop.carries)
    carried: set[_Place] = set()
    recorded: set[_Place] = set()
    for d in range(parent.directions):
        mask = 0
        for k, operand in enumerate(outer):
            if not is_zero(parent.tangent(operand)[d]):
                mask |= 1 << (start + k)
        grown = -1
        while grown != mask:
            grown = mask
            for c in range(count):
                if inner[c] & mask:
                    mask |= 1 << (start + c)
        carried |= {(c, d) for c in range(count) if mask >> (start + c) & 1}
        recorded |= {(r, d) for r in range(len(loop.stacks)) if inner[count + r] & mask}
    return sorted(carried), sorted(recorded)


def extended(
    loop: Loop,
    block: Block,
    outs: tuple[Var, ...],
    more: tuple[Operands, tuple[Var, ...], tuple[Var, ...]],
    carries: Sequence[Var],
) -> Statement:
    """The loop with a body that has more carries, reads, entries and results: `more`
    are the operands for these outside, `carries` the new ones inside.
    """
    starts, reads, stacks = more
    if isinstance(loop, Scan):
        return Scan(
            outs,
            loop.start,
            loop.stop,
            loop.step,
            (*loop.carries, *starts),
            (*loop.reads, *reads),
            (*loop.entries, *stacks),
            block,
            loop.backwards,
            loop.snapshots,
            loop.notes,
        )
    count = len(loop.carries)
    own = loop.test.params
    params = (
        *own[:count],
        *(Var(carry.type) for carry in carries),
        *own[count:],
        *(Var(o.type) for o in reads),
    )
    test = Block(params, loop.test.body, loop.test.results)
    every = (*outs, loop.trips)
    starting = (*loop.carries, *starts)
    reading = (*loop.reads, *reads)
    how = (loop.snapshots, loop.notes)
    return While(every, starting, reading, test, block, *how)


def _enter(
    parent: Forward, values: Sequence[Var], tangents: Mapping[_Place, Var]
) -> None:
    for k, value in enumerate(values):
        tangent: list[Operand] = [
            tangents.get((k, d), parent.zero) for d in _all(parent)
        ]
        parent.enter(value, tuple(tangent))
