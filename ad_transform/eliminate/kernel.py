"""Search for the optimal order of one component: what goes last is decided first.

f(C) is the least cost of eliminating the vertices of C when all others stay. If v goes
last of C, it costs the number of ends that lead to it over C times the number of those
that it leads to, and the components of C - {v} do not influence each other, v being an
end of theirs. So f(C) is the least, over v in C, of that product and f of the
components. What goes last separates most and costs most, and with more ends cuts are
greater: so bounds are soon close to what they bound. Vertices that may go first
(`reductions`) do.
"""

from __future__ import annotations

from collections.abc import Iterator

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import components, members, reached
from ad_transform.eliminate.clusters import Clusters
from ad_transform.eliminate.cuts import Cuts, KnownCuts
from ad_transform.eliminate.reductions import reduce

LARGEST = 64
"""Components of more vertices are not searched; it also bounds the recursion."""


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
    """A set of vertices to eliminate, all others being ends, and the sets by vertex."""

    inner: int
    before: list[int]
    after: list[int]

    @property
    def key(self) -> tuple[int, ...]:
        """What f depends on."""
        inner = members(self.inner)
        above = [self.before[v] for v in inner]
        return (self.inner, *above, *[self.after[v] for v in inner])

    def without(self, gone: int) -> Iterator[_Part]:
        """The components that are left when the vertices `gone` are ends or nothing."""
        for part in components(self.before, self.after, self.inner & ~gone):
            yield _Part(part, self.before, self.after)

    def reduced(self, cuts: Cuts) -> tuple[_Part, list[int], int]:
        """The part behind the reductions, their order and cost."""
        before, after = self.before.copy(), self.after.copy()
        order, cost = reduce(before, after, self.inner, cuts)
        inner = self.inner
        for v in order:
            inner ^= 1 << v
        return _Part(inner, before, after), order, cost


class Search:
    """Finds f(C) for all vertices of one component, given in bit sets from 0 on.

    `before` and `after` are lists of bit sets; `inner` are the vertices to eliminate,
    numbered topologically. What clusters cost together is a bound for every part.
    """

    def __init__(
        self,
        before: list[int],
        after: list[int],
        inner: int,
        budget: Budget,
        clusters: Clusters,
    ) -> None:
        self.whole = _Part(inner, before, after)
        self.budget = budget
        self.clusters = clusters
        self.above = KnownCuts()
        self.below = KnownCuts()
        self.table: dict[tuple[int, ...], _Known] = {}

    def run(self, upper: int) -> tuple[int, list[int] | None]:
        """A lower bound of f and an order that meets it.

        The order is None if the bound is `upper`, the cost of an order that is known,
        or if the budget was exhausted.
        """
        least = self.clusters.bound(self.whole.inner)
        try:
            value = self._least(self.whole, upper - 1)
        except Exhausted:
            return min(least, upper), None
        if value < upper:
            return value, self._order(self.whole)
        return upper, None

    def _least(self, part: _Part, limit: int) -> int:
        """f of the part, if it is at most `limit`; else a lower bound of it above that.

        Recursion is as deep as the part has vertices, at most LARGEST.
        """
        key = part.key
        known = self.table.get(key)
        if known and (known.exact or known.value > limit):
            return known.value
        self.budget.spend()
        ends = _Ends.of(part)
        cuts = self._cuts(part, ends)
        left, first, cost = part.reduced(cuts)
        if first:
            value = cost + self._sum(list(left.without(0)), limit - cost)
            found = _Known(value, value <= limit, tuple(first))
        else:
            found = self._branch(part, ends, cuts, limit)
        self.table[key] = found
        return found.value

    def _cuts(self, part: _Part, ends: _Ends) -> Cuts:
        """The cuts of the vertices in the part, 0 for others."""
        before, after = [0] * len(part.before), [0] * len(part.after)
        for v, above in ends.inner_above.items():
            before[v] = self.above.cut(part.before, v, above)
            after[v] = self.below.cut(part.after, v, ends.inner_below[v])
        return Cuts(tuple(before), tuple(after))

    def _sum(self, parts: list[_Part], limit: int) -> int:
        """The sum of f over the components, or a lower bound above the limit."""
        parts.sort(key=lambda part: part.inner.bit_count())
        values = [self.clusters.bound(part.inner) for part in parts]
        total = sum(values)
        for part, value in zip(parts, values, strict=True):
            if total > limit:
                break
            total += self._least(part, limit - total + value) - value
        return total

    def _branch(self, part: _Part, ends: _Ends, cuts: Cuts, limit: int) -> _Known:
        """Try what goes last, in the order of what must be paid then."""
        bound, candidates = self._candidates(part, ends, cuts)
        least, last = bound, -1
        failures: list[int] = []
        for floor, v in candidates:
            if floor > limit:
                failures.append(floor)
                break
            own = ends.cost(v)
            value = own + self._sum(list(part.without(1 << v)), limit - own)
            if value > limit:
                failures.append(value)
            else:
                least, last, limit = value, v, value - 1
        if last >= 0:
            return _Known(least, exact=True, last=last)
        return _Known(max(bound, min(failures, default=bound)), exact=False)

    def _candidates(
        self, part: _Part, ends: _Ends, cuts: Cuts
    ) -> tuple[int, list[tuple[int, int]]]:
        """A lower bound of f, and per vertex one that holds if it goes last.

        Of vertices with equal neighbours only the first is there: they can be
        exchanged. A cluster costs its own bound or the sum of the cuts.
        """
        bound = 0
        gains: list[tuple[int, int]] = []
        seen: set[tuple[int, int]] = set()
        for inner, least in self.clusters.parts(part.inner):
            prices = {v: cuts.price(v) for v in members(inner)}
            alone = sum(prices.values())
            together = max(alone, least[inner])
            bound += together
            for v, price in prices.items():
                sets = part.before[v], part.after[v]
                if sets not in seen:
                    seen.add(sets)
                    rest = max(alone - price, least[inner ^ 1 << v])
                    gains.append((ends.cost(v) + rest - together, v))
        return bound, sorted((bound + gain, v) for gain, v in gains)

    def _order(self, part: _Part) -> list[int]:
        """The order that the table's exact values stand for."""
        known = self.table[part.key]
        order = list(known.first)
        if known.first:
            left, _, _ = part.reduced(self._cuts(part, _Ends.of(part)))
        else:
            left = part
        gone = 0 if known.last < 0 else 1 << known.last
        for rest in left.without(gone):
            order += self._order(rest)
        return order if known.last < 0 else [*order, known.last]


@dataclass(frozen=True, slots=True)
class _Ends:
    """Per vertex of a part the ends that lead to it and those that it leads to, and
    what of the part lies on the way."""

    above: dict[int, int]
    below: dict[int, int]
    inner_above: dict[int, int]
    inner_below: dict[int, int]

    @classmethod
    def of(cls, part: _Part) -> _Ends:
        inner = members(part.inner)
        above, inner_above = reached(part.before, inner, part.inner)
        below, inner_below = reached(part.after, inner[::-1], part.inner)
        return cls(above, below, inner_above, inner_below)

    def cost(self, v: int) -> int:
        """What v costs when it goes last."""
        return self.above[v].bit_count() * self.below[v].bit_count()
