"""The memory of a loop for the way back: records, its states, or nothing.

As few values a trip are recorded as the body back can do with. Values that one trip
makes of lasting ones are made again on the way back; and not on the way forth, if
nobody else needs them there.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.derive.sweep.cut import Split, split
from ad_transform.derive.sweep.fewest import fewest, read_by
from ad_transform.derive.sweep.once_more import once_more
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.recomputed import made_in_a_trip
from ad_transform.derive.sweep.reverse import Reverse, Swept
from ad_transform.derive.sweep.snapshots import (
    in_place,
    recording,
    run_again,
    states_of,
    whole_trip,
)
from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import (
    Block,
    Operand,
    Scan,
    Snapshots,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import Type

Loop = Scan | While
Operands = tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class TripBack:
    """A trip on the way back: its sweep and its results.

    `late` is known only there, `free` on both ways; `carries` are those of the trip.
    """

    swept: Swept
    results: Operands
    late: Operands
    free: tuple[Var, ...]
    carries: tuple[Var, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """The statements of a trip back, the saved values that it takes, and their stacks.

    `loop` is the loop that has recorded them, `states` how many states it may hold.
    """

    body: tuple[Statement, ...]
    loop: Loop
    saved: tuple[Var, ...] = ()
    stacks: tuple[Var, ...] = ()
    states: Snapshots | None = None


def _stacked(type_: Type, dim: Dim) -> Type:
    """The type of a list of so many such values."""
    return Type(type_.kind, (dim, *type_.dims), type_.shape)


def kept_of(parent: Reverse, loop: Loop, body: Block, trip: TripBack) -> Kept:
    """The memory of a loop; the loop that records is entered."""
    return (
        _nothing(parent, loop, trip)
        or _states(parent, loop, body, trip)
        or _records(parent, loop, body, trip)
    )


def _nothing(parent: Reverse, loop: Loop, trip: TripBack) -> Kept | None:
    """No memory: a loop that would only record forth runs its trips on the way back.
    None if that is not possible.
    """
    idle = (
        isinstance(loop, Scan)
        and parent.needed.isdisjoint(loop.outs)
        and loop not in parent.checking
        and parent.asked.hook is None
    )
    made = made_in_a_trip(trip.swept.forth, trip.free) if idle else []
    if not made:
        return None
    known = (*trip.free, *(out for s in made for out in s.outs))
    part = split(trip.swept.back, trip.results, trip.late, known)
    if part.saved:
        return None
    again = read_by(part.late, trip.results, made)
    return Kept((*again, *part.late), loop)


def _records(parent: Reverse, loop: Loop, body: Block, trip: TripBack) -> Kept:
    """Records of a loop: as few values as the trip back can do with."""
    ways = trip.swept.forth, trip.swept.back
    part = fewest(ways, trip.results, trip.late, trip.free, trip.free)
    if parent.asked.is_repeated and part.saved:
        ends = trip.results, trip.late, trip.free
        part = once_more(ways, *ends, trip.carries, part)
    stacks = _forth(parent, loop, body, trip.swept, part)
    return Kept(part.late, loop, part.saved, stacks)


def _forth(
    parent: Reverse, loop: Loop, body: Block, swept: Swept, part: Split
) -> tuple[Var, ...]:
    """Enter the loop forth; returns the stacks that it records besides its own."""
    statements = ordered((*swept.forth, *part.early))
    count = len(loop.carries)
    known = dict(zip(body.results[count:], loop.stacks, strict=True))
    new = [v for v in part.saved if v not in known]
    block = Block(body.params, statements, (*body.results, *new))
    dim = _trips(parent, loop) if new else 0
    stacks = [
        Var(_stacked(v.type, dim), f"{v.hint}_list" if v.hint else "") for v in new
    ]
    mask = parent.masked(loop.outs)
    parent.mask.update((out, mask) for out in stacks)
    forth: Statement
    if isinstance(loop, Scan):
        ends = loop.start, loop.stop, loop.step, loop.carries, loop.reads, loop.entries
        forth = Scan(
            (*loop.outs, *stacks), *ends, block, loop.backwards, notes=loop.notes
        )
    else:
        outs = (*loop.outs[:-1], *stacks, loop.trips)
        loop_of = loop.carries, loop.reads, loop.test
        forth = While(outs, *loop_of, block, notes=loop.notes)
    parent.replaced[loop] = forth
    made = dict(zip(new, stacks, strict=True))
    return tuple(known[v] if v in known else made[v] for v in part.saved)


def states_held(parent: Reverse, loop: Loop) -> Snapshots | None:
    """The states that a loop holds; None for estimates: they look at operations."""
    return None if parent.asked.hook is not None else states_of(loop)


def _states(parent: Reverse, loop: Loop, body: Block, trip: TripBack) -> Kept | None:
    """The states before the trips; None if the loop may hold all its records."""
    states = states_held(parent, loop)
    if states is None:
        return None
    part = whole_trip(trip.swept.forth, trip.swept.back, trip.results, trip.carries)
    twin, stacks = _held(parent, loop, body)
    return Kept(part.late, twin, part.saved, stacks, states)


def _held(parent: Reverse, loop: Loop, body: Block) -> tuple[Loop, tuple[Var, ...]]:
    """Enter the loop that records its states; returns it and the stacks of these.

    Inside a loop or an arm it stands on the way back: its first values are held between
    the two ways.
    """
    if parent.asked.mixed:
        made, stacks = recording(loop, body, _trips(parent, loop))
        parent.replaced[loop] = made
        mask = parent.masked(loop.outs)
        parent.mask.update((out, mask) for out in stacks)
        return made, stacks
    parent.replaced[loop] = in_place(loop)
    *copies, twin = run_again(loop, parent.asked.body)
    assert isinstance(twin, Loop)
    made, stacks = recording(twin, body, _trips(parent, loop))
    parent.append([*copies, made])
    return made, stacks


def _trips(parent: Reverse, loop: Loop) -> int | str:
    """The first dim of the loop's stacks."""
    if isinstance(loop, Scan) and loop.entries:
        return loop.entries[0].type.dims[0]
    if loop.stacks:
        return loop.stacks[0].type.dims[0]
    return parent.context.trips()
