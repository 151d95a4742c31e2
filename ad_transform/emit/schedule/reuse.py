"""New values of a carry are bound to its name as soon as the old one is read no more.

Instead of `x_2 = x + h`, then `x = x_2` at the end of the trip, a loop says
`x = x + h`, as people write it; and `p = p + q`, then `p = (1.0 - gain) * p`, where the
source does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ad_transform.emit.schedule.lines import (
    Bind,
    Line,
    Update,
    bound_by,
    pieces,
    read_by,
    walk,
)
from ad_transform.ir.nodes import Var


def reads(lines: Sequence[Line]) -> Iterator[Var]:
    """The named values that lines read, inner ones included."""
    for line in walk(lines):
        yield from read_by(line)


def written(line: Line) -> tuple[Var, ...]:
    """What a line binds, or binds again."""
    return line.vars if isinstance(line, Update) else bound_by(line)


def writes(lines: Sequence[Line], value: Var) -> int:
    """How often lines bind a value, inner ones included."""
    return sum(value in written(line) for line in walk(lines))


def rename(lines: Sequence[Line], name: Var, value: Var) -> None:
    """Let whatever reads the value read the name."""
    stack = [piece for line in walk(lines) for piece in pieces(line)]
    while stack:
        piece = stack.pop()
        if piece.is_atom and piece.var is value:
            piece.var = name
        stack += piece.args


def reused(lines: list[Line], columns: Callable[[Var], int]) -> list[Line]:
    """The lines of a trip with values bound to the names of carries: values of the
    source that have the same name, and what a carry becomes. Linear in the lines for
    each such value.
    """
    found = list(lines)
    updates = [line for line in lines if isinstance(line, Update)]
    for line in lines:
        if not isinstance(line, Bind) or line.annotated:
            continue
        for name in _wanted(line.var, updates):
            if columns(name) <= columns(line.var) and _is_free(found, line, name):
                found[found.index(line)] = Update((name,), (line.value,), line.notes)
                rename(found, name, line.var)
                break
    return [line for line in found if not _is_idle(line)]


def _wanted(value: Var, updates: Sequence[Update]) -> Iterator[Var]:
    """The carries that a value may be bound to."""
    for line in updates:
        for name in line.vars:
            same = (name.hint, name.type) == (value.hint, value.type)
            becomes = _hands_on(line, name, value) and not value.hint
            if becomes or (same and (value.named or _hands_on(line, name, value))):
                yield name


def _is_free(lines: Sequence[Line], line: Bind, name: Var) -> bool:
    """Whether a name can take a value: the old one is not read behind it, and the value
    is not read any more once the name has changed.
    """
    behind = lines[lines.index(line) + 1 :]
    changes = [k for k, other in enumerate(behind) if writes((other,), name)]
    if not changes or writes(lines, line.var) != 1:
        return False
    change = behind[changes[0]]
    if not isinstance(change, Update) or name in reads(behind[: changes[0] + 1]):
        return False
    return _hands_on(change, name, line.var) or line.var not in set(
        reads(behind[changes[0] + 1 :])
    )


def _hands_on(line: Update, name: Var, value: Var) -> bool:
    """Whether a line is `name = value`."""
    return (
        line.vars == (name,) and line.values[0].is_atom and line.values[0].var is value
    )


def _is_idle(line: Line) -> bool:
    return (
        isinstance(line, Update)
        and len(line.vars) == 1
        and _hands_on(line, line.vars[0], line.vars[0])
    )
