"""A body in two passes: one that no seed reaches, and one that depends on the seeds.

The first runs once, the second for every seed. A loop that seeds reach becomes two: the
first computes the values and the partials, and records those that the second reads.

    for v in x:                         for v in x:
        e = exp(s * v)                      e = exp(s * v)
        s_dot += e * (s_dot * v + ...)      saved.append((e, s))
        s = s + e                           s = s + e
                                        for v, (e, s) in zip(x, saved):
                                            s_dot += e * (s_dot * v + ...)

Branches become two likewise, on one test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import field
from itertools import count

from ad_transform.dataclass import dataclass
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.shaped import Shapes
from ad_transform.derive.sweep.stacks import fresh_trips
from ad_transform.derive.sweep.worth import handed_on
from ad_transform.elementals.arrays import LIKE
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.free import free
from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    checks,
    checks_inside,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.later import later

with later():
    from ad_transform.derive.sweep.two_branches import two_branches
    from ad_transform.derive.sweep.two_loops import two_loops

Operands = tuple[Operand, ...]
Body = tuple[Statement, ...]


class Whole(Exception):
    """The body cannot be taken apart."""


@dataclass(frozen=True, slots=True)
class Passes:
    """The statements of the first pass, and those of the second."""

    first: Body
    second: Body


_LIKE = frozenset(LIKE.values())

Half = Statement | None
Halves = tuple[Half, Half]
"""A statement of the first pass, and one of the second."""


@dataclass(slots=True)
class Level:
    """A block that is taken apart.

    Seeds reach the values in `reached`. Arrays in `lasting` do not change. Parameters
    in `own` may turn out to be reached. The second pass gives the arrays in `given`
    away. `stacks` are lists of the first pass by their trips; `names` number the trips
    of loops that begin to record.
    """

    block: Block
    reached: set[Operand]
    lasting: set[Operand]
    own: Set[Operand]
    names: Iterator[int]
    is_outermost: bool = False
    given: Set[Operand] = frozenset()
    first: Body = ()
    second: Body = ()
    stacks: dict[Dim, Var] = field(default_factory=dict)

    def taken_apart(self) -> Task[None]:
        """Find the statements of both passes; raises Whole.

        An array that the second pass changes or gives away is made there.
        """
        block = self.block
        arrays = (o for s in block.body for o in (*s.inputs, *s.outs) if o.type.dims)
        if self.is_outermost:
            self.lasting.update(arrays)
        self.lasting -= Consumption().by_all(block.body)
        start: set[Operand] = set(self.reached)
        while True:
            self.reached = set(start)
            self.stacks = {}
            halves: list[Halves] = []
            for statement in block.body:
                first, second = yield self._halves(statement)
                halves.append((first, second))
                if second is not None:
                    self.reached.update(second.outs)
                if first is not None:
                    self._note(first)
            self.first = tuple(s for s, _ in halves if s is not None)
            self.second = tuple(s for _, s in halves if s is not None)
            changed = Consumption().by_all(self.second) | self.given
            more = self._made_later(changed - self.reached)
            if not more:
                break
            start |= more
        self._without_lost()

    def _without_lost(self) -> None:
        """Let the second pass make arrays as long as others without reading these,
        where the first one changes them.
        """
        shapes = Shapes(self.block.body, self.lasting, self.block.results)
        body: list[Statement] = []
        for statement in self.second:
            made = [statement]
            if isinstance(statement, Apply) and statement.op.name in _LIKE:
                array, value = statement.args
                if not (array in self.reached or array in shapes.lasting):
                    made, zeros = shapes.filled(array, value)
                    if made:
                        made[-1] = made[-1].binding(statement.outs)
                    else:  # zeros of the first pass, which are there for all seeds
                        made = [statement.over({array: zeros})]
            body += made
        self.first = ordered((*self.first, *shapes.early))
        self.second = tuple(body)

    def _note(self, first: Statement) -> None:
        for out in first.outs:
            if out.type.dims:
                self.stacks.setdefault(out.type.dims[0], out)

    def _made_later(self, changed: Iterable[Operand]) -> set[Operand]:
        """The arrays that the second pass has to make, since it changes them."""
        makers = {s.out for s in self.block.body if isinstance(s, Apply)}
        found: set[Operand] = set()
        for array in changed:
            if array in makers or array in self.own:
                found.add(array)
            elif not self.is_outermost or any(array in s.outs for s in self.block.body):
                raise Whole
        return found

    def _halves(self, statement: Statement) -> Task[Halves]:
        reached = self.reached
        if reached.isdisjoint((*statement.inputs, *statement.outs)):
            return statement, None
        if isinstance(statement, Scan | While) and statement.snapshots is None:
            halves: Halves = yield two_loops(self, statement)
            return halves
        if isinstance(statement, Branch) and statement.test not in reached:
            halves = yield two_branches(self, statement)
            return halves
        if isinstance(statement, Apply | Call):
            return None, statement
        if checks(statement) or checks_inside(statement):
            raise Whole
        return None, statement

    def later(self, results: Iterable[Operand], known: Set[Operand]) -> Later:
        """The second pass with some results, and the values that it takes from the
        first one. It has those in `known` for nothing.
        """
        results = tuple(results)
        needed = [v for v in free(self.second, results) if v not in self.reached]
        handed = handed_on(self.first, needed, known)
        gone = Consumption().by_all(self.first)
        if not gone.isdisjoint(v for v in (*needed, *handed.saved) if v.type.dims):
            raise Whole
        return Later((*handed.again, *self.second), results, handed.saved)


@dataclass(frozen=True, slots=True)
class Later:
    """The statements of a second pass, its results, and the values handed to it."""

    body: Body
    results: Operands
    saved: tuple[Var, ...]

    def reads(self, value: Operand) -> bool:
        """Whether the second pass reads a parameter."""
        return value in free(self.body, self.results)


def in_two_passes(
    body: Sequence[Statement],
    values: Operands,
    tangents: Operands,
    seeds: Iterable[Operand],
) -> Passes | None:
    """A body in two passes, of which the first gives the values; None if it stays as it
    is.
    """
    block = Block((), tuple(body), (*values, *tangents))
    names = count(fresh_trips(body) + 1)
    level = Level(block, set(seeds), set(), frozenset(), names, is_outermost=True)
    try:
        bounce(level.taken_apart())
        gone = Consumption().by_all(level.first)
        if not gone.isdisjoint(free(level.second, ())):
            return None
        if not level.reached.isdisjoint(values):  # a call gives both at once
            return None
    except Whole:
        return None
    return Passes(level.first, _with_numbers(level))


def _with_numbers(level: Level) -> Body:
    """The second pass, in which numbers that stand for arrays are known as such."""
    read = set(free(level.second, ()))
    env: dict[Operand, Operand] = {}
    again: list[Statement] = []
    for statement in level.first:
        if _is_number(statement) and not read.isdisjoint(statement.outs):
            (out,) = statement.outs
            env[out] = new = another(out, {})
            again.append(statement.binding((new,)))
    return (*again, *(s.over(env) for s in level.second)) if env else level.second


def _is_number(statement: Statement) -> bool:
    """Whether it makes an array of a number that is written out."""
    if not isinstance(statement, Apply) or statement.op.name != "spread":
        return False
    return isinstance(statement.args[0], Literal)


def pairs_apart(
    pairs: Iterable[tuple[Operand, Operand]], is_late: Callable[[Operand], bool]
) -> tuple[list[tuple[Operand, Operand]], list[tuple[Operand, Operand]]]:
    """Pairs of values outside and inside, in two lists by those inside."""
    early: list[tuple[Operand, Operand]] = []
    late: list[tuple[Operand, Operand]] = []
    for pair in pairs:
        (late if is_late(pair[1]) else early).append(pair)
    return early, late
