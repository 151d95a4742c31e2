"""Homes: the loops that values live in, so that other loops may use their names again.

`for t in range(n): f = ...` and `for t in reversed(range(n)): f = ...` on the way back
may both say t and f, for no trip of either loop sees what the other has bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    For,
    Line,
    Loop,
    Reverse,
    Step,
    Update,
    bound_by,
    inner,
    read_by,
)
from ad_transform.ir.nodes import Var


def homes(
    lines: Sequence[Line], results: Iterable[Var], alike: Mapping[Var, Var]
) -> dict[Var, frozenset[int]]:
    """The outermost loops of the numbers that live in one only, as numbers of lines.

    `alike` are entries of lists, by the value whose name they have: it lives where they
    do as well. Linear.
    """
    bound: dict[Var, set[int]] = {}
    seen: dict[Var, set[int]] = {}
    stay = {*results}
    for line, own, home in _with_homes(lines):
        names = bound_by(line)
        for var in names:
            bound.setdefault(var, set()).add(own)
        if not isinstance(line, Bind | For) or getattr(line, "annotated", False):
            stay.update(names)
        for var in (*read_by(line), *_touched(line)):
            seen.setdefault(var, set()).add(home)
    found = {
        var: frozenset(places)
        for var, places in bound.items()
        if len(places) == 1
        and not (0 in places or var in stay or var.type.dims)
        and seen.get(var, places) == places
    }
    for entry, value in alike.items():
        if value in found:
            found[value] |= frozenset(bound.get(entry, ()))
    return found


def _touched(line: Line) -> tuple[Var, ...]:
    """What a line changes that it does not bind."""
    match line:
        case Update(vars=vars):
            return vars
        case Append(var=var) | Step(var=var) | Reverse(var=var):
            return (var,)
    return ()


def _with_homes(lines: Sequence[Line]) -> Iterator[tuple[Line, int, int]]:
    """All lines with the numbers of the outermost loops that what they bind and what
    they read belongs to; 0 is none.
    """
    count = 0
    waiting = [(line, 0) for line in reversed(lines)]
    while waiting:
        line, home = waiting.pop()
        own = home
        if not home and isinstance(line, For | Loop):
            count += 1
            own = count
        yield line, own, home
        if type(line) is not Bind:
            for body in inner(line):
                waiting += [(each, own) for each in reversed(body)]
