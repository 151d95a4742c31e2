"""Intervals through loops: beside its own carries, a loop carries their intervals, and
beside its records it records theirs.

Where rounding may decide how many trips a `While` makes, nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from ad_transform.dataclass import replace
from ad_transform.derive.rounding.enclosure.arrays import known_beside
from ad_transform.derive.rounding.enclosure.interval import (
    NONE,
    ZERO,
    Interval,
    floating,
    pairs,
)
from ad_transform.derive.sweep.shapes import started
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.nodes import Block, Literal, Operand, Scan, Var, While
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import FLOAT, Type

if TYPE_CHECKING:
    from ad_transform.derive.rounding.enclosure.propagation import Propagation

Operands = tuple[Operand, ...]
T = TypeVar("T")


def through_loop(
    propagation: Propagation, loop: Scan | While, outs: tuple[Var, ...]
) -> Task[None]:
    """Find the intervals of the results of a loop, which is entered to bind `outs`."""
    if isinstance(loop, While):
        yield _while(propagation, loop, outs)
    else:
        yield _scan(propagation, loop, outs)


def _scan(propagation: Propagation, loop: Scan, outs: tuple[Var, ...]) -> Task[None]:
    body = renewed(loop.body)
    propagation.overflow.enter(replace(loop, body=body))
    index, *params = body.params
    trip = _Trip(propagation, loop, params)
    entries = _entered(trip, loop, params[trip.count + len(loop.reads) :])
    yield trip.inner.run(body.body)
    trip.settle()
    trip.record(outs[trip.count :], body.results[trip.count :])
    stacks = tuple(stack for stack, _ in entries)
    inside = (index, *trip.params(params), *(own for _, own in entries))
    propagation.builder.body.append(
        Scan(
            (*trip.beside(outs, trip.outs), *trip.stacks),
            *(loop.start, loop.stop, loop.step),
            (*loop.carries, *trip.start),
            (*loop.reads, *trip.known),
            (*loop.entries, *stacks),
            trip.inner.builder.block(
                inside, (*trip.given(body.results), *trip.records)
            ),
            loop.backwards,
            notes=loop.notes,
        )
    )
    trip.found(loop)


def _entered(
    trip: _Trip, loop: Scan, params: Sequence[Var]
) -> list[tuple[Operand, Var]]:
    """The stacks of centers and of radii beside those that a loop goes through, and an
    entry of each.
    """
    found: list[tuple[Operand, Var]] = []
    for stack, entry in zip(loop.entries, params, strict=True):
        interval = trip.propagation.intervals.get(stack, NONE)
        if interval.is_zero or not entry.type.is_real:
            continue
        if not interval.center.type.is_array:  # nothing is known
            trip.inner.intervals[entry] = interval
            continue
        sides = interval.center, interval.radius
        own = tuple(
            Var(side.type.entry, v.hint)
            for side, v in zip(sides, pairs([entry]), strict=True)
        )
        trip.inner.intervals[entry] = Interval(*own)
        found += zip(sides, own, strict=True)
    return found


def _while(propagation: Propagation, loop: While, outs: tuple[Var, ...]) -> Task[None]:
    body = renewed(loop.body)
    propagation.overflow.enter(replace(loop, body=body))
    trip = _Trip(propagation, loop, body.params)
    test = renewed(loop.test, body.params)
    yield trip.inner.run(test.body)
    trip.inner.watch(trip.inner.intervals.get(test.results[0], NONE).radius)
    yield trip.inner.run(body.body)
    trip.settle()
    end = len(body.results)
    trip.record(outs[trip.count : end], body.results[trip.count :])
    own = renewed(loop.test)
    propagation.builder.body.append(
        While(
            (*trip.beside(outs[:end], trip.outs), *trip.stacks, *outs[end:]),
            (*loop.carries, *trip.start),
            (*loop.reads, *trip.known),
            Block(_fresh(trip, own.params), own.body, own.results),
            trip.inner.builder.block(
                trip.params(body.params),
                (*trip.given(body.results), *trip.records),
            ),
            notes=loop.notes,
        )
    )
    trip.found(loop)
    last = renewed(loop.test, (*loop.outs[: trip.count], *loop.reads))
    yield propagation.run(last.body)
    leaving = propagation.intervals.get(last.results[0], NONE).radius
    propagation.watch(leaving)
    propagation.unless(propagation.total(trip.doubt, leaving), loop.outs)


class _Trip:
    """The body of a loop, with more carries and reads.

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
        before = [self._before(loop.carries[k], loop.outs[k]) for k in self.moving]
        self.start = (*_flat(before), ZERO)
        self.own = (*pairs([params[k] for k in self.moving]), Var(FLOAT, "doubt"))
        self.outs = (*pairs([loop.outs[k] for k in self.moving]), Var(FLOAT, "doubt"))
        self.read = [k for k, r in enumerate(loop.reads) if not _none(intervals, r)]
        known = _flat([intervals[loop.reads[k]] for k in self.read])
        inside = pairs([params[self.count + k] for k in self.read])
        of_reads = [p if _varies(v) else v for p, v in zip(inside, known, strict=True)]
        self.known = tuple(filter(_varies, known))
        self.others = tuple(p for p in of_reads if isinstance(p, Var))
        for k, interval in zip(self.moving, _paired(self.own), strict=False):
            self.inner.intervals[params[k]] = interval
        for k, interval in zip(self.read, _paired(of_reads), strict=True):
            self.inner.intervals[params[self.count + k]] = interval
        self.inner.doubt = self.own[-1]
        self.stacks: list[Var] = []  # of centers and radii
        self.records: list[Operand] = []
        self.stacked: list[Interval] = []  # one for each stack of the loop

    def record(self, stacks: Sequence[Var], records: Operands) -> None:
        """Record the intervals of what the loop records."""
        for stack, value in zip(stacks, records, strict=True):
            interval = self.inner.intervals.get(value, NONE)
            if not value.type.is_real or interval.is_zero:
                self.stacked.append(NONE)
                continue
            if value.type.is_array:
                interval = known_beside(self.inner, value)
            sides = interval.center, interval.radius
            trips = stack.type.dims[0]
            made = tuple(
                Var(Type(FLOAT.kind, (trips, *side.type.dims), side.type.shape), v.hint)
                for side, v in zip(sides, pairs([stack]), strict=True)
            )
            self.stacks += made
            self.records += map(floating, sides)
            self.stacked.append(Interval(*made))

    def _before(self, carry: Operand, out: Var) -> Interval:
        given = known_beside(self.propagation, carry)
        builder = self.propagation.builder
        center = started(builder, given.center, carry, out.type)
        return Interval(center, started(builder, given.radius, carry, out.type))

    def params(self, own: Sequence[Var]) -> tuple[Var, ...]:
        """The parameters with the added ones, carries before reads."""
        end = self.count + self.reads
        carries, reads, rest = own[: self.count], own[self.count : end], own[end:]
        return (*carries, *self.own, *reads, *self.others, *rest)

    def given(self, results: Operands) -> Operands:
        """The results of a trip: its carries for the next one, and its records."""
        intervals = [self.inner.intervals.get(results[k], NONE) for k in self.moving]
        given = (*_flat(intervals), self.inner.doubt)
        return self.beside(results, given[: len(self.own)])

    def beside(self, own: tuple[T, ...], added: Sequence[T]) -> tuple[T, ...]:
        """The results of a loop with the added ones, carries before records."""
        return (*own[: self.count], *added, *own[self.count :])

    def found(self, loop: Scan | While) -> None:
        """Note the intervals of the loop's results, and its doubt."""
        for k, interval in zip(self.moving, _paired(self.outs), strict=False):
            self.propagation.intervals[loop.outs[k]] = interval
        for stack, interval in zip(loop.stacks, self.stacked, strict=True):
            self.propagation.intervals[stack] = interval
        if self.propagation.watching:
            self.propagation.watch(self.doubt)

    def settle(self) -> None:
        """Drop the carried doubt if no trip adds to it."""
        if self.inner.doubt is self.own[-1]:
            self.own, self.outs = self.own[:-1], self.outs[:-1]
            self.start = self.start[:-1]

    @property
    def doubt(self) -> Operand:
        """The doubt behind the loop."""
        return self.outs[-1] if len(self.outs) > 2 * len(self.moving) else ZERO


def _varies(part: Operand) -> bool:
    """Whether a part of an interval is no number that the body of a loop knows, too."""
    return not isinstance(part, Literal)


def _none(intervals: dict[Operand, Interval], value: Operand) -> bool:
    return intervals.get(value, NONE).is_zero


def _flat(intervals: Sequence[Interval]) -> Operands:
    return tuple(v for s in intervals for v in (s.center, s.radius))


def _paired(values: Sequence[Operand]) -> list[Interval]:
    return [Interval(c, r) for c, r in zip(values[::2], values[1::2], strict=False)]


def _fresh(trip: _Trip, own: Sequence[Var]) -> tuple[Var, ...]:
    """The parameters of a test, which does not read the added ones."""
    return tuple(p if p in own else Var(p.type, p.hint) for p in trip.params(own))
