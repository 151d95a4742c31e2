"""A loop goes back without the trip that left it, where that changes no adjoint.

for _ in range(50):                  for _ in range(50):
    f = x * x - a                        f = x * x - a
    if abs(f) < 1e-12:                   if abs(f) < 1e-12:
        saved.append((True, x))              break
        break                            saved.append(x)
    saved.append((False, x))             x = x - f / (2.0 * x)
    x = x - f / (2.0 * x)            for x in reversed(saved):
for left, x in reversed(saved):          ...
    if not left:
        ...

Here the loop back is one over fewer trips, so the record of the last one is not read; a
target that records trip by trip need not record it (`ir.ends`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.trips.ways import (
    Ways,
    loops_back,
    names_forth,
    readers_of,
)
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.inner import changed_at, holding, is_same, with_block
from ad_transform.ir.build import Builder
from ad_transform.ir.loops.exits import exit_of, read_in
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Substitution,
    Var,
    While,
    checks,
    walk,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import INT
from ad_transform.later import later

with later():
    from ad_transform.ir.blocks.decided import taken, tests_where


def without_last_trips(function: Function) -> Function:
    """The function with loops back that begin before the trip that left the loop.

    Linear in the statements, times the blocks one inside the other.
    """
    if not any(isinstance(s, While) and s.stacks for s in function.nested):
        return function
    edits = _Edits()
    blocks = [function.block, *(b for s in function.nested for b in s.blocks)]
    for block in blocks:
        readers = readers_of(block)
        edits.find(Ways(block, block, {}, readers, readers))
    if not edits.statements:
        return function
    return with_block(function, bounce(edits.made(function.block)))


@dataclass(slots=True)
class _Edits:
    """New statements for some, and new results of blocks: numbers of trips."""

    statements: dict[Statement, tuple[Statement, ...]] = field(default_factory=dict)
    results: Substitution = field(default_factory=dict)

    def find(self, ways: Ways) -> None:
        """Find the loops back that need fewer trips, in two blocks and inside these."""
        for loop in ways.forth.body:
            if isinstance(loop, While):
                self._shorten(ways, loop)
        for inner in ways.inside():
            self.find(inner)

    def _shorten(self, ways: Ways, loop: While) -> None:
        left = exit_of(loop)
        if left is None or loop.snapshots is not None:
            return
        backs = loops_back(ways, loop)
        made = {back: _ended(ways, loop, left.flag, back) for back in backs}
        if not backs or None in made.values():
            return
        counted, trips = _trips_back(loop, left.flag)
        (count,) = trips.outs
        self.statements[loop] = (loop, counted, trips)
        for back, shorter in made.items():
            assert shorter is not None
            stop = count if ways.forth is ways.back else back.stop
            self.statements[back] = (replace(shorter, stop=stop),)
        self.results[loop.trips] = count

    def made(self, block: Block) -> Task[Block]:
        """The block with the new statements and results in it."""
        found = [one for s in block.body for one in self.statements.get(s, (s,))]
        inside = yield from changed_at(holding(found), found, self.made)
        results = tuple(self.results.get(result, result) for result in block.results)
        if is_same(inside, block.body) and is_same(results, block.results):
            return block
        return replace(block, body=tuple(inside), results=results)


def _ended(ways: Ways, loop: While, place: int, back: Scan) -> Scan | None:
    """The loop back over all trips but the one that left; None if that one changes a
    carry of the loop back.
    """
    block = back.body
    if block.params[0] in read_in(block) or any(map(checks, walk(block.body))):
        return None
    flag = loop.body.results[place]
    twins = names_forth(ways, loop, loop.body, back, block)

    def over(value: bool) -> Substitution:
        known = tests_where(loop.body, flag, value)
        return {own: known[other] for own, other in twins.items() if other in known}

    leaving, staying = over(True), over(False)
    if not leaving:
        return None
    ends = Builder(TABLE, LAWS).inline(taken(block, leaving), block.params)
    if ends != block.params[back.first_carry : back.first_read]:
        return None
    forth = taken(loop.body, tests_where(loop.body, flag, False))
    first = len(block.params) - len(back.entries)
    kept = [k for k, p in enumerate(block.params[first:]) if p not in staying]
    read = [block.params[first + k] for k in kept]
    made = _recorded_once(ways, loop, forth, back, taken(block, staying), read)
    params = (*block.params[:first], *read)
    return replace(
        back,
        entries=tuple(back.entries[k] for k in kept),
        body=replace(made, params=params),
    )


def _recorded_once(
    ways: Ways,
    loop: While,
    forth: Block,
    back: Scan,
    block: Block,
    read: Sequence[Var],
) -> Block:
    """A trip back that reads the record instead of computing again, each value once.
    `forth` and `block` are the trips that do not leave; `read` are the parameters for
    the record that these read.
    """
    twins = names_forth(ways, loop, forth, back, block)
    entries: Substitution = {}
    made = [out for s in block.body for out in s.outs if out in twins]
    direct = _direct(ways, loop, back, block)
    for param in sorted(read, key=lambda p: direct.get(p) is not twins.get(p)):
        if param in twins and entries.setdefault(twins[param], param) is not param:
            made.append(param)
    found: Substitution = {
        out: entries[twins[out]] for out in made if twins[out] in entries
    }
    body = tuple(s.over(found) for s in block.body if found.keys().isdisjoint(s.outs))
    results = tuple(found.get(result, result) for result in block.results)
    return Block(block.params, body, results)


def _direct(ways: Ways, loop: While, back: Scan, block: Block) -> Substitution:
    """The values that trips forth record for parameters of a trip back. A value of a
    branch may be another one if the trip stays.
    """
    records = zip(loop.stacks, loop.records, strict=True)
    recorded: dict[Operand | None, Operand] = dict(records)
    params = block.params[back.first_entry :]
    pairs = zip(params, back.entries, strict=True)
    return {p: recorded[own] for p, e in pairs if (own := ways.of(e)) in recorded}


def _trips_back(loop: While, flag: int) -> tuple[Apply, Branch]:
    """The number of trips, less one if the loop was left, as a branch's value."""
    fewer, chosen = Var(INT), Var(INT, loop.trips.hint)
    counted = Apply(fewer, TABLE["sub"], (loop.trips, Literal(1)))
    then, orelse = ((Var(INT), Var(INT)) for _ in range(2))
    arms = Block(then, (), (then[0],)), Block(orelse, (), (orelse[1],))
    args = (fewer, loop.trips)
    return counted, Branch((chosen,), loop.outs[flag], args, *arms)
