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

Here the loop back is one over fewer trips, so what the last one has recorded is not
read; a target that records trip by trip need not record it (`ir.ends`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from ad_transform.dataclass import dataclass
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.carried import counts_up
from ad_transform.ir.exits import exit_of, read_in
from ad_transform.ir.inner import changed_inside, is_same, with_block
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
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
    from ad_transform.ir.decided import taken, tests_where

Env = dict[Operand, Operand]
Readers = Mapping[Operand, Sequence[Statement | None]]


def without_last_trips(function: Function) -> Function:
    """The function with loops back that begin before the trip that left the loop.

    Linear in the statements, times the blocks one inside the other.
    """
    if not any(isinstance(s, While) and s.stacks for s in walk(function.body)):
        return function
    edits = _Edits()
    blocks = [function.block, *(b for s in walk(function.body) for b in s.blocks)]
    for block in blocks:
        readers = _readers(block)
        edits.find(_Ways(block, block, {}, readers, readers))
    if not edits.statements:
        return function
    return with_block(function, bounce(edits.made(function.block)))


def _readers(block: Block) -> Readers:
    """The statements that read each value of a block; None stands for its end."""
    found: dict[Operand, list[Statement | None]] = {}
    for statement in block.body:
        for one in statement.inputs:
            found.setdefault(one, []).append(statement)
    for one in block.results:
        found.setdefault(one, []).append(None)
    return found


@dataclass(frozen=True, slots=True)
class _Ways:
    """A block on the way forth and one on the way back: one block, or trips or arms of
    two statements that belong together. `seen` is what that one has from the other.
    """

    forth: Block
    back: Block
    seen: Env
    readers: Readers  # on the way forth
    readers_back: Readers

    def of(self, operand: Operand) -> Operand | None:
        """What the way forth calls a value of the way back."""
        return operand if self.forth is self.back else self.seen.get(operand)

    def sole_readers(self, value: Operand) -> Sequence[Statement] | None:
        """What reads a value on the way back, None if more than that reads it."""
        if self.forth is self.back:
            found = self.readers.get(value, ())
        elif self.readers.get(value, ()) == [None]:
            names = [name for name, other in self.seen.items() if other is value]
            found = [s for name in names for s in self.readers_back.get(name, ())]
        else:
            return None
        return None if None in found else [s for s in found if s is not None]

    def inside(self) -> Iterator[_Ways]:
        """The trips and arms of two statements that belong together."""
        holding = [s for s in self.forth.body if s.blocks]
        makers: dict[Operand, Statement] = {out: s for s in holding for out in s.outs}
        told: set[tuple[Statement, Statement]] = set()
        for back in self.back.body:
            if not isinstance(back, Scan | Branch):
                continue
            for operand in back.inputs:
                value = self.of(operand)
                forth = None if value is None else makers.get(value)
                if forth is None or forth is back or (forth, back) in told:
                    continue
                told.add((forth, back))
                for one, other, seen in self._pairs(forth, back):
                    yield _Ways(one, other, seen, _readers(one), _readers(other))

    def _pairs(
        self, forth: Statement, back: Statement
    ) -> Iterator[tuple[Block, Block, Env]]:
        if isinstance(forth, Branch) and isinstance(back, Branch):
            if self.of(back.test) is not forth.test:
                return
            for one, other in zip(forth.blocks, back.blocks, strict=True):
                given = zip(other.params, back.args, strict=True)
                made = zip(forth.outs, one.results, strict=True)
                read = zip(forth.args, one.params, strict=True)
                yield one, other, self._seen(given, (made, read), back)
        elif isinstance(forth, Scan | While) and isinstance(back, Scan):
            if forth.snapshots is not None or back.snapshots is not None:
                return
            block, count = forth.body, len(forth.carries)
            start = count + isinstance(forth, Scan)
            made = zip(forth.stacks, block.results[count:], strict=True)
            read = zip(forth.reads, block.params[start:], strict=False)
            params = back.body.params[1 + len(back.carries) :]
            given = zip(params, (*back.reads, *back.entries), strict=True)
            yield block, back.body, self._seen(given, (made, read), back)

    def _seen(
        self,
        given: Iterable[tuple[Var, Operand]],
        outer: tuple[Iterable[tuple[Var, Operand]], Iterable[tuple[Operand, Var]]],
        back: Statement,
    ) -> Env:
        """What parameters of a block of a statement on the way back stand for: what the
        way forth has made for it alone, and what both read.
        """
        made, read = outer
        known: Env = dict(read)
        known.update(
            (value, inner)
            for value, inner in made
            if self.sole_readers(value) == [back]
        )
        pairs = ((param, self.of(operand)) for param, operand in given)
        return {
            param: known[value]
            for param, value in pairs
            if value in known and value is not None
        }


@dataclass(slots=True)
class _Edits:
    """What becomes of statements, and of results of blocks: numbers of trips."""

    statements: dict[Statement, tuple[Statement, ...]] = field(default_factory=dict)
    results: Env = field(default_factory=dict)

    def find(self, ways: _Ways) -> None:
        """Find the loops back over fewer trips in two blocks, and inside these."""
        for loop in ways.forth.body:
            if isinstance(loop, While):
                self._shorten(ways, loop)
        for inner in ways.inside():
            self.find(inner)

    def _shorten(self, ways: _Ways, loop: While) -> None:
        left = exit_of(loop)
        if left is None or loop.snapshots is not None:
            return
        backs = _backs(ways, loop)
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
        """The block with what becomes of its statements."""
        found = [one for s in block.body for one in self.statements.get(s, (s,))]
        inside = yield from changed_inside(found, self.made)
        results = tuple(self.results.get(result, result) for result in block.results)
        if is_same(inside, block.body) and is_same(results, block.results):
            return block
        return replace(block, body=tuple(inside), results=results)


def _backs(ways: _Ways, loop: While) -> list[Scan]:
    """The loops back over what a loop records; none if anything else may read that."""
    found: dict[Scan, None] = {}
    for value in (loop.trips, *loop.stacks):
        readers = ways.sole_readers(value)
        if readers is None:
            if value in ways.readers:
                return []
            continue
        for one in readers:
            if not _goes_back(ways, loop, one):
                return []
            assert isinstance(one, Scan)
            found[one] = None
    return list(found)


def _goes_back(ways: _Ways, loop: While, statement: Statement) -> bool:
    """Whether a statement is a loop over the trips of the other, the last one first."""
    if not isinstance(statement, Scan) or statement.snapshots is not None:
        return False
    own = {ways.of(entry) for entry in statement.entries} <= set(loop.stacks)
    ends = ways.of(statement.stop) is loop.trips
    once = statement.inputs.count(statement.stop) == 1
    return (
        statement.backwards
        and counts_up(statement)
        and own
        and ends
        and once
        and bool(statement.entries and not statement.stacks)
    )


def _ended(ways: _Ways, loop: While, place: int, back: Scan) -> Scan | None:
    """The loop back as it is for all trips but one that left; None where that one
    changes what the loop back carries.
    """
    block = back.body
    if block.params[0] in read_in(block) or any(map(checks, walk(block.body))):
        return None
    flag = loop.body.results[place]
    twins = _twins(ways, loop, loop.body, back, block)

    def over(value: bool) -> Env:
        known = tests_where(loop.body, flag, value)
        return {own: known[other] for own, other in twins.items() if other in known}

    leaving, staying = over(True), over(False)
    if not leaving:
        return None
    ends = Builder(TABLE, LAWS).inline(taken(block, leaving), block.params)
    if ends != block.params[1 : 1 + len(back.carries)]:
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
    ways: _Ways,
    loop: While,
    forth: Block,
    back: Scan,
    block: Block,
    read: Sequence[Var],
) -> Block:
    """A trip back that takes from the record what it would compute again, and each
    value once. `forth` and `block` are the trips that do not leave; `read` is what
    these take from the record.
    """
    twins = _twins(ways, loop, forth, back, block)
    entries: Env = {}
    made = [out for s in block.body for out in s.outs if out in twins]
    direct = _direct(ways, loop, back, block)
    for param in sorted(read, key=lambda p: direct.get(p) is not twins.get(p)):
        if param in twins and entries.setdefault(twins[param], param) is not param:
            made.append(param)
    found: Env = {out: entries[twins[out]] for out in made if twins[out] in entries}
    body = tuple(s.over(found) for s in block.body if found.keys().isdisjoint(s.outs))
    results = tuple(found.get(result, result) for result in block.results)
    return Block(block.params, body, results)


