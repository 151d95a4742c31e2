"""Search for the optimal order of one component: what goes last is decided first.

f(C) is the least cost of eliminating the vertices of C when all others stay. If v goes
last of C, it costs the number of ends that lead to it over C times the number of those
that it leads to, and the components of C - {v} do not influence each other, v being an
end of theirs. So f(C) is the least, over v in C, of that product and f of the
components. What goes last separates most and costs most, and with more ends cuts are
greater: so bounds are soon close to what they bound. Vertices that may go first
(`reductions`) do, and if one may go last, no other is
tried there.

Whether f is at most a bound of it is asked first, then whether it is at most the bound
that this has given, and so on (Korf 1985, with a table): what costs more is not looked
into, however dear the orders that are known, and every answer is a bound. After every
`WIDER` answers one more is allowed, for the last questions take longest. Where parts
take long, they get clusters of their own: with more ends these cost more.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import components, eliminate, members
from ad_transform.eliminate.clusters import Clusters
from ad_transform.eliminate.cuts import (
    Allowance,
    Cuts,
    MinimumCut,
    NeighbourLists,
    Within,
    minimum_cut,
)
from ad_transform.eliminate.reductions import Side, may_be_last, reduce

SMALL = 12
"""Components of up to so many vertices are searched without clusters."""

LARGEST = 64
"""Components of more vertices are not searched; it also bounds the recursion."""


WIDER = 3
"""Answers after which a question allows one more than the bound."""

PATIENT, CLOSER = 200, 8_000
"""Nodes that a part has taken when it gets clusters of its own, and how many parts of
these are looked at: that takes about as long as so many nodes."""


class Exhausted(Exception):
    """The budget of nodes is used up."""


class Budget:
    """How many nodes may still be looked at."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes

    def spend(self) -> None:
        """Take one node; raises Exhausted if there is none."""
        if self.nodes <= 0:
            raise Exhausted
        self.nodes -= 1


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of f(C): its value, what goes first, and the vertex that goes last
    (-1 where that is left to the components); or only a lower bound."""

    value: int
    exact: bool
    first: tuple[int, ...] = ()
    last: int = -1


@dataclass(frozen=True, slots=True)
class _Part:
    """A set of vertices to eliminate, all others being ends, and the sets by vertex.

    `above` and `below` are the minimum cuts there were before some vertices had `gone`
    and others were `ended`, as bits.
    """

    inner: int
    before: list[int]
    after: list[int]
    above: dict[int, MinimumCut]
    below: dict[int, MinimumCut]
    clusters: Clusters
    gone: int = 0
    ended: int = 0

    @property
    def key(self) -> tuple[int, ...]:
        """What f depends on."""
        inner = members(self.inner)
        above = [self.before[v] for v in inner]
        return (self.inner, *above, *[self.after[v] for v in inner])

    def renewed(self) -> _Part:
        """The same with the cuts that there are now."""
        changes = self.inner, self.gone, self.ended
        above = _renewed(self.before, self.above, *changes)
        below = _renewed(self.after, self.below, *changes)
        return _Part(self.inner, self.before, self.after, above, below, self.clusters)

    @property
    def bound(self) -> int:
        """What its clusters cost."""
        return self.clusters.bound(self.inner)

    @property
    def cuts(self) -> Cuts:
        """How large the cuts are."""
        return Cuts(
            {v: found.cut.bit_count() for v, found in self.above.items()},
            {v: found.cut.bit_count() for v, found in self.below.items()},
        )

    def with_end(self, v: int) -> list[_Part]:
        """The components when a vertex has become an end."""
        ended = 1 << v
        left = self.inner & ~ended
        return [
            replace(self, inner=inner, gone=0, ended=ended)
            for inner in components(self.before, self.after, left)
        ]

    def behind(self, order: list[int]) -> list[_Part]:
        """The components when some vertices have been eliminated."""
        before, after = self.before.copy(), self.after.copy()
        gone = 0
        for v in order:
            eliminate(before, after, v)
            gone |= 1 << v
        known = self.above, self.below, self.clusters
        return [
            _Part(inner, before, after, *known, gone=gone)
            for inner in components(before, after, self.inner & ~gone)
        ]


def _renewed(
    sets: list[int], known: dict[int, MinimumCut], inner: int, gone: int, ended: int
) -> dict[int, MinimumCut]:
    """A cut stays the smallest that has nothing of what is gone, and does not separate
    an end."""
    cuts: dict[int, MinimumCut] = {}
    for v in members(inner):
        found = known[v]
        if found.cut & gone or found.near & ended:
            rows = NeighbourLists(sets)
            found = minimum_cut(rows, rows[v], v, Within(inner), Allowance())
        cuts[v] = found
    return cuts


class Search:
    """Finds f(C) for all vertices of one component, given in bit sets from 0 on.

    `before` and `after` are lists of bit sets; `inner` are the vertices to eliminate,
    numbered topologically. What clusters cost together is a bound for every part; if
    it is to be `closer`, parts get their own.
    """

    def __init__(
        self,
        before: list[int],
        after: list[int],
        inner: int,
        budget: Budget,
        clusters: Clusters,
        closer: bool,
    ) -> None:
        unknown = dict.fromkeys(members(inner), MinimumCut(inner, inner))
        self.whole = _Part(inner, before, after, unknown, unknown, clusters, gone=inner)
        self.budget = budget
        self.closer: dict[tuple[int, ...], Clusters] = {}
        self.taken: dict[tuple[int, ...], int] = {}  # nodes
        self.smallest = SMALL if closer else LARGEST
        cuts = self.whole.renewed().cuts
        self.prices = {v: cuts.price(v) for v in members(inner)}
        self.table: dict[tuple[int, ...], _Known] = {}

    def run(self, upper: int) -> tuple[int, list[int] | None]:
        """A lower bound of f and an order that meets it.

        The order is None if the bound is `upper`, the cost of an order that is known,
        or if the budget was exhausted.
        """
        least = self.whole.bound
        asked = 0
        with suppress(Exhausted):
            while least < upper:
                limit = min(upper - 1, least + asked // WIDER)
                value = self._least(self.whole, limit)
                if value <= limit:
                    return value, self._order(self.whole)
                least, asked = value, asked + 1
        return min(least, upper), None

    def _least(self, part: _Part, limit: int) -> int:
        """f of the part, if it is at most `limit`; else a lower bound of it above that.

        Recursion is as deep as the part has vertices, at most LARGEST.
        """
        key = part.key
        known = self.table.get(key)
        if known and (known.exact or known.value > limit):
            return known.value
        before = self.budget.nodes
        self.budget.spend()
        part = self._closely(key, part.renewed())
        cuts = part.cuts
        sets = part.before.copy(), part.after.copy()
        first, cost = reduce(*sets, part.inner, cuts, part.inner)
        if first:
            value = cost + self._sum(part.behind(first), limit - cost)
            found = _Known(value, value <= limit, tuple(first))
        else:
            found = self._branch(part, cuts, limit)
        self.table[key] = found
        self.taken[key] = self.taken.get(key, 0) + before - self.budget.nodes
        return found.value

    def _closely(self, key: tuple[int, ...], part: _Part) -> _Part:
        """The part with clusters of its own, if it has taken long and they are better
        than those of what it is a part of."""
        many = part.inner.bit_count() > self.smallest
        if not many or self.taken.get(key, 0) <= PATIENT:
            return part
        if key not in self.closer:
            sets = part.before, part.after, part.inner
            self.closer[key] = part.clusters.closer(*sets, CLOSER)
        return replace(part, clusters=self.closer[key])

    def _sum(self, parts: list[_Part], limit: int) -> int:
        """The sum of f over the components, or a lower bound above the limit."""
        parts.sort(key=lambda part: part.inner.bit_count())
        values = [part.bound for part in parts]
        total = sum(values)
        for part, value in zip(parts, values, strict=True):
            if total > limit:
                break
            total += self._least(part, limit - total + value) - value
        return total

    def _branch(self, part: _Part, cuts: Cuts, limit: int) -> _Known:
        """Try what goes last, in the order of what must be paid then."""
        before = Side.of(part.before, part.inner, 1)
        after = Side.of(part.after, part.inner, -1)
        bound, candidates = self._candidates(part, cuts, before, after)
        least, last = bound, -1
        failures: list[int] = []
        for floor, own, v in candidates:
            if floor > limit:
                failures.append(floor)
                break
            value = own + self._sum(part.with_end(v), limit - own)
            if value > limit:
                failures.append(value)
            else:
                least, last, limit = value, v, value - 1
        if last >= 0:
            return _Known(least, exact=True, last=last)
        return _Known(max(bound, min(failures, default=bound)), exact=False)

    def _candidates(
        self, part: _Part, cuts: Cuts, before: Side, after: Side
    ) -> tuple[int, list[tuple[int, int, int]]]:
        """A lower bound of f, and per vertex one that holds if it goes last, its own
        cost then, and the vertex.

        One that may go last is the only one. Of vertices with equal neighbours only
        the first is there: they can be exchanged.
        """
        raised = {}
        for v in members(part.inner):
            price = cuts.price(v)
            if price > self.prices[v]:
                raised[v] = price
        bound, others = part.clusters.without_one(part.inner, raised)
        found: list[tuple[int, int, int]] = []
        seen: set[tuple[int, int]] = set()
        for v, rest in others.items():
            own = before.ends[v].bit_count() * after.ends[v].bit_count()
            candidate = max(bound, own + rest), own, v
            if may_be_last(before, after, v, cuts):
                return bound, [candidate]
            sets = part.before[v], part.after[v]
            if sets not in seen:
                seen.add(sets)
                found.append(candidate)
        return bound, sorted(found)

    def _order(self, part: _Part) -> list[int]:
        """The order that the table's exact values stand for."""
        known = self.table[part.key]
        order = list(known.first)
        left = part.behind(order) if order else part.with_end(known.last)
        for rest in left:
            order += self._order(rest)
        return order if known.last < 0 else [*order, known.last]
