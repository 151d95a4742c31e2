"""Loops under expansion: coefficients are carried, recorded and gone over.

Carried are those that are not 0 after some trip: those that begin so, and those that
trips make of them, until nothing is new.
"""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.sweep.forward import handed
from ad_transform.derive.sweep.loops_forward import Loop, extended
from ad_transform.derive.taylor.expansion import Expansion, Operands, named
from ad_transform.derive.taylor.series import ZERO
from ad_transform.ir.nodes import Operand, Var
from ad_transform.ir.trampoline import Task

Place = tuple[int, int]
"""The place of a carry or a result, and a degree."""


@dataclass(slots=True)
class Trip:
    """One trip under expansion, and the parameters for coefficients of carries."""

    params: tuple[Var, ...]
    carries: tuple[Var, ...]
    own: Expansion
    results: Operands

    def reached(self, results: range) -> list[Place]:
        """The places of the coefficients of some results that are not 0."""
        return [
            (k, j)
            for k in results
            for j, found in enumerate(self.own.coefficients(self.results[k]), 1)
            if not is_zero(found)
        ]

    def ends(self, places: Iterable[Place]) -> Operands:
        """Some coefficients of results, as arrays if the results are arrays."""
        every = ((self.results[k], j) for k, j in places)
        return tuple(self.own.whole(r, self.own.series(r).at(j)) for r, j in every)


def through_loop(parent: Expansion, loop: Loop) -> Task[None]:
    """Enter the coefficients behind the last trip, and the recorded ones."""
    count = len(loop.carries)
    starts = [parent.coefficients(carry) for carry in loop.carries]
    carried = [
        (c, j)
        for c, own in enumerate(starts)
        for j, found in enumerate(own, 1)
        if not is_zero(found)
    ]
    while True:
        trip = yield _trip(parent, loop, carried)
        more = sorted({*carried, *trip.reached(range(count))})
        if more == carried:
            break
        carried = more
    recorded = trip.reached(range(count, len(trip.results)))
    results = (
        *trip.results[:count],
        *trip.ends(carried),
        *trip.results[count:],
        *trip.ends(recorded),
    )
    block = trip.own.block(trip.params, results)
    behind = _outs(loop, carried)
    lists = _outs(loop, recorded)
    outs = (*loop.outs[:count], *behind, *loop.stacks, *lists)
    begun = tuple(parent.whole(loop.carries[c], starts[c][j - 1]) for c, j in carried)
    given = (begun, *_given(parent, loop))
    parent.replace(loop, extended(loop, block, outs, given, trip.carries))
    known = dict(zip((*carried, *recorded), (*behind, *lists), strict=True))
    for k, out in enumerate(loop.outs):
        parent.enter(out, [known.get((k, j), ZERO) for j in parent.degrees])


def _outs(loop: Loop, places: Iterable[Place]) -> tuple[Var, ...]:
    return tuple(Var(loop.outs[k].type, named(loop.outs[k], j)) for k, j in places)


def _given(parent: Expansion, loop: Loop) -> tuple[tuple[Var, ...], tuple[Var, ...]]:
    """The coefficients of the values that a loop reads, and of its entries."""
    return (
        handed([parent.coefficients(o) for o in loop.reads]),
        handed([parent.coefficients(o) for o in loop.entries]),
    )


def _trip(parent: Expansion, loop: Loop, carried: list[Place]) -> Task[Trip]:
    """One trip that carries some coefficients."""
    own, results = parent.inner(loop.body, parent.degree)
    start, count = loop.first_carry, len(loop.carries)
    params = loop.body.params[start:]
    carries = {(c, j): Var(params[c].type, named(params[c], j)) for c, j in carried}
    for c, param in enumerate(params[:count]):
        own.enter(param, [carries.get((c, j), ZERO) for j in parent.degrees])
    reads, entries = _given(parent, loop)
    inner: dict[Operand, Var] = {o: Var(o.type, o.hint) for o in reads}
    inner |= {o: Var(o.type.entry, o.hint) for o in entries}
    outer = (*loop.reads, *loop.entries)
    for param, operand in zip(params[count:], outer, strict=True):
        given = parent.coefficients(operand)
        own.enter(param, [inner.get(o, o) for o in given])
    yield own.expanded()
    split = count + len(loop.reads)
    every = (
        *loop.body.params[:start],
        *params[:count],
        *carries.values(),
        *params[count:split],
        *(inner[o] for o in reads),
        *params[split:],
        *(inner[o] for o in entries),
    )
    return Trip(every, tuple(carries.values()), own, results)