def _direct(ways: _Ways, loop: While, back: Scan, block: Block) -> Env:
    """What trips forth record for parameters of a trip back: perhaps what a branch
    gives, which is another value where a trip stays.
    """
    records = zip(loop.stacks, loop.body.results[len(loop.carries) :], strict=True)
    recorded: dict[Operand | None, Operand] = dict(records)
    params = block.params[1 + len(back.carries) + len(back.reads) :]
    pairs = zip(params, back.entries, strict=True)
    return {p: recorded[own] for p, e in pairs if (own := ways.of(e)) in recorded}


def _twins(
    ways: _Ways, loop: While, forth: Block, back: Scan, block: Block
) -> Mapping[Operand, Operand]:
    """What a trip forth calls the values that a trip back has from it, or computes as
    it does. Linear in both.
    """
    count = len(loop.carries)
    outer: Env = dict(zip(loop.stacks, forth.results[count:], strict=True))
    outer.update(zip(loop.reads, forth.params[count:], strict=True))
    params = block.params[1 + len(back.carries) :]
    found: Env = {}
    for param, operand in zip(params, (*back.reads, *back.entries), strict=True):
        value = ways.of(operand)
        if value is not None and value in outer:
            found[param] = outer[value]
    made = {(s.op, s.args): s.out for s in forth.body if isinstance(s, Apply)}
    for statement in block.body:
        if isinstance(statement, Apply) and not statement.op.linear:  # no new array
            args = tuple(found.get(arg, arg) for arg in statement.args)
            if (statement.op, args) in made:
                found[statement.out] = made[statement.op, args]
    return found


def _trips_back(loop: While, flag: int) -> tuple[Apply, Branch]:
    """The number of trips but for one that left the loop, as the out of a branch."""
    fewer, chosen = Var(INT), Var(INT, loop.trips.hint)
    counted = Apply(fewer, TABLE["sub"], (loop.trips, Literal(1)))
    then, orelse = ((Var(INT), Var(INT)) for _ in range(2))
    arms = Block(then, (), (then[0],)), Block(orelse, (), (orelse[1],))
    args = (fewer, loop.trips)
    return counted, Branch((chosen,), loop.outs[flag], args, *arms)
