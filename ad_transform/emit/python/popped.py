"""`last = xs.pop()`, where lines say `last = xs[-1]` and then `xs.pop()`.

Where the next line alone reads the item, to put it elsewhere, that line takes it:
`y[i] = xs.pop()`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.lines import Append, Bind, Do, Line
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var


def popped(
    lines: Sequence[Line],
    text: Callable[[Piece], str],
    times_read: Callable[[Var], int],
) -> list[Line]:
    """Lines with one for two that take an item and remove it, or for the three that
    then put it elsewhere; `times_read` tells how often all lines read a value.
    """
    found: list[Line] = []
    if Do not in {*map(type, lines)}:  # nearly always
        return [*lines]
    taken: Bind | None = None  # the line before, where it takes an item and removes it
    for line in lines:
        before = found[-1] if found else None
        if isinstance(line, Do) and isinstance(before, Bind) and not line.notes:
            name = text(line.value).removesuffix(".pop()")
            if text(before.value) == f"{name}[-1]":
                found[-1] = taken = replace(before, value=line.value)
                continue
        put = _put(taken, line, text) if taken is not None else None
        if put is None or taken is None or times_read(taken.var) != 1:
            found.append(line)
        else:
            found[-1] = put
        taken = None
    return found


def _put(taken: Bind, line: Line, text: Callable[[Piece], str]) -> Line | None:
    """A line that puts an item elsewhere, taking it itself; None for any other."""
    if taken.notes or (isinstance(line, Bind | Do) and line.notes):
        return None
    if isinstance(line, Bind) and _is(line.value, taken.var):
        return replace(line, value=taken.value)
    if isinstance(line, Append) and len(line.values) == 1:
        (one,) = line.values
        return replace(line, values=(taken.value,)) if _is(one, taken.var) else None
    if not isinstance(line, Do):
        return None
    args = line.value.args
    places = [k for k, arg in enumerate(args) if _is(arg, taken.var)]
    target, sign, value = text(line.value).rpartition("= ")
    source = text(taken.value).removesuffix(".pop()")
    if len(places) != 1 or not sign or value != text(args[places[0]]):
        return None
    if not source.isidentifier() or re.search(rf"\b{source}\b", target):
        return None  # an index may be told from the end of the list
    given = (*args[: places[0]], taken.value, *args[places[0] + 1 :])
    return replace(line, value=line.value.over(given))


def _is(piece: Piece, var: Var) -> bool:
    """Whether an expression is the name of a value."""
    return piece.is_atom and piece.var is var
