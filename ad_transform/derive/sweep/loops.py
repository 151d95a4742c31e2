"""The reverse sweep through a loop: once forth, recording, and once back.

The loop back carries adjoints, sums up those of values that every trip reads, and goes
over the stacks that the loop forth has recorded: as few values a trip as the body back
can do with. An adjoint that no trip changes is no carry: `s += f(x)` hands on that of s
as it is, and its number where it is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.sweep.hook import Totals, moved, unknown
from ad_transform.derive.sweep.records import TripBack, kept_of, states_held
from ad_transform.derive.sweep.reverse import (
    Asked,
    Operands,
    Reverse,
    Rule,
    Swept,
)
from ad_transform.derive.sweep.snapshots import states_of
from ad_transform.ir.nodes import (
    Back,
    Block,
    First,
    Head,
    Literal,
    Operand,
    Scan,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import FLOAT, INT, Kind, Type

Loop = Scan | While


@dataclass(frozen=True, slots=True)
class Active:
    """The places of a loop's carries, reads, entries and records with adjoints."""

    carries: list[int]
    reads: list[int]
    entries: list[int]
    records: list[int]


@dataclass(slots=True)
class Trip:
    """One trip back, with parameters for its adjoints.

    `adjoints` are those of the carries: a parameter for each that changes from trip to
    trip, else the operand that it is; `outer` are the first adjoints and those that
    stand still.
    """

    body: Block
    adjoints: list[list[Operand]]
    sums: list[list[Var]]
    totals: tuple[tuple[Var, ...], ...]
    swept: Swept | None = None


def back_through_loop(
    parent: Reverse, loop: Loop, rules: Mapping[type, Rule]
) -> Task[None]:
    """Enter the loops forth and back; operands of the loop get their adjoints."""
    count, directions = len(loop.carries), parent.asked.directions
    called = parent.context.called
    active = _active(parent, loop)
    if not (active.carries or active.records):
        if any(out in parent.needed for out in loop.outs):
            parent.needed.update(loop.inputs)
        parent.keep_checks(loop)
        return
    sums = [parent.handed(loop.reads[k]) for k in active.reads]
    seeds = [parent.adjoint(loop.outs[c]) for c in active.carries]
    body = parent.context.merged(loop.body)
    first, reads, entries = _params(loop, body)
    parent.context.still.update(reads)
    parent.context.tell_signs(reads, loop.reads)
    parent.context.free.update(
        (*body.params[: isinstance(loop, Scan)], *reads, *entries)
    )
    columns = (
        *(first[c] for c in active.carries),
        *(reads[k] for k in active.reads),
        *(entries[k] for k in active.entries),
    )
    hook = parent.asked.hook and parent.asked.hook.inside(body, columns, loop)
    handed: dict[Operand, Var] = {}  # adjoints that stand still, and stacks of them
    stacks: dict[Operand, Var] = {}
    recorded = []
    for r in active.records:
        for term in parent.terms.get(loop.stacks[r], ()):
            recorded.append((r, [_row(o, stacks) for o in term]))
    still = guess = _guessed(parent, loop, active)
    while True:
        trip = Trip(
            body,
            [
                [
                    (
                        _standing(seeds[n][d], handed)
                        if (n, d) in still
                        else Var(first[c].type, called(first[c], d, loop.outs[c]))
                    )
                    for d in range(directions)
                ]
                for n, c in enumerate(active.carries)
            ],
            [
                [
                    Var(reads[k].type, called(reads[k], d, loop.reads[k]))
                    for d in range(directions)
                ]
                for k in active.reads
            ],
            unknown(hook, directions),
        )
        parent.context.still.update(handed.values())
        rows: list[tuple[Operand, Sequence[Operand]]] = []
        rows += zip(
            (body.results[c] for c in active.carries), trip.adjoints, strict=True
        )
        rows += ((body.results[count + r], term) for r, term in recorded)
        rows += zip((reads[k] for k in active.reads), trip.sums, strict=True)
        asked = Asked(
            body.body,
            columns,
            tuple((row, tuple(term)) for row, term in rows),
            tuple(body.results),
            directions,
            states_held(parent, loop) is not None,
            hook,
            trip.totals,
            _lasting(parent, loop, body),
            is_repeated=True,
        )
        swept: Swept = yield Reverse(parent.context, asked).sweep(rules)
        found = {
            (n, d)
            for n in range(len(active.carries))
            for d in range(directions)
            if swept.adjoints[d][n] is trip.adjoints[n][d]
        }
        trip.swept = swept
        is_wrong = still is guess and not still <= found
        if found <= still and not is_wrong:
            break
        still = set() if is_wrong else still | found
    parent.context.settled[loop] = {(active.carries[n], d) for n, d in still}
    _enter(parent, loop, active, trip, (seeds, sums), still, handed, stacks)


