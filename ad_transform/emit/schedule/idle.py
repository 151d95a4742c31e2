"""Lines that bind a name to itself are not there.

Two values may have one name if the second begins as the first and nothing reads the
first any more: `x = x` says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.lines import Bind, For, If, Line, Loop, Update, walk
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import InArm, Var
from ad_transform.ir.trampoline import Task, bounce


def without_idle(lines: Sequence[Line], names: Mapping[Var, str]) -> Sequence[Line]:
    """The lines without those that bind a name to itself; linear.

    Notes stay above the statements that they are about, and no body is left empty,
    except that of `else`.
    """
    if not any(_is_idle(line, names) for line in walk(lines)):
        return lines
    return bounce(_without(lines, names))


def _without(lines: Sequence[Line], names: Mapping[Var, str]) -> Task[list[Line]]:
    found: list[Line] = []
    for line in lines:
        if _is_idle(line, names):
            continue
        made = line
        match line:
            case If(then=then, orelse=orelse):
                some = yield _without(then, names)
                rest = yield _without(orelse, names)
                made = replace(line, then=some or list(then), orelse=rest)
            case For(body=body) | Loop(body=body):
                some = yield _without(body, names)
                made = replace(line, body=some or list(body))
        found.append(made)
    return found


def has_own_notes(line: Bind) -> bool:
    """Whether a line has comments that are not on the name that it gives."""
    return any(not isinstance(note, InArm) for note in line.notes)


def _is_idle(line: Line, names: Mapping[Var, str]) -> bool:
    match line:
        case Bind(var=var, value=value) if not (has_own_notes(line) or line.annotated):
            return _is(value, names[var], names)
        case Update(vars=(var,), values=(value,)):
            return _is(value, names[var], names)
    return False


def _is(piece: Piece, name: str, names: Mapping[Var, str]) -> bool:
    if not piece.is_atom or piece.var is None:
        return False
    return names.get(piece.var) == name
