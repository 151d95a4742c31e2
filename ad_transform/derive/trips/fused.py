"""Loops back whose trips do not wait for each other run with the loop forth.

A loop that sums up, `total += (y[i] - a * x[i]) ** 2`, has a loop back whose trips only
add to adjoints. Sums may come in any order: the loop back goes forwards, and its trip
stands behind that of the loop forth, where all that this has computed is at hand.
Nothing is recorded then, and nothing is computed twice. Where it needs the whole sum
first, as the way back of `dot / norm` does, it runs with another loop back of its
range, and may go on with the sums of that. So does a loop of tangents whose trips store
elements of their own. Where the loop forth, or the other loop back, stores in each trip
the one element that this one reads in it, `y_bar[i]`, that is a value in the trip.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import cast

from ad_transform.dataclass import replace
from ad_transform.derive.sweep.body import merged
from ad_transform.derive.sweep.stacks import is_empty
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.adding import Sums
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.blocks.carried import changes
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.blocks.ordered import Ordered
from ad_transform.ir.build import Builder, numbers_now
from ad_transform.ir.loops.affine import AffineForms
from ad_transform.ir.loops.own_elements import OwnElements, has_room
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Check,
    Function,
    Literal,
    Operand,
    Print,
    Scan,
    Statement,
    Var,
    While,
    node,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT

_FEW = 3
"""Loops forth that are tried for a loop back that reads no record."""


def fused(function: Function) -> Function:
    """The function with loops back in their loops forth where they may be; linear.
    Values that its own value needs stay as they are.
    """
    tools = Sums(), Consumption(), of_value(function)
    return each_block(function, lambda block: _fused(block, tools), leaves=False)


_Tools = tuple[Sums, Consumption, Set[Operand]]


def _fused(block: Block, tools: _Tools) -> Block:
    if Scan not in block.kinds:
        return block
    return _Body(block, tools).changed()


def forwards(function: Function) -> Function:
    """The function with the remaining loops back that only add to sums turned forwards:
    they read their lists in order. Linear. Sums of its own value stay as they are.
    """
    sums, sacred = Sums(), of_value(function)

    def turned(block: Block) -> Block:
        if Scan not in block.kinds:
            return block
        body = [
            s if not sacred.isdisjoint(s.outs) else _forth(s, sums) for s in block.body
        ]
        return with_body(block, body)

    return each_block(function, turned, leaves=False)


def _forth(statement: Statement, sums: Sums) -> Statement:
    """A loop in the order of its range, if it only adds."""
    if not isinstance(statement, Scan) or not statement.backwards:
        return statement
    if statement.snapshots is not None or not sums.are_all(statement):
        return statement
    return replace(statement, backwards=False)


@node
class _Sum:
    """A sum that several loops add to, one after the other: the place of the first
    loop, the carry there, its first value, and the value behind the last loop.
    """

    loop: int
    carry: int
    start: Operand
    end: Var


@node
class _Links:
    """Links from a loop back to its host: the `same` sums, carries of the host by its
    own; and arrays of which each trip has its `own` element, carries of the host by
    array.
    """

    same: Mapping[int, int]
    own: Mapping[Operand, int]


class _Body:
    """The statements of a block, their order, and their readers."""

    def __init__(self, block: Block, tools: _Tools) -> None:
        self.block = block
        self.ordered = Ordered(block.body)
        self.sums, self.consumption, self.sacred = tools
        self.read = Counter(block.times_read)
        self.elements = OwnElements(AffineForms(block.body, {}), self.consumption)
        self.stops: list[int] = []  # statements that nothing may pass
        self.hosts: dict[object, list[int]] = {}  # loops, by range
        self.sooner: dict[Operand, Operand] = {}  # sums that are added to later now
        for k in block.others:
            if isinstance(block.body[k], Check | Print):
                self.stops.append(k)

    def changed(self) -> Block:
        """The block with loops back in loops forth."""
        for k, statement in enumerate(self.ordered.body):
            if type(statement) is Apply and not self.sooner:
                continue
            loop = self.ordered.now[k] = statement.over(self.sooner)
            if not isinstance(loop, Scan) or loop.snapshots is not None:
                continue
            if is_empty(loop):  # there is no trip to run in
                continue
            is_free = self.sacred.isdisjoint(loop.outs) and self.sums.are_all(loop)
            others = self.hosts.setdefault((loop.start, loop.stop, loop.step), [])
            is_joined = is_free and self._join(k, loop, others)
            if not is_joined and (is_free or not loop.backwards):
                others.append(k)
        return with_body(self.block, self.ordered.statements(), self.sooner)

    def _join(self, place: int, back: Scan, others: Sequence[int]) -> bool:
        """Put a loop back into a loop of its range, if one will do; returns whether it
        did. Loops that record for it come first, then the last ones, nests first for a
        nest: that computes again the values of the nest.
        """
        made, now = self.ordered.made, self.ordered.now
        makers = {made.get(entry) for entry in back.entries}
        mine = [k for k in others if k in makers]
        last = sorted(
            others[: -1 - _FEW : -1], key=lambda k: _is_nest(now[k]) != _is_nest(back)
        )
        for k in dict.fromkeys((*mine, *last)):
            host = now[k]
            assert isinstance(host, Scan)
            if not _are_related(host, back):
                continue
            sooner = [
                self._sooner(carry, k) if self.sums.is_sum(back, n) else None
                for n, carry in enumerate(back.carries)
            ]
            pairs = zip(sooner, back.carries, strict=True)
            starts = tuple(one.start if one else carry for one, carry in pairs)
            begun = replace(back, carries=starts)
            links = _Links(self._same(starts, host, back), self._own(host, begun))
            moved = self._ahead(k, place, host, begun, links)
            if moved is None:
                continue
            rows = zip(sooner, back.outs, strict=False)
            outs = (self._swapped(one, out) if one else out for one, out in rows)
            begun = replace(begun, outs=(*outs, *back.stacks))
            now[k], now[place] = self._together(host, begun, links), None
            made.update(dict.fromkeys(begun.outs, k))
            self.ordered.move(moved, k)
            return True
        return False

    def _same(
        self, starts: Sequence[Operand], host: Scan, back: Scan
    ) -> dict[int, int]:
        """The sums of a host that a loop back goes on with and only adds to: carries of
        the host, by those of the loop back.
        """
        found: dict[int, int] = {}
        for k, start in enumerate(starts):
            if not self.sums.is_sum(back, k):
                continue  # it stores, behind all that the host adds
            if start in host.outs and self.read[start] == 1:
                carry = host.outs.index(cast(Var, start))
                if self.sums.is_sum(host, carry):
                    found[k] = carry
        return found

    def _own(self, host: Scan, back: Scan) -> dict[Operand, int]:
        """The arrays of which each trip of the host stores, and each trip back reads,
        one element, its own: carries of the host, by array.
        """
        found: dict[Operand, int] = {}
        for array in back.reads:
            if not array.type.dims or array in back.carries or array not in host.outs:
                continue
            k, own = host.outs.index(cast(Var, array)), self.elements
            is_carried = k < len(host.carries)
            if is_carried and own.are_read(back, array) and own.are_stored(host, k):
                found[array] = k
        return found

    def _together(self, host: Scan, back: Scan, links: _Links) -> Scan:
        """A loop whose trips are those of a host, then those of a loop back. Elements
        that the host stores are values in the trip.
        """
        stored: dict[int, Operand] = {}
        made = changes(host)
        for k in links.own.values():
            change = made.get(k)
            if change is None or not has_room(host, k, self._maker):
                continue
            if change.op.name == "set" or self._is_zero(host.carries[k], change):
                stored[k] = change.args[1]
        return _both(host, back, links, stored)

    def _maker(self, value: Operand) -> Statement | None:
        """The statement of the block that makes a value now."""
        place = self.ordered.made.get(value)
        return None if place is None else self.ordered.now[place]

    def _is_zero(self, array: Operand, change: Apply) -> bool:
        """Whether a change adds to an array of zeros."""
        maker = self._maker(array)
        if not isinstance(maker, Apply) or maker.op.name not in ("like", "full"):
            return False
        return change.op.name == "add_at" and Literal(0.0) in maker.args

    def _sooner(self, carry: Operand, place: int) -> _Sum | None:
        """The sum behind a carry, if only loops behind a place have added to it so far:
        a loop in front of them may add first.
        """
        found: _Sum | None = None
        value = carry
        while isinstance(value, Var):
            maker = self.ordered.made.get(value, -1)
            loop = self.ordered.now[maker] if maker >= 0 else None
            if not isinstance(loop, Scan) or not self.ordered.is_behind(maker, place):
                break
            k = loop.outs.index(value)
            if self.read[value] != 1 or not self.sums.is_sum(loop, k):
                break
            value = loop.carries[k]
            found = _Sum(maker, k, value, cast(Var, carry))
        return found

    def _swapped(self, found: _Sum, out: Var) -> Var:
        """The value of a loop that adds to a sum before the others do."""
        new = another(out, {})
        loop = self.ordered.now[found.loop]
        assert isinstance(loop, Scan)
        carries = list(loop.carries)
        carries[found.carry] = new
        self.ordered.now[found.loop] = replace(loop, carries=tuple(carries))
        self.read[found.end], self.read[new] = self.read[out], 1
        self.sooner[out] = found.end
        return new

    def _ahead(
        self, place: int, end: int, host: Scan, back: Scan, links: _Links
    ) -> list[int] | None:
        """The statements that go in front of a host so that a loop back can be in it;
        None if it cannot.
        """
        if bisect(self.stops, place) != bisect(self.stops, end):
            return None
        if any(c.type.dims and self.read[c] > 1 for c in back.carries):
            return None  # it changes arrays that others read
        shared = set(host.stacks).intersection(back.entries)
        if back.stacks and not shared:
            return None  # they are as long as its entries
        if not all(self._is_at_hand(stack, back) for stack in shared):
            return None
        entries = [entry for entry in back.entries if entry not in shared]
        if entries and host.stacks and not host.entries:
            return None  # as above
        if len({entry.type.dims[0] for entry in (*host.entries, *entries)}) > 1:
            return None
        carries = (c for k, c in enumerate(back.carries) if k not in links.same)
        reads = (read for read in back.reads if read not in links.own)
        return self.ordered.ahead((*carries, *reads, *entries), place)

    def _is_at_hand(self, stack: Var, back: Scan) -> bool:
        """Whether a value that a loop forth records can be read at its place: a number,
        or an array that the loop back only reads.
        """
        is_array = stack.type.entry.is_array
        return not is_array or stack not in self.consumption.handed(back, back.body)


def _are_related(host: Scan, back: Scan) -> bool:
    """Whether two loops share values, or the host is a plain one. A nest is not
    searched for hosts of unrelated loops.
    """
    if not _is_nest(host):
        return True
    values = {o for o in (*host.inputs[3:], *host.outs) if isinstance(o, Var)}
    return not values.isdisjoint(back.inputs[3:])


def _is_nest(loop: Statement | None) -> bool:
    """Whether there is a loop in a loop."""
    return isinstance(loop, Scan) and any(
        isinstance(loop.body.body[k], Scan | While) for k in loop.body.holders
    )


def _both(host: Scan, back: Scan, links: _Links, stored: Mapping[int, Operand]) -> Scan:
    """A loop whose trips are those of a host, then those of a loop back; `stored` are
    the known elements of the host's arrays, by its carries.
    """
    same = links.same
    count, other = len(host.carries), len(back.carries)
    index, *own = host.body.params
    there, *theirs = back.body.params
    records = host.body.results[count:]
    ends: dict[Operand, Operand] = dict(zip(host.stacks, records, strict=True))
    env: dict[Operand, Operand] = {there: index}
    env.update((theirs[k], host.body.results[carry]) for k, carry in same.items())
    mine, kept = own[count : count + len(host.reads)], own[count + len(host.reads) :]
    rest = theirs[other:]
    reads, entries = dict[Operand, Var](), dict[Operand, Var]()
    pairs = zip((*host.reads, *back.reads), (*mine, *rest), strict=False)
    elements: dict[Operand, Operand] = {}
    for place, (operand, param) in enumerate(pairs):
        k = links.own.get(operand) if place >= len(host.reads) else None
        if k is None:
            env[param] = reads.setdefault(operand, param)
            continue
        env[param] = host.body.results[k]
        if k in stored:
            elements[param] = stored[k]
    for operand, param in zip(back.entries, rest[len(back.reads) :], strict=True):
        if operand in ends:
            env[param] = env.get(ends[operand], ends[operand])
        else:
            env[param] = entries.setdefault(operand, param)
    more = [k for k in range(other) if k not in same]
    params = (
        *(index, *own[:count], *(theirs[k] for k in more), *reads.values()),
        *(*kept, *entries.values()),
    )
    behind = _over(_with_elements(back, elements, env), env)
    trip = (*(s.over(env) for s in host.body.body), *behind)
    forward, results = (
        [env.get(result, result) for result in loop.body.results]
        for loop in (host, back)
    )
    outs = list(host.outs[:count])
    for k, carry in same.items():
        forward[carry], outs[carry] = results[k], back.outs[k]
    block = Block(
        params,
        trip,
        (
            *(*forward[:count], *(results[k] for k in more)),
            *(*forward[count:], *results[other:]),
        ),
    )
    return replace(
        host,
        outs=(*outs, *(back.outs[k] for k in more), *host.stacks, *back.stacks),
        carries=(*host.carries, *(back.carries[k] for k in more)),
        reads=tuple(reads),
        entries=(*host.entries, *entries),
        body=merged(block),
    )


def _over(body: Sequence[Statement], env: dict[Operand, Operand]) -> list[Statement]:
    """Statements over new inputs. An operation whose record is one number in all trips,
    such as 2.0 * -1.0, is simplified, and its value entered.
    """
    found: list[Statement] = []
    for statement in body:
        args = [env.get(arg, arg) for arg in statement.inputs]
        if (
            not isinstance(statement, Apply)
            or statement.out.type != FLOAT
            or not numbers_now(statement.inputs, args)
        ):
            found.append(statement.over(env))
            continue
        builder, out = Builder(TABLE, LAWS), statement.out
        env[out] = builder.apply(statement.op.name, *args, hint=out.hint)
        found += builder.body
    return found


def _with_elements(
    back: Scan, elements: Mapping[Operand, Operand], env: dict[Operand, Operand]
) -> list[Statement]:
    """The statements of a trip back without those that read known elements, which are
    given at the trip's index by array; their values are entered.
    """
    behind: list[Statement] = []
    for statement in back.body.body:
        if isinstance(statement, Apply) and statement.op.name == "get":
            array, *where = statement.args
            if array in elements and where == [back.body.params[0]]:
                env[statement.out] = elements[array]
                continue
        behind.append(statement)
    return behind
