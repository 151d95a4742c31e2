"""Search for the optimal order of one component, from the last vertex to the first.

f(C) is the least cost of eliminating the vertices of C when all others stay. If v goes
last of C, it costs the number of ends that lead to it over C times the number of those
that it leads to, and the components of C - {v} do not influence each other, v being an
end of theirs. So f(C) is the least, over v in C, of that product and f of the
components. The last vertex separates most and costs most, and with more ends cuts are
greater: so bounds are soon close to the costs. Vertices that may go first
(`reductions`) do, and if one may go last, no other is tried there.

The first question is whether f is at most a bound of it, the next whether it is at most
the bound that this has given, and so on (Korf 1985, with a table): dearer parts are not
looked into, however dear the orders that are known, and every answer is a bound. After
every `WIDER` answers one more is allowed, for the last questions take longest. Every
part is bounded by the costs of clusters in it (`regions`): with more ends these cost
more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.eliminate.bits import components, eliminate, members
from ad_transform.eliminate.clusters import Clusters, joined
from ad_transform.eliminate.cuts import Cuts
from ad_transform.eliminate.reductions import Side, may_be_last, reduce
from ad_transform.eliminate.regions import Region, RegionCosts

SMALL = 12
"""Components of up to so many vertices are searched without clusters."""

LARGEST = 64
"""Components of more vertices are not searched; it also bounds the recursion."""

WIDER = 3
"""Answers after which a question allows one more than the bound."""


AROUND = 4_000
"""Parts whose surroundings are kept; then all of them are forgotten."""

PATIENT, CLOSER = 200, 8_000
"""The number of nodes after which a part is divided anew, and the number of parts of
clusters that are looked at for that: it takes about as long as PATIENT nodes."""


class Exhausted(Exception):
    """The budget of nodes is used up."""


class Budget:
    """The nodes that may still be looked at. A cost of a cluster that is made anew
    counts as a node: it takes about as long.
    """

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes

    def spend(self, nodes: int = 1) -> None:
        """Take so many nodes; raises Exhausted if fewer are left."""
        if self.nodes < nodes:
            self.nodes = 0
            raise Exhausted
        self.nodes -= nodes


@dataclass(frozen=True, slots=True)
class _Known:
    """A known value of f(C): the vertices that go first, and the one that goes last, -1
    where the components decide that. If it is not `exact`, a lower bound alone.
    """

    value: int
    exact: bool
    first: tuple[int, ...] = ()
    last: int = -1


@dataclass(frozen=True, slots=True)
class _Part:
    """A set of vertices to eliminate, and those around it that have gone; all others
    are ends.

    `before` and `after` are the bit sets by vertex, as they are now. f depends on the
    `key`. The vertices are divided into clusters in several ways.
    """

    key: tuple[int, int]  # the vertices left, and those around that have gone
    before: list[int]
    after: list[int]
    divisions: tuple[tuple[int, ...], ...]

    @property
    def inner(self) -> int:
        """The vertices that are left to eliminate."""
        return self.key[0]


_Bounds = tuple[int, dict[int, int]]
"""A lower bound of f, and per vertex of a part one for the others."""


@dataclass(slots=True)
class _Around:
    """The region of a part, and by that the cuts of its vertices and its bounds, by the
    divisions into clusters, as far as they were asked for.
    """

    region: Region
    cuts: Cuts | None = None
    bounds: dict[tuple[tuple[int, ...], ...], _Bounds] = field(default_factory=dict)


class Search:
    """The search for f(C) for all vertices of one component, in bit sets from 0 on.

    `before` and `after` are lists of bit sets; `inner` are the vertices to eliminate,
    numbered topologically. They are divided into clusters in several ways; in parts of
    them clusters are joined to up to `most` vertices.
    """

    def __init__(
        self,
        before: list[int],
        after: list[int],
        inner: int,
        budget: Budget,
        divisions: Iterable[Iterable[int]],
        most: int,
    ) -> None:
        self.before = before
        self.after = after
        self.most = most
        ways = tuple(tuple(division) for division in divisions)
        self.whole = _Part((inner, 0), before, after, ways)
        self.budget = budget
        self.costs = RegionCosts(before, after)
        self.around: dict[tuple[int, int], _Around] = {}
        self.bounds: dict[tuple[int, int], int] = {}
        self.table: dict[tuple[int, int], _Known] = {}
        self.taken: dict[tuple[int, int], int] = {}  # nodes
        self.anew: dict[tuple[int, int], tuple[int, ...]] = {}

    def run(self, upper: int) -> tuple[int, list[int] | None]:
        """A lower bound of f and an order that meets it.

        The order is None if the bound is `upper`, the cost of an order that is known,
        or if the budget was exhausted.
        """
        least = asked = 0
        with suppress(Exhausted):
            least = self._bound(self.whole)
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
        known = self.table.get(part.key)
        if known and (known.exact or known.value > limit):
            return known.value
        before = self.budget.nodes
        self.budget.spend()
        part = self._divided_anew(part)
        cuts = self._cuts(part)
        sets = part.before.copy(), part.after.copy()
        first, cost = reduce(*sets, part.inner, cuts, part.inner)
        if first:
            value = cost + self._sum(self._behind(part, first), limit - cost)
            found = _Known(value, value <= limit, tuple(first))
        else:
            found = self._branch(part, cuts, limit)
        self.table[part.key] = found
        taken = before - self.budget.nodes
        self.taken[part.key] = self.taken.get(part.key, 0) + taken
        return found.value

    def _divided_anew(self, part: _Part) -> _Part:
        """The part with one more division of its own, if it has taken long."""
        few = part.inner.bit_count() <= max(SMALL, self.most)
        if few or self.most == 1 or self.taken.get(part.key, 0) <= PATIENT:
            return part
        if part.key not in self.anew:
            sets = part.before, part.after, part.inner
            self.anew[part.key] = Clusters.grown(*sets, CLOSER, self.most)
        divisions = dict.fromkeys((self.anew[part.key], *part.divisions))
        return replace(part, divisions=tuple(divisions))

    def _around(self, part: _Part) -> _Around:
        """The surroundings of a part, found once for many questions about it."""
        found = self.around.get(part.key)
        if found is None:
            if len(self.around) >= AROUND:
                self.around.clear()
            region = Region.of(self.before, self.after, *part.key)
            found = self.around[part.key] = _Around(region)
        return found

    def _cuts(self, part: _Part) -> Cuts:
        """The sizes of the minimum cuts of the vertices that are left."""
        around = self._around(part)
        if around.cuts is None:
            around.cuts = self._cuts_in(part, around.region)
        return around.cuts

    def _cuts_in(self, part: _Part, region: Region) -> Cuts:
        above, below, gone = self.costs.above, self.costs.below, region.gone
        sizes: tuple[dict[int, int], dict[int, int]] = {}, {}
        for v in members(part.inner):
            up, down = region.up[v], region.down[v]
            sizes[0][v] = above.cut(v, up, up & gone).cut.bit_count()
            sizes[1][v] = below.cut(v, down, down & gone).cut.bit_count()
        return Cuts(*sizes)

    def _bound(self, part: _Part) -> int:
        """A lower bound of f: the known value or bound, or the cost of the clusters."""
        if part.key in self.table:
            return self.table[part.key].value
        known = self.bounds.get(part.key)
        if known is None:
            known, _ = self._bounds(part)
            self.bounds[part.key] = known
        return known

    def _bounds(self, part: _Part) -> _Bounds:
        """A lower bound of f, and per vertex of the part one for the others."""
        around = self._around(part)
        found = around.bounds.get(part.divisions)
        if found is None:
            found = self._bounds_in(part, around.region)
            around.bounds[part.divisions] = found
        return found

    def _bounds_in(self, part: _Part, region: Region) -> _Bounds:
        bound, made = 0, self.costs.made
        others = dict.fromkeys(members(part.inner), 0)
        for division in part.divisions:
            costs = [self.costs.of(cluster, region) for cluster in division]
            whole = sum([cost[0] for cost in costs])
            bound = max(bound, whole)
            for cluster, cost in zip(division, costs, strict=True):
                rest = whole - cost[0]
                for v, less in zip(members(cluster), cost[1:], strict=True):
                    others[v] = max(others[v], rest + less)
        self.budget.spend(self.costs.made - made)
        return bound, others

    def _with_end(self, part: _Part, v: int) -> list[_Part]:
        """The components when a vertex has become an end."""
        left = part.inner & ~(1 << v)
        return [
            self._component(part, inner, part.key[1], part.before, part.after)
            for inner in components(part.before, part.after, left)
        ]

    def _behind(self, part: _Part, order: Sequence[int]) -> list[_Part]:
        """The components when some vertices have been eliminated."""
        before, after = part.before.copy(), part.after.copy()
        left, gone = part.key
        for v in order:
            eliminate(before, after, v)
            gone |= 1 << v
        return [
            self._component(part, inner, gone, before, after)
            for inner in components(before, after, left & ~gone)
        ]

    def _component(
        self, part: _Part, inner: int, gone: int, before: list[int], after: list[int]
    ) -> _Part:
        """The part of one component, with the vertices around it that have gone."""
        passed, fresh = 0, inner
        while fresh and gone:
            near = 0
            for v in members(fresh):
                near |= self.before[v] | self.after[v]
            fresh = near & gone & ~passed
            passed |= fresh
        left = [[c & inner for c in way if c & inner] for way in part.divisions]
        around = [u | w for u, w in zip(before, after, strict=True)]
        divisions = {joined(way, around, self.most): None for way in left}
        return _Part((inner, passed), before, after, tuple(divisions))

    def _sum(self, parts: list[_Part], limit: int) -> int:
        """The sum of f over the components, or a lower bound above the limit."""
        parts.sort(key=lambda part: part.inner.bit_count())
        values = [self._bound(part) for part in parts]
        total = sum(values)
        for part, value in zip(parts, values, strict=True):
            if total > limit:
                break
            total += self._least(part, limit - total + value) - value
        return total

    def _branch(self, part: _Part, cuts: Cuts, limit: int) -> _Known:
        """Try the vertices that may go last, the one with the lowest bound first."""
        bound, candidates = self._candidates(part, cuts)
        least, last = bound, -1
        failures: list[int] = []
        for floor, own, v in candidates:
            if floor > limit:
                failures.append(floor)
                break
            value = own + self._sum(self._with_end(part, v), limit - own)
            if value > limit:
                failures.append(value)
            else:
                least, last, limit = value, v, value - 1
        if last >= 0:
            return _Known(least, exact=True, last=last)
        return _Known(max(bound, min(failures, default=bound)), exact=False)

    def _candidates(
        self, part: _Part, cuts: Cuts
    ) -> tuple[int, list[tuple[int, int, int]]]:
        """A lower bound of f; and per vertex a bound that holds if it goes last, its
        own cost then, and the vertex.

        One that may go last is the only one. Of vertices with equal neighbours only
        the first is there: they can be exchanged.
        """
        bound, others = self._bounds(part)
        before = Side.of(part.before, part.inner, 1)
        after = Side.of(part.after, part.inner, -1)
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
        left = self._behind(part, order) if order else self._with_end(part, known.last)
        for rest in left:
            order += self._order(rest)
        return order if known.last < 0 else [*order, known.last]
