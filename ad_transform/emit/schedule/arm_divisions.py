"""Branches on one test, forth and back: what their arms record and take back.

A value that one arm makes and the same arm reads on the way back is recorded there. One
that is a number is known; a branch in the arm may divide it further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace

from ad_transform.dataclass import dataclass
from ad_transform.emit.schedule.arm_lists import Begin, Keep, TakeBack, statement
from ad_transform.emit.schedule.same_values import Values, are_same
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Block, Branch, Literal, Operand, Statement, Var
from ad_transform.ir.types import Kind, Type


@dataclass(slots=True)
class _Arm:
    """What an arm records, with what it is called on the way back; what is known there;
    and what branches in it divide.
    """

    kept: list[tuple[Operand, Var]] = field(default_factory=list)
    known: list[tuple[Literal, Var]] = field(default_factory=list)
    inner: list[Division] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Division:
    """Branches on one test, forth and back, and what their arms record. `params` are
    the values that the second one is handed, `spared` how often an arm does not have to
    record one of them.
    """

    forth: Branch
    back: Branch
    params: list[Var]
    arms: tuple[_Arm, _Arm]
    spared: int


Side = tuple[Block, Values]


def divisions(
    forth: Side, back: Side, values: Sequence[tuple[Operand, Var]]
) -> list[Division]:
    """The branches that give some values of a block and read them on the way back, each
    with the one with which it shares most.
    """
    branches = [s for s in forth[0].body if isinstance(s, Branch)]
    makers: dict[Operand, Branch] = {out: s for s in branches for out in s.outs}
    branches = [s for s in back[0].body if isinstance(s, Branch)]
    readers: dict[Operand, Branch] = {arg: s for s in branches for arg in s.args}
    groups: dict[tuple[Branch, Branch], list[tuple[Operand, Var]]] = {}
    times = back[0].times_read
    for value, param in values:
        maker, reader = makers.get(value), readers.get(param)
        if maker is None or reader is None or reader.test is param:
            continue
        if times[param] == reader.args.count(param):
            groups.setdefault((maker, reader), []).append((value, param))
    found: list[Division] = []
    taken: set[Branch] = set()
    for pair, rows in sorted(groups.items(), key=lambda group: -len(group[1])):
        tests = (
            side[1].value(s.test) for side, s in zip((forth, back), pair, strict=True)
        )
        if taken.isdisjoint(pair) and are_same(*tests):
            taken.update(pair)
            found.append(_division(*pair, rows, forth[1], back[1]))
    return found


def _division(
    forth: Branch,
    back: Branch,
    rows: Sequence[tuple[Operand, Var]],
    own: Values,
    other: Values,
) -> Division:
    """What goes into the arms of two branches."""
    places = {out: k for k, out in enumerate(forth.outs)}
    made = Division(forth, back, [param for _, param in rows], (_Arm(), _Arm()), 0)
    for k, arm in enumerate(made.arms):
        block, behind = forth.blocks[k], back.blocks[k]
        taken: list[tuple[Operand, Var]] = []
        for value, param in rows:
            assert isinstance(value, Var)
            names = [
                p for p, a in zip(behind.params, back.args, strict=True) if a is param
            ]
            read = [name for name in names if behind.times_read[name]]
            end = block.results[places[value]]
            if not read:
                made.spared += 1
            elif isinstance(end, Literal):
                arm.known += [(end, name) for name in read]
            else:
                taken += [(end, name) for name in read]
        sides = (block, own.arm(forth, k)), (behind, other.arm(back, k))
        once = Counter(end for end, _ in taken)
        single = [row for row in taken if once[row[0]] == 1]
        arm.inner = [one for one in divisions(*sides, single) if one.spared]
        inside = {param for one in arm.inner for param in one.params}
        arm.kept = [(end, name) for end, name in taken if name not in inside]
        made.spared += sum(one.spared for one in arm.inner)
    return made


# --- the branches with it -------------------------------------------------------------


@dataclass(slots=True)
class Forth:
    """The way forth: arms that append; `lists` are theirs, `started` begins them."""

    started: list[Statement]
    lists: dict[int, Var] = field(default_factory=dict)

    def enter(self, division: Division) -> None:
        """Name the lists of the arms of some branches."""
        for arm in division.arms:
            if arm.kept:
                types = tuple(dict.fromkeys(end for end, _ in arm.kept))
                held = Var(Type(Kind.FLOAT, (ANY,)), _hint(arm))
                self.lists[id(arm)] = held
                begin = Begin(held, tuple(end.type for end in types))
                self.started.append(statement(begin))
            for inner in arm.inner:
                self.enter(inner)

    def block(self, block: Block, divisions: Sequence[Division]) -> Block:
        """A block with the branches that it holds of some divisions."""
        known: dict[Statement, Division] = {one.forth: one for one in divisions}
        body = (self._branch(known[s]) if s in known else s for s in block.body)
        return replace(block, body=tuple(body))

    def _branch(self, division: Division) -> Statement:
        branch = division.forth
        arms = [
            self._arm(block, arm)
            for block, arm in zip(branch.blocks, division.arms, strict=True)
        ]
        return branch.rebuilt(branch.outs, branch.inputs, tuple(arms))

    def _arm(self, block: Block, arm: _Arm) -> Block:
        """An arm that appends once all is made, before anything else is."""
        made = self.block(block, arm.inner)
        if not arm.kept:
            return made
        values = tuple(dict.fromkeys(end for end, _ in arm.kept))
        own = {*values}
        places = [k for k, s in enumerate(made.body) if not own.isdisjoint(s.outs)]
        place = max(places, default=-1) + 1
        keep = statement(Keep(self.lists[id(arm)], values))
        return replace(made, body=(*made.body[:place], keep, *made.body[place:]))


@dataclass(slots=True)
class Back:
    """The way back: arms that take the last item of their list."""

    lists: dict[int, Var]

    def block(self, block: Block, divisions: Sequence[Division]) -> Block:
        """A block with the branches that it holds of some divisions."""
        known: dict[Statement, Division] = {one.back: one for one in divisions}
        body = (self._branch(known[s]) if s in known else s for s in block.body)
        return replace(block, body=tuple(body))

    def _branch(self, division: Division) -> Statement:
        branch, gone = division.back, {*division.params}
        kept = [k for k, arg in enumerate(branch.args) if arg not in gone]
        args = tuple(branch.args[k] for k in kept)
        arms = [
            self._arm(block, arm, kept)
            for block, arm in zip(branch.blocks, division.arms, strict=True)
        ]
        return Branch(branch.outs, branch.test, args, arms[0], arms[1])

    def _arm(self, block: Block, arm: _Arm, kept: Sequence[int]) -> Block:
        made = self.block(block, arm.inner)
        params = tuple(made.params[k] for k in kept)
        env: dict[Operand, Operand] = {name: end for end, name in arm.known}
        taken: dict[Operand, Var] = {}
        for end, name in arm.kept:
            env[name] = taken.setdefault(end, Var(name.type, name.hint))
        body = tuple(s.over(env) for s in made.body) if env else made.body
        if taken:
            take = statement(TakeBack(self.lists[id(arm)], tuple(taken.values())))
            body = (take, *body)
        results = tuple(env.get(r, r) for r in made.results)
        return Block(params, body, results)


def _hint(arm: _Arm) -> str:
    """The name of a list: of tuples, or of one value, by that."""
    ends = dict.fromkeys(end for end, _ in arm.kept)
    (end, *others) = ends
    if others or not isinstance(end, Var) or not end.hint:
        return "saved"
    return f"{end.hint}_list"
