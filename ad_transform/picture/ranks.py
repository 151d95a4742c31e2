"""Ranks: the column of each vertex, inputs in the first, outputs in the last.

The first phase of Sugiyama, Tagawa & Toda 1981, with ranks by longest paths.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.picture.model import Role, Vertex

Edge = tuple[int, int]

_PASSES = 8


def ranked(vertices: Sequence[Vertex], edges: Sequence[Edge]) -> dict[int, int]:
    """The rank of every vertex by number; u stands left of v for every edge u -> v.

    Ranks are those of longest paths from the inputs; then vertices that more edges
    leave than enter move right as far as they can, which makes edges shorter. The edges
    are acyclic; O(edges) per pass.
    """
    before: dict[int, list[int]] = {v.number: [] for v in vertices}
    after: dict[int, list[int]] = {v.number: [] for v in vertices}
    for u, v in edges:
        after[u].append(v)
        before[v].append(u)
    order = _topological(vertices, before, after)
    rank: dict[int, int] = {}
    for v in order:
        rank[v] = max((rank[u] + 1 for u in before[v]), default=0)
    roles = {v.number: v.role for v in vertices}
    last = max(1, max(rank.values(), default=1))
    rank.update({v: last for v, role in roles.items() if role is Role.OUTPUT})
    inner = [v for v in reversed(order) if roles[v] is Role.INNER and after[v]]
    for _ in range(_PASSES):
        moved = False
        for v in inner:
            furthest = min(rank[w] for w in after[v]) - 1
            if len(after[v]) > len(before[v]) and furthest > rank[v]:
                rank[v], moved = furthest, True
        if not moved:
            break
    return rank


def _topological(
    vertices: Sequence[Vertex],
    before: dict[int, list[int]],
    after: dict[int, list[int]],
) -> list[int]:
    """The vertices in order, by number if possible: copies have larger numbers than
    those behind them.
    """
    waiting = {v: len(ins) for v, ins in before.items()}
    ready = [v.number for v in vertices if not waiting[v.number]]
    for v in ready:  # grows while it is read
        for w in after[v]:
            waiting[w] -= 1
            if not waiting[w]:
                ready.append(w)
    return ready
