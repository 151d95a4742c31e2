"""What a branch gives a carry is bound to the carry's name in its arms.

Instead of `if c: x_2 = y` `else: x_2 = x` and `x = x_2` behind it, a loop says
`if c: x = y`, as people write it. That needs that the old value is not read any more
where the new one is bound. An arm that has nothing to do at the end of a trip is
`continue`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ad_transform.emit.schedule.lines import (
    Bind,
    Continue,
    If,
    Line,
    Update,
)
from ad_transform.emit.schedule.reuse import reads, rename, writes
from ad_transform.ir.nodes import Var


def adopted(lines: list[Line], columns: Callable[[Var], int]) -> list[Line]:
    """The lines of a trip with values of branches bound to the names of carries.

    Quadratic only in the number of carries that branches give.
    """
    found = list(lines)
    for line in lines:
        pair = _handed_on(line)
        if pair is None or columns(pair[0]) > columns(pair[1]):
            continue
        name, value = pair
        place = _branch_of(found, value)
        if place is None:
            continue
        behind = found[place + 1 : found.index(line)]
        branch = found[place]
        assert isinstance(branch, If)
        if writes(found, value) != writes((branch,), value):
            continue  # a loop goes on with the name
        if name in set(reads(behind)) or not _is_free(branch, name, value):
            continue
        found[place] = _renamed(branch, name, value)
        found.remove(line)
        rename(found, {value: name})
    return _continued(found)


def _handed_on(line: Line) -> tuple[Var, Var] | None:
    """The carry that a line binds to a named value, and the value."""
    match line:
        case Update(vars=(name,), values=(piece,)) if piece.is_atom and piece.var:
            return name, piece.var
    return None


def _branch_of(lines: Sequence[Line], value: Var) -> int | None:
    """The place of the branch that binds a value once in each of its arms."""
    for place, line in enumerate(lines):
        if isinstance(line, If) and _binds(line, value):
            return place
    return None


def _binds(branch: If, value: Var) -> bool:
    return all(_binding(arm, value) is not None for arm in (branch.then, branch.orelse))


def _binding(arm: Sequence[Line], value: Var) -> int | None:
    """The place of the one line of an arm that binds a value for certain.

    None where another line binds it again, as a loop does that carries it.
    """
    written = writes(arm, value)
    for place, line in enumerate(arm):
        if isinstance(line, Bind) and line.var is value:
            sole = written == 1 and not line.notes and not line.annotated
            return place if sole else None
        if isinstance(line, If) and _binds(line, value):
            return place if writes((line,), value) == written else None
    return None


def _is_free(branch: If, name: Var, value: Var) -> bool:
    """Whether no arm reads the old value of a name behind the line that binds it."""
    for arm in (branch.then, branch.orelse):
        place = _binding(arm, value)
        assert place is not None
        line = arm[place]
        if name in set(reads(arm[place + 1 :])):
            return False
        if isinstance(line, If) and not _is_free(line, name, value):
            return False
    return True


def _renamed(branch: If, name: Var, value: Var) -> If:
    then, orelse = (_arm(arm, name, value) for arm in (branch.then, branch.orelse))
    return replace(branch, then=then, orelse=orelse)


def _arm(arm: Sequence[Line], name: Var, value: Var) -> list[Line]:
    """An arm that binds the name instead; what it has already is not bound again."""
    found = list(arm)
    place = _binding(arm, value)
    assert place is not None
    line = found[place]
    if isinstance(line, If):
        found[place] = _renamed(line, name, value)
    elif isinstance(line, Bind):
        same = line.value.is_atom and line.value.var is name
        found[place : place + 1] = [] if same else [Update((name,), (line.value,))]
    return found


def _continued(lines: list[Line]) -> list[Line]:
    """The lines of a trip whose last branch has nothing to do in its first arm."""
    last = lines[-1] if lines else None
    if not isinstance(last, If) or last.then or not last.orelse:
        return lines
    return [*lines[:-1], replace(last, then=[Continue()], orelse=[]), *last.orelse]
