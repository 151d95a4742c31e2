"""The lines of a trip, with as few names as a person would take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.adoption import adopted, alike, continued
from ad_transform.emit.schedule.carried_on import carried_on
from ad_transform.emit.schedule.leaving import left_at_once
from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    If,
    Line,
    Step,
    Update,
    bound_by,
)
from ad_transform.emit.schedule.pieces import values_in
from ad_transform.emit.schedule.recording import (
    recorded_at_once,
    recorded_before,
    recorded_behind,
)
from ad_transform.emit.schedule.reuse import reads, reused, writes, written
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import Var
from ad_transform.ir.trampoline import Task, bounce


def settled(
    lines: list[Line],
    scheduler: Scheduler,
    idle: Set[Var] = frozenset(),
    brief: Set[Var] = frozenset(),
) -> list[Line]:
    """The lines of a trip with values bound to the names of carries.

    Nothing behind the loop reads the carries in `idle`. A trip that leaves the loop
    appends nothing to the lists in `brief` and counts nothing there.
    """
    columns = scheduler.columns
    lines = recorded_before(recorded_at_once(lines, brief), brief)
    found = [_unchosen(line, scheduler) for line in reused(lines, columns)]
    found = carried_on(alike(adopted(found, columns), columns), columns)
    found = continued(bounce(_in_arms(found, scheduler)))
    found = bounce(_flipped(found, scheduler))
    found = left_at_once(found, scheduler, idle, brief)
    return _late(recorded_behind(found, scheduler, idle, brief), scheduler)


def _flipped(
    lines: Sequence[Line], scheduler: Scheduler, inside: bool = False
) -> Task[list[Line]]:
    """The lines without empty first arms: `if not c: x` for `if c: pass` and `else: x`.
    In an arm, one that goes on with `elif` stays, so that chains are not indented.
    """
    found: list[Line] = []
    for line in lines:
        made = line
        if isinstance(line, If):
            then = yield _flipped(line.then, scheduler, True)
            orelse = yield _flipped(line.orelse, scheduler, True)
            made = replace(line, then=then, orelse=orelse)
            goes_on = inside and len(orelse) == 1 and isinstance(orelse[0], If)
            if orelse and not then and not goes_on:
                test = scheduler.composer.negated(line.test, None)
                made = replace(made, test=test, then=orelse, orelse=[])
        found.append(made)
    return found


def _unchosen(line: Line, scheduler: Scheduler) -> Line:
    """`if c: x = y` for `x = y if c else x`."""
    match line:
        case Update(vars=(name,), values=(piece,)) if piece.var in scheduler.choices:
            if piece.is_atom:
                return line
            then, test, orelse = piece.args
            if orelse.is_atom and orelse.var is name:
                return If(test, [Update((name,), (then,))], [], line.notes)
            if then.is_atom and then.var is name:
                test = scheduler.composer.negated(test, None)
                return If(test, [Update((name,), (orelse,))], [], line.notes)
    return line


def _in_arms(lines: Sequence[Line], scheduler: Scheduler) -> Task[list[Line]]:
    """The lines with `if c: x = y` for `x = y if c else x` in arms; an arm that is
    nothing else becomes an `elif`.
    """
    found: list[Line] = []
    for line in lines:
        made = _unchosen(line, scheduler)
        if isinstance(line, If):
            then = yield _in_arms(line.then, scheduler)
            orelse = yield _in_arms(line.orelse, scheduler)
            made = replace(line, then=then, orelse=orelse)
        found.append(made)
    return found


def _late(lines: list[Line], scheduler: Scheduler) -> list[Line]:
    """The lines with values that only an update reads computed there: `x = x - step`
    behind the record of x, in place of `x_2 = x - step` before it.
    """
    count = Counter(reads(lines))
    found = list(lines)
    for line in lines:
        match line:
            case Update(vars=(name,), values=(piece,)) if piece.is_atom and piece.var:
                value = piece.var
                fits = scheduler.columns(name) <= scheduler.columns(value)
                if count[value] == 1 and fits:
                    _put_off(found, line, name, value)
    return found


def _put_off(lines: list[Line], update: Update, name: Var, value: Var) -> None:
    """Compute a value in the update that hands it on, if it may be computed there."""
    end = lines.index(update)
    places = [k for k in range(end) if value in bound_by(lines[k])]
    made = lines[places[0]] if places else None
    if not isinstance(made, Bind) or made.annotated or made.value.reads:
        return
    between = lines[places[0] + 1 : end]
    if not all(isinstance(one, Append | Bind | Update | Step) for one in between):
        return
    changed = {var for one in between for var in written(one)}
    if writes(lines, value) == 1 and changed.isdisjoint(values_in((made.value,))):
        lines[end] = Update((name,), (made.value,), (*made.notes, *update.notes))
        del lines[places[0]]