def _guessed(parent: Reverse, loop: Loop, active: Active) -> set[tuple[int, int]]:
    """The adjoints that stood still when the loop around swept this one before. They
    are a guess, without which a nest would be swept 2**depth times. An adjoint that
    stands still by itself does so from trip to trip.
    """
    places = parent.context.settled.get(loop, set())
    return {(n, d) for n, c in enumerate(active.carries) for k, d in places if k == c}


def _lasting(parent: Reverse, loop: Loop, body: Block) -> set[Operand]:
    """The arrays that last, of those from outside the body and of its records. A
    carried array is changed in the body, handed on to trips that may change it, or
    lasts as well.
    """
    count, lasting = len(loop.carries), parent.shapes.lasting
    first, reads, entries = _params(loop, body)
    given = (*loop.reads, *loop.entries)
    pairs = [*zip((*reads, *entries), given, strict=True)]
    found: set[Operand] = {param for param, outer in pairs if outer in lasting}
    records = zip(body.results[count:], loop.stacks, strict=True)
    own = {record for record, stack in records if stack in lasting}
    found |= own.difference(body.params, body.results[:count])
    found.update(v for v in first if v.type.dims and v not in body.results)
    return found.union(_copied(parent, loop, body))


def _copied(parent: Reverse, loop: Loop, body: Block) -> dict[Var, Operand]:
    """The parameters of the body for arrays that change behind the loop, with these
    arrays, if copies of them cost less than records of their elements.
    """
    covering = parent.context.covering
    if covering is None or parent.asked.hook is not None:
        return {}
    _, reads, _ = _params(loop, body)
    return {
        param: array
        for param, array in zip(reads, loop.reads, strict=True)
        if array.type.dims
        and array.type.kind == Kind.FLOAT
        and array not in parent.shapes.lasting
        and states_of(loop) is None
        and covering.covers(loop, param)
    }


def _row(operand: Operand, stacks: dict[Operand, Var]) -> Operand:
    """The entry of a stack of adjoints, one for all its uses; of a zero the zero."""
    if isinstance(operand, Literal):
        return operand
    if operand not in stacks:
        stacks[operand] = Var(operand.type.entry)
    return stacks[operand]


def _standing(operand: Operand, handed: dict[Operand, Var]) -> Operand:
    """A still adjoint inside a trip: a number, or a parameter for the outer value."""
    if isinstance(operand, Literal):
        return operand
    return handed.setdefault(operand, Var(operand.type, operand.hint))


def _params(
    loop: Loop, body: Block
) -> tuple[tuple[Var, ...], tuple[Var, ...], tuple[Var, ...]]:
    """The parameters of the body for carries, reads and entries."""
    middle, end, params = loop.first_read, loop.first_entry, body.params
    return params[loop.first_carry : middle], params[middle:end], params[end:]


