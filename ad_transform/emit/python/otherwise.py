"""`for ...: ... else: ...`, in place of a flag that says whether a loop was left.

`left = False`, a loop with `left = True; break`, and `if not left: ...` right behind it
need no flag where nothing else reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.lines import (
    Bind,
    Break,
    For,
    If,
    Line,
    Loop,
    Raise,
    Update,
    bound_by,
    inner,
    read_by,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var, node
from ad_transform.ir.trampoline import Task, bounce


@node
class Otherwise:
    """A loop, and the lines that run where no `break` has left it."""

    loop: For | Loop
    orelse: Sequence[Line]


class Writer(Protocol):
    """The writer as these lines need it; see `ad_transform.emit.python.text`."""

    @property
    def names(self) -> Mapping[Var, str]: ...

    def text(self, piece: Piece) -> str: ...


def with_else(
    writer: Writer, lines: Sequence[Line], every: Sequence[Line]
) -> list[Line | Otherwise]:
    """The lines of a suite with `else` of loops in place of flags; `every` line of the
    function may read a flag.
    """
    found: list[Line | Otherwise | None] = list(lines)
    for place in reversed(range(len(lines) - 1)):
        loop, behind = lines[place], lines[place + 1]
        if not isinstance(loop, For | Loop) or not isinstance(behind, Raise | If):
            continue
        orelse = _unless(behind)
        test = "" if behind.test is None else writer.text(behind.test)
        flag = test.removeprefix("not ")
        if orelse is None or flag == test:
            continue
        before = [_set(writer, line, flag) for line in lines[:place]]
        if "False" not in before:
            continue
        read = [writer.names[v] for one in walk(every) for v in read_by(one)]
        if read.count(flag) != 1:
            continue
        body = bounce(_without(writer, loop.body, flag))
        binding = sum(_binds(writer, one, flag) for one in walk(lines[:place]))
        if body is None or binding != 1:
            continue
        found[place] = Otherwise(replace(loop, body=body), orelse)
        found[place + 1] = found[before.index("False")] = None
    return [each for each in found if each is not None]


def _unless(line: Raise | If) -> Sequence[Line] | None:
    """The lines under the test of a line, if it does nothing else."""
    if isinstance(line, Raise):
        return [replace(line, test=None)]
    return None if line.orelse or line.notes else line.then


def _binds(writer: Writer, line: Line, flag: str) -> bool:
    """Whether a line binds a flag, to anything."""
    bound = line.vars if isinstance(line, Update) else bound_by(line)
    return any(writer.names[var] == flag for var in bound)


def _set(writer: Writer, line: Line, flag: str) -> str:
    """The text of the value to which a line binds a flag, if it does nothing else."""
    match line:
        case Bind(var=var, value=value) | Update(vars=(var,), values=(value,)):
            return writer.text(value) if writer.names[var] == flag else ""
    return ""


def _without(
    writer: Writer, lines: Sequence[Line], flag: str
) -> Task[list[Line] | None]:
    """The lines of a trip without the flag, which each `break` sets; None where other
    lines set it, or none.
    """
    found: list[Line] = []
    for line in lines:
        made: Line = line
        if isinstance(line, Break):
            if not found or _set(writer, found[-1], flag) != "True":
                return None
            found.pop()
        elif isinstance(line, If):
            then = yield _without(writer, line.then, flag)
            orelse = yield _without(writer, line.orelse, flag)
            if then is None or orelse is None:
                return None
            made = replace(line, then=then, orelse=orelse)
        elif any(_binds(writer, one, flag) for b in inner(line) for one in walk(b)):
            return None
        found.append(made)
    return None if any(_binds(writer, line, flag) for line in found) else found
