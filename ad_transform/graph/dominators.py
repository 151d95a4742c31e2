"""Dominator and post-dominator trees of a computational graph.

The graph is completed by a source s before all independents and a sink t behind all
dependents (Murota & Kubota 1989, section 4: G*); s is the root of the dominator tree,
t of the post-dominator tree.
"""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.graph.computational import Graph

ROOT = -1
"""The tree parent of a vertex whose only proper dominator is s, or t."""

DEAD = -2
"""In place of a parent: the vertex is on no path from s to t."""


def dominators(graph: Graph) -> tuple[int, ...]:
    """Per vertex its immediate dominator: the last vertex, v itself left out, that is
    on every path from s to v; ROOT if that is s, DEAD if there is no path from s over v
    to t.

    O(edges log size). Source: Murota & Kubota 1989, section 4, T with the arrow down;
    the nearest common ancestor of the predecessors, by jump pointers.
    """
    live = graph.live()
    order = [v for v in range(graph.size) if live[v]]
    inputs = [[u for u in row if live[u]] for row in graph.predecessors()]
    return _tree(graph.size, order, inputs)


def post_dominators(graph: Graph) -> tuple[int, ...]:
    """Per vertex its immediate post-dominator: the first vertex, v itself left out,
    that is on every path from v to t; ROOT if that is t, DEAD as in `dominators`.

    O(edges log size). Source: Murota & Kubota 1989, section 4, T with the arrow up.
    """
    live = graph.live()
    order = [v for v in range(graph.size - 1, -1, -1) if live[v]]
    outputs = [[w for w in row if live[w]] for row in graph.successors()]
    return _tree(graph.size, order, outputs)


def _tree(
    size: int, order: Iterable[int], neighbours: list[list[int]]
) -> tuple[int, ...]:
    """Parents in the tree; `neighbours` of a vertex stand before it in `order`."""
    root = size  # a place of its own in the lists
    parent = [DEAD] * size + [root]
    depth = [0] * (size + 1)
    jump = [root] * (size + 1)
    for v in order:
        found = neighbours[v][0] if neighbours[v] else root
        for u in neighbours[v][1:]:
            found = _common(found, u, parent, depth, jump)
        parent[v] = found
        depth[v] = depth[found] + 1
        over = jump[found]
        even = depth[found] - depth[over] == depth[over] - depth[jump[over]]
        jump[v] = jump[over] if even else found
    return tuple(ROOT if p == root else p for p in parent[:size])


def _common(
    a: int, b: int, parent: list[int], depth: list[int], jump: list[int]
) -> int:
    """The nearest common ancestor, O(log depth): jumps have skew binary lengths."""
    if depth[a] < depth[b]:
        a, b = b, a
    while depth[a] > depth[b]:
        a = jump[a] if depth[jump[a]] >= depth[b] else parent[a]
    while a != b:  # equal depth, so equal lengths of jumps
        if jump[a] != jump[b]:
            a, b = jump[a], jump[b]
        else:
            a, b = parent[a], parent[b]
    return a
