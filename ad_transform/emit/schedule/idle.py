"""Lines that bind a name to itself are not there.

Two values may have one name where the second begins as the first and nothing reads that
any more: `x = x` says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ad_transform.emit.schedule.lines import Bind, For, If, Line, Loop, Update
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var


def without_idle(lines: Sequence[Line], names: Mapping[Var, str]) -> list[Line]:
    """The lines without those that bind a name to itself; linear.

    Notes stay above what they are about, and no body is left empty, except that of
    `else`.
    """
    return [_inside(line, names) for line in lines if not _is_idle(line, names)]


def _inside(line: Line, names: Mapping[Var, str]) -> Line:
    match line:
        case If(then=then, orelse=orelse):
            arms = _body(then, names), without_idle(orelse, names)
            return replace(line, then=arms[0], orelse=arms[1])
        case For(body=body) | Loop(body=body):
            return replace(line, body=_body(body, names))
    return line


def _body(lines: Sequence[Line], names: Mapping[Var, str]) -> list[Line]:
    return without_idle(lines, names) or list(lines)


def _is_idle(line: Line, names: Mapping[Var, str]) -> bool:
    match line:
        case Bind(var=var, value=value) if not line.notes and not line.annotated:
            return _is(value, names[var], names)
        case Update(vars=(var,), values=(value,)):
            return _is(value, names[var], names)
    return False


def _is(piece: Piece, name: str, names: Mapping[Var, str]) -> bool:
    if not piece.is_atom or piece.var is None:
        return False
    return names.get(piece.var) == name
