"""The schedule of branches: their results have the same names in both arms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import cast

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.composer import Connective
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.lines import Bind, If, Line, Raise, Update
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    InArm,
    Literal,
    Operand,
    Scan,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import BOOL, RECORD

_INTO_A_BRANCH = 2
"""The uses that a value has by entering a branch; see `uses`."""


def _arm(
    scheduler: Scheduler,
    block: Block,
    statement: Branch,
    outs: tuple[Var, ...],
    frame: Frame,
) -> Task[Frame]:
    """The lines of an arm; its parameters are the values outside."""
    returns = statement in scheduler.endings
    goes_on = block is statement.orelse and (returns or _goes_on(scheduler, block))
    arm = frame.beside() if goes_on else frame.within()
    for param, arg in zip(block.params, statement.args, strict=True):
        arm.values[param] = scheduler.piece(arg, frame)
    own = {out for inner in block.body for out in inner.outs}
    times = Counter([r for r in block.results if isinstance(r, Var) and r in own])
    for result, out in zip(block.results, outs, strict=True):
        if isinstance(result, Var) and times[result] == 1:
            arm.targets[result] = out
    looped = {o for s in block.body if isinstance(s, Scan | While) for o in s.outs}
    for inner in reversed(block.body):
        if looped and isinstance(inner, Branch):
            for made, before in _kept_values(scheduler, inner).items():
                if made in arm.targets and before in looped:
                    arm.targets.setdefault(before, arm.targets[made])
    yield scheduler.body(block.body, arm)
    return arm


def _goes_on(scheduler: Scheduler, block: Block) -> bool:
    """Whether an arm is likely to be an `elif`: a branch, and values nested into its
    test. So a chain of any length has one indentation.
    """
    *before, last = block.body or (None,)
    return isinstance(last, Branch) and all(
        isinstance(s, Apply) and scheduler.uses[s.out] == 1 and not s.out.named
        for s in before
    )


def branch(scheduler: Scheduler, statement: Branch, frame: Frame) -> Task[None]:
    """`if` and `else`, or a conditional expression of one value."""
    going_on = _going_on(scheduler, statement, frame)
    outs = tuple(going_on.get(o, frame.targets.get(o, o)) for o in statement.outs)
    then: Frame = yield _arm(scheduler, statement.then, statement, outs, frame)
    scheduler.begun.update(outs)  # the other arm need not state the types of lists
    orelse: Frame = yield _arm(scheduler, statement.orelse, statement, outs, frame)
    test = scheduler.piece(statement.test, frame)
    if len(statement.outs) == 1 and not then.lines and not orelse.lines:
        before = len(frame.lines)
        piece = _conditional(scheduler, statement, then, orelse, frame)
        head = scheduler.head(statement.outs[0])
        piece = scheduler.fitted(piece, frame, head)
        if scheduler.fits(piece, frame, head):
            scheduler.place(statement.outs[0], piece, frame)
            _tell(statement, frame)
            return
        del frame.lines[before:]  # values named in vain are nested in the `if`
    test = scheduler.fitted(test, frame, scheduler.beside(If))
    kept = _kept_arrays(
        scheduler, outs, (statement.then, then), (statement.orelse, orelse)
    )
    vague = [
        _arm_results(scheduler, block, (outs, statement.outs), arm, arm is then, kept)
        for block, arm in ((statement.then, then), (statement.orelse, orelse))
    ]
    every = [note for out in statement.outs for note in out.notes]
    notes = tuple(note for note in every if not isinstance(note, InArm))
    again = {*going_on.values(), *_carried(statement, frame)} & set(outs)
    for arm in (then, orelse) if again else ():
        arm.lines = yield _again(arm.lines, again)
    arms = then.lines, _raising_last(scheduler, statement.orelse, orelse)
    if orelse.lines and not then.lines:
        var = statement.test if isinstance(statement.test, Var) else None
        test, arms = scheduler.composer.negated(test, var), arms[::-1]
        test = scheduler.fitted(test, frame, scheduler.beside(If))
    frame.lines.append(If(test, *arms, notes))
    for var, out, *either in zip(statement.outs, outs, *vague, strict=True):
        atom = scheduler.named(out, any(either))
        frame.values[var] = kept.get(out, atom)
    frame.owned.update(statement.outs)


def _tell(statement: Branch, frame: Frame) -> None:
    """Give a conditional expression the comments in its arms, if it has a line."""
    results = [block.results[0] for block in statement.blocks]
    notes = tuple(n for r in results if isinstance(r, Literal) for n in r.notes)
    line = frame.lines[-1] if frame.lines else None
    if notes and isinstance(line, Bind) and line.var is statement.outs[0]:
        frame.lines[-1] = replace(line, notes=notes + line.notes)


def _going_on(scheduler: Scheduler, statement: Branch, frame: Frame) -> dict[Var, Var]:
    """The names outside that values of a branch take over."""
    found: dict[Var, Var] = {}
    in_test = Counter(values_in((scheduler.piece(statement.test, frame),)))
    for out, arg in _kept_values(scheduler, statement, in_test).items():
        goes_on = arg in frame.owned and (
            _goes_on_in_loop(statement, out, arg)
            or (arg.hint != "" and frame.values[arg].var in frame.owned)
        )
        if out not in frame.targets and (arg in frame.looped or goes_on):
            name = scheduler.piece(arg, frame).var
            if name is not None:
                found[out] = name
    return found


def _goes_on_in_loop(statement: Branch, out: Var, arg: Var) -> bool:
    """Whether a loop in an arm carries a value on to the branch's result."""
    place, end = statement.args.index(arg), statement.outs.index(out)
    for block in statement.blocks:
        for loop in block.body:
            if isinstance(loop, Scan | While) and block.results[end] in loop.outs:
                k = loop.outs.index(cast(Var, block.results[end]))
                starts = loop.carries[k : k + 1]
                return starts == (block.params[place],)
    return False


