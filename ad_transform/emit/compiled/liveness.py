"""Names that lines read and change, and lines that nothing needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.emit.compiled.expressions import fails
from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    For,
    If,
    Line,
    Loop,
    Step,
    Take,
    Update,
    bound_by,
    read_by,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.ir.nodes import Var

Names = Mapping[Var, str]


def needed(
    lines: Sequence[Line], names: Names, kept: Sequence[Piece]
) -> Sequence[Line]:
    """The lines without those that bind names that nothing reads; linear."""
    every = list(walk(lines))
    readers: dict[str, set[str]] = {}
    read = {names[var] for var in values_in(kept)}
    for line in every:
        own = set(read_in(line, names))
        if isinstance(line, Bind) and _is_idle(line):
            readers.setdefault(names[line.var], set()).update(own)
        else:
            read |= own
            if not isinstance(line, For):
                read.update(names[var] for var in changed_by(line))
    waiting = [*read]
    while waiting:
        for name in readers.get(waiting.pop(), ()):
            if name not in read:
                read.add(name)
                waiting.append(name)
    idle = {
        line
        for line in every
        if isinstance(line, Bind) and _is_idle(line) and names[line.var] not in read
    }
    return _without(lines, idle) if idle else lines


def _without(lines: Sequence[Line], idle: Set[Line]) -> list[Line]:
    """The lines without some, inner ones too."""
    found: list[Line] = []
    for line in lines:
        if isinstance(line, If):
            then, orelse = (_without(arm, idle) for arm in (line.then, line.orelse))
            if then or orelse:
                found.append(replace(line, then=then, orelse=orelse))
        elif isinstance(line, For | Loop):
            found.append(replace(line, body=_without(line.body, idle)))
        elif line not in idle:
            found.append(line)
    return found


def _is_idle(line: Bind) -> bool:
    """Whether a line may go if nothing reads the name that it binds."""
    return not fails(line.value)


def read_in(line: Line, names: Names) -> list[str]:
    """The names that the text of a line reads. Lists that a loop goes over count if
    their entries are read, or if they tell the number of trips.
    """
    if isinstance(line, Take):
        return [names[line.held]]
    if not isinstance(line, For) or not line.entries:
        return [names[var] for var in read_by(line)]
    inside = {name for each in walk(line.body) for name in read_in(each, names)}
    pieces = [*line.bounds, *([line.entries[0][1]] if line.index is None else [])]
    pieces += (s for group, s in line.entries if any(names[v] in inside for v in group))
    return [names[var] for var in values_in(pieces)]


def changed_by(line: Line) -> Sequence[Var]:
    """The values that a line names, or changes."""
    if isinstance(line, Update):
        return line.vars
    return (line.var,) if isinstance(line, Step | Append) else bound_by(line)