def _active(parent: Reverse, loop: Loop) -> Active:
    """The places of a loop's values that depend on the columns and have adjoints."""
    inner = parent.context.dependence.of(loop.body)
    count, varied = len(loop.carries), parent.varied
    records = [r for r, out in enumerate(loop.stacks) if parent.terms.get(out)]
    useful = {c for c in range(count) if parent.terms.get(loop.outs[c])}
    reached = 0
    waiting = [*useful, *(count + r for r in records)]
    while waiting:
        mask = inner[waiting.pop()]
        reached |= mask
        for c in range(count):
            if mask >> (loop.first_carry + c) & 1 and c not in useful:
                useful.add(c)
                waiting.append(c)
    return Active(
        [c for c in sorted(useful) if loop.outs[c] in varied],
        _both(loop.reads, varied, reached >> loop.first_read),
        _both(loop.entries, varied, reached >> loop.first_entry),
        records,
    )


def _both(
    operands: Sequence[Operand], varied: Mapping[Operand, int], reached: int
) -> list[int]:
    return [k for k, o in enumerate(operands) if o in varied and reached >> k & 1]


def _enter(
    parent: Reverse,
    loop: Loop,
    active: Active,
    trip: Trip,
    outer: tuple[Sequence[Operands], Sequence[Operands]],
    still: set[tuple[int, int]],
    handed: Mapping[Operand, Var],
    stacks: Mapping[Operand, Var],
) -> None:
    swept, body = trip.swept, trip.body
    assert swept is not None
    seeds, begun = outer
    directions = parent.asked.directions
    first, reads, entries = _params(loop, body)
    moving = [
        (n, d)
        for n in range(len(active.carries))
        for d in range(directions)
        if (n, d) not in still
    ]
    carried, summed = len(active.carries), len(active.reads)
    sums = [(n, d) for n in range(summed) for d in range(directions)]
    lists = [(n, d) for n in range(len(active.entries)) for d in range(directions)]
    adjoints = [trip.adjoints[n][d] for n, d in moving]
    totals = [trip.sums[n][d] for n, d in sums]
    seen = moved(trip.totals, swept.totals)
    added = [trip.totals[d][k] for d, k in seen]
    results = (
        *(swept.adjoints[d][n] for n, d in moving),
        *(swept.adjoints[d][carried + n] for n, d in sums),
        *(swept.totals[d][k] for d, k in seen),
        *(swept.adjoints[d][carried + summed + n] for n, d in lists),
    )
    index = body.params[0] if isinstance(loop, Scan) else Var(INT, "trip")
    lasting = _lasting(parent, loop, body)
    free = (
        index,
        *(v for v in (*reads, *entries) if not v.type.dims or v in lasting),
    )
    late = (*adjoints, *totals, *added, *handed.values(), *stacks.values())
    trip_back = TripBack(swept, results, late, free, first)
    kept = kept_of(parent, loop, body, trip_back)
    bars = _outs(parent, loop, active, (first, reads), moving, sums)
    rows = [
        Var(Type(e.type.kind, e.type.dims, e.type.shape))
        for e in (loop.entries[k] for k in active.entries)
        for _ in range(directions)
    ]
    before = parent.gathering.totals
    ends = [Var(FLOAT, v.hint) for v in added]
    starts = (
        *(seeds[n][d] for n, d in moving),
        *(begun[n][d] for n, d in sums),
        *(before[d][k] for d, k in seen),
    )
    params = (
        index,
        *adjoints,
        *totals,
        *added,
        *reads,
        *handed.values(),
        *entries,
        *kept.saved,
        *stacks.values(),
    )
    values = tuple(v for v in params if isinstance(v, Var))
    block = Block(values, kept.body, results)
    back = _without_idle_arrays(
        Scan(
            (*bars, *ends, *rows),
            *_range(kept.loop),
            starts,
            (*loop.reads, *handed),
            (*loop.entries, *kept.stacks, *stacks),
            block,
            not loop.backwards if isinstance(loop, Scan) else True,
            kept.states,
            _said(loop),
        )
    )
    copied = {*_copied(parent, loop, body).values()}
    if not copied.isdisjoint(back.reads):
        own = tuple(parent.saved(r) if r in copied else r for r in back.reads)
        back = replace(back, reads=own)
    parent.gathering.totals = _replaced(before, seen, ends)
    if back.outs:  # else no trip changes an adjoint
        parent.append([back])
    if kept.stacks or any(out in parent.needed for out in loop.outs):
        forth = parent.replaced.get(loop, loop)
        assert forth is not None
        parent.needed.update(forth.inputs)
    else:
        parent.replaced[loop] = None
        parent.keep_checks(loop)
    _hand_out(parent, loop, active, seeds, still, (bars, rows), moving)


