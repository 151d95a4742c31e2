"""Vertices between constant partials, eliminated before an order is chosen.

Only products with a variable factor count here; products of constants are folded when
the code is written. A vertex v is *linear* if all its edges are constant and it has one
successor or one predecessor. To eliminate linear vertices first costs nothing, leaves
no more edges than there were, and loses nothing:

*Proof.* Let w be the only successor of v, and take any elimination of the graph. Leave
out its products of a label (a, v) with (v, w), and of (v, w) with a label (w, b); read
(a, w) for every other label (a, v) and (w, b) for every other label (v, b), beside the
labels of the same ends there are. Each new label is the old one times or over the
constant of v -> w, and variable where the old one was. Every product that is left has
factors that are as variable as before, none is new, and together they eliminate the
graph without v, in which an edge (u, w) that there was and the one that v left are kept
apart. Leave out the latter with its products where there are both: the former may stand
for the sum, which is as variable. With one predecessor all edges are turned. ∎

Labels of the same ends that are kept apart are split vertices, so the theorem is one of
all eliminations. Source: Naumann & Utke 2005, Optimality-preserving elimination of
linearities in Jacobian accumulation.
"""

from __future__ import annotations

from ad_transform.eliminate.contraction import remaining
from ad_transform.eliminate.counting import count_practical, within
from ad_transform.eliminate.markowitz import (
    Planner,
    forward,
    join,
    live_sets,
    markowitz_latest,
    relative_markowitz_latest,
    reverse,
    vertex_sequence,
)
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import EdgeClass, Graph

_PLANNERS: tuple[Planner, ...] = (
    markowitz_latest,
    relative_markowitz_latest,
    reverse,
    forward,
)


def linear_first(graph: Graph, limit: int | None = None) -> Sequence:
    """All linear vertices, then the best of four orders of the remaining graph.

    Products with a variable factor decide; the first order wins ties. Raises Dearer if
    the plain count is above `limit`.
    """
    first = linear_vertices(graph)
    rest = remaining(graph, first.steps)
    orders = [Sequence(first.steps + plan(rest).steps) for plan in _PLANNERS]
    best = min(orders, key=lambda order: variable_products(graph, order))
    return within(graph, best, limit)


def linear_vertices(graph: Graph) -> Sequence:
    """The linear vertices, in an order in which each is linear when it goes.

    O(edges) and the edges that are made; the latest goes first.
    """
    before, after = live_sets(graph)
    variable = {
        edge
        for edge, cls in zip(graph.edges, graph.classes, strict=True)
        if cls is EdgeClass.VARIABLE
    }
    inner = set(graph.intermediates())
    waiting = sorted(inner)
    order: list[int] = []
    while waiting:
        v = waiting.pop()
        sources, targets = before[v], after[v]
        edges = [*((u, v) for u in sources), *((v, w) for w in targets)]
        if v not in inner or variable.intersection(edges):
            continue
        if min(len(sources), len(targets)) == 1:
            order.append(v)
            inner.remove(v)
            join(before, after, v)
            waiting += sorted(inner & (sources | targets))
    return vertex_sequence(order)


def variable_products(graph: Graph, sequence: Sequence) -> int:
    """The products of a sequence that have a variable factor; units count as others.

    Raises ValueError if the sequence does not fit the graph.
    """
    classes = (max(cls, EdgeClass.CONSTANT) for cls in graph.classes)
    plain = graph.with_edges(dict(zip(graph.edges, classes, strict=True)))
    return count_practical(plain, sequence).multiplications
