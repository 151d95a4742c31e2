"""The products that an order of vertices forms, and paths that take part in them.

A product is told apart by three vertices: those from which, over which and to which its
factors lead. An order costs as many products as there are such triples, see `packing`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from collections.abc import Sequence as Row
from heapq import heappop, heappush
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import BitGraph, members
from ad_transform.eliminate.bits import eliminate as eliminate_bits
from ad_transform.eliminate.cuts import Allowance, minimum_cuts
from ad_transform.eliminate.randomness import Random
from ad_transform.eliminate.reductions import reduce

Product: TypeAlias = tuple[int, int, int]
"""The vertices where the left factor starts, where both meet, where the right ends."""

Path: TypeAlias = tuple[int, ...]
"""The vertices of a path from end to end, over one intermediate at least."""


WALKS = 16
"""Walks between two vertices that are found."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What rules A and B of `reductions` leave of a graph, and what they cost.

    Vertices have the numbers of a `BitGraph`; all that are not `inner` are ends.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    inner: int
    cost: int

    @classmethod
    def of(cls, bits: BitGraph) -> Rest:
        before, after, inner, cost = [*bits.before], [*bits.after], bits.inner, 0
        allowance = Allowance()
        gone = [-1]
        while gone and allowance.visits > 0:
            cuts = minimum_cuts(before, after, inner, allowance)
            gone, less = reduce(before, after, inner, cuts, inner)
            cost += less
            for v in gone:
                inner ^= 1 << v
        return cls(tuple(before), tuple(after), inner, cost)

    def products(self, order: list[int]) -> Iterator[tuple[Product, int]]:
        """The products of an order of the inner vertices, each with the vertices that
        have gone before it.
        """
        before, after, gone = [*self.before], [*self.after], 0
        for v in order:
            for u in members(before[v]):
                for w in members(after[v]):
                    yield (u, v, w), gone
            eliminate_bits(before, after, v)
            gone |= 1 << v

    def paths(self, product: Product, gone: int, tries: int) -> list[Path]:
        """Different paths from end to end with this product of an order, of so many
        that are tried, the shortest ones first.

        The vertices on them between the three of the product are `gone` before.
        """
        u, v, w = product
        chance = Random((u << 40) + (v << 20) + w)
        ends = ~self.inner & (1 << len(self.before)) - 1
        up, down = (self.before, self.after), (self.after, self.before)
        parts = [
            walks(up, u, ends, self.inner),
            walks(up, v, 1 << u, gone),
            walks(down, v, 1 << w, gone),
            walks(down, w, ends, self.inner),
        ]
        found: dict[Path, None] = {}
        for k in range(tries):
            first, into, out, last = (
                part[_near(len(part), k, chance)] for part in parts
            )
            found[(*first[:0:-1], *into[:0:-1], *out[:-1], *last)] = None
        return sorted(found, key=len)


def _near(count: int, k: int, chance: Random) -> int:
    """0 at first, then a number below `count`, smaller ones more often."""
    n = chance.below(count)
    return n if k % 2 else min(n, chance.below(count)) if k else 0


def walks(
    sides: tuple[Row[int], Row[int]], start: int, targets: int, over: int
) -> list[Path]:
    """The shortest walks along the first of two sides from a vertex over others to
    targets, ends included, WALKS at most. A target as a start is the only one.
    """
    sets, back = sides
    distance = dict.fromkeys(members(targets), 0)
    waiting = deque(distance)
    while waiting:
        x = waiting.popleft()
        for y in members(back[x] & (over | 1 << start)):
            if y not in distance:
                distance[y] = distance[x] + 1
                waiting.append(y)
    heap: list[tuple[int, int, Path]] = [(distance[start], -1, (start,))]
    found: list[Path] = []
    while heap and len(found) < WALKS:
        *_, walk = heappop(heap)
        if not distance[walk[-1]]:
            found.append(walk)
            continue
        for y in members(sets[walk[-1]]):
            if y in distance:
                length = len(walk)  # the furthest of equals first
                heappush(heap, (length + distance[y], -length - 1, (*walk, y)))
    return found
