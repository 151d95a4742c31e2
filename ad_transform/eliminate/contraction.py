"""Contraction of contractible subgraphs, as steps and as planners.

Contraction removes the interior of a subgraph in reverse order (Murota & Kubota 1989,
section 2). For umbrellas with copies there are two ways to say it: to the letter, with
copy vertices that have to be eliminated later, or by eliminating the interior where it
stands. Both leave the same graph, but a copy costs a multiplication by one in the plain
count, so the planners use the second.
"""

from __future__ import annotations

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.counting import PracticalAlgebra, count
from ad_transform.eliminate.markowitz import Planner, forward, markowitz_latest, reverse
from ad_transform.eliminate.replay import State
from ad_transform.eliminate.steps import (
    Contract,
    CopyVariable,
    EliminateVertex,
    Sequence,
    Step,
)
from ad_transform.graph.computational import Graph
from ad_transform.graph.contractible import Subgraph
from ad_transform.graph.umbrellas import (
    maximal_closed_umbrellas,
    maximal_copying_umbrellas,
    maximal_umbrellas,
)


def contraction(part: Subgraph) -> Contract:
    """The step that contracts this contractible subgraph, which has an interior."""
    return Contract(part.interior)


def closed_contraction(graph: Graph) -> tuple[Step, ...]:
    """The steps that contract all maximal closed umbrellas."""
    parts = maximal_closed_umbrellas(graph)
    return tuple(contraction(part) for part in parts if part.interior)


def copying_contraction(graph: Graph) -> tuple[Step, ...]:
    """The steps that contract all maximal umbrellas with copying, without copies.

    Every value that, directly or not, is used for one other value only is eliminated:
    the same as eliminating, in reverse order, every vertex with one successor.
    """
    parts = maximal_copying_umbrellas(graph)
    return tuple(Contract(part.interior) for part in parts if part.interior)


def contraction_with_copies(graph: Graph) -> tuple[Step, ...]:
    """The steps of Murota & Kubota 1989, Prop. 4.2, to the letter.

    The variables of S are copied, the interior of every umbrella is contracted, and the
    copies, numbered from `graph.size`, are eliminated.
    """
    parts = maximal_copying_umbrellas(graph)
    edges = [edge for part in parts for edge in part.copied]
    copies = range(graph.size, graph.size + len(edges))
    steps: list[Step] = [
        CopyVariable(u, v, w) for (u, v), w in zip(edges, copies, strict=True)
    ]
    steps += [Contract(part.enclosed) for part in parts if part.enclosed]
    return tuple(steps + [EliminateVertex(w) for w in copies])


def remaining(graph: Graph, steps: tuple[Step, ...]) -> Graph:
    """The graph after these steps, with the same numbers and the practical classes.

    Required: no step leaves a vertex that the graph does not have.
    """
    labels = dict(zip(graph.edges, graph.classes, strict=True))
    state = State(graph, labels, PracticalAlgebra())
    state.perform_all(steps)
    edges = {(u, v): cls for u, row in state.rows.items() for v, cls in row.items()}
    return graph.with_edges(edges)


def closed_umbrellas_first(graph: Graph, limit: int | None = None) -> Sequence:
    """All closed umbrellas are contracted, then the best simple order follows."""
    return cheapest(graph, closed_contraction(graph), _SIMPLE, limit)


def copying_umbrellas_first(graph: Graph, limit: int | None = None) -> Sequence:
    """All umbrellas with copying are contracted, then the best simple order follows."""
    return cheapest(graph, copying_contraction(graph), _SIMPLE, limit)


def umbrellas_first(graph: Graph, limit: int | None = None) -> Sequence:
    """All maximal umbrellas are contracted as they are, without copying, then the best
    simple order follows (Murota & Kubota 1989, section 3).
    """
    parts = maximal_umbrellas(graph)
    steps = tuple(contraction(part) for part in parts if part.interior)
    return cheapest(graph, steps, _SIMPLE, limit)


def copied_umbrellas(graph: Graph, limit: int | None = None) -> Sequence:
    """As `copying_umbrellas_first`, with a copy of each variable used elsewhere."""
    return cheapest(graph, contraction_with_copies(graph), _SIMPLE, limit)


def single_use_reverse(graph: Graph, limit: int | None = None) -> Sequence:
    """Vertices with one successor in reverse order, then the others in reverse order.

    Source: Forth, Tadjouddine, Pryce & Reid 2004 (ELIAD).
    """
    return cheapest(graph, _single_uses(graph), (reverse,), limit)


def single_use_forward(graph: Graph, limit: int | None = None) -> Sequence:
    """Vertices with one successor in reverse order, then the others in forward order.

    Source: Forth, Tadjouddine, Pryce & Reid 2004 (ELIAD).
    """
    return cheapest(graph, _single_uses(graph), (forward,), limit)


_SIMPLE: tuple[Planner, ...] = (markowitz_latest, reverse, forward)


def _single_uses(graph: Graph) -> tuple[Step, ...]:
    parts = maximal_copying_umbrellas(graph)
    interior = sorted((v for part in parts for v in part.interior), reverse=True)
    return tuple(EliminateVertex(v) for v in interior)


def cheapest(
    graph: Graph,
    steps: tuple[Step, ...],
    planners: tuple[Planner, ...],
    limit: int | None,
) -> Sequence:
    """The steps, then those of the best planner on the remaining graph.

    The plain count decides; the first planner wins ties.
    """
    rest = remaining(graph, steps)
    best: Sequence | None = None
    for planner in planners:
        try:
            sequence = Sequence(steps + planner(rest).steps)
            cost = count(graph, sequence, limit).multiplications
        except Dearer:
            continue
        best, limit = sequence, cost - 1
    if best is None:
        raise Dearer
    return best
