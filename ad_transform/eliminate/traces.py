"""Vertex orders that are the same: those that perform the same products and sums.

Two vertices next to each other in an order may change places if neither touches an edge
that the other changes. Orders that differ by such changes form a trace (Mazurkiewicz
1977); one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

from ad_transform.eliminate.bits import members

_NOTHING: Mapping[int, int] = {}


def normal(
    before: Sequence[int], after: Sequence[int], order: Sequence[int]
) -> tuple[int, ...]:
    """The lexicographically first order of the trace.

    `before` and `after` are the bit sets of the graph. All orders of a trace give the
    same labels, down to the order of sums. O(multiplications).
    """
    preds, succs = list(before), list(after)
    wrote: dict[int, dict[int, int]] = {}  # who changed an edge last: by source, target
    waiting = dict.fromkeys(order, 0)
    later: dict[int, list[int]] = {v: [] for v in order}
    for v in order:
        sources, targets = list(members(preds[v])), list(members(succs[v]))
        own = wrote.get(v, _NOTHING)
        first = {own[w] for w in targets if w in own}
        above, below, gone = preds[v], succs[v], ~(1 << v)
        for u in sources:
            succs[u] = (succs[u] | below) & gone
            row = wrote.setdefault(u, {})
            if v in row:
                first.add(row[v])
            for w in targets:
                if w in row:
                    first.add(row[w])
                row[w] = v
        for w in targets:
            preds[w] = (preds[w] | above) & gone
        waiting[v] = len(first)
        for u in first:
            later[u].append(v)
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
