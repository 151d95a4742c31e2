"""The schedule of loops: carries are names that every trip binds again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.emit.expressions import Piece, value_atom
from ad_transform.emit.lines import (
    Append,
    Break,
    For,
    If,
    Loop,
    Reverse,
    Start,
    Step,
    Update,
)
from ad_transform.emit.signature import list_of
from ad_transform.ir.nodes import Literal, Operand, Scan, Var, While
from ad_transform.ir.trampoline import Task

if TYPE_CHECKING:
    from ad_transform.emit.schedule import Frame, Scheduler


def scan(scheduler: Scheduler, statement: Scan, frame: Frame) -> Task[None]:
    """`for` over a range, recording on lists and reading lists along."""
    block = statement.body
    count = len(statement.carries)
    carried, stacks = statement.outs[:count], _targets(statement.stacks, frame)
    ends = (statement.start, statement.stop, statement.step)
    bounds = tuple(scheduler.piece(end, frame) for end in ends)
    _start(scheduler, carried, statement.carries, frame)
    _begin(scheduler, statement.stacks, frame)
    if statement.start == statement.stop and isinstance(statement.start, Literal):
        return  # there is no trip: all is as it began
    inside = frame.within()
    index, *params = block.params
    _name(scheduler, index, inside)
    outer = (*carried, *statement.reads)
    _enter(scheduler, tuple(params[: len(outer)]), outer, frame, inside)
    stacked = params[len(outer) :]
    entries = tuple(
        (entry, scheduler.piece(stack, frame))
        for entry, stack in zip(stacked, statement.entries, strict=True)
    )
    for entry in stacked:
        _name(scheduler, entry, inside)
    yield scheduler.body(block.body, inside)
    _record(scheduler, stacks, block.results[count:], inside)
    _update(scheduler, _names(carried, frame), block.results[:count], inside)
    callees = tuple(map(scheduler.scope.reference, _CALLEES))
    loop = For(callees, index, bounds, entries, statement.backwards, inside.lines)
    frame.lines.append(loop)
    if statement.backwards:  # what was recorded stands in the order of the range
        frame.lines += map(Reverse, stacks)


_CALLEES = ("builtins.range", "builtins.reversed", "builtins.zip")


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
    yield scheduler.body(statement.body.body, inside)
    results = statement.body.results
    _record(scheduler, _targets(stacks, frame), results[len(outs) :], inside)
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


def _begin(scheduler: Scheduler, stacks: tuple[Var, ...], frame: Frame) -> None:
    """Empty lists for what will be recorded."""
    for stack in stacks:
        (target,) = _targets((stack,), frame)
        # the first arm says what the list holds, for the other one too
        annotation = "" if target in scheduler.begun else list_of(target.type)
        scheduler.begun.add(target)
        frame.lines.append(Start(target, "[]", annotation))
        _name(scheduler, stack, frame)


def _record(
    scheduler: Scheduler,
    stacks: tuple[Var, ...],
    records: tuple[Operand, ...],
    inside: Frame,
) -> None:
    """Append what a trip records, before its carries change."""
    for stack, record in zip(stacks, records, strict=True):
        head = scheduler.columns(stack) + len(".append()")
        piece = scheduler.fitted(scheduler.piece(record, inside), inside, head)
        inside.lines.append(Append(stack, piece))


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
        else:
            scheduler.assign(out, scheduler.piece(start, frame), frame)


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
    """Bind the carries again, all at once; what is too long for that gets a name."""
    pairs = [
        (out, scheduler.piece(result, frame))
        for out, result in zip(outs, results, strict=True)
    ]
    pairs = [(out, piece) for out, piece in pairs if piece.var is not out]
    if len(pairs) == 1:
        out, piece = pairs[0]
        piece = scheduler.fitted(piece, frame, scheduler.columns(out) + 3)
        frame.lines.append(Update((out,), (piece,)))
    elif pairs:
        columns = sum(scheduler.columns(out) + 2 for out, _ in pairs) + 1
        columns += sum(piece.width + 2 for _, piece in pairs)
        pieces: list[Piece] = []
        for _, piece in pairs:
            wide = frame.indent + columns > scheduler.limit and not piece.is_atom
            pieces.append(scheduler.bind(piece, frame) if wide else piece)
            columns += pieces[-1].width - piece.width
        frame.lines.append(Update(tuple(out for out, _ in pairs), tuple(pieces)))