def _carried(statement: Branch, frame: Frame) -> Set[Var]:
    """The names of those arguments of a branch that loops carried before."""
    given = (a for a in statement.args if isinstance(a, Var) and a in frame.looped)
    return {name for a in given if (name := frame.values[a].var) is not None}


def _again(lines: Sequence[Line], names: Set[Var]) -> Task[list[Line]]:
    """The lines of an arm, updates in place of definitions of some names."""
    made: list[Line] = []
    for line in lines:
        if isinstance(line, Bind) and line.var in names:
            made.append(Update((line.var,), (line.value,), line.notes))
        elif isinstance(line, If):
            then = yield _again(line.then, names)
            orelse = yield _again(line.orelse, names)
            made.append(replace(line, then=then, orelse=orelse))
        else:
            made.append(line)
    return made


def _kept_values(
    scheduler: Scheduler,
    statement: Branch,
    in_test: Mapping[Var, int] = MappingProxyType({}),
) -> dict[Var, Var]:
    """The values from in front of a branch, by its results that take over their names.
    One arm keeps the value; the other arm does not read it, makes its new value, or is
    a loop that goes on with it. Nothing else reads it but the test, `in_test` times. A
    value that two results could take over is left out.
    """
    found: dict[Var, Var] = {}
    blocks = statement.blocks
    reads: dict[int, Mapping[Operand, int]] = {}
    for k, out in enumerate(statement.outs):
        for arm, block in enumerate(blocks):
            result = block.results[k]
            if out.type.dims or result not in block.params:
                continue
            place = block.params.index(cast(Var, result))
            arg, other = statement.args[place], blocks[1 - arm]
            if not isinstance(arg, Var):
                continue
            if scheduler.uses[arg] - in_test.get(arg, 0) != _INTO_A_BRANCH:
                continue
            if arm not in reads:
                reads[arm] = other.times_read
            read = reads[arm][other.params[place]]
            is_free = (
                not read
                or (read == 1 and _goes_on_in_loop(statement, out, arg))
                or read == _read_for(other, other.results[k], other.params[place])
            )
            if is_free and (arg.type, arg.hint) == (out.type, out.hint):
                found[out] = arg
    times = Counter(found.values())
    return {out: arg for out, arg in found.items() if times[arg] == 1}


