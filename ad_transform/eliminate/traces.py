"""Vertex orders that are the same: those that perform the same products and sums.

Two vertices next to each other in an order may change places if neither touches an edge
that the other changes. Orders that differ by such changes form a trace (Mazurkiewicz
1977); one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import eliminate, members


def normal(
    before: Sequence[int], after: Sequence[int], order: Sequence[int]
) -> tuple[int, ...]:
    """The lexicographically first order of the trace.

    `before` and `after` are the bit sets of the graph. All orders of a trace give the
    same labels, down to the order of sums. O(multiplications).
    """
    preds, succs, size = list(before), list(after), len(before)
    wrote: dict[int, int] = {}  # the vertex that changed u -> w last, by u * size + w
    who = wrote.get
    waiting = dict.fromkeys(order, 0)
    later: dict[int, list[int]] = {v: [] for v in order}
    for v in order:
        above, below, gone = preds[v], succs[v], ~(1 << v)
        sources, targets = members(above), members(below)
        made = [size * u + w for u in sources for w in targets]
        first = {*map(who, made)}
        first.update([who(size * v + w) for w in targets])
        first.update([who(size * u + v) for u in sources])
        first.discard(None)
        wrote.update(dict.fromkeys(made, v))
        for u in sources:
            succs[u] = (succs[u] | below) & gone
        for w in targets:
            preds[w] = (preds[w] | above) & gone
        waiting[v] = len(first)
        for writer in first:
            if writer is not None:
                later[writer].append(v)
    free = [v for v in order if not waiting[v]]
    heapify(free)
    result = []
    while free:
        v = heappop(free)
        result.append(v)
        for u in later[v]:
            waiting[u] -= 1
            if not waiting[u]:
                heappush(free, u)
    return tuple(result)


@dataclass(frozen=True, slots=True)
class Touched:
    """An order, and the neighbours of each vertex at its elimination: the bit sets
    before it and after it.
    """

    order: Sequence[int]
    before: Sequence[int]
    after: Sequence[int]

    @classmethod
    def of(
        cls, before: Sequence[int], after: Sequence[int], order: Sequence[int]
    ) -> Touched:
        """The order with the bit sets that its steps meet; O(multiplications)."""
        preds, succs = list(before), list(after)
        above, below = [0] * len(preds), [0] * len(succs)
        for v in order:
            above[v], below[v] = preds[v], succs[v]
            eliminate(preds, succs, v)
        return cls(order, above, below)

    def moved(self, order: Sequence[int]) -> Touched | None:
        """This for another order of the trace, in which two neighbouring blocks have
        changed places; None if it is not of the trace or if more has changed.

        O(size + product of the lengths).
        """
        old, size = self.order, len(order)
        low = next((k for k in range(size) if old[k] != order[k]), size)
        if low == size:
            return self
        high = next(k for k in range(size, low, -1) if old[k - 1] != order[k - 1])
        window = list(old[low:high])
        middle = window.index(order[low]) if order[low] in window else 0
        first, second = window[:middle], window[middle:]
        if list(order[low:high]) != second + first:
            return None
        before, after = self.before, self.after
        for v in first:
            above, below = before[v], after[v]
            near = above | below
            for w in second:
                if near >> w & 1 or (above & before[w] and below & after[w]):
                    return None
        return Touched(order, before, after)
