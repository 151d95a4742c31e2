"""The schedule of tested loops: `while`, and `for` or `while` with a `break`."""

from __future__ import annotations

from collections.abc import Set

from ad_transform.dataclass import replace
from ad_transform.emit.schedule import carries, rebinding, snapshots
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.going_on import GoingOn, going_on
from ad_transform.emit.schedule.items import others
from ad_transform.emit.schedule.lines import (
    Break,
    For,
    If,
    Line,
    Loop,
    StartCount,
    Step,
    Update,
)
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.emit.schedule.trips import settled
from ad_transform.ir.loops.exits import Counter, Exit, counter_of, exit_of, read_in
from ad_transform.ir.nodes import Block, Literal, Operand, Statement, Var, While, node
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import BOOL, INT


@node
class _Shape:
    """The shape of a printed loop: `places` are those of the carries that are names,
    `rest` is done behind its `break`.
    """

    loop: While
    left: Exit | None
    counter: Counter | None
    places: tuple[int, ...]
    rest: GoingOn | None = None

    @property
    def outs(self) -> tuple[Var, ...]:
        return tuple(self.loop.outs[k] for k in self.places)

    @property
    def test(self) -> Block | None:
        """The block that is tested before a trip."""
        if self.counter is not None:
            return None
        return self.loop.test if self.left is None else self.left.rest


def _shape(scheduler: Scheduler, loop: While) -> _Shape:
    used = scheduler.uses.keys()
    left = exit_of(loop)
    counter = None if left is None else counter_of(loop, left, used)
    if snapshots.is_held(loop):  # all that is carried is part of its state
        return _Shape(loop, None, None, tuple(range(len(loop.carries))))
    idle = {
        None if left is None or loop.outs[left.flag] in used else left.flag,
        None if counter is None else counter.carry,
    }
    places = (k for k in range(len(loop.carries)) if k not in idle)
    return _Shape(loop, left, counter, tuple(places), going_on(loop))


def loop(scheduler: Scheduler, statement: While, frame: Frame) -> Task[None]:
    """`while`, with a test that is an expression, or one that needs statements."""
    shape = _shape(scheduler, statement)
    bounds = _bounds(scheduler, shape, frame)
    (trips,) = carries.targets((statement.trips,), frame)
    starts = tuple(statement.carries[k] for k in shape.places)
    notes = carries.start(scheduler, statement, shape.outs, starts, frame)
    counted = scheduler.uses[statement.trips] > 0
    if counted:
        frame.lines.append(StartCount(trips))
    carries.name(scheduler, statement.trips, frame)  # arms may hand it on, unread
    held = snapshots.is_held(statement)
    levels = None
    if held:
        snapshots.begin(scheduler, statement, frame)
        levels = snapshots.start_levels(scheduler, statement, frame)
    else:
        carries.begin(scheduler, statement.stacks, frame)
    before = frame.within()
    test: Piece | None = yield _test(scheduler, shape, frame, before)
    simple = not before.lines and (
        test is None or scheduler.fits(test, frame, scheduler.beside(Loop))
    )
    inside = frame.within() if simple else before.within()
    index = _index(scheduler, shape, frame, inside)
    over = scheduler.items.get(statement)
    _enter(scheduler, shape, statement.body, frame, inside)
    inside.owned.update(statement.body.params[k] for k in shape.places)
    entries = () if over is None else carries.items(scheduler, over, frame, inside)
    if held:
        snapshots.aim(statement, frame, inside)
    if levels is not None:
        snapshots.hold_more(scheduler, statement, levels, frame, inside)
    unread = tuple(
        out for out in shape.outs if not scheduler.uses[out] or out in scheduler.brief
    )
    steps: list[Line] = [Step(trips)] if counted else []
    yield _body(scheduler, shape, frame, inside, steps, set(unread))
    idle = frozenset(carries.names(unread, frame))
    brief = carries.lists(scheduler, statement.stacks, frame, scheduler.brief)
    if statement.trips in scheduler.brief:
        brief = {*brief, trips}
    inside.lines = settled(inside.lines, scheduler, idle, brief)
    if entries:
        frame.lines.append(For(None, (), entries, False, inside.lines, notes=notes))
    elif index is not None:
        frame.lines.append(For(index, bounds, (), False, inside.lines, notes=notes))
    elif simple:
        frame.lines.append(Loop(test, inside.lines, notes))
    elif test is not None:
        test = scheduler.fitted(test, before, scheduler.beside(If))
        before.lines.append(If(test, inside.lines, [Break()]))
        frame.lines.append(Loop(None, before.lines, notes))


def _enter(
    scheduler: Scheduler, shape: _Shape, block: Block, frame: Frame, inside: Frame
) -> None:
    """Let the parameters of a block stand for names; flag and counter have none."""
    count = len(shape.loop.carries)
    params = (*(block.params[k] for k in shape.places), *block.params[count:])
    carries.enter(scheduler, params, (*shape.outs, *shape.loop.reads), frame, inside)


def _test(
    scheduler: Scheduler, shape: _Shape, frame: Frame, before: Frame
) -> Task[Piece | None]:
    test = shape.test
    if test is None:
        return None
    _enter(scheduler, shape, shape.loop.test, frame, before)
    if shape.left is not None:
        carries.enter(scheduler, test.params, shape.left.args, before, before)
    yield scheduler.body(test.body, before)
    return scheduler.piece(test.results[0], before)


