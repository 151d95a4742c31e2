"""Quotients that a branch guards are computed in its arms, and not beside it.

`if s == 0.0: return 0.0` behind `s = sqrt(u)` says that nothing is divided by s there.
The slope of s is such a quotient. What reads it stands in the other arm, or is 0 in
this one: `s_bar / s`, where s_bar is what the branch chose. Both go into the other arm,
so that only operations which the results need may raise. What the value itself divides
by stays where the source has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.arms.zeroed import POWERS, Known, zeros_of
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.trampoline import bounce
from ad_transform.later import later

with later():
    from ad_transform.ir.arms.into_arms import into_arm


def guarded(function: Function) -> Function:
    """The function with guarded quotients in the arms of their branches.

    Linear in the statements, times the branches beside them.
    """
    known = Known(of_value(function))
    known.add(function.body)
    return each_block(function, lambda block: _guarded(block, known), leaves=False)


def _guarded(block: Block, known: Known) -> Block:
    if Branch not in block.kinds:
        return block
    body = list(block.body)
    found = _Body(body, block.results, known)
    place = len(body)
    while place:  # from behind: statements in an arm may go on
        place -= 1
        if type(body[place]) is Branch:
            for arm in (0, 1):
                place = _Place(found, place, arm).change()
    return with_body(block, body)


@dataclass(slots=True)
class _Body:
    """A body, the makers and readers of its values, and the quotients that may move, by
    the numbers that are 0 only where they raise.
    """

    body: list[Statement]
    results: tuple[Operand, ...]
    known: Known
    makers: dict[Operand, int] = field(default_factory=dict)
    readers: dict[Operand, list[int]] = field(default_factory=dict)
    quotients: dict[Operand, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.look()

    def look(self) -> None:
        """Find the quotients anew."""
        for table in (self.makers, self.readers, self.quotients):
            table.clear()
        for k, statement in enumerate(self.body):
            is_quotient = type(statement) is Apply and statement.op.name == "div"
            if is_quotient and self.known.may_move(statement):
                for one in self.known.behind(statement.inputs[1:], POWERS):
                    self.quotients.setdefault(one, []).append(k)

    def look_around(self) -> None:
        """Find makers and readers, which matter only where quotients move."""
        if self.makers:
            return
        for k, statement in enumerate(self.body):
            self.makers.update((out, k) for out in statement.outs)
            for one in statement.inputs:
                self.readers.setdefault(one, []).append(k)
        for one in self.results:
            self.readers.setdefault(one, []).append(len(self.body))


@dataclass(slots=True)
class _Place:
    """A branch in a body, and the arm that quotients may go into."""

    found: _Body
    at: int
    arm: int
    guarded: set[int] = field(default_factory=set)

    def change(self) -> int:
        """Move guarded statements into the arm; the place of the branch then."""
        found = self.found
        quotients = found.quotients
        if quotients:
            for value in found.known.compared(self.branch, quotients.keys()):
                self.guarded.update(quotients[value])
        if not self.guarded:
            return self.at
        found.look_around()
        behind, beside = self._behind()
        if behind and beside:
            self._lift(beside)
            return self.change()
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

    # --- statements that move ---------------------------------------------------------

    def _behind(self) -> tuple[list[int], list[int]]:
        """Statements behind the branch that are 0 in the other arm, and their operands:
        up to the last quotient that is guarded. And statements that have to be before
        the branch for that: they are read beside these, and use no value of the branch.
        """
        branch, body, places = self.branch, self.found.body, self.found.makers
        zeros = self._zeros()
        known: set[Operand] = set(branch.outs)
        tied: set[Operand] = set(branch.outs)
        chain: dict[Operand, int] = {}
        raising: set[Operand] = set()
        last: set[Operand] = set()
        for k in range(self.at + 1, len(body) if zeros else 0):
            statement = body[k]
            if not self.found.known.may_follow(statement):
                continue
            others = [a for a in statement.inputs if a not in known]
            if any(places.get(a, 0) > self.at for a in others):
                continue
            known.update(statement.outs)
            if not tied.isdisjoint(statement.inputs):
                tied.update(statement.outs)
            chain.update((out, k) for out in statement.outs)
            gone = self._zero_outs(statement, zeros)
            zeros.update(gone)
            if k in self.guarded or not raising.isdisjoint(statement.inputs):
                last.update(gone)
                raising.update(out for out in statement.outs if out not in zeros)
        return self._apart(chain, last, zeros, tied)

    def _zeros(self) -> set[Operand]:
        """The values that are 0 in the other arm of the branch: results of it and of
        branches before whose tests are settled then, and values made of these.
        """
        zeros: set[Operand] = set()
        for one in self.found.body[: self.at + 1]:
            zeros.update(self._zero_outs(one, zeros))
        return zeros

    def _zero_outs(self, statement: Statement, zeros: set[Operand]) -> list[Var]:
        """The results of a statement that are 0 if the branch takes its other arm."""
        if not isinstance(statement, Branch):
            return bounce(zeros_of(statement, zeros))
        arm = self._taken(statement)
        arms = (0, 1) if arm is None else (arm,)
        return bounce(zeros_of(statement, zeros, arms))

    def _taken(self, other: Branch) -> int | None:
        """The arm that a branch takes where this one takes its other arm; None if that
        is open.
        """
        holds = self.found.known.settled(self.branch.test, self.arm == 1, other.test)
        return None if holds is None else int(not holds)

    def _apart(
        self,
        chain: dict[Operand, int],
        last: set[Operand],
        zeros: set[Operand],
        tied: set[Operand],
    ) -> tuple[list[int], list[int]]:
        """The statements of a chain that can move: none that is read beside it and is
        not 0. And those of them that may be before the branch: they use no value of it.
        """
        body, readers = self.found.body, self.found.readers
        beside: set[int] = set()
        while True:
            moved = _needed(body, chain, last)
            read = {o for k in moved for o in body[k].outs if o not in zeros}
            held = {o for o in read if not set(readers.get(o, ())) <= set(moved)}
            if not held:
                return moved, sorted(beside)
            free: set[Operand] = {o for o in held if o not in tied}
            if free:
                beside.update(_needed(body, chain, free))
                chain = {o: k for o, k in chain.items() if k not in beside}
                continue
            for k in moved:  # a statement stays with all that it gives
                if not held.isdisjoint((*body[k].inputs, *body[k].outs)):
                    held.update(body[k].outs)
            last = last - held

    def _before(self, moved: set[Operand]) -> list[int]:
        """Statements before the branch that only the arm, or a statement that moves
        into it, reads: quotients that are guarded, and statements on these.
        """
        branch, body = self.branch, self.found.body
        shared = _read_in(branch, 1 - self.arm)
        shared.update(a for a in branch.args if branch.args.count(a) > 1)
        own = {self.found.makers[o] for o in moved} | {self.at}
        for k in range(self.at + 1, len(body)):
            later = body[k]
            arm = self._taken(later) if isinstance(later, Branch) else None
            if isinstance(later, Branch) and arm is not None:
                own.add(k)
                shared |= _read_in(later, arm)
        found: list[int] = []
        for k in range(self.at - 1, min(self.guarded) - 1, -1):
            if self._is_read_by(body[k], own) and shared.isdisjoint(body[k].outs):
                own.add(k)
                found.append(k)
        made: set[Operand] = set()
        kept: list[int] = []
        for k in reversed(found):
            if k in self.guarded or not made.isdisjoint(body[k].inputs):
                made.update(body[k].outs)
                kept.append(k)
        return kept

    def _is_read_by(self, statement: Statement, own: set[int]) -> bool:
        """Whether a statement gives numbers that only those at `own` read, and is no
        branch whose test is settled in the arm.
        """
        known, readers, test = self.found.known, self.found.readers, self.branch.test
        if isinstance(statement, Branch):
            holds = known.settled(test, self.arm == 0, statement.test)
            if holds is not None:
                return False
        return known.may_follow(statement) and all(
            out.type.is_real and own.issuperset(readers.get(out, ()))
            for out in statement.outs
        )

    def _lift(self, places: Sequence[int]) -> None:
        """Put some statements before the branch."""
        body = self.found.body
        body[self.at : self.at] = [body[k] for k in places]
        self.at += len(places)
        for k in reversed(places):
            del body[k + len(places)]
        self.found.look()
        self.guarded.clear()

    def _move(self, before: Sequence[int], behind: Sequence[int]) -> None:
        body = self.found.body
        first, last = ([self._inside(body[k]) for k in p] for p in (before, behind))
        gone = {self.at, *before, *behind}
        read = {o for k, s in enumerate(body) if k not in gone for o in s.inputs}
        read.update(self.found.results)
        body[self.at] = into_arm(self.branch, self.arm, first, last, read)
        self.found.known.add((self.branch,))
        for k in sorted((*before, *behind), reverse=True):
            del body[k]

    def _inside(self, statement: Statement) -> Statement:
        """The statement as it is in the arm: the test of a branch may be settled. Else
        it would hide there that its own arms are guarded by the same test.
        """
        if not isinstance(statement, Branch):
            return statement
        test = self.branch.test
        holds = self.found.known.settled(test, self.arm == 0, statement.test)
        if holds is None:
            return statement
        return replace(statement, test=Literal(holds))


def _read_in(branch: Branch, arm: int) -> set[Operand]:
    """The arguments of a branch that one arm reads."""
    block = branch.blocks[arm]
    read = {o for s in block.body for o in s.inputs}.union(block.results)
    pairs = zip(branch.args, block.params, strict=True)
    return {arg for arg, param in pairs if param in read}


def _needed(
    body: Sequence[Statement], chain: dict[Operand, int], last: set[Operand]
) -> list[int]:
    """The places in a chain of some values and of their operands."""
    found: set[int] = set()
    waiting = list(last)
    while waiting:
        place = chain.get(waiting.pop())
        if place is not None and place not in found:
            found.add(place)
            waiting += body[place].inputs
    return sorted(found)
