"""The carries of loops: their first values, and the records of a trip."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.items import Items
from ad_transform.emit.schedule.lines import Append, Bind, StartList
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import First, Head, Operand, Scan, Var, While

Notes = tuple[str, ...]


def name(scheduler: Scheduler, var: Var, frame: Frame) -> None:
    """Let a value be known by the name that a line gives it."""
    target = frame.targets.get(var, var)
    frame.values[var] = scheduler.named(target)


def targets(outs: Sequence[Var], frame: Frame) -> tuple[Var, ...]:
    """The variables that name the values: in an arm perhaps the branch's results."""
    return tuple(frame.targets.get(out, out) for out in outs)


def names(carries: Sequence[Var], frame: Frame) -> tuple[Var, ...]:
    """The variables that name the carries in this frame."""
    pieces = (frame.values[carry] for carry in carries)
    return tuple(piece.var for piece in pieces if piece.var is not None)


def begin(scheduler: Scheduler, stacks: Sequence[Var], frame: Frame) -> None:
    """Start empty lists for the records of a loop."""
    for one in dict.fromkeys(scheduler.records.saved.get(stack) for stack in stacks):
        if one is not None:
            frame.lines.append(StartList(one.var, one.types))
            name(scheduler, one.var, frame)
            frame.values.update(dict.fromkeys(one.stacks, frame.values[one.var]))
    for stack in stacks:
        if stack not in scheduler.records.saved:
            start_list(scheduler, stack, frame)
    frame.lines += frame.lists
    frame.lists.clear()


def start_list(scheduler: Scheduler, array: Var, frame: Frame) -> None:
    """Start an empty list; the first arm states its type, for the other one too."""
    (target,) = targets((array,), frame)
    is_first = target not in scheduler.begun
    scheduler.begun.add(target)
    frame.lines.append(StartList(target, (scheduler.records.item(array),), is_first))
    name(scheduler, array, frame)


def record(
    scheduler: Scheduler,
    stacks: Sequence[Var],
    records: Sequence[Operand],
    frame: Frame,
    inside: Frame,
) -> list[Var]:
    """Append the records of a trip, before its carries change; gives the lists."""
    given = dict(zip(stacks, records, strict=True))
    lists: list[Var] = []
    for stack in stacks:
        one = scheduler.records.saved.get(stack)
        if one is None:
            (target,) = targets((stack,), frame)
            head = scheduler.beside(Append, target)
            piece = scheduler.piece(given[stack], inside)
            values: tuple[Piece, ...] = (scheduler.fitted(piece, inside, head),)
        elif stack is one.stacks[0]:
            target, head = one.var, 2 * frame.step + 1
            pieces = [scheduler.piece(given[each], inside) for each in one.stacks]
            values = tuple(scheduler.fitted(piece, inside, head) for piece in pieces)
        else:
            continue
        inside.lines.append(Append(target, values))
        lists.append(target)
    return lists


def lists(
    scheduler: Scheduler, stacks: Sequence[Var], frame: Frame, some: Set[Var]
) -> Set[Var]:
    """The lists that hold some of the stacks."""
    known = scheduler.records.saved
    saved = {stack: known.get(stack) for stack in stacks if stack in some}
    return {
        targets((stack,), frame)[0] if one is None else one.var
        for stack, one in saved.items()
    }


def start(
    scheduler: Scheduler,
    loop: Scan | While,
    outs: tuple[Var, ...],
    starts: tuple[Operand, ...],
    frame: Frame,
) -> Notes:
    """Give the carries their names and first values, all of them before any changes;
    the comments that are left for the loop itself.
    """
    own = scheduler.said_once(loop.notes)
    notes = tuple(note for note in own if not isinstance(note, Head))
    frame.looped.update(outs)
    for out, start in zip(outs, starts, strict=True):
        if out.type.dims:
            frame.values[out] = scheduler.array(start, frame)  # the list keeps its name
        elif _goes_on(scheduler, out, start, frame):
            frame.values[out] = scheduler.piece(start, frame)
        else:
            scheduler.assign(out, scheduler.piece(start, frame), frame)
            notes = _told(out, notes, frame)
    return notes


def _told(out: Var, notes: Notes, frame: Frame) -> Notes:
    """The comments but for those on the first value of a carry: they go there."""
    own = tuple(
        note for note in notes if isinstance(note, First) and note.of == out.hint
    )
    line = frame.lines[-1]
    if not own or not isinstance(line, Bind):
        return notes
    frame.lines[-1] = replace(line, notes=(*own, *line.notes))
    return tuple(note for note in notes if note not in own)


def _goes_on(scheduler: Scheduler, out: Var, start: Operand, frame: Frame) -> bool:
    """Whether a carry takes over the name of its first value: nothing else reads that,
    or it has the name that the carry is to have.
    """
    if not isinstance(start, Var):
        return False
    if out in frame.targets:
        return frame.values[start].var is frame.targets[out]
    if start not in frame.owned:
        return False
    alike = start.type == out.type and start.hint == out.hint
    return alike and scheduler.uses[start] == 1 and frame.values[start].is_atom


def enter(
    scheduler: Scheduler,
    params: tuple[Var, ...],
    outer: tuple[Operand, ...],
    frame: Frame,
    inside: Frame,
) -> None:
    """Let the parameters of a block stand for values outside."""
    for param, operand in zip(params, outer, strict=True):
        inside.values[param] = scheduler.piece(operand, frame)


def nest(scheduler: Scheduler, outs: Sequence[Var], results: Sequence[Operand]) -> None:
    """Let new values with the names of carries be bound where the carries change."""
    for out, result in zip(outs, results, strict=True):
        if isinstance(result, Var) and result.hint == out.hint and not result.notes:
            scheduler.kept.add(result)


def items(
    scheduler: Scheduler, over: Items, frame: Frame, inside: Frame
) -> tuple[tuple[tuple[Var, ...], Piece], ...]:
    """Name the items as the loop binds them; gives the lists."""
    found: list[tuple[tuple[Var, ...], Piece]] = []
    for statement, (array, *row) in zip(over.reading, over.lists, strict=True):
        bound = over.bound(statement)
        for out in bound:
            name(scheduler, out, inside)
        piece = scheduler.piece(array, frame)
        if row:
            taken = replace(statement, out=Var(array.type.entry), args=(array, *row))
            piece = scheduler.applied(taken, frame)
        found.append((bound, piece))
    return tuple(found)
