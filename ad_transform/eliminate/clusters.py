"""The joint cost of a few neighbours, whatever happens around them.

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

Vertices of the cluster that are neither above nor below v do not matter to its cuts. A
smallest cut that avoids vertices stays the smallest when these are gone. So few cuts
have to be searched for.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Row
from contextlib import suppress
from functools import reduce
from itertools import combinations
from operator import or_
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import members, reached
from ad_transform.eliminate.randomness import Random
from ad_transform.eliminate.regions import RegionCuts, least_costs

SIZES = 6, 8, 10
"""The greatest numbers of vertices of a cluster, one after the other as growing stops.
A cluster of n vertices has 2ⁿ parts."""

WIDEST = 10
"""The greatest number of vertices of any cluster."""

DIVISIONS, AT_RANDOM = 6, 8
"""The number of divisions of the vertices; the greatest number of vertices of a cluster
that is grown at random."""

Division: TypeAlias = dict[int, dict[int, int]]
"""Disjoint clusters, and per part of each its least cost if the rest of the cluster
goes later."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """Several divisions of the same vertices into clusters."""

    divisions: tuple[Division, ...]

    def bound(self, inner: int) -> int:
        """A lower bound of the cost of eliminating the vertices of a bit set, whatever
        has gone before and goes later.
        """
        return max(
            sum([least[inner & cluster] for cluster, least in division.items()])
            for division in self.divisions
        )

    @classmethod
    def grown(
        cls, before: list[int], after: list[int], inner: int, parts: int, most: int
    ) -> tuple[int, ...]:
        """The clusters of the first division alone."""
        growing = _Growing(before, after, inner, parts, most)
        growing.grow()
        return tuple(growing.clusters)

    @classmethod
    def of(
        cls,
        before: list[int],
        after: list[int],
        inner: int,
        parts: int,
        most: int = WIDEST,
    ) -> Clusters:
        """Clusters of the vertices in `inner`, of `most` vertices at most; all other
        vertices are ends.

        They stop growing when so many parts of clusters have been looked at.
        """
        growing = _Growing(before, after, inner, parts, most)
        growing.grow()
        found = [growing.division()]
        for seed in range(1, DIVISIONS):
            if growing.parts <= 0:
                break
            growing.grow_at_random(Random(seed))
            if growing.division() not in found:
                found.append(growing.division())
        return cls(tuple(found))


def joined(clusters: list[int], near: Row[int], most: int) -> tuple[int, ...]:
    """The clusters joined two by two, those with most edges between them first, as long
    as no cluster has more than `most` vertices. `near` has the neighbours by vertex.
    """
    sizes = sorted([cluster.bit_count() for cluster in clusters])
    while len(sizes) > 1 and sizes[0] + sizes[1] <= most:
        edges, first, second = max(
            (_edges(first, second, near), first, second)
            for first, second in combinations(clusters, 2)
            if (first | second).bit_count() <= most
        )
        if not edges:
            break
        clusters = [c for c in clusters if c not in (first, second)]
        clusters.append(first | second)
        sizes = sorted([cluster.bit_count() for cluster in clusters])
    return tuple(sorted(clusters))


def _edges(first: int, second: int, near: Row[int]) -> int:
    """The number of edges between two clusters, in either direction."""
    return sum([(near[v] & second).bit_count() for v in members(first)])


class _Exhausted(Exception):
    """The parts of clusters that may be looked at are used up."""


class _Growing:
    """The clusters so far, and the known costs of all clusters that were tried."""

    def __init__(
        self,
        before: list[int],
        after: list[int],
        inner: int,
        parts: int,
        most: int,
    ) -> None:
        self.near = [u | w for u, w in zip(before, after, strict=True)]
        self.inner = inner
        vertices = members(inner)
        _, self.up = reached(before, vertices, inner)
        _, self.down = reached(after, vertices[::-1], inner)
        self.above, self.below = RegionCuts(before), RegionCuts(after)
        self.parts = parts + 2 * inner.bit_count()
        self.most = most
        self.single = [1 << v for v in members(inner)]
        self.clusters = self.single
        self.known: dict[int, dict[int, int]] = {}
        for cluster in self.clusters:
            self._cost(cluster)

    def division(self) -> Division:
        """The clusters as they are, with the least costs of their parts."""
        return {cluster: self.known[cluster] for cluster in self.clusters}

    def grow(self) -> None:
        """Join clusters until nothing is gained, or all parts are used up."""
        with suppress(_Exhausted):
            for size in SIZES:
                most = min(size, self.most)
                while several := self._best(2, most) or self._best(3, most):
                    self._join(several)
            self._join_nearest()

    def grow_at_random(self, chance: Random) -> None:
        """Start anew; join the two with the greatest gain, times a random number, in
        turn.
        """
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
            if size <= min(AT_RANDOM, self.most):
                gain = self._gain(several) * (256 + chance.below(512)) / size
                if gain > greatest:
                    best, greatest = several, gain
        return best

    def _gain(self, several: tuple[int, ...]) -> int:
        """The cost of clusters together, less their costs one by one."""
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
        """The two clusters that may be joined with the most edges between them, by the
        root of the size of the smaller one; () if there are none.
        """
        best: tuple[int, ...] = ()
        most = (0.0, 0)
        for first, second in combinations(self.clusters, 2):
            size = (first | second).bit_count()
            if size <= self.most:
                edges = _edges(first, second, self.near)
                least = min(first.bit_count(), second.bit_count())
                if edges and (edges**2 / least, size) >= most:
                    best, most = (first, second), (edges**2 / least, size)
        return best

    def _best(self, many: int, most: int) -> tuple[int, ...]:
        """The `many` clusters, of `most` vertices together at most, with the greatest
        gain by vertex; () if none gains.
        """
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
        """Pairs of clusters with one vertex between them at most, or triples that
        touch.
        """
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
            found |= self.near[v]
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
        """The least cost of each part of a cluster if the rest of it goes later."""
        rows = []
        for v in members(cluster):
            up, down = self.up[v], self.down[v]
            above = self.above.sizes(v, up, 0, up & cluster)
            below = self.below.sizes(v, down, 0, down & cluster)
            rows.append((1 << v, *above[1:], *below[1:]))
        return least_costs(cluster, rows)
