"""What one arm alone computes for the way back is recorded in that arm.

for x in xs:                              for x in xs:
    if x > 1.0:                               if x > 1.0:
        root = sqrt(x)                            root = sqrt(x)
        y = p * root                              y = p * root
    else:                                         saved.append((root, y))
        y = x                                 else:
        root = 0.0                                y = x
    saved.append((root, y))

The loop back goes the other way, so the arm of the same test there takes the last item
of the list. The other arms have nothing to do, the names are those of the arm, and as
much is held as was computed. Loops inside of others have one list for all their trips.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace

from ad_transform.dataclass import dataclass
from ad_transform.emit.schedule.arm_divisions import Back, Forth, divisions
from ad_transform.emit.schedule.same_values import Values, trips
from ad_transform.ir.ends import unread_at_the_end
from ad_transform.ir.exits import exit_of
from ad_transform.ir.inner import each_block
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import Kind

_FEWEST = 2
"""Values that arms would have to record for nothing: one costs less than a list."""

_NUMBERS = frozenset({Kind.FLOAT, Kind.INT, Kind.BOOL})


def with_arm_records(function: Function) -> Function:
    """The function with such records, as it is printed; linear, times the depth of
    branches and loops.
    """
    loops = [s for s in function.nested if isinstance(s, Scan | While) and s.stacks]
    if not loops or not any(isinstance(s, Branch) for s in function.nested):
        return function
    brief = unread_at_the_end(function)
    return each_block(function, lambda block: _changed(block, brief), leaves=False)


def _changed(block: Block, brief: Set[Var]) -> Block:
    """A block with such records of its loops, and of those inside of them."""
    loops: dict[Statement, Scan | While] = {}  # as they are now
    started: dict[Statement, list[Statement]] = {}
    for forth in block.body:
        if not isinstance(forth, Scan | While) or not forth.stacks:
            continue
        lists = {s: s for s in forth.stacks if block.times_read[s] == 1}
        for back in _readers(block, lists.values()):
            now = loops.get(back, back)
            assert isinstance(now, Scan)
            pair = _Pair(loops.get(forth, forth), now, lists, brief)
            made = pair.divided()
            if made is not None:
                started.setdefault(forth, []).extend(pair.started)
                loops |= {forth: made[0], back: made[1]}
    if not loops:
        return block
    body = [one for s in block.body for one in (*started.get(s, ()), loops.get(s, s))]
    return replace(block, body=tuple(body))


def _readers(block: Block, lists: Collection[Var]) -> Iterator[Scan]:
    """The loops of a block that go over some lists."""
    for back in block.body:
        if isinstance(back, Scan) and not {*lists}.isdisjoint(back.entries):
            yield back


@dataclass(slots=True)
class _Pair:
    """A loop and the one that goes back over what it records. `lists` are what its
    stacks are called there, if nothing else reads them; `around` are the values of the
    trips of the loops around, and `started` begins the lists of arms.
    """

    forth: Scan | While
    back: Scan
    lists: Mapping[Var, Var]
    brief: Set[Var]
    around: tuple[Values, Values] | None = None
    started: list[Statement] = field(default_factory=list)
    gone: set[Var] = field(default_factory=set)

    def divided(self) -> tuple[Scan | While, Scan] | None:
        """The loops with records in arms, if that is better for some of them; `gone`
        are then the stacks that are not recorded any more.
        """
        if not self._is_plain():
            return None
        values = trips(self.forth, self.back, self.lists, self.around)
        bodies = self._in_arms(values)
        bodies = self._inside(bodies, values)
        if not self.gone:
            return None
        params = {param for stack, param in self._entries() if stack in self.gone}
        forth = _without(self.forth, bodies[0], self.gone)
        return forth, _less(self.back, bodies[1], params)

    def _is_plain(self) -> bool:
        """Whether all trips are recorded, none leaves, and the other loop goes back."""
        forth, back = self.forth, self.back
        if forth.snapshots is not None or back.snapshots is not None:
            return False
        if back.backwards == (isinstance(forth, Scan) and forth.backwards):
            return False
        if not self.brief.isdisjoint(forth.outs):
            return False
        return isinstance(forth, Scan) or exit_of(forth) is None

    def _entries(self) -> Sequence[tuple[Var, Var]]:
        """Stacks, and what their items are called in a trip back."""
        params = self.back.body.params[-len(self.back.entries) :]
        items = dict(zip(self.back.entries, params, strict=True))
        lists = [(s, self.lists[s]) for s in self.forth.stacks if s in self.lists]
        return [(stack, items[name]) for stack, name in lists if name in items]

    def _ends(self) -> Mapping[Var, Operand]:
        """What a trip puts on each stack."""
        ends = self.forth.body.results[len(self.forth.carries) :]
        return dict(zip(self.forth.stacks, ends, strict=True))

    def _in_arms(self, values: tuple[Values, Values]) -> tuple[Block, Block]:
        """The bodies with records in the arms of their branches."""
        forth, back = self.forth.body, self.back.body
        ends = self._ends()
        rows = [
            (stack, ends[stack], param)
            for stack, param in self._entries()
            if not stack.type.entry.dims and stack.type.kind in _NUMBERS
        ]
        if isinstance(self.forth, While) and len(rows) == len(self.forth.stacks):
            rows = rows[1:]  # what tells how many trips there were
        pairs = [(end, param) for _, end, param in rows]
        found = divisions((forth, values[0]), (back, values[1]), pairs)
        found = [one for one in found if one.spared >= _FEWEST]
        if not found:
            return forth, back
        params = {param for one in found for param in one.params}
        self.gone.update(stack for stack, _, param in rows if param in params)
        first = Forth(self.started)
        for one in found:
            first.enter(one)
        return first.block(forth, found), Back(first.lists).block(back, found)

    def _inside(
        self, bodies: tuple[Block, Block], values: tuple[Values, Values]
    ) -> tuple[Block, Block]:
        """The bodies with records in the arms of loops in them."""
        ends, own, behind = self._ends(), self.forth.body, self.back.body
        items = {
            ends[stack]: (stack, param)
            for stack, param in self._entries()
            if own.times_read[ends[stack]] == behind.times_read[param] == 1
        }
        loops: dict[Statement, Statement] = {}
        for inner in bodies[0].body:
            if not isinstance(inner, Scan | While):
                continue
            lists = {s: items[s][1] for s in inner.stacks if s in items}
            for back in _readers(bodies[1], lists.values()):
                pair = _Pair(inner, back, lists, self.brief, values, self.started)
                made = pair.divided() if back not in loops else None
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
