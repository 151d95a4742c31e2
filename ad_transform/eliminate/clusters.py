"""What a few neighbours cost together, whatever happens around them.

A cluster is a small set of intermediates. If the part X of it stands before v in an
order, P(v) is then a cut between v and the independents that has nothing of X, whether
the vertices around have been eliminated or not; likewise S(v). So v costs no less than
the product of the two minimum cuts in the graph without X, and the least sum of these
over all orders of the cluster is a bound for the cluster. The bounds of clusters
without common vertices add up (`bounds.pairing` is that for clusters of two).

Clusters grow by the pairs or triples of neighbouring clusters that cost most more
together, for each vertex in them, than one by one. At last those are joined that have
most edges between them: four may cost more together where three do not.

The bounds of several divisions of the same vertices hold, the greatest of them for any
part of these: growing at random gives divisions that are better where others are worse.

What of the cluster is neither above nor below v does not matter to its cuts, and a cut
that has nothing of what is gone stays the smallest one. So few have to be searched.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from itertools import combinations
from operator import or_
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import members, reached
from ad_transform.eliminate.cuts import Allowance, NeighbourLists, Within, minimum_cut
from ad_transform.eliminate.randomness import Random

SIZES = 6, 8, 10
"""Vertices of a cluster at most, at first and when none of these gains any more: it has
two to the power of that many parts."""

JOINED = 12
"""Vertices of a cluster at most when clusters are joined without a gain."""

DIVISIONS, AT_RANDOM = 6, 8
"""How often the vertices are divided; vertices of a cluster at most that is grown at
random."""


KEPT = 2
"""Divisions of all vertices that are kept beside one of a part."""

Division: TypeAlias = dict[int, dict[int, int]]
"""Disjoint clusters, and per part of each the least that it costs if the rest of the
cluster goes later."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """Several divisions of the same vertices into clusters."""

    divisions: tuple[Division, ...]

    def bound(self, inner: int) -> int:
        """A lower bound of what eliminating the vertices of a bit set costs, whatever
        has gone before and goes later."""
        return max(
            sum([least[inner & cluster] for cluster, least in division.items()])
            for division in self.divisions
        )

    def without_one(
        self, inner: int, raised: dict[int, int]
    ) -> tuple[int, dict[int, int]]:
        """That bound, and per vertex of the set the one for the others.

        Some vertices cost more by now than what they cost one by one: as `raised` says.
        """
        bound = 0
        others = dict.fromkeys(members(inner), 0)
        for division in self.divisions:
            parts = [(inner & cluster, least) for cluster, least in division.items()]
            if raised:
                parts = [(part, _Raised(least, raised)) for part, least in parts]
            whole = sum([least[part] for part, least in parts])
            bound = max(bound, whole)
            for part, least in parts:
                rest = whole - least[part]
                for v in members(part):
                    others[v] = max(others[v], rest + least[part ^ 1 << v])
        return bound, others

    @classmethod
    def of(
        cls, before: list[int], after: list[int], inner: int, parts: int
    ) -> Clusters:
        """Clusters of the vertices in `inner`, others being ends.

        They stop growing when so many parts of clusters have been looked at.
        """
        growing = _Growing(before, after, inner, parts)
        growing.grow()
        found = [growing.division()]
        for seed in range(1, DIVISIONS):
            if growing.parts <= 0:
                break
            growing.grow_at_random(Random(seed))
            if growing.division() not in found:
                found.append(growing.division())
        return cls(tuple(found))

    def closer(
        self, before: list[int], after: list[int], inner: int, parts: int
    ) -> Clusters:
        """These for some of the vertices, with a division of their own where that is
        the better one: of the others some have become ends."""
        growing = _Growing(before, after, inner, parts)
        growing.grow()
        own = Clusters((growing.division(),))
        if own.bound(inner) <= self.bound(inner):
            return self
        return Clusters((*own.divisions, *self.divisions[:KEPT]))


class _Raised(dict[int, int]):
    """What parts of a cluster cost: no less than their vertices one by one."""

    def __init__(self, least: dict[int, int], raised: dict[int, int]) -> None:
        self.least = least
        self.raised = raised

    def __missing__(self, part: int) -> int:
        least, raised = self.least, self.raised
        alone = sum([raised.get(v) or least[1 << v] for v in members(part)])
        found = self[part] = max(alone, least[part])
        return found


class _Exhausted(Exception):
    """All parts that may be looked at have been."""


class _Growing:
    """The clusters so far, and what has been found out of any."""

    def __init__(
        self, before: list[int], after: list[int], inner: int, parts: int
    ) -> None:
        self.before = before
        self.after = after
        self.inner = inner
        vertices = members(inner)
        self.above = _Cuts(before, inner, vertices)
        self.below = _Cuts(after, inner, vertices[::-1])
        self.parts = parts + 2 * inner.bit_count()
        self.single = [1 << v for v in members(inner)]
        self.clusters = self.single
        self.known: dict[int, dict[int, int]] = {}
        for cluster in self.clusters:
            self._cost(cluster)

    def division(self) -> Division:
        """The clusters as they are, with what is known of them."""
        return {cluster: self.known[cluster] for cluster in self.clusters}

    def grow(self) -> None:
        """Join clusters until nothing is gained, or all parts are used up."""
        with suppress(_Exhausted):
            for most in SIZES:
                while joined := self._best(2, most) or self._best(3, most):
                    self._join(joined)
            self._join_nearest()

    def grow_at_random(self, chance: Random) -> None:
        """Start anew and join any two whose gain is the greatest, times a number."""
        self.clusters = self.single
        with suppress(_Exhausted):
            while pair := self._at_random(chance):
                self._join(pair)
            self._join_nearest()

    def _at_random(self, chance: Random) -> tuple[int, ...]:
        best: tuple[int, ...] = ()
        greatest = 0.0
        for several in self._neighbouring(2):
            size = reduce(or_, several).bit_count()
            if size <= AT_RANDOM:
                gain = self._gain(several) * (256 + chance.below(512)) / size
                if gain > greatest:
                    best, greatest = several, gain
        return best

    def _gain(self, several: tuple[int, ...]) -> int:
        """What clusters cost more together than one by one."""
        alone = sum(self._cost(cluster) for cluster in several)
        return self._cost(reduce(or_, several)) - alone

    def _join_nearest(self) -> None:
        while pair := self._nearest():
            self._join(pair)

    def _join(self, joined: tuple[int, ...]) -> None:
        together = reduce(or_, joined)
        self._cost(together)
        kept = [c for c in self.clusters if c not in joined]
        self.clusters = [*kept, together]

    def _nearest(self) -> tuple[int, ...]:
        """The two clusters of JOINED vertices at most with most edges between them, by
        the root of the vertices of the smaller one; () if there are none."""
        best: tuple[int, ...] = ()
        most = (0.0, 0)
        for first, second in combinations(self.clusters, 2):
            size = (first | second).bit_count()
            if size <= JOINED:
                near = (
                    (self.before[v] | self.after[v]) & second for v in members(first)
                )
                edges = sum(sources.bit_count() for sources in near)
                least = min(first.bit_count(), second.bit_count())
                if edges and (edges**2 / least, size) >= most:
                    best, most = (first, second), (edges**2 / least, size)
        return best

    def _best(self, many: int, most: int) -> tuple[int, ...]:
        """So many clusters, of `most` vertices at most, that cost most more together,
        by vertex; () if none does."""
        best: tuple[int, ...] = ()
        greatest = 0.0
        for several in self._neighbouring(many):
            size = reduce(or_, several).bit_count()
            if size <= most:
                gain = self._gain(several) / size
                if gain > greatest:
                    best, greatest = several, gain
        return best

    def _neighbouring(self, many: int) -> Iterator[tuple[int, ...]]:
        """Two clusters with a vertex between them at most, or three that touch."""
        near = {cluster: self._around(cluster) for cluster in self.clusters}
        for first in self.clusters:
            close = near[first] | self._around(near[first])
            others = [c for c in self.clusters if c & close and c != first]
            for several in combinations(others, many - 1):
                if many > 2 and not all(c & near[first] for c in several):
                    continue
                if many > 2 or several[0] > first:
                    yield (first, *several)

    def _around(self, vertices: int) -> int:
        """The neighbours of the vertices in a bit set."""
        found = 0
        for v in members(vertices):
            found |= self.before[v] | self.after[v]
        return found & self.inner

    def _cost(self, cluster: int) -> int:
        """The bound of a cluster; raises _Exhausted if there are no parts left."""
        if cluster not in self.known:
            self.parts -= 1 << cluster.bit_count()
            if self.parts < 0:
                raise _Exhausted
            self.known[cluster] = self._least(cluster)
        return self.known[cluster][cluster]

    def _least(self, cluster: int) -> dict[int, int]:
        """What each part of a cluster costs when the rest of it goes later."""
        rows = []
        for v in members(cluster):
            above, below = self.above.of(v, cluster), self.below.of(v, cluster)
            rows.append((1 << v, *above, *below))
        least = {0: 0}
        part = 0
        while part != cluster:
            part = part - cluster & cluster  # the next one: smaller parts come first
            least[part] = min(
                [
                    least[part ^ own] + before[part & up] * after[part & down]
                    for own, up, before, down, after in rows
                    if part & own
                ]
            )
        return least


class _Cuts:
    """Minimum cuts on one side of vertices, when some of a cluster are gone."""

    def __init__(self, sets: list[int], inner: int, order: tuple[int, ...]) -> None:
        self.sets = sets
        self.inner = inner
        self.ways = reached(sets, order, inner)[1]
        self.found = {v: {0: 0} for v in order}  # by what is gone
        self.sizes = {v: {0: 0} for v in order}
        for v in order:
            self._find(v, 0)

    def of(self, v: int, cluster: int) -> tuple[int, dict[int, int]]:
        """What of the cluster is on the way to v, and the cuts by what of it is gone:
        the rest does not matter."""
        way, found = self.ways[v] & cluster, self.found[v]
        gone = 0
        while gone != way:
            gone = gone - way & way
            if gone not in found:
                self._find(v, gone)
        return way, self.sizes[v]

    def _find(self, v: int, gone: int) -> None:
        """A cut that has nothing of what is gone: if it has not the last one of that,
        the cut before; none is smaller."""
        found = self.found[v]
        for u in members(gone):
            known = found[gone ^ 1 << u]
            if not known >> u & 1:
                break
        else:
            rows = NeighbourLists(self.sets, gone)
            within = Within(self.inner & ~gone)
            known = minimum_cut(rows, rows[v], v, within, Allowance()).cut
        found[gone] = known
        self.sizes[v][gone] = known.bit_count()
