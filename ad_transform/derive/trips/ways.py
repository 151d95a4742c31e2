"""A loop forth and the loops back over its trips: shared values, and their names in
each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.ir.blocks.carried import counts_up
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Operand,
    Scan,
    Statement,
    Substitution,
    Var,
    While,
)

Readers = Mapping[Operand, Sequence[Statement | None]]


def readers_of(block: Block) -> Readers:
    """The statements that read each value of a block; None stands for its end."""
    found: dict[Operand, list[Statement | None]] = {}
    for statement in block.body:
        for one in statement.inputs:
            found.setdefault(one, []).append(statement)
    for one in block.results:
        found.setdefault(one, []).append(None)
    return found


@dataclass(frozen=True, slots=True)
class Ways:
    """A block on the way forth and one on the way back: the same block, or trips or
    arms of two statements that belong together. `seen` maps values of the latter to the
    former.
    """

    forth: Block
    back: Block
    seen: Substitution
    readers: Readers  # on the way forth
    readers_back: Readers

    def of(self, operand: Operand) -> Operand | None:
        """The value of the way forth that a value of the way back stands for."""
        return operand if self.forth is self.back else self.seen.get(operand)

    def solereaders_of(self, value: Operand) -> Sequence[Statement] | None:
        """The readers of a value on the way back; None if it has others."""
        if self.forth is self.back:
            found = self.readers.get(value, ())
        elif self.readers.get(value, ()) == [None]:
            names = [name for name, other in self.seen.items() if other is value]
            found = [s for name in names for s in self.readers_back.get(name, ())]
        else:
            return None
        return None if None in found else [s for s in found if s is not None]

    def inside(self) -> Iterator[Ways]:
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
                    yield Ways(one, other, seen, readers_of(one), readers_of(other))

    def _pairs(
        self, forth: Statement, back: Statement
    ) -> Iterator[tuple[Block, Block, Substitution]]:
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
            made = zip(forth.stacks, forth.records, strict=True)
            read = zip(forth.reads, forth.read_params, strict=True)
            params = back.body.params[back.first_read :]
            given = zip(params, (*back.reads, *back.entries), strict=True)
            yield forth.body, back.body, self._seen(given, (made, read), back)

    def _seen(
        self,
        given: Iterable[tuple[Var, Operand]],
        outer: tuple[Iterable[tuple[Var, Operand]], Iterable[tuple[Operand, Var]]],
        back: Statement,
    ) -> Substitution:
        """The values of the way forth that parameters of a statement's block on the way
        back stand for: values made for that statement alone, and values that both read.
        """
        made, read = outer
        known: Substitution = dict(read)
        known.update(
            (value, inner)
            for value, inner in made
            if self.solereaders_of(value) == [back]
        )
        pairs = ((param, self.of(operand)) for param, operand in given)
        return {
            param: known[value]
            for param, value in pairs
            if value in known and value is not None
        }


def loops_back(ways: Ways, loop: While) -> list[Scan]:
    """The loops back over the records of a loop; none if anything else reads these."""
    found: dict[Scan, None] = {}
    for value in (loop.trips, *loop.stacks):
        readers = ways.solereaders_of(value)
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


def _goes_back(ways: Ways, loop: While, statement: Statement) -> bool:
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


def names_forth(
    ways: Ways, loop: While, forth: Block, back: Scan, block: Block
) -> Mapping[Operand, Operand]:
    """The names in a trip forth for the values that a trip back takes from it, or
    computes as it does. Linear in both.
    """
    count = len(loop.carries)
    outer: Substitution = dict(zip(loop.stacks, forth.results[count:], strict=True))
    outer.update(zip(loop.reads, forth.params[count:], strict=True))
    params = block.params[back.first_read :]
    found: Substitution = {}
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
