"""The schedule of counted loops: carries are names that every trip binds again."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.emit.schedule import carries, rebinding, snapshots
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.items import Items, others
from ad_transform.emit.schedule.lines import For, Reverse
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.records import Saved
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.emit.schedule.trips import settled
from ad_transform.ir.loops.ends import needs_index
from ad_transform.ir.loops.exits import read_in
from ad_transform.ir.nodes import Literal, Operand, Scan, Var
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import INT


def scan(scheduler: Scheduler, statement: Scan, frame: Frame) -> Task[None]:
    """`for` over a range, recording on lists and reading lists along."""
    block = statement.body
    count = len(statement.carries)
    carried, stacks = statement.finals, statement.stacks
    items = scheduler.items.get(statement)
    counts = needs_index(statement) and (items is None or items.is_counted)
    ends = statement.inputs[:3] if counts and items is None else ()
    bounds = tuple(scheduler.piece(end, frame) for end in ends)
    notes = carries.start(scheduler, statement, carried, statement.carries, frame)
    held = snapshots.is_held(statement)
    forth = held and not statement.backwards
    if forth:
        snapshots.begin(scheduler, statement, frame)
    else:
        carries.begin(scheduler, stacks, frame)
    if statement.start == statement.stop and isinstance(statement.start, Literal):
        return  # there is no trip: all is as it began
    inside = frame.within()
    index, *params = block.params
    unread = statement.backwards and not held and index not in read_in(block)
    if unread:  # on the way back only the number of trips counts
        index = Var(INT, "_", named=True)
    if counts:
        carries.name(scheduler, index, inside)
    outer = (*carried, *statement.reads)
    carries.enter(scheduler, tuple(params[: len(outer)]), outer, frame, inside)
    stacked = params[len(outer) :]
    entries = () if held else _entries(scheduler, stacked, statement.entries, frame)
    if items is not None:
        entries = (*carries.items(scheduler, items, frame, inside), *entries)
    for entry in stacked:
        carries.name(scheduler, entry, inside)
    inside.owned.update(params[:count])
    if forth:
        snapshots.hold(scheduler, statement, bounds, frame, inside)
        snapshots.aim(statement, frame, inside)
    elif held:
        snapshots.back(scheduler, statement, bounds, frame, inside)
    carries.nest(scheduler, carried, statement.handed_on)
    yield scheduler.body(others(block.body, items), inside)
    lists: list[Var] = []
    if not forth:
        records = statement.records
        lists += carries.record(scheduler, stacks, records, frame, inside)
    rebinding.update(
        scheduler, carries.names(carried, frame), statement.handed_on, inside
    )
    lines = settled(inside.lines, scheduler)
    backwards = statement.backwards and not (unread and not entries)
    how = (*_listing(statement.carry_params, items), notes)
    counter = index if counts else None
    frame.lines.append(For(counter, bounds, entries, backwards, lines, *how))
    if statement.backwards:  # records stand in the order of the range
        frame.lines += map(Reverse, lists)


def _listing(lists: Sequence[Var], items: Items | None) -> tuple[bool, bool]:
    """Whether a loop fills a list, and whether it was a comprehension."""
    gathers = not any(each.named for each in lists)
    return items is not None and items.fills, gathers


def _entries(
    scheduler: Scheduler,
    entries: Sequence[Var],
    stacks: Sequence[Operand],
    frame: Frame,
) -> tuple[tuple[tuple[Var, ...], Piece], ...]:
    """The lists that a loop goes over, with the values that a trip gets from each."""
    by_stack = dict(zip(stacks, entries, strict=True))
    found: list[tuple[tuple[Var, ...], Piece]] = []
    told: set[Saved] = set()
    for entry, stack in zip(entries, stacks, strict=True):
        one = scheduler.records.saved.get(stack) if isinstance(stack, Var) else None
        if one is None:
            found.append(((entry,), scheduler.piece(stack, frame)))
        elif one not in told:
            told.add(one)
            group = tuple(by_stack[each] for each in one.stacks)
            found.append((group, scheduler.piece(one.var, frame)))
    return tuple(found)
