"""Calls under expansion: one function gives the values with their coefficients."""

from __future__ import annotations

from ad_transform.derive.sweep.callees import bar_of, real_outs
from ad_transform.derive.taylor.expansion import Expansion, named
from ad_transform.ir.nodes import Call, Var
from ad_transform.ir.trampoline import Task


def through_call(parent: Expansion, call: Call) -> Task[None]:
    """Enter the coefficients of a call's values."""
    yield from ()  # a task like its siblings, though it holds no blocks
    rows = real_outs(call)
    args = call.args
    places = tuple(k for k, a in enumerate(args) if not parent.series(a).is_constant)
    if not rows or not places:
        return
    given = [
        parent.whole(args[k], found)
        for k in places
        for found in parent.coefficients(args[k])
    ]
    degree = parent.degree
    moved = (
        len(args) + n * degree + j
        for n, k in enumerate(places)
        for j in range(degree)
        if k in call.changes
    )
    found = [[Var(bar_of(r.type), named(r, j)) for j in parent.degrees] for r in rows]
    outs = (*call.outs, *(var for own in found for var in own))
    name = parent.callees.series(call, places)
    how = (call.inert, call.raises, (*call.changes, *moved))
    parent.replace(call, Call(outs, name, (*args, *given), *how))
    for row, own in zip(rows, found, strict=True):
        parent.enter(row, own)
