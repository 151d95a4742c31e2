"""Loops: the statements whose body runs again and again, trip by trip."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, kept
from ad_transform.ir.rebuildable import Blocks, Operands, Rebuildable, Vars, cut
from ad_transform.ir.values import Operand, Var, node

if TYPE_CHECKING:
    from ad_transform.ir.statements import Block


@dataclass(frozen=True, slots=True)
class Snapshots:
    """A limit of the records that a loop holds: those of `most` trips, not of all.

    Its records are the carries at the begin of each trip. The loop that goes back over
    the stacks has the same snapshots, and makes the entries that are not held again, by
    running trips of the loop forth. `step` is the function of the bundle that is one
    trip, once there is one: until then all is held.
    """

    most: int
    step: str = ""


class Looping(Rebuildable):
    """What a trip of a loop takes, and what it gives: the parts of its body."""

    __slots__ = ()
    first_carry = 0  # the places of parameters of the body

    if TYPE_CHECKING:

        @property
        def carries(self) -> Operands: ...
        @property
        def reads(self) -> Operands: ...
        @property
        def entries(self) -> Operands: ...
        @property
        def body(self) -> Block: ...

    else:
        entries = ()  # a tested loop has none

    @property
    def first_read(self) -> int:
        """The place of the first parameter that stands for one of the reads."""
        return self.first_carry + len(self.carries)

    @property
    def first_entry(self) -> int:
        """The place of the first parameter that stands for an entry."""
        return self.first_carry + len(self.carries) + len(self.reads)

    @property
    def carry_params(self) -> Vars:
        """The parameters that stand for the carries."""
        return self.body.params[self.first_carry : self.first_read]

    @property
    def read_params(self) -> Vars:
        """The parameters that stand for the reads."""
        return self.body.params[self.first_read : self.first_entry]

    @property
    def entry_params(self) -> Vars:
        """The parameters that stand for the entries."""
        return self.body.params[self.first_entry :]

    @property
    def handed_on(self) -> Operands:
        """The results of a trip that are the carries of the next one."""
        return self.body.results[: len(self.carries)]

    @property
    def records(self) -> Operands:
        """The results of a trip that go on the stacks."""
        return self.body.results[len(self.carries) :]

    @property
    def finals(self) -> Vars:
        """The carries behind the last trip."""
        return self.outs[: len(self.carries)]


@node
class Scan(Looping):
    """A counted loop: `for i in range(start, stop, step)` with carries.

    The body takes (i, *carries, *reads, *entries) and returns (*carries, *records).
    `outs` are the final carries, then for every record its stack: a list of all that
    was recorded, in the order of the range (also where `backwards` runs the trips in
    reverse order). The first dim of the stacks are the trips of this loop
    (`Builder.trips`). `entries` are such stacks, of which the body sees the entry of
    its trip; the stacks of a loop over entries have their dim. With `snapshots` not all
    records are held.
    """

    outs: Vars
    start: Operand
    stop: Operand
    step: Operand
    carries: Operands
    reads: Operands
    entries: Operands
    body: Block
    backwards: bool = False
    snapshots: Snapshots | None = None
    notes: tuple[str, ...] = ()
    first_carry = 1  # behind the index of the trip

    @kept
    def inputs(self) -> Operands:
        bounds = (self.start, self.stop, self.step)
        return (*bounds, *self.carries, *self.reads, *self.entries)

    @kept
    def blocks(self) -> Blocks:
        return (self.body,)

    @property
    def stacks(self) -> Vars:
        """The lists of records."""
        return self.outs[len(self.carries) :]

    @property
    def label(self) -> Hashable:
        counts = len(self.carries), len(self.reads)
        return ("scan", *counts, self.backwards, self.snapshots)

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Scan:
        start, stop, step, *rest = inputs
        carries, reads, entries = cut(rest, len(self.carries), len(self.reads))
        (body,) = blocks
        ends = (outs, start, stop, step, carries, reads, entries, body)
        return Scan(*ends, self.backwards, self.snapshots, self.notes)


@node
class While(Looping):
    """`while test(*carries, *reads): carries = body(*carries, *reads)`.

    The body returns (*carries, *records). `outs` are the final carries, then for every
    record its stack, in the order of the trips, as those of a `Scan`, and last the
    number of trips (int). So its mirror image is a `Scan` over range(trips), backwards,
    whose entries are the stacks. `snapshots` are as those of a `Scan`.
    """

    outs: Vars
    carries: Operands
    reads: Operands
    test: Block
    body: Block
    snapshots: Snapshots | None = None
    notes: tuple[str, ...] = ()

    @kept
    def inputs(self) -> Operands:
        return (*self.carries, *self.reads)

    @kept
    def blocks(self) -> Blocks:
        return (self.test, self.body)

    @property
    def stacks(self) -> Vars:
        """The lists of records."""
        return self.outs[len(self.carries) : -1]

    @property
    def trips(self) -> Var:
        """The number of trips."""
        return self.outs[-1]

    @property
    def label(self) -> Hashable:
        return ("while", len(self.carries), self.snapshots)

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> While:
        carries, reads, _ = cut(inputs, len(self.carries), len(self.reads))
        test, body = blocks
        return While(outs, carries, reads, test, body, self.snapshots, self.notes)
