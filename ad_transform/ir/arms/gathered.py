"""Branches on one test become one, which takes in the values that one arm alone needs.

y_bar = a * b                        if inside:
z_bar = a * c                            y_bar = a * b
y_bar_2 = y_bar if inside else 0.0       z_bar = a * c
z_bar_2 = z_bar if inside else 0.0   else:
                                         y_bar = 0.0
                                         z_bar = 0.0

So the derivative of what is clipped computes nothing where it is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.blocks.blocks import another, pruned, renewed
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.elemental import Form
from ad_transform.ir.loops.invariant import never_raises
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
    calls_inside,
    checks_inside,
    walk,
)

_ZERO = Literal(0.0)


def gathered(function: Function) -> Function:
    """The function with one branch for several on one test, where an arm takes over
    statements; branches inside others and in loops stay. Linear.
    """
    body, results = function.block.body, function.block.results
    by_test: dict[Operand, list[Branch]] = {}
    for statement in [body[k] for k in function.block.holders]:
        if isinstance(statement, Branch) and is_of_numbers(statement):
            by_test.setdefault(statement.test, []).append(statement)
    several = [group for group in by_test.values() if len(group) > 1]
    if not several:
        return function
    readers = function.block.readers
    places: dict[Statement, int] = {s: k for k, s in enumerate(body)}
    made: dict[Statement, Branch | None] = {}
    for group in several:
        found = _Group.of(group, places, readers)
        if found is not None:
            moved = found.moved(body, places[found.branches[-1]], readers, results)
            if moved and made.keys().isdisjoint(moved):
                made.update(dict.fromkeys((*found.branches, *moved)))
                made[found.branches[-1]] = found.joined(moved)
    if not made:
        return function
    new = (made.get(s, s) for s in body)
    kept = tuple(s for s in new if s is not None)
    return replace(function, block=replace(function.block, body=kept))


def is_of_numbers(branch: Branch) -> bool:
    """Whether a branch computes numbers of numbers, and does no more."""
    values = (*branch.outs, *branch.args)
    if any(v.type.is_array for v in values) or not isinstance(branch.test, Var):
        return False
    return not checks_inside(branch) and not calls_inside(branch)


@dataclass(frozen=True, slots=True)
class _Group:
    """Branches on one test, in order, which may all stand where the last one does."""

    branches: tuple[Branch, ...]

    @classmethod
    def of(
        cls,
        branches: Sequence[Branch],
        places: Mapping[Statement, int],
        readers: Mapping[Operand, Sequence[int]],
    ) -> _Group | None:
        """The branches among some that nobody reads before the last of them."""
        last = places[branches[-1]]
        found = tuple(
            branch
            for branch in branches
            if all(k > last for out in branch.outs for k in readers.get(out, ()))
        )
        return cls(found) if len(found) > 1 else None

    def moved(
        self,
        body: Sequence[Statement],
        place: int,
        readers: Mapping[Operand, Sequence[int]],
        results: Sequence[Operand],
    ) -> dict[Statement, int]:
        """The statements in front of a place that only one of the arms needs, with that
        arm.
        """
        found: dict[Statement, int] = {}
        given, consumption = set(results), Consumption()
        gone: set[Operand] = set()
        for statement in reversed(body[:place]):
            is_late = not gone.isdisjoint(statement.inputs)
            gone |= consumption.by(statement)
            if (
                is_late
                or not _may_move(statement)
                or not given.isdisjoint(statement.outs)
            ):
                continue
            sides: set[int | None] = set()
            for out in statement.outs:
                for reader in [body[k] for k in readers.get(out, ())]:
                    if reader in self.branches:
                        sides.update(_read_in(reader, out))
                    else:
                        sides.add(found.get(reader))
            side, *more = sides or (None,)
            if side is not None and not more:
                found[statement] = side
        return dict(reversed(found.items()))

    def joined(self, moved: Mapping[Statement, int]) -> Branch:
        """The branch in place of all, with the moved statements in its arms."""
        own = {out for statement in moved for out in statement.outs}
        read = [o for s in (*moved, *self.branches) for o in s.inputs]
        test = self.branches[0].test
        outer = dict.fromkeys(o for o in read if isinstance(o, Var) and o not in own)
        outer = {o: None for o in outer if o is not test}
        arms: list[Block] = []
        for side in (0, 1):
            env: dict[Operand, Operand] = {o: another(o, {}) for o in outer}
            params = tuple(p for p in env.values() if isinstance(p, Var))
            env[test] = Literal(side == 0)
            body: list[Statement] = []
            for statement, arm in moved.items():
                if arm == side:
                    inside = tuple(another(out, {}) for out in statement.outs)
                    body.append(_moving(statement).over(env).binding(inside))
                    env.update(zip(statement.outs, inside, strict=True))
            results: list[Operand] = []
            for branch in self.branches:
                given = [
                    a if isinstance(a, Literal) else env.get(a, _ZERO)
                    for a in branch.args
                ]
                inner = renewed(branch.blocks[side], given)
                body += inner.body
                results += inner.results
            arms.append(Block(params, tuple(body), tuple(results)))
        args, then, orelse = pruned(tuple(outer), *arms)
        outs = tuple(out for branch in self.branches for out in branch.outs)
        return Branch(outs, test, args, then, orelse)


def _may_move(statement: Statement) -> bool:
    """Whether it computes numbers, and cannot raise: nobody sees where it stands."""
    if isinstance(statement, Apply):
        asks = statement.op.form is Form.COMPARISON
        return not statement.out.type.is_array and (asks or never_raises(statement))
    if not isinstance(statement, Branch) or not is_of_numbers(statement):
        return False
    inside = (s for block in statement.blocks for s in walk(block.body))
    return all(isinstance(s, Branch) or _may_move(s) for s in inside)


def _moving(statement: Statement) -> Statement:
    return statement.map_blocks(renewed)


def _read_in(branch: Statement, value: Operand) -> list[int | None]:
    """The arms of a branch that read a value; None for its test."""
    assert isinstance(branch, Branch)
    sides: list[int | None] = [None] if branch.test is value else []
    for side, block in enumerate(branch.blocks):
        pairs = zip(branch.args, block.params, strict=True)
        params = {param for arg, param in pairs if arg is value}
        read = {o for s in block.body for o in s.inputs}.union(block.results)
        if not params.isdisjoint(read):
            sides.append(side)
    return sides
