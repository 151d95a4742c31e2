"""Operation counts by the classes of the contract (rule 25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import field
from operator import attrgetter

from ad_transform.dataclass import dataclass
from ad_transform.ir.blocks.carried import counts_up
from ad_transform.ir.loops.ends import is_end
from ad_transform.ir.loops.exits import counter_of, exit_of, used_in
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Function,
    Literal,
    Operand,
    Scan,
    Solve,
    Statement,
    While,
)
from ad_transform.ir.price import Price, weighed


@dataclass(frozen=True, slots=True)
class Counts:
    """Operations as they stand in the text; `total` leaves out select.

    `loops` has the trips of every outermost loop, a number or a name, and the counts of
    its operations: these are counted in the classes, too.
    """

    mul: int = 0
    add: int = 0
    div: int = 0
    pow: int = 0
    call: int = 0
    neg: int = 0
    select: int = 0
    loops: tuple[tuple[str | int, Counts], ...] = ()

    @property
    def total(self) -> int:
        """All operations but comparisons and conditional expressions."""
        return self.mul + self.add + self.div + self.pow + self.call + self.neg

    def price(self, weights: Mapping[str, int]) -> Price:
        """All operations that run, each times the weight of its class."""
        once = weighed(self.classes(), weights)
        price = Price()
        for trips, inner in self.loops:
            once -= weighed(inner.classes(), weights)
            price += inner.price(weights).repeated(trips)
        return price + Price.flat(once)

    def classes(self) -> dict[str, int]:
        """The counts by class, zero ones included."""
        return dict(zip(CLASSES, _IN_CLASSES(self), strict=True))


_OP = attrgetter("op")

CLASSES = ("mul", "add", "div", "pow", "call", "neg", "select")
_IN_CLASSES = attrgetter(*CLASSES)


@dataclass(slots=True)
class _Loop:
    """A loop, or the whole, while its operations are counted."""

    trips: str | int
    around: _Loop | None
    tally: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CLASSES, 0))
    loops: list[tuple[str | int, Counts]] = field(default_factory=list)

    def counts(self) -> Counts:
        for _, inner in self.loops:
            for kind, number in inner.classes().items():
                self.tally[kind] += number
        return Counts(**self.tally, loops=tuple(self.loops))


def count_statements(
    body: tuple[Statement, ...], results: tuple[Operand, ...] = ()
) -> Counts:
    """Counts of a body, inner blocks once each. Linear."""
    whole = _Loop(1, None)
    if {*map(type, body)} == {Apply}:  # nearly always
        tally = whole.tally
        for op, times in Counter(map(_OP, body)).items():
            for kind in op.classes:
                tally[kind] += times
        return whole.counts()
    used: Set[Operand] | None = None
    loops, waiting = [whole], [(body, whole)]
    while waiting:
        statements, loop = waiting.pop()
        tally = loop.tally
        for statement in statements:
            if type(statement) is Apply:
                for kind in statement.op.classes:
                    tally[kind] += 1
                continue
            inner = loop
            if isinstance(statement, Branch):
                tally["select"] += 1
            elif isinstance(statement, Call):
                tally["call"] += 1
            elif isinstance(statement, Scan | While):
                inner = _Loop(trips(statement), loop)
                loops.append(inner)
            blocks = statement.blocks
            if isinstance(statement, Solve):
                blocks = blocks[:1]  # the residual is never run
            elif isinstance(statement, While):
                used = used_in(body, results) if used is None else used
                blocks = _blocks(statement, used, inner.tally)
            waiting += ((block.body, inner) for block in blocks)
    for loop in reversed(loops[1:]):  # inner ones first
        assert loop.around is not None
        loop.around.loops.append((loop.trips, loop.counts()))
    return whole.counts()


def _blocks(
    loop: While, used: Set[Operand], tally: dict[str, int]
) -> tuple[Block, ...]:
    """The blocks whose operations stand in the text: a `break` is an `if`, and a `for`
    counts by itself.
    """
    left = exit_of(loop)
    if left is None:
        return loop.blocks
    tally["select"] += 1
    counter = counter_of(loop, left, used)
    if counter is not None:
        for kind in counter.advance.op.classes if counter.advance else ():
            tally[kind] -= 1
        return (loop.body,)
    return (loop.body,) if left.rest is None else (left.rest, loop.body)


def trips(loop: Scan | While) -> str | int:
    """The number of trips of a loop: a number, the name of its bound, or "trips"."""
    if isinstance(loop, While) or is_end(loop.stop):
        return "trips"
    bounds = (loop.start, loop.stop, loop.step)
    if all(isinstance(b, Literal) for b in bounds):
        return len(range(*(int(b.value) for b in bounds if isinstance(b, Literal))))
    name = getattr(loop.stop, "hint", "")
    return name if counts_up(loop) and name else "trips"


def count(function: Function) -> Counts:
    """Counts of a whole function."""
    return count_statements(function.body, function.results)
