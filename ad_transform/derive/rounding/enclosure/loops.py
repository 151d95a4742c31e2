"""Intervals through loops: beside its own carries, a loop carries their intervals.

Where rounding may decide how many trips a `While` makes, nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ad_transform.derive.rounding.enclosure.interval import (
    NONE,
    UNKNOWN,
    ZERO,
    Interval,
)
from ad_transform.ir.blocks import renewed
from ad_transform.ir.nodes import Block, Operand, Scan, Var, While
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import FLOAT

if TYPE_CHECKING:
    from ad_transform.derive.rounding.enclosure.propagation import Propagation

Operands = tuple[Operand, ...]


def through_loop(propagation: Propagation, loop: Scan | While) -> Task[None]:
    """Find the intervals of the results of a loop."""
    if isinstance(loop, While):
        yield _while(propagation, loop)
    else:
        yield _scan(propagation, loop)


def _scan(propagation: Propagation, loop: Scan) -> Task[None]:
    body = renewed(loop.body)
    propagation.overflow.enter(replace(loop, body=body))
    index, *params = body.params
    trip = _Trip(propagation, loop, params)
    for entry in params[trip.count + len(loop.reads) :]:
        if entry.type.is_real:
            trip.inner.intervals[entry] = UNKNOWN
    yield trip.inner.run(body.body)
    results = (*body.results[: trip.count], *trip.given(body.results))
    outs = tuple(Var(c.type) for c in (*loop.carries, *trip.start))
    propagation.builder.body.append(
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
            propagation.intervals[stack] = UNKNOWN


def _while(propagation: Propagation, loop: While) -> Task[None]:
    body = renewed(loop.body)
    propagation.overflow.enter(replace(loop, body=body))
    trip = _Trip(propagation, loop, body.params)
    test = renewed(loop.test, body.params)
    yield trip.inner.run(test.body)
    trip.inner.watch(trip.inner.intervals.get(test.results[0], NONE).radius)
    yield trip.inner.run(body.body)
    results = (*body.results[: trip.count], *trip.given(body.results))
    outs = tuple(Var(c.type) for c in (*loop.carries, *trip.start, loop.trips))
    own = renewed(loop.test)
    propagation.builder.body.append(
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
    yield propagation.run(last.body)
    leaving = propagation.intervals.get(last.results[0], NONE).radius
    doubt = propagation.make("plus", outs[-2], leaving)
    propagation.watch(doubt)
    for out in loop.outs:
        interval = propagation.intervals.get(out, NONE)
        radius = propagation.make("plus", interval.radius, doubt)
        propagation.intervals[out] = Interval(interval.center, radius)


class _Trip:
    """The body of a loop: what it carries and reads more than before.

    These are the intervals of the real carries, a doubt, and the intervals of the
    real reads.
    """

    def __init__(
        self, propagation: Propagation, loop: Scan | While, params: Sequence[Var]
    ) -> None:
        self.propagation = propagation
        self.inner = propagation.inner()
        self.count = len(loop.carries)
        self.reads = len(loop.reads)
        intervals = propagation.intervals
        self.moving = [k for k, c in enumerate(loop.carries) if c.type.is_real]
        before = [intervals.get(loop.carries[k], NONE) for k in self.moving]
        self.start = (*_flat(before), ZERO)
        self.own = tuple(Var(FLOAT) for _ in self.start)
        self.read = [k for k, r in enumerate(loop.reads) if not _none(intervals, r)]
        self.known = _flat([intervals[loop.reads[k]] for k in self.read])
        self.others = tuple(Var(FLOAT) for _ in self.known)
        for k, interval in zip(self.moving, _paired(self.own[:-1]), strict=True):
            self.inner.intervals[params[k]] = interval
        for k, interval in zip(self.read, _paired(self.others), strict=True):
            self.inner.intervals[params[self.count + k]] = interval
        self.inner.doubt = self.own[-1]

    def params(self, own: Sequence[Var]) -> tuple[Var, ...]:
        """The parameters with those that are added, carries before reads."""
        end = self.count + self.reads
        carries, reads, rest = own[: self.count], own[self.count : end], own[end:]
        return (*carries, *self.own, *reads, *self.others, *rest)

    def given(self, results: Operands) -> Operands:
        """What a trip gives to the next beside its own."""
        intervals = [self.inner.intervals.get(results[k], NONE) for k in self.moving]
        return (*_flat(intervals), self.inner.doubt)

    def found(self, outs: Sequence[Var], added: Sequence[Var]) -> None:
        """Take note of the intervals that come out, and of the doubt."""
        for k, interval in zip(self.moving, _paired(added[:-1]), strict=True):
            self.propagation.intervals[outs[k]] = interval
        if self.propagation.watching:
            self.propagation.watch(added[-1])


def _none(intervals: dict[Operand, Interval], value: Operand) -> bool:
    return intervals.get(value, NONE).is_zero


def _flat(intervals: Sequence[Interval]) -> Operands:
    return tuple(v for s in intervals for v in (s.center, s.radius))


def _paired(values: Sequence[Operand]) -> list[Interval]:
    return [Interval(c, r) for c, r in zip(values[::2], values[1::2], strict=True)]


def _fresh(trip: _Trip, own: Sequence[Var]) -> tuple[Var, ...]:
    """The parameters of a test, which does not read those that are added."""
    return tuple(p if p in own else Var(FLOAT) for p in trip.params(own))
