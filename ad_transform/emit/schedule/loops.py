"""The schedule of loops: carries are names that every trip binds again."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.emit.python.expressions import Piece, value_atom
from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.python.signature import list_of
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.lines import (
    Append,
    Break,
    For,
    If,
    Loop,
    Reverse,
    Start,
    Step,
    Update,
    values_in,
)
from ad_transform.emit.schedule.records import Saved, needs_index
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import Literal, Operand, Scan, Var, While
from ad_transform.ir.trampoline import Task


def scan(scheduler: Scheduler, statement: Scan, frame: Frame) -> Task[None]:
    """`for` over a range, recording on lists and reading lists along."""
    block = statement.body
    count = len(statement.carries)
    carried, stacks = statement.outs[:count], statement.stacks
    counts = needs_index(statement)
    ends = (statement.start, statement.stop, statement.step) if counts else ()
    bounds = tuple(scheduler.piece(end, frame) for end in ends)
    _start(scheduler, carried, statement.carries, frame)
    _begin(scheduler, statement.stacks, frame)
    if statement.start == statement.stop and isinstance(statement.start, Literal):
        return  # there is no trip: all is as it began
    inside = frame.within()
    index, *params = block.params
    if counts:
        _name(scheduler, index, inside)
    outer = (*carried, *statement.reads)
    _enter(scheduler, tuple(params[: len(outer)]), outer, frame, inside)
    stacked = params[len(outer) :]
    entries = _entries(scheduler, stacked, statement.entries, frame)
    for entry in stacked:
        _name(scheduler, entry, inside)
    inside.owned.update(params[:count])
    _nest(scheduler, carried, block.results[:count])
    yield scheduler.body(block.body, inside)
    lists = _record(scheduler, stacks, block.results[count:], frame, inside)
    _update(scheduler, _names(carried, frame), block.results[:count], inside)
    callees = _callees(scheduler, counts, len(entries), statement.backwards)
    counter = index if counts else None
    loop = For(callees, counter, bounds, entries, statement.backwards, inside.lines)
    frame.lines.append(loop)
    if statement.backwards:  # what was recorded stands in the order of the range
        frame.lines += map(Reverse, lists)


def _callees(
    scheduler: Scheduler, counts: bool, lists: int, backwards: bool
) -> tuple[str, ...]:
    """How `range`, `reversed` and `zip` are called, as far as they are."""
    called = (counts, backwards, lists + counts > 1)
    names = ("builtins.range", "builtins.reversed", "builtins.zip")
    return tuple(
        scheduler.scope.reference(name) if wanted else ""
        for name, wanted in zip(names, called, strict=True)
    )


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
        one = scheduler.saved.get(stack) if isinstance(stack, Var) else None
        if one is None:
            found.append(((entry,), scheduler.piece(stack, frame)))
        elif one not in told:
            told.add(one)
            group = tuple(by_stack[each] for each in one.stacks)
            found.append((group, scheduler.piece(one.var, frame)))
    return tuple(found)


def loop(scheduler: Scheduler, statement: While, frame: Frame) -> Task[None]:
    """`while`, with a test that is an expression, or one that needs statements."""
    outs, stacks = statement.outs[: len(statement.carries)], statement.stacks
    (trips,) = _targets((statement.trips,), frame)
    _start(scheduler, outs, statement.carries, frame)
    counted = scheduler.uses[statement.trips] > 0
    if counted:
        frame.lines.append(Start(trips, "0"))
        _name(scheduler, statement.trips, frame)
    _begin(scheduler, stacks, frame)
    outer = (*outs, *statement.reads)
    before = frame.within()
    _enter(scheduler, statement.test.params, outer, frame, before)
    yield scheduler.body(statement.test.body, before)
    test = scheduler.piece(statement.test.results[0], before)
    simple = not before.lines and scheduler.fits(test, frame.indent, len("while :"))
    inside = frame.within() if simple else before.within()
    _enter(scheduler, statement.body.params, outer, frame, inside)
    inside.owned.update(statement.body.params[: len(outs)])
    results = statement.body.results
    _nest(scheduler, outs, results[: len(outs)])
    yield scheduler.body(statement.body.body, inside)
    _record(scheduler, stacks, results[len(outs) :], frame, inside)
    _update(scheduler, _names(outs, frame), results[: len(outs)], inside)
    if counted:
        inside.lines.append(Step(trips))
    if simple:
        frame.lines.append(Loop(test, inside.lines))
        return
    test = scheduler.fitted(test, before, len("if :"))
    before.lines.append(If(test, inside.lines, [Break()]))
    frame.lines.append(Loop(None, before.lines))


def _name(scheduler: Scheduler, var: Var, frame: Frame) -> None:
    target = frame.targets.get(var, var)
    frame.values[var] = value_atom(target, scheduler.columns(target), False)


def _targets(outs: Sequence[Var], frame: Frame) -> tuple[Var, ...]:
    """Whose names the values get: in an arm perhaps those of the branch."""
    return tuple(frame.targets.get(out, out) for out in outs)


def _names(carries: Sequence[Var], frame: Frame) -> tuple[Var, ...]:
    """Whose names the carries have in this frame."""
    pieces = (frame.values[carry] for carry in carries)
    return tuple(piece.var for piece in pieces if piece.var is not None)


def _begin(scheduler: Scheduler, stacks: Sequence[Var], frame: Frame) -> None:
    """Empty lists for what will be recorded."""
    for one in dict.fromkeys(scheduler.saved.get(stack) for stack in stacks):
        if one is not None:
            frame.lines.append(Start(one.var, "[]", one.annotation))
            _name(scheduler, one.var, frame)
            frame.values.update(dict.fromkeys(one.stacks, frame.values[one.var]))
    for stack in stacks:
        if stack not in scheduler.saved:
            (target,) = _targets((stack,), frame)
            # the first arm says what the list holds, for the other one too
            annotation = "" if target in scheduler.begun else list_of(target.type)
            scheduler.begun.add(target)
            frame.lines.append(Start(target, "[]", annotation))
            _name(scheduler, stack, frame)


def _record(
    scheduler: Scheduler,
    stacks: Sequence[Var],
    records: Sequence[Operand],
    frame: Frame,
    inside: Frame,
) -> list[Var]:
    """Append what a trip records, before its carries change; the lists are given."""
    given = dict(zip(stacks, records, strict=True))
    lists: list[Var] = []
    for stack in stacks:
        one = scheduler.saved.get(stack)
        if one is None:
            (target,) = _targets((stack,), frame)
            head = scheduler.columns(target) + len(".append()")
            piece = scheduler.piece(given[stack], inside)
            values: tuple[Piece, ...] = (scheduler.fitted(piece, inside, head),)
        elif stack is one.stacks[0]:
            target, head = one.var, 2 * INDENT + 1
            pieces = [scheduler.piece(given[each], inside) for each in one.stacks]
            values = tuple(scheduler.fitted(piece, inside, head) for piece in pieces)
        else:
            continue
        inside.lines.append(Append(target, values))
        lists.append(target)
    return lists


def _start(
    scheduler: Scheduler,
    outs: tuple[Var, ...],
    starts: tuple[Operand, ...],
    frame: Frame,
) -> None:
    """Give the carries their names and first values, all of them before any changes."""
    for out, start in zip(outs, starts, strict=True):
        if out.type.dims:
            frame.values[out] = scheduler.array(start, frame)  # the list keeps its name
        elif _goes_on(scheduler, out, start, frame):
            frame.values[out] = scheduler.piece(start, frame)
        else:
            scheduler.assign(out, scheduler.piece(start, frame), frame)


def _goes_on(scheduler: Scheduler, out: Var, start: Operand, frame: Frame) -> bool:
    """Whether a carry takes over the name of its first value: nothing else reads it."""
    if not isinstance(start, Var) or start not in frame.owned or out in frame.targets:
        return False
    alike = start.type == out.type and start.hint == out.hint
    return alike and scheduler.uses[start] == 1 and frame.values[start].is_atom


def _enter(
    scheduler: Scheduler,
    params: tuple[Var, ...],
    outer: tuple[Operand, ...],
    frame: Frame,
    inside: Frame,
) -> None:
    for param, operand in zip(params, outer, strict=True):
        inside.values[param] = scheduler.piece(operand, frame)


def _update(
    scheduler: Scheduler,
    outs: tuple[Var, ...],
    results: tuple[Operand, ...],
    frame: Frame,
) -> None:
    """Bind the carries again, one after another if they do not read each other."""
    pairs = [
        (out, scheduler.piece(result, frame))
        for out, result in zip(outs, results, strict=True)
    ]
    pairs = [(out, piece) for out, piece in pairs if piece.var is not out]
    order = _in_turn(pairs)
    for out, piece in order:
        value = scheduler.fitted(piece, frame, scheduler.columns(out) + 3)
        frame.lines.append(Update((out,), (value,)))
    if pairs and not order:
        _at_once(scheduler, pairs, frame)


def _nest(
    scheduler: Scheduler, outs: Sequence[Var], results: Sequence[Operand]
) -> None:
    """Let new values of carries that have the same name be bound where these change."""
    for out, result in zip(outs, results, strict=True):
        if isinstance(result, Var) and result.hint == out.hint and not result.notes:
            scheduler.kept.add(result)


Pairs = list[tuple[Var, Piece]]


def _in_turn(pairs: Pairs) -> Pairs:
    """An order in which no carry changes before it is read; empty if there is none."""
    waiting = [(out, piece, set(values_in((piece,))) - {out}) for out, piece in pairs]
    order: Pairs = []
    while waiting:
        for k, (out, piece, _) in enumerate(waiting):
            if not any(out in reads for other, _, reads in waiting if other is not out):
                order.append((out, piece))
                del waiting[k]
                break
        else:
            return []
    return order


def _at_once(scheduler: Scheduler, pairs: Pairs, frame: Frame) -> None:
    """One statement for carries that read each other."""
    columns = sum(scheduler.columns(out) + 2 for out, _ in pairs) + 1
    columns += sum(piece.width + 2 for _, piece in pairs)
    pieces: list[Piece] = []
    for _, piece in pairs:
        wide = frame.indent + columns > scheduler.limit and not piece.is_atom
        pieces.append(scheduler.bind(piece, frame) if wide else piece)
        columns += pieces[-1].width - piece.width
    frame.lines.append(Update(tuple(out for out, _ in pairs), tuple(pieces)))
