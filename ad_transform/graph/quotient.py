"""The quotient graph: classes of vertices as vertices with dims, a vector c-graph.

An edge between two classes stands for the local Jacobian between them, so an order of
the classes is an order of products of matrices. Source: Naumann 1999, sections 2.5 and
3.1; the quotient graph itself is in the thesis that is cited there.
"""

from __future__ import annotations

from collections.abc import Sequence as Row
from graphlib import CycleError, TopologicalSorter

from ad_transform.dataclass import dataclass
from ad_transform.graph.computational import EdgeClass, Graph


@dataclass(frozen=True, slots=True)
class Quotient:
    """A graph of classes, and the vertices of each, ascending."""

    graph: Graph
    classes: tuple[tuple[int, ...], ...]


def quotient(graph: Graph, classes: Row[Row[int]]) -> Quotient:
    """The reduced graph with these disjoint classes of intermediates as vertices; every
    other vertex is a class by itself, dead ones are left out.

    Raises ValueError if a vertex is in two classes or is no intermediate, and if
    classes lead to each other in a circle. O(size + edges).
    """
    home = _homes(graph, classes)
    edges = {(home[u], home[v]) for u, v in graph.reduced().edges} - {
        (c, c) for c in home
    }
    before: dict[int, list[int]] = {home[x]: [] for x in graph.independents}
    for c, d in sorted(edges):
        before.setdefault(c, [])
        before.setdefault(d, []).append(c)
    for y in graph.dependents:
        before.setdefault(home[y], [])
    try:
        order = list(TopologicalSorter(before).static_order())
    except CycleError:
        raise ValueError("the classes lead to each other in a circle") from None
    number = {c: i for i, c in enumerate(order)}
    members: list[list[int]] = [[] for _ in order]
    for v, c in enumerate(home):
        if c in number:
            members[number[c]].append(v)
    made = Graph.build(
        len(order),
        [number[home[x]] for x in graph.independents],
        [number[home[y]] for y in graph.dependents],
        {(number[c], number[d]): EdgeClass.VARIABLE for c, d in edges},
        {i: (len(several),) for i, several in enumerate(members) if len(several) > 1},
    )
    return Quotient(made, tuple(map(tuple, members)))


def _homes(graph: Graph, classes: Row[Row[int]]) -> list[int]:
    """Per vertex its class, named by the smallest vertex in it."""
    home = list(range(graph.size))
    middle = set(graph.intermediates())
    for several in classes:
        for v in several:
            if v not in middle:
                raise ValueError(f"vertex {v} is in two classes, or no intermediate")
            middle.remove(v)
            home[v] = min(several)
    return home


def layers(graph: Graph) -> list[list[int]]:
    """The intermediates by the longest paths to them and from them.

    There is no path within a class, and no circle of classes: paths get longer.
    """
    reduced = graph.reduced()
    depth, height = [0] * graph.size, [0] * graph.size
    for u, v in reduced.edges:
        depth[v] = max(depth[v], depth[u] + 1)
    for u, v in reversed(reduced.edges):
        height[u] = max(height[u], height[v] + 1)
    found: dict[tuple[int, int], list[int]] = {}
    for v in graph.intermediates():
        found.setdefault((depth[v], height[v]), []).append(v)
    return list(found.values())