def _replaced(
    totals: Totals, places: Sequence[tuple[int, int]], values: Sequence[Var]
) -> Totals:
    """The totals with other values at some places, given by direction and number."""
    found = dict(zip(places, values, strict=True))
    return tuple(
        tuple(found.get((d, k), value) for k, value in enumerate(own))
        for d, own in enumerate(totals)
    )


def _said(loop: Loop) -> tuple[str, ...]:
    """A comment on a loop back: the first one on the loop forth, or else its head."""
    own = [note for note in loop.notes if not isinstance(note, First | Head | Back)]
    own += [note for note in loop.notes if isinstance(note, Head)]
    return (Back(f"back through: {own[0]}"),) if own else ()


def _without_idle_arrays(loop: Scan) -> Scan:
    """The loop without arrays that its body does not read: they may not last."""
    block, count = loop.body, loop.first_read
    read: set[Operand] = {o for s in block.body for o in s.inputs}
    read.update(block.results)
    places = range(count, len(block.params))
    kept = [
        k for k in places if block.params[k] in read or not block.params[k].type.dims
    ]
    if len(kept) == len(places):
        return loop
    params = (*block.params[:count], *(block.params[k] for k in kept))
    outer = (*loop.reads, *loop.entries)
    return replace(
        loop,
        reads=tuple(outer[k - count] for k in kept if k < loop.first_entry),
        entries=tuple(outer[k - count] for k in kept if k >= loop.first_entry),
        body=Block(params, block.body, block.results),
    )


def _range(loop: Loop) -> tuple[Operand, Operand, Operand]:
    if isinstance(loop, Scan):
        return loop.start, loop.stop, loop.step
    return Literal(0), loop.trips, Literal(1)


def _outs(
    parent: Reverse,
    loop: Loop,
    active: Active,
    params: tuple[tuple[Var, ...], tuple[Var, ...]],
    moving: Sequence[tuple[int, int]],
    sums: Sequence[tuple[int, int]],
) -> list[Var]:
    """New variables for the adjoints before the first trip, then for the sums."""
    first, reads = params
    called, found = parent.context.called, []
    for n, d in moving:
        c = active.carries[n]
        found.append(Var(first[c].type, called(first[c], d, loop.outs[c])))
    for n, d in sums:
        k = active.reads[n]
        found.append(Var(reads[k].type, called(reads[k], d, loop.reads[k])))
    return found


def _hand_out(
    parent: Reverse,
    loop: Loop,
    active: Active,
    seeds: Sequence[Operands],
    still: set[tuple[int, int]],
    outs: tuple[list[Var], list[Var]],
    moving: Sequence[tuple[int, int]],
) -> None:
    """Add the adjoints to those of the loop's first carries, reads and entries."""
    directions = parent.asked.directions
    bars, rows = outs
    by_place = dict(zip(moving, bars, strict=False))
    for n, c in enumerate(active.carries):
        term = tuple(
            seeds[n][d] if (n, d) in still else by_place[n, d]
            for d in range(directions)
        )
        parent.add(loop.carries[c], term)
    rest = bars[len(moving) :]
    for n, k in enumerate(active.reads):
        parent.add(loop.reads[k], tuple(rest[n * directions : (n + 1) * directions]))
    for n, k in enumerate(active.entries):
        parent.add(loop.entries[k], tuple(rows[n * directions : (n + 1) * directions]))
