"""Values that one arm alone computes for the way back are recorded in that arm.

for x in xs:                              for x in xs:
    if x > 1.0:                               if x > 1.0:
        root = sqrt(x)                            root = sqrt(x)
        y = p * root                              y = p * root
    else:                                         saved.append((root, y))
        y = x                                 else:
        root = 0.0                                y = x
    saved.append((root, y))

The loop back goes the other way, so the arm of the same test there takes the last item
of the list. The other arms have nothing to do, the arm's own names are used, and each
computed value is held once. Loops inside of others have one list for all their trips.
A target without tuples has a list for each value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field
from functools import lru_cache

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.schedule.arm_lists import Begin, Keep, TakeBack, statement
from ad_transform.ir.dims import ANY
from ad_transform.ir.loops.divided import Arm, Division, Work, each_division
from ad_transform.ir.loops.same_values import Value
from ad_transform.ir.nodes import Block, Branch, Function, Operand, Statement, Var
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Kind, Type


@lru_cache(maxsize=1)  # for a docstring, and again for the text
def with_arm_records(function: Function, has_tuples: bool) -> Function:
    """The function with such records, as it is printed; linear, times the depth of
    branches and loops.
    """
    return each_division(function, lambda: _work(has_tuples))


def _work(has_tuples: bool) -> Work:
    started: list[Statement] = []

    def change(
        bodies: tuple[Block, Block],
        found: Sequence[Division],
        known: Mapping[Value, Var],
    ) -> tuple[tuple[Block, Block], Set[Var]]:
        first = Forth(started, has_tuples)
        for one in found:
            bounce(first.enter(one))
        gone = {param for one in found for param in one.params}
        forth, back = bodies
        last = Back(first.lists)
        return (
            bounce(first.block(forth, found)),
            bounce(last.block(back, found)),
        ), gone

    return Work(change, started=started)


Held = tuple[Var, tuple[Operand, ...]]
"""A list, and the values in its items."""


@dataclass(slots=True)
class Forth:
    """The way forth, with arms that append to `lists`; `started` makes these lists."""

    started: list[Statement]
    has_tuples: bool = True
    lists: dict[int, Sequence[Held]] = field(default_factory=dict)

    def enter(self, division: Division) -> Task[None]:
        """Name the lists of the arms of some branches."""
        for arm in division.arms:
            if arm.kept:
                self.lists[id(arm)] = [*self._begun(arm)]
            for inner in arm.inner:
                yield self.enter(inner)

    def _begun(self, arm: Arm) -> Iterator[Held]:
        """The lists of an arm, which begin in front of the loop."""
        every = tuple(dict.fromkeys(end for end, _ in arm.kept))
        for values in [every] if self.has_tuples else [(value,) for value in every]:
            kind = Kind.FLOAT if self.has_tuples else values[0].type.kind
            hint = _hint(values) if self.has_tuples else ""  # they are many
            held = Var(Type(kind, (ANY,)), hint)
            begin = Begin(held, tuple(value.type for value in values))
            self.started.append(statement(begin))
            yield held, values

    def block(self, block: Block, divisions: Sequence[Division]) -> Task[Block]:
        """A block with its branches in these divisions rewritten."""
        made: dict[Statement, Statement] = {}
        for one in divisions:
            made[one.forth] = yield self._branch(one)
        return replace(block, body=tuple(made.get(s, s) for s in block.body))

    def _branch(self, division: Division) -> Task[Statement]:
        branch = division.forth
        arms: list[Block] = []
        for block, arm in zip(branch.blocks, division.arms, strict=True):
            arms.append((yield self._arm(block, arm)))
        return branch.rebuilt(branch.outs, branch.inputs, tuple(arms))

    def _arm(self, block: Block, arm: Arm) -> Task[Block]:
        """An arm that appends its values as soon as all of them are made."""
        made: Block = yield self.block(block, arm.inner)
        if not arm.kept:
            return made
        own = {end for end, _ in arm.kept}
        places = [k for k, s in enumerate(made.body) if not own.isdisjoint(s.outs)]
        place = max(places, default=-1) + 1
        keeps = [statement(Keep(*row)) for row in self.lists[id(arm)]]
        return replace(made, body=(*made.body[:place], *keeps, *made.body[place:]))


@dataclass(slots=True)
class Back:
    """The way back: arms that take the last item of their lists."""

    lists: Mapping[int, Sequence[Held]]

    def block(self, block: Block, divisions: Sequence[Division]) -> Task[Block]:
        """A block with its branches in these divisions rewritten."""
        made: dict[Statement, Statement] = {}
        for one in divisions:
            made[one.back] = yield self._branch(one)
        return replace(block, body=tuple(made.get(s, s) for s in block.body))

    def _branch(self, division: Division) -> Task[Statement]:
        branch, gone = division.back, {*division.params}
        kept = [k for k, arg in enumerate(branch.args) if arg not in gone]
        args = tuple(branch.args[k] for k in kept)
        arms: list[Block] = []
        for block, arm in zip(branch.blocks, division.arms, strict=True):
            arms.append((yield self._arm(block, arm, kept)))
        return Branch(branch.outs, branch.test, args, arms[0], arms[1])

    def _arm(self, block: Block, arm: Arm, kept: Sequence[int]) -> Task[Block]:
        made: Block = yield self.block(block, arm.inner)
        params = tuple(made.params[k] for k in kept)
        env: dict[Operand, Operand] = {name: end for end, name in arm.known}
        taken: dict[Operand, Var] = {}
        for end, name in arm.kept:
            env[name] = taken.setdefault(end, Var(name.type, name.hint))
        body = tuple(s.over(env) for s in made.body) if env else made.body
        if taken:
            takes = [
                statement(TakeBack(held, tuple(taken[value] for value in values)))
                for held, values in self.lists[id(arm)]
            ]
            body = (*takes, *body)
        results = tuple(env.get(r, r) for r in made.results)
        return Block(params, body, results)


def _hint(values: Sequence[Operand]) -> str:
    """The name of a list: of tuples, or of one value, by that."""
    (end, *others) = values
    if others or not isinstance(end, Var) or not end.hint:
        return "saved"
    return f"{end.hint}_list"
