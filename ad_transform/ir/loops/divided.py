"""Loops back over the records of loops forth, and the branches on one test in both.

What one arm of such a branch makes, and the same arm reads on the way back, is divided
from the rest: passes may record it there, or make it again. One that is a number is
known; a branch in the arm may divide it further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.blocks.inner import each_block
from ad_transform.ir.loops.arms_told import is_told
from ad_transform.ir.loops.ends import unread_at_the_end
from ad_transform.ir.loops.exits import exit_of
from ad_transform.ir.loops.same_values import Value, Values, are_same, trips
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL, Kind

_FEWEST = 2
"""Values that arms would have to record for nothing: one costs less than a list."""

_MANY = 12
"""The same of arms that end the loop: they run once, and what they record for nothing
is text alone. A list for each of them takes time in every trip.
"""

_TRUE = Literal(True)

_NUMBERS = frozenset({Kind.FLOAT, Kind.INT, Kind.BOOL})


@dataclass(slots=True)
class Arm:
    """The values that an arm alone makes for the way back, with their names there;
    numbers that are known there; the divisions in it; and all values of the arm.
    """

    kept: list[tuple[Operand, Var]] = field(default_factory=list)
    known: list[tuple[Literal, Var]] = field(default_factory=list)
    inner: list[Division] = field(default_factory=list)
    own: Values | None = None


@dataclass(slots=True, eq=False)
class Division:
    """Branches on one test, forth and back, with the values of their arms. `params` are
    the values that the second one is handed, `spared` is the number of times that an
    arm does not read one.
    """

    forth: Branch
    back: Branch
    params: list[Var]
    arms: tuple[Arm, Arm]
    spared: int


Side = tuple[Block, Values]


def divisions(
    forth: Side, back: Side, values: Sequence[tuple[Operand, Var]]
) -> Task[list[Division]]:
    """The branches forth that give values, each with a branch back on the same test
    that reads them: the pairs with most values first.
    """
    branches = _branches(forth[0])
    makers: dict[Operand, Branch] = {out: s for s in branches for out in s.outs}
    branches = _branches(back[0])
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
        tests = forth[1].value(pair[0].test), back[1].value(pair[1].test)
        is_one = are_same(*tests) or is_told(forth, pair[0], tests[1])
        if taken.isdisjoint(pair) and is_one:
            taken.update(pair)
            found.append((yield _division(*pair, rows, forth[1], back[1])))
    return found


def _branches(block: Block) -> list[Branch]:
    held = [block.body[k] for k in block.holders]
    return [s for s in held if isinstance(s, Branch)]


def _division(
    forth: Branch,
    back: Branch,
    rows: Sequence[tuple[Operand, Var]],
    own: Values,
    other: Values,
) -> Task[Division]:
    """The values that the arms of two branches make and read."""
    outs = [(out, k) for k, out in enumerate(forth.outs)]
    places = dict(outs)
    made = Division(forth, back, [param for _, param in rows], (Arm(), Arm()), 0)
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
        arm.own = own.arm(forth, k)
        ends = {own.value(out): arm.own.value(block.results[j]) for out, j in outs}
        arm.own.ends = (*own.ends, ends)
        sides = (block, arm.own), (behind, other.arm(back, k).where(ends))
        once = Counter(end for end, _ in taken)
        single = [row for row in taken if once[row[0]] == 1]
        inner = yield divisions(*sides, single)
        arm.inner = [one for one in inner if one.spared >= _FEWEST]
        inside = {param for one in arm.inner for param in one.params}
        arm.kept = [(end, name) for end, name in taken if name not in inside]
        made.spared += sum(one.spared for one in arm.inner)
    return made


# --- loops ----------------------------------------------------------------------------


Change = Callable[
    [tuple[Block, Block], Sequence[Division], Mapping[Value, Var]],
    tuple[tuple[Block, Block], Set[Var]],
]
"""A pass changes the bodies of two loops with such branches, and gives the values that
the second one is not handed any more. It is given numbers that a trip back has, by
their values on the way forth.
"""


@dataclass(slots=True)
class Work:
    """The work of a pass on a loop forth and on those inside of it: `started`
    statements then stand in front of them all.
    """

    change: Change
    started: list[Statement] = field(default_factory=list)


def each_division(function: Function, work: Callable[[], Work]) -> Function:
    """The function with a pass applied to such branches; linear, times the depth of
    branches and loops.
    """
    loops = [s for s in function.nested if isinstance(s, Scan | While) and s.stacks]
    if not loops or not any(isinstance(s, Branch) for s in function.nested):
        return function
    brief = unread_at_the_end(function)
    return each_block(
        function, lambda block: _changed(block, work, brief), leaves=False
    )


def _changed(block: Block, work: Callable[[], Work], brief: Set[Var]) -> Block:
    """A block with the loops in it, and those inside of them, changed."""
    loops: dict[Statement, Scan | While] = {}  # as they are now
    started: dict[Statement, list[Statement]] = {}
    readers = _readers(block)
    for forth in [block.body[k] for k in block.holders]:
        if not isinstance(forth, Scan | While) or not forth.stacks:
            continue
        lists = {s: s for s in forth.stacks if block.times_read[s] == 1}
        for back in _each_of(readers, lists.values()):
            now = loops.get(back, back)
            assert isinstance(now, Scan)
            own = work()
            made = _Pair(loops.get(forth, forth), now, lists, brief, own).changed()
            if made is not None:
                started.setdefault(forth, []).extend(own.started)
                loops |= {forth: made[0], back: made[1]}
    if not loops:
        return block
    body = [one for s in block.body for one in (*started.get(s, ()), loops.get(s, s))]
    return replace(block, body=tuple(body))


def _readers(block: Block) -> Mapping[Operand, Sequence[Scan]]:
    """The loops of a block that go over each list."""
    readers: dict[Operand, list[Scan]] = {}
    for back in [block.body[k] for k in block.holders]:
        if isinstance(back, Scan):
            for entry in dict.fromkeys(back.entries):
                readers.setdefault(entry, []).append(back)
    return readers


def _each_of(
    readers: Mapping[Operand, Sequence[Scan]], lists: Collection[Var]
) -> Collection[Scan]:
    """The loops that go over some lists, each once."""
    return dict.fromkeys(back for one in lists for back in readers.get(one, ()))


@dataclass(slots=True)
class _Pair:
    """A loop and the loop back over its records. `lists` are the names of its stacks
    there, if nothing else reads them; `brief` has the stacks without an entry of a trip
    that leaves; `around` are the values of the trips of the loops around.
    """

    forth: Scan | While
    back: Scan
    lists: Mapping[Var, Var]
    brief: Set[Var]
    work: Work
    around: tuple[Values, Values] | None = None
    gone: set[Var] = field(default_factory=set)

    def changed(self) -> tuple[Scan | While, Scan] | None:
        """The loops with the pass applied to some of their branches, else None; `gone`
        are then the stacks that are not recorded any more.
        """
        if not self._is_plain():
            return None
        values = trips(self.forth, self.back, self.lists, self.around)
        before = self.forth.body, self.back.body
        bodies = self._inside(self._in_arms(values), values)
        if all(one is other for one, other in zip(before, bodies, strict=True)):
            return None
        params = {param for stack, param in self._entries() if stack in self.gone}
        forth = _without(self.forth, bodies[0], self.gone)
        return forth, _less(self.back, bodies[1], params)

    def _is_plain(self) -> bool:
        """Whether all trips are recorded, and the other loop goes back over them."""
        forth, back = self.forth, self.back
        if forth.snapshots is not None or back.snapshots is not None:
            return False
        if back.backwards == (isinstance(forth, Scan) and forth.backwards):
            return False
        return self.brief.isdisjoint(forth.outs)

    def _entries(self) -> Sequence[tuple[Var, Var]]:
        """Stacks, and the names of their items in a trip back."""
        params = self.back.entry_params
        items = dict(zip(self.back.entries, params, strict=True))
        lists = [(s, self.lists[s]) for s in self.forth.stacks if s in self.lists]
        return [(stack, items[name]) for stack, name in lists if name in items]

    def _ends(self) -> Mapping[Var, Operand]:
        """The value that a trip puts on each stack."""
        return dict(zip(self.forth.stacks, self.forth.records, strict=True))

    def _in_arms(self, values: tuple[Values, Values]) -> tuple[Block, Block]:
        """The bodies with the pass applied to their branches."""
        forth, back = self.forth.body, self.back.body
        ends = self._ends()
        rows = [
            (stack, ends[stack], param)
            for stack, param in self._entries()
            if not stack.type.entry.dims and stack.type.kind in _NUMBERS
        ]
        if isinstance(self.forth, While) and len(rows) == len(self.forth.stacks):
            rows = rows[1:]  # one stack tells the number of trips
        pairs = [(end, param) for _, end, param in rows]
        every = bounce(divisions((forth, values[0]), (back, values[1]), pairs))
        found = [one for one in every if one.spared >= self._fewest(one.forth)]
        if not found:
            return forth, back
        bodies, params = self.work.change((forth, back), found, values[1].numbers())
        self.gone.update(stack for stack, _, param in rows if param in params)
        return bodies

    def _fewest(self, branch: Branch) -> int:
        """The number of values recorded for nothing from which on a branch is divided:
        one with an arm that gives a flag may end the loop there.
        """
        if isinstance(self.forth, Scan) or exit_of(self.forth) is None:
            return _FEWEST
        ends = zip(branch.outs, *(arm.results for arm in branch.blocks), strict=True)
        flags = (arms for out, *arms in ends if out.type == BOOL)
        return _MANY if any(_TRUE in arms for arms in flags) else _FEWEST

    def _inside(
        self, bodies: tuple[Block, Block], values: tuple[Values, Values]
    ) -> tuple[Block, Block]:
        """The bodies with the pass applied to loops in them."""
        ends, own, behind = self._ends(), self.forth.body, self.back.body
        items = {
            ends[stack]: (stack, param)
            for stack, param in self._entries()
            if own.times_read[ends[stack]] == behind.times_read[param] == 1
        }
        loops: dict[Statement, Statement] = {}
        readers = _readers(bodies[1])
        for inner in bodies[0].body:
            if not isinstance(inner, Scan | While):
                continue
            lists = {s: items[s][1] for s in inner.stacks if s in items}
            for back in _each_of(readers, lists.values()):
                pair = _Pair(inner, back, lists, self.brief, self.work, values)
                made = pair.changed() if back not in loops else None
                if made is not None:
                    loops |= {inner: made[0], back: made[1]}
                    self.gone.update(items[s][0] for s in pair.gone)
                    break
        if not loops:
            return bodies
        first, second = (
            replace(b, body=tuple(loops.get(s, s) for s in b.body)) for b in bodies
        )
        return first, second


def _without(loop: Scan | While, body: Block, gone: Set[Var]) -> Scan | While:
    """A loop over another body that does not record some of its stacks."""
    first = len(loop.carries)
    ends = body.results[first:]
    pairs = [(s, e) for s, e in zip(loop.stacks, ends, strict=True) if s not in gone]
    stacks = tuple(stack for stack, _ in pairs)
    results = (*body.results[:first], *(end for _, end in pairs))
    body = replace(body, results=results)
    outs = (*loop.outs[:first], *stacks)
    if isinstance(loop, While):
        return replace(loop, outs=(*outs, loop.trips), body=body)
    return replace(loop, outs=outs, body=body)


def _less(loop: Scan, body: Block, gone: Set[Var]) -> Scan:
    """A loop over another body that does not go over some of its entries."""
    own = body.params
    first = len(own) - len(loop.entries)
    pairs = zip(own[first:], loop.entries, strict=True)
    entries = tuple(entry for param, entry in pairs if param not in gone)
    params = tuple(param for param in own if param not in gone)
    return replace(loop, entries=entries, body=replace(body, params=params))
