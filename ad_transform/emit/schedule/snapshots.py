"""The schedule of loops that hold few of their states: see `ir.looping.Snapshots`.

In Python it looks like this:

    snapshots = [(0, x)]
    stops = set(_stops(range(n), 3))
    for i in range(n):
        if i in stops:
            snapshots.append((i, x))
        x = _f_grad_step(i, x)

and back, where `_stops` says which states to hold on the way to the last trip:

    for i in reversed(range(n)):
        place, x = snapshots.pop()
        for stop in _stops(range(place, i + 1), 3 - len(snapshots)):
            snapshots.append((place, x))
            for trip in range(place, stop):
                x = _f_grad_step(trip, x)
            place = stop

A `while` does not know how often it will run:

    while x > 1.0:
        if trips:
            gone = _giving_way(levels, 3)
            del snapshots[gone : gone + 1]
            snapshots.append((trips, x))
        x = _f_grad_step(x)
        trips += 1
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.emit.schedule import carries
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.lines import (
    Hold,
    HoldMore,
    Resume,
    StartList,
    StartStates,
    Stops,
)
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.dims import ANY
from ad_transform.ir.loops.ends import is_held
from ad_transform.ir.nodes import Call, Literal, Operand, Scan, Var, While
from ad_transform.ir.types import INT, Kind, Type

__all__ = ["aim", "back", "begin", "hold", "hold_more", "is_held", "start_levels"]

Loop = Scan | While
Pieces = tuple[Piece, ...]

_LIST = Type(Kind.INT, (ANY,))


def _most(loop: Loop) -> int:
    return loop.snapshots.most if loop.snapshots else 0


# --- forth ----------------------------------------------------------------------------


def begin(scheduler: Scheduler, loop: Loop, frame: Frame) -> None:
    """Hold the first state."""
    snapshots = Var(_LIST, "snapshots")
    carries.name(scheduler, snapshots, frame)
    first = loop.start if isinstance(loop, Scan) else Literal(0)
    state = _pieces(scheduler, loop.finals, frame)
    values = (scheduler.piece(first, frame), *state)
    frame.lines.append(StartStates(snapshots, values))
    frame.values.update(dict.fromkeys(loop.stacks, frame.values[snapshots]))


def hold(
    scheduler: Scheduler, scan: Scan, bounds: Pieces, frame: Frame, inside: Frame
) -> None:
    """Hold more states of a counted loop, where that saves most."""
    stops = Var(_LIST, "stops")
    frame.lines.append(Stops(stops, bounds, _most(scan)))
    carries.name(scheduler, stops, frame)
    index = inside.values[scan.body.params[0]]
    state = _pieces(scheduler, scan.finals, frame)
    snapshots = scheduler.array(scan.stacks[0], frame)
    where = (snapshots, frame.values[stops])
    inside.lines.append(Hold(*where, (index, *state)))


def start_levels(scheduler: Scheduler, loop: While, frame: Frame) -> Var | None:
    """The levels of the states of a tested loop; None if it holds one state only."""
    if _most(loop) == 1:
        return None
    levels = Var(_LIST, "levels")
    frame.lines.append(StartList(levels, (INT,)))
    carries.name(scheduler, levels, frame)
    return levels


def hold_more(
    scheduler: Scheduler, loop: While, levels: Var, frame: Frame, inside: Frame
) -> None:
    """Hold the states of a tested loop as long as they may be of use."""
    gone = Var(INT, "gone")
    state = _pieces(scheduler, loop.finals, frame)
    values = (scheduler.piece(loop.trips, frame), *state)
    lists = scheduler.array(loop.stacks[0], frame), frame.values[levels]
    inside.lines.append(HoldMore(*lists, gone, values, _most(loop)))


def aim(loop: Loop, frame: Frame, inside: Frame) -> None:
    """Let the call of a trip give the carries their new values at once."""
    (call,) = loop.body.body
    if len(call.outs) == 1:
        return  # it stands where the carry changes
    for out, carry in zip(call.outs, loop.outs, strict=False):
        piece = frame.values.get(carry)
        if piece is not None and piece.var is not None:
            inside.targets[out] = piece.var


# --- back -----------------------------------------------------------------------------


def back(
    scheduler: Scheduler, scan: Scan, bounds: Pieces, frame: Frame, inside: Frame
) -> None:
    """The state with which a trip is entered: from the last one held."""
    loop, call = scheduler.held[scan.entries[0]]
    place, stop, trip = (Var(INT, name) for name in ("place", "stop", "trip"))
    state = _state(scan, loop)
    for var in (place, stop, trip, *state):
        carries.name(scheduler, var, inside)
    again = _again(scheduler, loop, call, trip, state, frame, inside)
    runs = any(var is trip for var in values_in((again,)))
    line = Resume(
        scheduler.array(scan.entries[0], frame),
        (place, *state),
        stop,
        trip if runs else Var(INT, "_", named=True),
        inside.values[scan.body.params[0]],
        bounds[2],
        _most(scan),
        again,
    )
    inside.lines.append(line)


def _again(
    scheduler: Scheduler,
    loop: Loop,
    call: Call,
    trip: Var,
    state: tuple[Var, ...],
    frame: Frame,
    inside: Frame,
) -> Piece:
    """One trip of the loop forth, on the state as it is."""
    params = loop.body.params
    mine = _pieces(scheduler, (*[trip] * loop.first_carry, *state), inside)
    reads = _pieces(scheduler, loop.reads, frame)
    given = dict(zip(params, (*mine, *reads), strict=True))
    args = tuple(
        given[a] if isinstance(a, Var) else scheduler.piece(a, frame) for a in call.args
    )
    return scheduler.composer.called(call.callee, args, None)


def _state(scan: Scan, loop: Loop) -> tuple[Var, ...]:
    """The values of a state on the way back; those that the body reads have names
    there.
    """
    entered = dict(zip(scan.entries, scan.entry_params, strict=True))
    recorded = dict(zip(loop.records, loop.stacks, strict=True))
    return tuple(
        entered[recorded[p]] if p in recorded else Var(p.type, p.hint)
        for p in loop.carry_params
    )


def _pieces(scheduler: Scheduler, values: Sequence[Operand], frame: Frame) -> Pieces:
    return tuple(scheduler.piece(value, frame) for value in values)
