"""The schedule of statements that hold no blocks."""

from __future__ import annotations

from ad_transform.derive.wholes.returned import is_shared
from ad_transform.emit.schedule import lines
from ad_transform.emit.schedule.arm_lists import Begin, Keep, TakeBack
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.lines import (
    Append,
    Assert,
    Do,
    Raise,
    StartList,
    Take,
    Unpack,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.emit.schedule.uses import is_idle
from ad_transform.ir.nodes import (
    Apply,
    Call,
    Check,
    Literal,
    Open,
    Operand,
    Print,
    Record,
    Var,
)
from ad_transform.ir.types import RECORD
from ad_transform.later import later

with later():
    from ad_transform.emit.schedule.carries import start_list


def apply(scheduler: Scheduler, statement: Apply, frame: Frame) -> None:
    """An operation: nested into its use, bound to a name, or done to a list."""
    layout = statement.op.layout
    if _is_empty_list(statement):
        start_list(scheduler, statement.out, frame)
    elif statement.op.consumes and layout and layout.leading:
        _change(scheduler, statement, frame)
    else:
        _compute(scheduler, statement, frame)


def _is_empty_list(statement: Apply) -> bool:
    is_full = statement.op.name == "full" and statement.args[1] == Literal(0)
    return is_full and not statement.out.notes


def _compute(scheduler: Scheduler, statement: Apply, frame: Frame) -> None:
    piece = scheduler.applied(statement, frame)
    if statement.op.name in scheduler.composer.never_named or is_idle(
        statement, scheduler.uses
    ):
        frame.values[statement.out] = piece
        return
    if piece.reads and is_shared(statement):
        scheduler.views.add(statement.out)
    piece = scheduler.fitted(piece, frame, scheduler.head(statement.out))
    scheduler.place(statement.out, piece, frame)


def _change(scheduler: Scheduler, statement: Apply, frame: Frame) -> None:
    """A statement that changes a list, which keeps its name."""
    array, out = statement.args[0], statement.out
    piece = scheduler.applied(statement, frame)
    scheduler.before_writing((array,), frame)
    head = scheduler.beside(Do)
    frame.lines.append(Do(scheduler.fitted(piece, frame, head), out.notes))
    frame.values[out] = scheduler.array(array, frame)


def call(scheduler: Scheduler, statement: Call, frame: Frame) -> None:
    """One value is nested as any other, several are unpacked.

    An array that the function changes keeps its name: nothing reads its old items.
    """
    pieces = tuple(scheduler.piece(arg, frame) for arg in statement.args)
    outs = tuple(frame.targets.get(out, out) for out in statement.outs)
    var = outs[0] if len(outs) == 1 else None
    piece = scheduler.composer.called(statement.callee, pieces, var)
    if statement.changes:
        _call_changing(scheduler, statement, piece, frame)
        return
    if var is not None:
        piece = scheduler.fitted(piece, frame, scheduler.head(var))
        scheduler.place(statement.outs[0], piece, frame)
        return
    _unpack(scheduler, statement.outs, piece, frame)


def _unpack(
    scheduler: Scheduler, outs: tuple[Var, ...], piece: Piece, frame: Frame
) -> None:
    """Several values of one expression."""
    targets = tuple(frame.targets.get(out, out) for out in outs)
    head = scheduler.beside(Unpack)
    frame.lines.append(Unpack(targets, scheduler.fitted(piece, frame, head)))
    for out, target in zip(outs, targets, strict=True):
        frame.values[out] = scheduler.named(target)


def record(scheduler: Scheduler, statement: Record, frame: Frame) -> None:
    """A record is a tuple, one value the value itself."""
    pieces = tuple(scheduler.piece(arg, frame) for arg in statement.args)
    piece, *others = pieces or (None,)
    if piece is None or others:
        piece = scheduler.composer.called("", pieces, statement.out)
    frame.values[statement.out] = piece


def opened(scheduler: Scheduler, statement: Open, frame: Frame) -> None:
    """The values that a record holds."""
    piece = scheduler.piece(statement.record, frame)
    if [out.type for out in statement.outs] == [RECORD]:
        frame.values[statement.outs[0]] = piece
    elif len(statement.outs) == 1:
        scheduler.place(statement.outs[0], piece, frame)
    else:
        _unpack(scheduler, statement.outs, piece, frame)


def begin(scheduler: Scheduler, statement: Begin, frame: Frame) -> None:
    """An empty list, to which arms of the loop that follows append."""
    frame.lists.append(StartList(statement.held, statement.types))


def keep(scheduler: Scheduler, statement: Keep, frame: Frame) -> None:
    """An arm appends its records, several values as a tuple."""
    several = len(statement.args) > 1
    head = 2 * frame.step + 1 if several else scheduler.beside(Append, statement.held)
    pieces = [scheduler.piece(arg, frame) for arg in statement.args]
    values = tuple(scheduler.fitted(piece, frame, head) for piece in pieces)
    frame.lines.append(Append(statement.held, values))


def take(scheduler: Scheduler, statement: TakeBack, frame: Frame) -> None:
    """An arm takes back the records that were appended last."""
    outs = tuple(frame.targets.get(out, out) for out in statement.outs)
    frame.lines.append(Take(outs, statement.held))
    for out, target in zip(statement.outs, outs, strict=True):
        frame.values[out] = scheduler.named(target)


def _call_changing(
    scheduler: Scheduler, statement: Call, piece: Piece, frame: Frame
) -> None:
    changed = [statement.args[k] for k in statement.changes]
    scheduler.before_writing(changed, frame)
    names: list[Var] = []
    for out in statement.outs:
        like = next((a for a in changed if out.type.dims and _alike(a, out)), None)
        name = frame.targets.get(out, out)
        if like is not None:
            changed.remove(like)
            name = scheduler.array(like, frame).var or name
        names.append(name)
    targets = tuple(names)
    head = scheduler.beside(Unpack, *targets)
    frame.lines.append(Unpack(targets, scheduler.fitted(piece, frame, head)))
    for out, target in zip(statement.outs, targets, strict=True):
        frame.values[out] = scheduler.named(target)


def _alike(array: Operand, out: Var) -> bool:
    """Whether a result that is a list, of whatever length, is named as the argument."""
    if not isinstance(array, Var) or array.hint != out.hint:
        return False
    one, other = array.type, out.type
    return one.kind is other.kind and len(one.dims) == len(other.dims)


def check(scheduler: Scheduler, statement: Check, frame: Frame) -> None:
    """`assert`, or the exception that is raised where the test fails."""
    test = scheduler.piece(statement.test, frame)
    message = _message(scheduler, statement, frame)
    if statement.error:
        _raise(scheduler, statement, test, message, frame)
        return
    told = scheduler.composer.message(message, statement.formats)
    test = scheduler.fitted(test, frame, scheduler.beside(Assert) + told)
    line = Assert(test, message, statement.formats, statement.notes)
    frame.lines.append(line)


def said(scheduler: Scheduler, statement: Print, frame: Frame) -> None:
    """`print`; a value that is shown alone may be an expression."""
    message = _message(scheduler, statement, frame)
    if len(message) == 1 and isinstance(message[0], Piece):
        head = scheduler.beside(lines.Print)
        message = (scheduler.fitted(message[0], frame, head),)
    how = (statement.formats, statement.words, statement.notes)
    frame.lines.append(lines.Print(message, *how))


def _message(
    scheduler: Scheduler, statement: Check | Print, frame: Frame
) -> tuple[str | Piece, ...]:
    return tuple(
        part if isinstance(part, str) else scheduler.piece(part, frame)
        for part in statement.message
    )


def _raise(
    scheduler: Scheduler,
    statement: Check,
    test: Piece,
    message: tuple[str | Piece, ...],
    frame: Frame,
) -> None:
    """Raise an exception where the test of a check does not hold."""
    fails: Piece | None = None
    if statement.test != Literal(False):
        made = statement.test
        var = made if isinstance(made, Var) else None
        fails = scheduler.composer.negated(test, var)
        fails = scheduler.fitted(fails, frame, scheduler.beside(Raise))
    how = (statement.formats, statement.notes)
    frame.lines.append(Raise(statement.error, fails, message, *how))
