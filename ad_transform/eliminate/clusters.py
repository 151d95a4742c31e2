"""What a few neighbours cost together, whatever happens around them.

A cluster is a small set of intermediates. If the part X of it stands before v in an
order, P(v) is then a cut between v and the independents that has nothing of X, whether
the vertices around have been eliminated or not; likewise S(v). So v costs no less than
the product of the two minimum cuts in the graph without X, and the least sum of these
over all orders of the cluster is a bound for the cluster. The bounds of clusters
without common vertices add up (`bounds.pairing` is that for clusters of two).

Clusters grow by the pairs or triples of neighbouring clusters that cost most more
together, for each vertex in them, than one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from itertools import combinations
from operator import or_

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import eliminate, members
from ad_transform.eliminate.cuts import Allowance, NeighbourLists, cut

SIZES = 6, 8
"""Vertices of a cluster at most, at first and when none of these gains any more: it has
two to the power of that many parts."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """Disjoint clusters, and per part of each the least that it costs if the rest of
    the cluster goes later."""

    least: dict[int, dict[int, int]]

    def bound(self, inner: int) -> int:
        """A lower bound of what eliminating the vertices of a bit set costs, whatever
        has gone before and goes later."""
        return sum(least[inner & cluster] for cluster, least in self.least.items())

    def parts(self, inner: int) -> Iterator[tuple[int, dict[int, int]]]:
        """The parts of clusters in a bit set, with what all parts cost."""
        for cluster, least in self.least.items():
            if part := inner & cluster:
                yield part, least

    @classmethod
    def of(
        cls, before: list[int], after: list[int], inner: int, parts: int
    ) -> Clusters:
        """Clusters of the vertices in `inner`, others being ends.

        They stop growing when so many parts of clusters have been looked at.
        """
        growing = _Growing(before, after, inner, parts)
        growing.grow()
        return cls({c: growing.known[c] for c in growing.clusters})


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
        self.within = [inner >> v & 1 for v in range(len(before))]
        self.parts = parts + 2 * inner.bit_count()
        self.clusters = [1 << v for v in members(inner)]
        self.known: dict[int, dict[int, int]] = {}
        self.prices: dict[tuple[int, int], int] = {}  # by what is gone, and the vertex
        for cluster in self.clusters:
            self._cost(cluster)

    def grow(self) -> None:
        """Join clusters until nothing is gained, or all parts are used up."""
        with suppress(_Exhausted):
            for most in SIZES:
                while joined := self._best(2, most) or self._best(3, most):
                    kept = [c for c in self.clusters if c not in joined]
                    self.clusters = [*kept, reduce(or_, joined)]

    def _best(self, many: int, most: int) -> tuple[int, ...]:
        """So many clusters, of `most` vertices at most, that cost most more together,
        by vertex; () if none does."""
        best: tuple[int, ...] = ()
        greatest = 0.0
        for several in self._neighbouring(many):
            together = reduce(or_, several)
            size = together.bit_count()
            if size <= most:
                alone = sum(self._cost(cluster) for cluster in several)
                gain = (self._cost(together) - alone) / size
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
        least = {0: 0}
        states = [(0, self.before, self.after)]
        for (
            gone,
            before,
            after,
        ) in states:  # grows while it is read; smaller parts first
            above, below = NeighbourLists(before), NeighbourLists(after)
            for v in members(cluster ^ gone):
                part, key = gone | 1 << v, (gone, v)
                if key not in self.prices:
                    self.prices[key] = self._cut(above, v) * self._cut(below, v)
                cost = least[gone] + self.prices[key]
                if part not in least and part != cluster:
                    sets = before.copy(), after.copy()
                    eliminate(*sets, v)
                    states.append((part, *sets))
                least[part] = min(least.get(part, cost), cost)
        return least

    def _cut(self, rows: NeighbourLists, v: int) -> int:
        return cut(rows, rows[v], v, self.within, Allowance())
