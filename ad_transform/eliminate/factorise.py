"""Factorisation of complex blocks: forward and backward, with simple parts first.

The Notes on Jacobian accumulation, section 4, turn a complex block into a simple one by
splitting vertices: an edge behind a vertex with several edges before it is doubled, and
the simple chains and blocks that arise are replaced by reference edges. A doubled edge
is a product for each of them, so splitting a vertex completely and replacing the chains
is eliminating it. Vertices with one predecessor and one successor, simple chains, go
first whenever there are any.

The Notes draw edges from results to arguments. Their forward factorisation starts at
the results; it eliminates the vertices next to the dependents first. Their backward
factorisation starts next to the independents.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.markowitz import join, live_sets, vertex_sequence
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import Graph


def forward_factorisation(graph: Graph, limit: int | None = None) -> Sequence:
    """Simple chains first, then by decreasing number: from the dependents."""
    return _factorised(graph, range(graph.size - 1, -1, -1), limit)


def backward_factorisation(graph: Graph, limit: int | None = None) -> Sequence:
    """Simple chains first, then by increasing number: from the independents."""
    return _factorised(graph, range(graph.size), limit)


def _factorised(graph: Graph, ranks: range, limit: int | None) -> Sequence:
    """O(M log M) in the multiplications performed."""
    before, after = live_sets(graph)
    left = set(graph.intermediates())
    heap = [ranks[v] for v in left]
    heapify(heap)
    chains = [rank for rank in heap if _is_chain(before, after, ranks[rank])]
    heapify(chains)
    order: list[int] = []
    cost = 0
    while left:
        v = ranks[heappop(chains) if chains else heappop(heap)]
        if v not in left:
            continue
        left.remove(v)
        order.append(v)
        sources, targets = before[v], after[v]
        cost += len(sources) * len(targets)
        if limit is not None and cost > limit:
            raise Dearer
        join(before, after, v)
        for u in sources | targets:  # the heap puts them in order
            if u in left and _is_chain(before, after, u):
                heappush(chains, ranks[u])
    return vertex_sequence(order)


def _is_chain(before: list[set[int]], after: list[set[int]], v: int) -> bool:
    return len(before[v]) == 1 and len(after[v]) == 1
