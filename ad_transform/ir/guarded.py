"""Quotients that a branch guards are computed in its arms, and not beside it.

`if s == 0.0: return 0.0` behind `s = sqrt(u)` says that nothing is divided by s there.
The slope of s is such a quotient, and all that reads it stands in the other arm, or is
0 in this one: `s_bar / s`, where s_bar is what the branch chose. Both go into the other
arm, so that only operations which the results need may raise. What the value itself
divides by stays where the source has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import TypeGuard

from ad_transform.dataclass import dataclass
from ad_transform.ir.inner import changed_inside, is_same, with_block
from ad_transform.ir.into_arms import into_arm
from ad_transform.ir.live import live
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Statement,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce

_ZERO = Literal(0.0)
_POWERS = frozenset({"sqrt", "pow", "mul", "neg", "abs"})
"""What is 0 where what it is made of is."""
_TESTED = _POWERS | {"lt", "le", "gt", "ge", "eq", "ne", "not", "branch"}
"""The same for tests: what they compare."""
_NEAR = 32
"""How many values are looked at behind one."""


def guarded(function: Function) -> Function:
    """The function with guarded quotients in the arms of their branches.

    Linear in the statements, times the branches beside them.
    """
    primal = live(function.body, function.results[: function.primal])
    sacred = frozenset(out for s in walk(primal) for out in s.outs)
    return with_block(function, bounce(_guarded(function.block, sacred)))


def _guarded(block: Block, sacred: frozenset[Operand]) -> Task[Block]:
    def inside(inner: Block) -> Task[Block]:
        return _guarded(inner, sacred)

    body = yield from changed_inside(block.body, inside)
    found = _Body(body, block.results, sacred)
    place = len(body)
    while place:  # those behind first: what goes into an arm may go on
        place -= 1
        if isinstance(body[place], Branch):
            for arm in (0, 1):
                place = _Place(found, place, arm).change()
    return block if is_same(body, block.body) else replace(block, body=tuple(body))


@dataclass(slots=True)
class _Body:
    """A body, what makes and reads its values, and the quotients that may move, by
    the numbers that are 0 only where they raise.
    """

    body: list[Statement]
    results: tuple[Operand, ...]
    sacred: frozenset[Operand]
    makers: dict[Operand, int] = field(default_factory=dict)
    readers: dict[Operand, list[int]] = field(default_factory=dict)
    quotients: dict[Operand, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if any(isinstance(s, Branch) for s in self.body):
            self.look()

    def look(self) -> None:
        """Find all that anew."""
        for table in (self.makers, self.readers, self.quotients):
            table.clear()
        for k, statement in enumerate(self.body):
            self.makers.update((out, k) for out in statement.outs)
            for one in statement.inputs:
                self.readers.setdefault(one, []).append(k)
            if statement.label == "div" and self.may_move(statement):
                for one in self.behind(statement.inputs[1:], _POWERS):
                    self.quotients.setdefault(one, []).append(k)
        for one in self.results:
            self.readers.setdefault(one, []).append(len(self.body))

    def maker(self, value: Operand) -> Statement | None:
        place = self.makers.get(value)
        return None if place is None else self.body[place]

    def behind(
        self, values: Iterable[Operand], through: frozenset[str]
    ) -> set[Operand]:
        """Numbers, and what is near that they are made of by some operations."""
        found: set[Operand] = set()
        waiting = list(values)
        while waiting and len(found) < _NEAR:
            value = waiting.pop()
            maker = self.maker(value)
            if value in found or isinstance(value, Literal):
                continue
            found.add(value)
            if maker is not None and maker.label in through:
                waiting += maker.inputs
        return found

    def may_move(self, statement: Statement) -> bool:
        """Whether it is an operation on numbers that the value does not need."""
        return (
            isinstance(statement, Apply)
            and statement.out not in self.sacred
            and all(v.type.is_real and not v.type.dims for v in statement.inputs)
            and statement.out.type.is_real
            and not statement.out.type.dims
        )


@dataclass(slots=True)
class _Place:
    """A branch in a body, and the arm that quotients may go into."""

    found: _Body
    at: int
    arm: int
    guarded: set[int] = field(default_factory=set)

    def change(self) -> int:
        """Move what is guarded into the arm; where the branch is then."""
        found = self.found
        for value in found.behind((self.branch.test,), _TESTED):
            self.guarded.update(found.quotients.get(value, ()))
        if not self.guarded:
            return self.at
        behind = self._behind()
        before = self._before({found.body[k].outs[0] for k in behind})
        if before or behind:
            self._move(before, behind)
            found.look()
        return self.at - len(before)

    @property
    def branch(self) -> Branch:
        branch = self.found.body[self.at]
        assert isinstance(branch, Branch)
        return branch

    # --- what moves -------------------------------------------------------------------

    def _behind(self) -> list[int]:
        """Statements behind the branch that are 0 in the other arm, and what these are
        made of: up to the last quotient that is guarded.
        """
        branch, body, places = self.branch, self.found.body, self.found.makers
        zeros = self._zeros()
        known: set[Operand] = set(branch.outs)
        chain: dict[Operand, int] = {}
        raising: set[Operand] = set()
        last: set[Operand] = set()
        for k in range(self.at + 1, len(body) if zeros else 0):
            statement = body[k]
            if not isinstance(statement, Apply) or not self.found.may_move(statement):
                continue
            others = [a for a in statement.args if a not in known]
            if any(places.get(a, 0) > self.at for a in others):
                continue
            known.add(statement.out)
            chain[statement.out] = k
            may_raise = k in self.guarded or not raising.isdisjoint(statement.args)
            if _is_zero(statement, zeros):
                zeros.add(statement.out)
                if may_raise:
                    last.add(statement.out)
            elif may_raise:
                raising.add(statement.out)
        return self._apart(chain, last, zeros)

    def _zeros(self) -> set[Operand]:
        """What is 0 in the other arm of the branch, and of those before that have the
        same test, or is made of that.
        """
        zeros: set[Operand] = set()
        for one in self.found.body[: self.at + 1]:
            if self._is_alike(one):
                ends = one.blocks[1 - self.arm].results
                pairs = zip(one.outs, ends, strict=True)
                zeros.update(out for out, end in pairs if end == _ZERO)
            elif isinstance(one, Apply) and _is_zero(one, zeros):
                zeros.add(one.out)
        return zeros

    def _is_alike(self, statement: Statement) -> TypeGuard[Branch]:
        """Whether it is a branch that takes the same arm."""
        return isinstance(statement, Branch) and statement.test is self.branch.test

    def _apart(
        self, chain: dict[Operand, int], last: set[Operand], zeros: set[Operand]
    ) -> list[int]:
        """What can move of a chain: nothing that is read beside it and is not 0."""
        body, readers = self.found.body, self.found.readers
        while True:
            moved = _needed(body, chain, last)
            read = {o for k in moved for o in body[k].outs if o not in zeros}
            held = {o for o in read if not set(readers.get(o, ())) <= set(moved)}
            if not held:
                return moved
            for k in moved:
                if not held.isdisjoint(body[k].inputs):
                    held.update(body[k].outs)
            last = last - held

    def _before(self, moved: set[Operand]) -> list[int]:
        """Statements before the branch that only the arm reads, or what moves into it:
        quotients that are guarded, and what is made of them.
        """
        branch, body = self.branch, self.found.body
        shared = self._read_elsewhere(branch)
        shared.update(a for a in branch.args if branch.args.count(a) > 1)
        own = {self.found.makers[o] for o in moved} | {self.at}
        for k in range(self.at + 1, len(body)):
            later = body[k]
            if self._is_alike(later):
                own.add(k)
                shared |= self._read_elsewhere(later)
        found: list[int] = []
        for k in range(self.at - 1, min(self.guarded) - 1, -1):
            statement = body[k]
            if self.found.may_move(statement) and shared.isdisjoint(statement.outs):
                readers = self.found.readers.get(statement.outs[0], (-1,))
                if own.issuperset(readers):
                    own.add(k)
                    found.append(k)
        made: set[Operand] = set()
        kept: list[int] = []
        for k in reversed(found):
            if k in self.guarded or not made.isdisjoint(body[k].inputs):
                made.update(body[k].outs)
                kept.append(k)
        return kept

    def _read_elsewhere(self, branch: Branch) -> set[Operand]:
        """The arguments of a branch that the other arm reads."""
        other = branch.blocks[1 - self.arm]
        read = {o for s in other.body for o in s.inputs}.union(other.results)
        pairs = zip(branch.args, other.params, strict=True)
        return {arg for arg, param in pairs if param in read}

    def _move(self, before: Sequence[int], behind: Sequence[int]) -> None:
        body = self.found.body
        first, last = ([body[k] for k in places] for places in (before, behind))
        gone = {self.at, *before, *behind}
        read = {o for k, s in enumerate(body) if k not in gone for o in s.inputs}
        body[self.at] = into_arm(self.branch, self.arm, first, last, read)
        for k in sorted((*before, *behind), reverse=True):
            del body[k]


def _is_zero(statement: Apply, zeros: set[Operand]) -> bool:
    """Whether it is 0 where some values are."""
    name, args = statement.op.name, statement.args
    if name == "mul":
        return any(a in zeros for a in args)
    if name in ("div", "neg"):
        return args[0] in zeros
    return name in ("add", "sub") and all(a in zeros for a in args)


def _needed(
    body: Sequence[Statement], chain: dict[Operand, int], last: set[Operand]
) -> list[int]:
    """The places in a chain of what some of its values are made of, themselves too."""
    found: set[int] = set()
    waiting = list(last)
    while waiting:
        place = chain.get(waiting.pop())
        if place is not None and place not in found:
            found.add(place)
            waiting += body[place].inputs
    return sorted(found)
