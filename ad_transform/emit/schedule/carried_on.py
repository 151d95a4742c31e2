"""A carry of a loop inside another one has the name of the carry that it becomes.

Instead of `y = x + h`, a loop that binds `y = y * y`, and `x = y` behind it, a trip
says `x = x + h`, and the loop `x = x * x`, as people write it. For that, nothing may
read the old value behind the first definition of the new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.lines import Bind, For, If, Line, Loop, Update, walk
from ad_transform.emit.schedule.reuse import binds, fits, reads, rename, written
from ad_transform.ir.nodes import Var


def carried_on(lines: list[Line], columns: Callable[[Var], int]) -> list[Line]:
    """The lines of a trip with carries of inner loops called like its own.

    Quadratic only in the number of carries that loops give.
    """
    if not any(isinstance(line, For | Loop) for line in lines):
        return lines
    found = list(lines)
    for line in lines:
        match line:
            case Update(vars=(name,), values=(piece,)) if piece.is_atom and piece.var:
                if fits(name, piece.var, columns):
                    _carry_on(found, line, name, piece.var)
    return found


def _carry_on(lines: list[Line], handing: Update, name: Var, value: Var) -> None:
    """Let a name stand for a value from its first line on, if it can."""
    if not any(isinstance(line, Bind) and line.var is value for line in lines):
        return
    end = lines.index(handing)
    places = [k for k, line in enumerate(lines) if binds(line, value)]
    first = lines[places[0]] if places else None
    loops = [lines[k] for k in places[1:]]
    if not isinstance(first, Bind) or first.annotated or not loops or places[-1] > end:
        return
    if not all(isinstance(line, For | Loop) and updates(line, value) for line in loops):
        return
    start = places[0]
    between = lines[start + 1 : end]
    changed = any(binds(line, name) for line in between)
    if changed or name in reads(between) or value in reads(lines[end + 1 :]):
        return
    rename(lines, {value: name})
    lines[start] = Update((name,), (first.value,), first.notes)
    for k in places[1:]:
        lines[k] = over(lines[k], value, name)
    del lines[end]


def updates(line: Line, value: Var) -> bool:
    """Whether a line is a loop in which a value is a carry."""
    inner = (one for one in walk((line,)) if value in written(one))
    is_loop = isinstance(line, For | Loop)
    return is_loop and all(isinstance(one, Update) for one in inner)


def over(line: Line, value: Var, name: Var) -> Line:
    """A line that binds a name in place of a value."""
    match line:
        case Update(vars=vars_):
            return replace(line, vars=tuple(name if v is value else v for v in vars_))
        case If(then=then, orelse=orelse):
            arms = [_all_over(arm, value, name) for arm in (then, orelse)]
            return replace(line, then=arms[0], orelse=arms[1])
        case For(body=body) | Loop(body=body):
            return replace(line, body=_all_over(body, value, name))
    return line


def _all_over(lines: Sequence[Line], value: Var, name: Var) -> list[Line]:
    return [over(line, value, name) for line in lines]