def _read_for(block: Block, result: Operand, value: Operand) -> int:
    """The number of times that the operation behind a result reads a value."""
    for statement in block.body:
        if isinstance(statement, Apply) and statement.out is result:
            return statement.args.count(value)
    return 0


def _raising_last(scheduler: Scheduler, block: Block, arm: Frame) -> list[Line]:
    """The lines of an arm that raises or goes on: `elif` and `else: raise`, unless the
    test of going on is a `not`.
    """
    first, rest = arm.lines[:1], arm.lines[1:]
    match first:
        case [Raise(test=Piece(), notes=()) as raised] if rest:
            pass
        case _:
            return arm.lines
    check = next(s for s in block.body if isinstance(s, Check))
    for made in block.body:
        if (
            check.test in made.outs
            and isinstance(made, Apply)
            and made.op.name == "not"
        ):
            return arm.lines
    test = scheduler.piece(check.test, arm)  # `elif` stands farther out than the `if`
    return [If(test, rest, [replace(raised, test=None)])]


def _kept_arrays(
    scheduler: Scheduler,
    outs: tuple[Var, ...],
    then: tuple[Block, Frame],
    orelse: tuple[Block, Frame],
) -> dict[Var, Piece]:
    """The arrays that are the same list in both arms."""
    kept: dict[Var, Piece] = {}
    for out, yes, no in zip(outs, then[0].results, orelse[0].results, strict=True):
        if out.type.dims:
            piece = scheduler.array(yes, then[1])
            if piece.var is scheduler.array(no, orelse[1]).var:
                kept[out] = piece
    return kept


def _conditional(
    scheduler: Scheduler, statement: Branch, then: Frame, orelse: Frame, frame: Frame
) -> Piece:
    test = scheduler.piece(statement.test, frame)
    (yes,), (no,) = statement.then.results, statement.orelse.results
    out = statement.outs[0]
    joined = scheduler.composer.joined
    boolean = statement.test.type == BOOL
    if boolean and no == Literal(False):
        args = (test, scheduler.piece(yes, then))
        return joined(Connective.CONJUNCTION, args, out)
    if boolean and yes == Literal(True):
        args = (test, scheduler.piece(no, orelse))
        return joined(Connective.DISJUNCTION, args, out)
    arms = (scheduler.piece(yes, then), test, scheduler.piece(no, orelse))
    scheduler.choices.add(out)
    return joined(Connective.CONDITIONAL, arms, out)


def _notes_inside(result: Operand, out: Var) -> tuple[str, ...]:
    """The comments on a result of an arm; the others of `out` stand above the `if`."""
    if isinstance(result, Literal):
        return result.notes
    return tuple(n for n in out.notes if isinstance(n, InArm) and n.of == result.hint)


def _arm_results(
    scheduler: Scheduler,
    block: Block,
    outs: tuple[tuple[Var, ...], tuple[Var, ...]],
    arm: Frame,
    first: bool,
    kept: Mapping[Var, Piece],
) -> list[bool]:
    """Bind the results of an arm; whether the type of each is vague."""
    vague: list[bool] = []
    for result, out, own in zip(block.results, *outs, strict=True):
        piece = scheduler.piece(result, arm)
        if out in kept or (piece.is_atom and piece.var is out):
            vague.append(piece.is_vague)
            continue
        bare = Var(out.type, notes=_notes_inside(result, own))
        arm.targets[bare] = out
        # readers take the type of a name from the first arm
        whole = out.type == RECORD or (out.type.is_real and not result.type.is_real)
        vague.append(scheduler.assign(bare, piece, arm, whole and first).is_vague)
    return vague
