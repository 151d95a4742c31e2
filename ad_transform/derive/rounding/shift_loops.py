"""Shifts through loops: a loop that carries, beside its own carries, their shifts.

Where rounding may decide how many trips a `While` makes, nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.derive.rounding.shifts import NONE, UNKNOWN, ZERO, Shift
from ad_transform.ir.blocks import renewed
from ad_transform.ir.nodes import Block, Operand, Scan, Var, While
from ad_transform.ir.types import FLOAT

if TYPE_CHECKING:
    from ad_transform.derive.rounding.carrier import Carrier

Operands = tuple[Operand, ...]


def carry_loop(carrier: Carrier, loop: Scan | While) -> None:
    """Find the shifts of what comes out of a loop."""
    if isinstance(loop, While):
        _while(carrier, loop)
    else:
        _scan(carrier, loop)


def _scan(carrier: Carrier, loop: Scan) -> None:
    body = renewed(loop.body)
    index, *params = body.params
    trip = _Trip(carrier, loop, params)
    for entry in params[trip.count + len(loop.reads) :]:
        if entry.type.is_real:
            trip.inner.shifts[entry] = UNKNOWN
    trip.inner.run(body.body)
    results = (*body.results[: trip.count], *trip.given(body.results))
    outs = tuple(Var(c.type) for c in (*loop.carries, *trip.start))
    carrier.builder.body.append(
        Scan(
            outs,
            *(loop.start, loop.stop, loop.step),
            (*loop.carries, *trip.start),
            (*loop.reads, *trip.known),
            loop.entries,
            trip.inner.builder.block((index, *trip.params(params)), results),
            loop.backwards,
        )
    )
    trip.found(loop.outs, outs[trip.count :])
    for stack in loop.stacks:
        if stack.type.is_real:
            carrier.shifts[stack] = UNKNOWN


def _while(carrier: Carrier, loop: While) -> None:
    body = renewed(loop.body)
    trip = _Trip(carrier, loop, body.params)
    test = renewed(loop.test, body.params)
    trip.inner.run(test.body)
    trip.inner.watch(trip.inner.shifts.get(test.results[0], NONE).radius)
    trip.inner.run(body.body)
    results = (*body.results[: trip.count], *trip.given(body.results))
    outs = tuple(Var(c.type) for c in (*loop.carries, *trip.start, loop.trips))
    own = renewed(loop.test)
    carrier.builder.body.append(
        While(
            outs,
            (*loop.carries, *trip.start),
            (*loop.reads, *trip.known),
            Block(_fresh(trip, own.params), own.body, own.results),
            trip.inner.builder.block(trip.params(body.params), results),
        )
    )
    trip.found(loop.outs, outs[trip.count : -1])
    last = renewed(loop.test, (*loop.outs[: trip.count], *loop.reads))
    carrier.run(last.body)
    leaving = carrier.shifts.get(last.results[0], NONE).radius
    doubt = carrier.make("plus", outs[-2], leaving)
    carrier.watch(doubt)
    for out in loop.outs:
        shift = carrier.shifts.get(out, NONE)
        radius = carrier.make("plus", shift.radius, doubt)
        carrier.shifts[out] = Shift(shift.center, radius)


class _Trip:
    """The body of a loop: what it carries and reads more than before.

    These are the shifts of the real carries and a doubt, and the shifts of real reads.
    """

    def __init__(
        self, carrier: Carrier, loop: Scan | While, params: Sequence[Var]
    ) -> None:
        self.carrier = carrier
        self.inner = carrier.inner()
        self.count = len(loop.carries)
        self.reads = len(loop.reads)
        shifts = carrier.shifts
        self.moving = [k for k, c in enumerate(loop.carries) if c.type.is_real]
        before = [shifts.get(loop.carries[k], NONE) for k in self.moving]
        self.start = (*_flat(before), ZERO)
        self.own = tuple(Var(FLOAT) for _ in self.start)
        self.read = [k for k, r in enumerate(loop.reads) if not _none(shifts, r)]
        self.known = _flat([shifts[loop.reads[k]] for k in self.read])
        self.others = tuple(Var(FLOAT) for _ in self.known)
        for k, shift in zip(self.moving, _paired(self.own[:-1]), strict=True):
            self.inner.shifts[params[k]] = shift
        for k, shift in zip(self.read, _paired(self.others), strict=True):
            self.inner.shifts[params[self.count + k]] = shift
        self.inner.doubt = self.own[-1]

    def params(self, own: Sequence[Var]) -> tuple[Var, ...]:
        """The parameters with those that are added, carries before reads."""
        end = self.count + self.reads
        carries, reads, rest = own[: self.count], own[self.count : end], own[end:]
        return (*carries, *self.own, *reads, *self.others, *rest)

    def given(self, results: Operands) -> Operands:
        """What a trip gives to the next beside its own."""
        shifts = [self.inner.shifts.get(results[k], NONE) for k in self.moving]
        return (*_flat(shifts), self.inner.doubt)

    def found(self, outs: Sequence[Var], added: Sequence[Var]) -> None:
        """Take note of the shifts that come out, and of the doubt."""
        for k, shift in zip(self.moving, _paired(added[:-1]), strict=True):
            self.carrier.shifts[outs[k]] = shift
        if self.carrier.watching:
            self.carrier.watch(added[-1])


def _none(shifts: dict[Operand, Shift], value: Operand) -> bool:
    return shifts.get(value, NONE).is_zero


def _flat(shifts: Sequence[Shift]) -> Operands:
    return tuple(v for s in shifts for v in (s.center, s.radius))


def _paired(values: Sequence[Operand]) -> list[Shift]:
    return [Shift(c, r) for c, r in zip(values[::2], values[1::2], strict=True)]


def _fresh(trip: _Trip, own: Sequence[Var]) -> tuple[Var, ...]:
    """The parameters of a test, which does not read those that are added."""
    return tuple(p if p in own else Var(FLOAT) for p in trip.params(own))
