"""Nested branches whose outermost one gives every test.

x_test = x < a
if x_test:
    high = False
else:
    high = x > a + b

Here `high` is the test of the inner branch, and False where that is not asked. Such
tests may be told by the number of the arm (`derive.numbered_arms`), unless a list of
them is read in another way than trip by trip.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ad_transform.dataclass import dataclass
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.blocks.places import Place
from ad_transform.ir.nodes import (
    Branch,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import BOOL


@dataclass(frozen=True, slots=True)
class Level:
    """One of nested branches, and the arm that holds the next of them: 0, 1, or None
    for the last. `test` is its test, or the value of the outermost branch for that.
    """

    branch: Branch
    side: int | None
    test: Var


@dataclass(frozen=True, slots=True)
class Chain:
    """Nested branches, outermost first; and the tests among theirs that are read
    behind, and those that the loop around records.
    """

    levels: tuple[Level, ...]
    read: frozenset[Var]
    recorded: frozenset[Var]
    leaves: bool = False  # the outermost test tells whether the loop goes on

    @property
    def saves(self) -> bool:
        """Whether the number of the arm saves values."""
        inner = {level.test for level in self.levels[1:]}
        return len(self.recorded | (self.read & inner)) > 1


def _levels(branch: Branch) -> tuple[Level, ...]:
    """A branch, and those in its arms whose tests are values of it, False elsewhere."""
    assert isinstance(branch.test, Var)
    found: list[Level] = []
    test, wanted = branch.test, {out: out for out in branch.outs if out.type == BOOL}
    while True:
        step = _next(branch, wanted) if wanted else None
        if step is None:
            return (*found, Level(branch, None, test))
        side, given, inner = step
        found.append(Level(branch, side, test))
        assert isinstance(inner.test, Var)
        branch, test = inner, given[inner.test]
        wanted = {out: given[out] for out in inner.outs if out in given}


def _next(
    branch: Branch, wanted: Mapping[Var, Var]
) -> tuple[int, Mapping[Var, Var], Branch] | None:
    """The arm with the next branch, the outer names of its values, and that branch."""
    for side in (1, 0):
        arm, other = branch.blocks[side], branch.blocks[1 - side]
        rows = zip(branch.outs, arm.results, other.results, strict=True)
        given = {
            inner: wanted[out]
            for out, inner, default in rows
            if out in wanted and isinstance(inner, Var) and default == _FALSE
        }
        for statement in arm.body:
            if isinstance(statement, Branch) and statement.test in given:
                return side, given, statement
    return None


_FALSE = Literal(False)


def chains(place: Place) -> Iterator[tuple[Branch, Chain]]:
    """The outermost of nested branches, with their chains."""
    waiting = [place]
    inner: set[Branch] = set()
    while waiting:
        here = waiting.pop()
        for k in here.block.holders:
            statement = here.block.body[k]
            if not isinstance(statement, Branch) or statement in inner:
                continue
            if isinstance(statement.test, Var):
                levels = _levels(statement)
                inner.update(level.branch for level in levels[1:])
                if len(levels) > 1:
                    yield statement, _chain(here, levels)
        waiting += here.inside()


def _chain(place: Place, levels: tuple[Level, ...]) -> Chain:
    """The chain of nested branches in a block. None of its tests counts as read or
    recorded if a list of one is read in another way than trip by trip.
    """
    tests = [level.test for level in levels]
    stacks = {test: place.stacks(test) for test in tests}
    recorded = {test for test, own in stacks.items() if own}
    outer = place.outer
    lists = [stack for own in stacks.values() for stack in own or ()]
    if outer is not None and not all(_goes_back(outer, stack) for stack in lists):
        return Chain(levels, frozenset(), frozenset())
    read = {t for t in tests if stacks[t] is None or place.readers(t)}
    leaves = stacks[tests[0]] is None
    return Chain(levels, frozenset(read), frozenset(recorded), leaves)


def _goes_back(place: Place, stack: Var) -> bool:
    """Whether all readers of a list go over it, or hand it to such readers."""
    above = place.stacks(stack)
    if above is None:
        return False
    if above and not (place.outer and all(_goes_back(place.outer, s) for s in above)):
        return False
    for statement in place.readers(stack):
        if stack in asked(statement):
            return False
        for inside in place.within(statement):
            pairs = handed(statement, inside.block)
            params = [param for param, operand in pairs if operand is stack]
            if not all(_goes_back(inside, p) for p in params if p.type.dims):
                return False
    return True


def asked(statement: Statement) -> tuple[Operand, ...]:
    """The values that a statement reads itself, and does not only hand to its blocks,
    as they are or item by item.
    """
    match statement:
        case Branch(test=test):
            return (test,)
        case Scan(snapshots=None):
            ends = statement.start, statement.stop, statement.step
            return (*ends, *statement.carries)
        case While(snapshots=None):
            return statement.carries
    return statement.inputs
