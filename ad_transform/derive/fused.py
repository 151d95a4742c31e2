"""Loops back whose trips do not wait for each other run with the loop forth.

A loop that sums up, `total += (y[i] - a * x[i]) ** 2`, has a loop back whose trips only
add to adjoints. Sums may come in any order: the loop back goes forwards, and its trip
stands behind that of the loop forth, where all that this has computed is at hand.
Nothing is recorded then, and nothing is computed twice.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ad_transform.derive.sweep.body import merged
from ad_transform.ir.consumed import Consumption
from ad_transform.ir.inner import changed_inside, is_same, with_block
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Operand,
    Print,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.ordered import Ordered
from ad_transform.ir.trampoline import Task, bounce

_FEW = 3
"""Loops forth that are tried for a loop back that reads no record."""


def fused(function: Function) -> Function:
    """The function with such loops back in their loops forth. Linear."""
    return with_block(function, bounce(_fused(function.block, _Sums(), Consumption())))


def forwards(function: Function) -> Function:
    """The function with the other loops back that only add to sums forwards: what they
    go over is read in its order. Linear.
    """
    return with_block(function, bounce(_forwards(function.block, _Sums())))


def _forwards(block: Block, sums: _Sums) -> Task[Block]:
    turned = [_forth(statement, sums) for statement in block.body]
    body = yield from changed_inside(turned, lambda inner: _forwards(inner, sums))
    return block if is_same(body, block.body) else replace(block, body=tuple(body))


def _forth(statement: Statement, sums: _Sums) -> Statement:
    """A loop in the order of its range, if it only adds."""
    if not isinstance(statement, Scan) or not statement.backwards:
        return statement
    if statement.snapshots is not None or not sums.are_all(statement):
        return statement
    return replace(statement, backwards=False)


def _fused(block: Block, sums: _Sums, consumption: Consumption) -> Task[Block]:
    def inside(inner: Block) -> Task[Block]:
        return _fused(inner, sums, consumption)

    body: Sequence[Statement] = block.body
    if any(isinstance(statement, Scan) for statement in body):
        body = _Body(block, sums, consumption).changed()
    body = yield from changed_inside(body, inside)
    return block if is_same(body, block.body) else replace(block, body=tuple(body))


class _Sums:
    """What blocks only add to; each parameter of a block is looked at once."""

    def __init__(self) -> None:
        self._ends: dict[Var, int | None] = {}
        self._readers: dict[Block, dict[Operand, list[Statement]]] = {}

    def are_all(self, loop: Scan) -> bool:
        """Whether all that a loop carries is sums, which nothing in a trip reads."""
        params = loop.body.params[1 : 1 + len(loop.carries)]
        return all(self._end(loop.body, p) == k for k, p in enumerate(params))

    def _end(self, block: Block, param: Var) -> int | None:
        """The place of the result of a block that is a parameter and what it adds."""
        if param not in self._ends:
            self._ends[param] = self._found(block, param)
        return self._ends[param]

    def _found(self, block: Block, param: Var) -> int | None:
        readers = self._readers_in(block)
        value: Var | None = param
        while value is not None:
            reading = readers.get(value, [])
            places = [k for k, r in enumerate(block.results) if r is value]
            if len(reading) + len(places) != 1:
                return None
            if places:
                return places[0]
            value = self._sum(reading[0], value)
        return None

    def _readers_in(self, block: Block) -> dict[Operand, list[Statement]]:
        """The statements that read each value, as often as they do."""
        if block not in self._readers:
            found = self._readers[block] = {}
            for statement in block.body:
                for operand in statement.inputs:
                    found.setdefault(operand, []).append(statement)
        return self._readers[block]

    def _sum(self, statement: Statement, value: Var) -> Var | None:
        """What a statement makes of a value by adding to it."""
        match statement:
            case Apply(args=args):
                name = statement.op.name
                is_first = args[0] is value and name in _ADDING
                return statement.out if is_first or name == "add" else None
            case Branch(args=args):
                k = args.index(value) if value in args else -1
                if k < 0:
                    return None
                end, other = (self._end(b, b.params[k]) for b in statement.blocks)
                return statement.outs[end] if end == other and end is not None else None
            case Scan(carries=carries) | While(carries=carries) if value in carries:
                if statement.snapshots is not None:
                    return None
                k = carries.index(value)
                if isinstance(statement, While):
                    test, param = statement.test, statement.test.params[k]
                    if param in self._readers_in(test) or param in test.results:
                        return None
                body, first = statement.body, isinstance(statement, Scan)
                is_sum = self._end(body, body.params[first + k]) == k
                return statement.outs[k] if is_sum else None
        return None


_ADDING = frozenset({"add", "sub", "add_at", "sub_at"})
"""Operations that add to their first operand."""


class _Body:
    """The statements of a block, in which order they come, and what reads them."""

    def __init__(self, block: Block, sums: _Sums, consumption: Consumption) -> None:
        self.ordered = Ordered(block.body)
        self.sums = sums
        self.consumption = consumption
        self.read = Counter(block.results)
        self.stops: list[int] = []  # what nothing goes in front of
        self.forth: dict[object, list[int]] = {}  # loops, by range
        for k, statement in enumerate(block.body):
            self.read.update(statement.inputs)
            if isinstance(statement, Check | Print):
                self.stops.append(k)

    def changed(self) -> Sequence[Statement]:
        """The statements with loops back in loops forth."""
        for k, loop in enumerate(self.ordered.body):
            if not isinstance(loop, Scan) or loop.snapshots is not None:
                continue
            is_free = self.sums.are_all(loop)
            others = self.forth.setdefault((loop.start, loop.stop, loop.step), [])
            is_joined = is_free and self._join(k, loop, others)
            if not loop.backwards and not is_joined:
                others.append(k)
        return self.ordered.statements()

    def _join(self, place: int, back: Scan, others: Sequence[int]) -> bool:
        """Whether a loop back now is in one of the loops forth."""
        made, now = self.ordered.made, self.ordered.now
        makers = {made.get(entry) for entry in back.entries}
        mine = [k for k in others if k in makers]
        for k in mine or others[: -1 - _FEW : -1]:
            forth = now[k]
            assert isinstance(forth, Scan)
            moved = self._ahead(k, place, forth, back)
            if moved is None:
                continue
            now[k], now[place] = _both(forth, back), None
            made.update(dict.fromkeys(back.outs, k))
            self.ordered.move(moved, k)
            return True
        return False

    def _ahead(self, place: int, end: int, forth: Scan, back: Scan) -> list[int] | None:
        """What has to go in front of a loop forth for a loop back to be in it; None
        where that cannot be.
        """
        if bisect(self.stops, place) != bisect(self.stops, end):
            return None
        if any(c.type.dims and self.read[c] > 1 for c in back.carries):
            return None  # it changes what others read
        shared = set(forth.stacks).intersection(back.entries)
        if not all(self._is_at_hand(stack, forth, back) for stack in shared):
            return None
        first = 3 + len(back.carries) + len(back.reads)
        entries = (entry for entry in back.entries if entry not in shared)
        return self.ordered.ahead((*back.inputs[:first], *entries), place)

    def _is_at_hand(self, stack: Var, forth: Scan, back: Scan) -> bool:
        """Whether what a loop forth records can be read where it is computed: a number,
        or a list that an inner loop has recorded, which the loop back only reads.
        """
        if not stack.type.entry.is_array:
            return True
        record = forth.body.results[forth.outs.index(stack)]
        inner = [s for s in forth.body.body if isinstance(s, Scan | While)]
        is_recorded = any(record in loop.stacks for loop in inner)
        return is_recorded and stack not in self.consumption.handed(back, back.body)


def _both(forth: Scan, back: Scan) -> Scan:
    """A loop whose trips are those of a loop forth, then those of a loop back."""
    count, other = len(forth.carries), len(back.carries)
    index, *own = forth.body.params
    there, *theirs = back.body.params
    ends: dict[Operand, Operand] = dict(
        zip(forth.stacks, forth.body.results[count:], strict=True)
    )
    env: dict[Operand, Operand] = {there: index}
    own_reads = own[count : count + len(forth.reads)]
    known = dict(zip(forth.reads, own_reads, strict=True))
    carried, rest = theirs[:other], theirs[other:]
    reads, entries = dict(known), dict[Operand, Var]()
    for operand, param in zip((*back.reads, *back.entries), rest, strict=True):
        if operand in ends:
            env[param] = ends[operand]
        elif operand in reads:
            env[param] = reads[operand]
        elif operand in back.entries:
            entries[operand] = param
        else:
            reads[operand] = param
    params = (
        *(index, *own[:count], *carried, *reads.values()),
        *(*own[count + len(forth.reads) :], *entries.values()),
    )
    results = tuple(env.get(result, result) for result in back.body.results)
    block = Block(
        params,
        (*forth.body.body, *(statement.over(env) for statement in back.body.body)),
        (
            *(*forth.body.results[:count], *results[:other]),
            *(*forth.body.results[count:], *results[other:]),
        ),
    )
    return replace(
        forth,
        outs=(*forth.outs[:count], *back.outs[:other], *forth.stacks, *back.stacks),
        carries=(*forth.carries, *back.carries),
        reads=tuple(reads),
        entries=(*forth.entries, *entries),
        body=merged(block),
    )
