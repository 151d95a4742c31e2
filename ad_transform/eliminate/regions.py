"""Minimum cuts and costs of clusters in a part of a graph, as it is in a search.

A part is given by the vertices that are left of it and by those that have gone; all
others are ends. Paths pass vertices that are left or gone. The cost of a cluster there
depends on the vertices that paths from its own ones pass: many parts have these in
common, and the cuts are often the same even where these differ. So most of it is looked
up.
"""

from __future__ import annotations

from collections.abc import Sequence as Row
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import members, reached
from ad_transform.eliminate.cuts import BitRows, MinimumCut, minimum_cut

KEPT = 100_000
"""Entries of a memory that is emptied when it has so many."""

Sizes: TypeAlias = tuple[int, int, dict[int, int]]
"""A number that equal ones share, the vertices that matter, and the sizes of cuts by
the part of a cluster that has gone."""


class RegionCuts:
    """Minimum cuts on one side of the vertices of a graph, in any part of it.

    `sets` are the neighbours on that side, as bit sets, in the graph that nothing has
    gone from.
    """

    def __init__(self, sets: Row[int]) -> None:
        self.sets = sets
        self.found: dict[tuple[int, int], list[tuple[int, MinimumCut]]] = {}
        self.known: dict[tuple[int, int, int, int], Sizes] = {}
        self.numbered: dict[tuple[int, ...], Sizes] = {}

    def cut(self, v: int, way: int, gone: int) -> MinimumCut:
        """The cut between v and the ends that has no vertex that is `gone`.

        `way` are all vertices that paths from v pass, `gone` a part of them. A cut of
        another part, in which fewer vertices have become ends, stays the smallest one
        if none of those that it separates has: the paths that prove it are only
        shortened.
        """
        if len(self.found) >= KEPT:
            self.found.clear()
        before = self.found.setdefault((v, gone), [])
        for passed, found in before:
            if not way & ~passed and not found.near & ~way:
                return found
        rows = BitRows(self.sets, gone)
        found = minimum_cut(rows, rows[v], way)
        before.append((way, found))
        return found

    def sizes(self, v: int, way: int, gone: int, chosen: int) -> Sizes:
        """The sizes of the cuts of v, by the part of the `chosen` vertices that has
        gone in addition to `gone`; the chosen ones are on the way.
        """
        key = v, way, gone, chosen
        known = self.known.get(key)
        if known is None:
            if len(self.known) >= KEPT:
                self.known.clear()
            known = self.known[key] = self._sizes(v, way, gone, chosen)
        return known

    def _sizes(self, v: int, way: int, gone: int, chosen: int) -> Sizes:
        cuts = {0: self.cut(v, way, gone).cut}
        relevant, near = 0, cuts[0] & chosen
        while near != relevant:
            relevant = near
            part = 0
            while part != relevant:
                part = part - relevant & relevant  # the next one: smaller ones first
                if part in cuts:
                    continue
                for u in members(part):
                    cut = cuts[part ^ 1 << u]
                    if not cut >> u & 1:  # it stays the smallest one without u
                        break
                else:
                    cut = self.cut(v, way, gone | part).cut
                cuts[part] = cut
                near |= cut & chosen
        sizes = {part: cuts[part].bit_count() for part in sorted(cuts)}
        key = relevant, *sizes.values()
        return self.numbered.setdefault(key, (len(self.numbered), relevant, sizes))


@dataclass(frozen=True, slots=True)
class Region:
    """The surroundings of the vertices of a part, by vertex: the ends on either side,
    and all vertices, left or gone, that paths to these pass.
    """

    gone: int
    above: dict[int, int]
    below: dict[int, int]
    up: dict[int, int]
    down: dict[int, int]

    @classmethod
    def of(cls, before: Row[int], after: Row[int], inner: int, gone: int) -> Region:
        """The region of the part in which `inner` is left, in the graph as it was
        before any elimination.
        """
        passed = inner | gone
        order = members(passed)
        above, up = reached(before, order, passed)
        below, down = reached(after, order[::-1], passed)
        return cls(gone, above, below, up, down)


class RegionCosts:
    """Costs of clusters in any part of a graph, given in bit sets."""

    def __init__(self, before: Row[int], after: Row[int]) -> None:
        self.above = RegionCuts(before)
        self.below = RegionCuts(after)
        self.around: dict[tuple[int, int, int, int], tuple[int, ...]] = {}
        self.known: dict[tuple[int, ...], tuple[int, ...]] = {}
        self.made = 0  # costs of clusters that were not known

    def of(self, cluster: int, region: Region) -> tuple[int, ...]:
        """The cost of a cluster, then its cost without each of its vertices."""
        up = down = 0
        for v in members(cluster):
            up |= region.up[v]
            down |= region.down[v]
        key = cluster, up, down, (up | down) & region.gone
        known = self.around.get(key)
        if known is None:
            if len(self.around) >= KEPT:
                self.around.clear()
            known = self.around[key] = self._of(cluster, region)
        return known

    def _of(self, cluster: int, region: Region) -> tuple[int, ...]:
        core, alone = self._core(cluster, region)
        whole, *less = self._least(core, region) if core else (0,)
        rest = sum(alone.values())
        without = {v: whole + rest - cost for v, cost in alone.items()}
        for v, cost in zip(members(core), less, strict=True):
            without[v] = cost + rest
        return whole + rest, *[without[v] for v in members(cluster)]

    def _core(self, cluster: int, region: Region) -> tuple[int, dict[int, int]]:
        """The cluster without the vertices that cost no more when the others have gone
        than when none has; and the cost of each of these.

        They may go last: they cannot cost less, and others cost no more while they are
        there. So a part costs as much as without one of them, and the cost of that one.
        """
        core, alone = cluster, {}
        single = {v: self._price(v, 0, region) for v in members(cluster)}
        waiting = cluster
        while waiting:
            v = waiting.bit_length() - 1
            waiting ^= 1 << v
            if self._price(v, core ^ 1 << v, region) == single[v]:
                core ^= 1 << v
                alone[v] = single[v]
                waiting = core & (region.up[v] | region.down[v] | waiting)
        return core, alone

    def _price(self, v: int, gone: int, region: Region) -> int:
        """The product of the cuts of a vertex when some others have gone as well."""
        up, down = region.up[v], region.down[v]
        above = self.above.cut(v, up, up & (region.gone | gone))
        below = self.below.cut(v, down, down & (region.gone | gone))
        return above.cut.bit_count() * below.cut.bit_count()

    def _least(self, core: int, region: Region) -> tuple[int, ...]:
        vertices = members(core)
        above, below = [], []
        for v in vertices:
            way = region.up[v]
            above.append(self.above.sizes(v, way, way & region.gone, way & core))
            way = region.down[v]
            below.append(self.below.sizes(v, way, way & region.gone, way & core))
        key = core, *[n for n, _, _ in above], *[n for n, _, _ in below]
        known = self.known.get(key)
        if known is None:
            rows = [
                (1 << v, *b[1:], *a[1:])
                for v, b, a in zip(vertices, above, below, strict=True)
            ]
            self.made += 1
            least = least_costs(core, rows)
            known = least[core], *[least[core ^ own] for own, *_ in rows]
            self.known[key] = known
        return known


def least_costs(
    cluster: int, rows: list[tuple[int, int, dict[int, int], int, dict[int, int]]]
) -> dict[int, int]:
    """The least cost of each part of a cluster if the rest of it goes later.

    A row is a vertex as a bit, the part of the cluster before it, the sizes of the cuts
    there by the part of this that has gone, and the same behind it.
    """
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
