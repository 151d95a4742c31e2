"""Homes: the loops that values live in, so that other loops may use their names again.

`for t in range(n): f = ...` and `for t in reversed(range(n)): f = ...` on the way back
may both say t and f, for no trip of either loop sees what the other has bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    For,
    Line,
    Reverse,
    Step,
    Update,
)
from ad_transform.emit.schedule.seen import Seen
from ad_transform.ir.nodes import Var


def homes(
    lines: Iterable[Seen], results: Iterable[Var], alike: Mapping[Var, Var]
) -> dict[Var, frozenset[int]]:
    """The outermost loops of the numbers that live in one only, as numbers of lines.

    `alike` are entries of lists, by the value whose name they have: it lives where they
    do as well. Linear.
    """
    bound: dict[Var, set[int]] = {}
    seen: dict[Var, set[int]] = {}
    stay = {*results}
    for line, names, read, _, home, own in lines:
        for var in names:
            bound.setdefault(var, set()).add(own)
        if type(line) is Bind:
            if line.annotated:
                stay.update(names)
        else:
            if type(line) is not For:
                stay.update(names)
            for var in _touched(line):
                seen.setdefault(var, set()).add(home)
        for var in read:
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
