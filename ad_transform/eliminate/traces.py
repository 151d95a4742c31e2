"""Vertex orders that are the same: those that perform the same products and sums.

Two vertices next to each other in an order may change places if neither touches an edge
that the other changes. Orders that differ by such changes form a trace (Mazurkiewicz
1977); one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from ad_transform.eliminate.bits import members


def normal(
    before: Sequence[int], after: Sequence[int], order: Sequence[int]
) -> tuple[int, ...]:
    """The lexicographically first order of the trace.

    `before` and `after` are the bit sets of the graph. All orders of a trace give the
    same labels, down to the order of sums. O(multiplications).
    """
    preds, succs, size = list(before), list(after), len(before)
    wrote: dict[int, int] = {}  # who changed the edge u -> w last, by u * size + w
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
