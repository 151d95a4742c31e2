"""The schedule of statements that hold no blocks."""

from __future__ import annotations

from ad_transform.elementals import TABLE
from ad_transform.emit.python.expressions import Piece, compose, value_atom
from ad_transform.emit.python.layout import INDENT, width
from ad_transform.emit.python.spelling import calling, spelled
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.lines import Assert, Do, Raise, Unpack
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import Apply, Call, Check, Literal, Operand, Var

_NOT = TABLE["not"]


def apply(scheduler: Scheduler, statement: Apply, frame: Frame) -> None:
    """An operation: nested into its use, bound to a name, or done to a list."""
    layout = statement.op.layout
    if statement.op.consumes and layout and layout.leading:
        _change(scheduler, statement, frame)
    else:
        _compute(scheduler, statement, frame)


def _compute(scheduler: Scheduler, statement: Apply, frame: Frame) -> None:
    op = statement.op
    vague = op.name == "pow" and _vague_power(statement.args)
    bound = scheduler.bound(op, spelled(op, len(statement.args)), vague)
    piece = compose(bound, scheduler.operands(statement, frame), statement.out)
    if op.layout is not None:
        arrays = (a for a in statement.args if a.type.dims)
        piece.reads |= {v for v in (scheduler.array(a, frame).var for a in arrays) if v}
    piece = scheduler.fitted(piece, frame, scheduler.head(statement.out))
    scheduler.place(statement.out, piece, frame)


def _change(scheduler: Scheduler, statement: Apply, frame: Frame) -> None:
    """A statement that changes a list, which keeps its name."""
    array, out = statement.args[0], statement.out
    bound = scheduler.bound(statement.op, spelled(statement.op, len(statement.args)))
    piece = compose(bound, scheduler.operands(statement, frame), out)
    scheduler.before_writing((array,), frame)
    frame.lines.append(Do(scheduler.fitted(piece, frame, 0), out.notes))
    frame.values[out] = scheduler.array(array, frame)


def call(scheduler: Scheduler, statement: Call, frame: Frame) -> None:
    """One value is nested as any other, several are unpacked."""
    form = calling(statement.callee, len(statement.args))
    pieces = tuple(scheduler.piece(arg, frame) for arg in statement.args)
    outs = tuple(frame.targets.get(out, out) for out in statement.outs)
    arrays = (scheduler.array(a, frame).var for a in statement.args if a.type.dims)
    if len(outs) == 1:
        piece = compose(scheduler.bound(statement.callee, form), pieces, outs[0])
        piece.reads |= {var for var in arrays if var}
        piece = scheduler.fitted(piece, frame, scheduler.head(outs[0]))
        scheduler.place(statement.outs[0], piece, frame)
        return
    piece = compose(scheduler.bound(statement.callee, form), pieces, None)
    frame.lines.append(Unpack(outs, scheduler.fitted(piece, frame, INDENT)))
    for out, target in zip(statement.outs, outs, strict=True):
        frame.values[out] = value_atom(target, scheduler.columns(target), False)


def check(scheduler: Scheduler, statement: Check, frame: Frame) -> None:
    """`assert`, or the exception that is raised where the test fails."""
    test = scheduler.piece(statement.test, frame)
    message = tuple(
        part if isinstance(part, str) else scheduler.piece(part, frame)
        for part in statement.message
    )
    columns = _message_columns(message) + sum(map(len, statement.formats))
    if statement.error:
        _raise(scheduler, statement, test, message, frame)
        return
    test = scheduler.fitted(test, frame, len("assert ") + columns)
    line = Assert(test, message, statement.formats, statement.notes)
    frame.lines.append(line)


def _raise(
    scheduler: Scheduler,
    statement: Check,
    test: Piece,
    message: tuple[str | Piece, ...],
    frame: Frame,
) -> None:
    """What an exception is raised for: the opposite of what holds."""
    opposite = scheduler.bound(_NOT, spelled(_NOT, 1))
    fails: Piece | None = None
    if statement.test != Literal(False):
        made = statement.test
        var = made if isinstance(made, Var) else None
        is_not = test.bound is opposite
        fails = test.args[0] if is_not else compose(opposite, (test,), var)
        fails = scheduler.fitted(fails, frame, len("if :"))
    error = scheduler.scope.reference(f"builtins.{statement.error}")
    how = (statement.formats, statement.notes)
    frame.lines.append(Raise(error, fails, message, *how))


def _message_columns(message: tuple[str | Piece, ...]) -> int:
    columns = sum(width(m) if isinstance(m, str) else m.width + 2 for m in message)
    return columns + len(', f""') if message else 0


def _vague_power(args: tuple[Operand, ...]) -> bool:
    """typeshed types `x**y` as `Any` unless y is surely a whole number."""
    base, exponent = args
    return exponent.type.is_real or (
        not base.type.is_real and not isinstance(exponent, Literal)
    )
