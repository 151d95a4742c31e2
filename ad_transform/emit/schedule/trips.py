"""The lines of a trip, with as few names as a person would take."""

from __future__ import annotations

from dataclasses import replace

from ad_transform.emit.schedule.adoption import adopted, alike, continued
from ad_transform.emit.schedule.lines import If, Line, Update
from ad_transform.emit.schedule.reuse import reused
from ad_transform.emit.schedule.scheduler import Scheduler


def settled(lines: list[Line], scheduler: Scheduler) -> list[Line]:
    """The lines of a trip with values bound to the names of carries."""
    columns = scheduler.columns
    found = [_unchosen(line, scheduler) for line in reused(lines, columns)]
    found = continued(alike(adopted(found, columns), columns))
    return [_flipped(line, scheduler) for line in found]


def _flipped(line: Line, scheduler: Scheduler) -> Line:
    """An `if` that has something to do where its test holds."""
    if not isinstance(line, If) or line.then or not line.orelse:
        return line
    test = scheduler.composer.negated(line.test, None)
    return replace(line, test=test, then=line.orelse, orelse=[])


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