def _index(
    scheduler: Scheduler, shape: _Shape, frame: Frame, inside: Frame
) -> Var | None:
    """The name of the counter of a `for`, `_` where its body does not read it."""
    if shape.counter is None:
        return None
    place, body = shape.counter.carry, shape.loop.body
    if shape.loop in scheduler.items:
        return None
    rest = replace(body, body=_others(shape), results=())
    results = (r for k, r in enumerate(body.results) if k != place)
    param, index = body.params[place], shape.loop.outs[place]
    last = _carrying(shape, param, read_in(rest))
    if last is not None and scheduler.composer.index_lasts:
        inside.values[param] = frame.values[last]
        return frame.values[last].var
    if param not in read_in(rest) and param not in results:
        return Var(INT, "_", named=True)
    carries.name(scheduler, index, inside)
    inside.values[param] = inside.values[index]
    return index


def _carrying(shape: _Shape, index: Var, read: Set[Operand]) -> Var | None:
    """The carry that is the index of the last trip: it names the index if that lives on
    behind the loop.
    """
    body, outs = shape.loop.body, shape.loop.outs
    places = (k for k in shape.places if body.results[k] is index)
    return next((outs[k] for k in places if body.params[k] not in read), None)


def _others(shape: _Shape) -> tuple[Statement, ...]:
    """The statements of the body but for the one that counts."""
    own = None if shape.counter is None else shape.counter.advance
    return tuple(s for s in shape.loop.body.body if s is not own)


def _bounds(scheduler: Scheduler, shape: _Shape, frame: Frame) -> tuple[Piece, ...]:
    """The bounds of a `for` over a range."""
    if shape.counter is None or shape.loop in scheduler.items:
        return ()
    inputs, stop = shape.loop.inputs, shape.counter.stop
    end = stop if isinstance(stop, Literal) else inputs[stop]
    ends = (inputs[shape.counter.carry], end, shape.counter.step)
    return tuple(scheduler.piece(each, frame) for each in ends)


def _body(
    scheduler: Scheduler,
    shape: _Shape,
    frame: Frame,
    inside: Frame,
    steps: list[Line],
    unread: Set[Var],
) -> Task[None]:
    """A trip: its statements and records, the new carries, and the way out. Nothing
    behind the loop reads the carries in `unread`.
    """
    statement = shape.loop
    results = statement.body.results
    count = len(statement.carries)
    flag = None if shape.left is None else shape.left.flag
    rest = shape.rest
    late = () if rest is None else rest.places
    places = [k for k in shape.places if k != flag and k not in late]
    outs = tuple(statement.outs[k] for k in places)
    ends = tuple(results[k] for k in places)
    carries.nest(scheduler, outs, ends)
    own = (s for s in _others(shape) if rest is None or s is not rest.branch)
    yield scheduler.body(others(own, scheduler.items.get(statement)), inside)
    if not snapshots.is_held(statement):
        carries.record(scheduler, statement.stacks, results[count:], frame, inside)
    names = carries.names(outs, frame)
    last = None if flag is None else _last(scheduler, shape, flag, set(names), inside)
    if rest is not None:
        _hand_on(scheduler, rest, set(names), inside)
    rebinding.update(scheduler, names, ends, inside)
    inside.lines += steps
    if flag is None or last is None:
        return
    stay = (statement.outs[k] for k in late)
    kept = tuple(frame.values[out] for out in stay if out not in unread)
    leaving: list[Line] = [Break(kept)]
    if flag in shape.places:
        (name,) = carries.names((statement.outs[flag],), frame)
        leaving.insert(0, Update((name,), (scheduler.composer.literal(Literal(True)),)))
    is_certain = results[flag] == Literal(True)
    inside.lines += leaving if is_certain else [If(last, leaving, [])]
    if rest is not None:
        yield _go_on(scheduler, shape.loop, rest, frame, inside)


def _hand_on(
    scheduler: Scheduler, rest: GoingOn, changed: set[Var], inside: Frame
) -> None:
    """Let the parameters of the branch behind `break` be values that stay."""
    block = rest.branch.orelse
    read = read_in(block)
    for param, arg in zip(block.params, rest.branch.args, strict=True):
        if param not in read:
            continue
        piece = scheduler.piece(arg, inside)
        if not changed.isdisjoint(values_in((piece,))):
            piece = scheduler.assign(Var(arg.type, param.hint), piece, inside)
        inside.values[param] = piece


def _go_on(
    scheduler: Scheduler, loop: While, rest: GoingOn, frame: Frame, inside: Frame
) -> Task[None]:
    """The statements of a trip behind `break`, in which other carries change."""
    outs = tuple(loop.outs[k] for k in rest.places)
    block = rest.branch.orelse
    carries.nest(scheduler, outs, block.results)
    yield scheduler.body(block.body, inside)
    rebinding.update(scheduler, carries.names(outs, frame), block.results, inside)


def _last(
    scheduler: Scheduler, shape: _Shape, flag: int, changed: set[Var], inside: Frame
) -> Piece:
    """The test that a trip is the last one, computed before the carries change."""
    piece = scheduler.piece(shape.loop.body.results[flag], inside)
    piece = scheduler.fitted(piece, inside, scheduler.beside(If))
    if changed.isdisjoint(values_in((piece,))):
        return piece
    return scheduler.assign(Var(BOOL, shape.loop.outs[flag].hint), piece, inside)
