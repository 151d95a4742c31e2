"""The metagraph: all stages of the elimination of a small graph, and shortest paths.

A stage is the set of edges that are left, dangling ones removed. An elimination leads
from one stage to another and costs its multiplications, so the cheapest sequence is a
shortest path. Source: Naumann 1999, section 3. The number of stages is exponential in
the number of vertices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bounds import cut_bound, entry_bound
from ad_transform.eliminate.contraction import cheapest
from ad_transform.eliminate.counting import count, within
from ad_transform.eliminate.effort import proven
from ad_transform.eliminate.markowitz import markowitz_latest, reverse
from ad_transform.eliminate.steps import (
    BackEliminateEdge,
    EliminateVertex,
    FrontEliminateEdge,
    Sequence,
    Step,
)
from ad_transform.graph.computational import Edge, EdgeClass, Graph

STAGES = 200_000
"""The number of stages that are looked at by default."""

FEW = 20_000
"""The number of stages that are looked at for an order that is asked for."""

SMALL = 30
"""Edges up to which they are looked at for an order that is asked for."""

Stage = frozenset[Edge]


@dataclass(frozen=True, slots=True)
class Metagraph:
    """All stages that can be reached, in the order of a breadth-first search, and the
    eliminations between them: from, to, cost, step.

    The first stage is the reduced graph; the last one that is found without any
    elimination left, the Jacobian, is the only sink.
    """

    stages: tuple[Stage, ...]
    moves: tuple[tuple[int, int, int, Step], ...]


def metagraph(
    graph: Graph, restriction: str = "general", limit: int = STAGES
) -> Metagraph:
    """The metagraph under a restriction of RESTRICTIONS.

    Raises Dearer if it has more than `limit` stages, KeyError for another restriction.
    """
    moves_of = RESTRICTIONS[restriction]
    first = frozenset(graph.reduced().edges)
    number = {first: 0}
    stages = [first]
    moves: list[tuple[int, int, int, Step]] = []
    for stage in stages:  # grows while it is read
        for step in moves_of(graph, stage):
            following, cost = _performed(stage, step)
            if following not in number:
                if len(stages) == limit:
                    raise Dearer
                number[following] = len(stages)
                stages.append(following)
            moves.append((number[stage], number[following], cost, step))
    return Metagraph(tuple(stages), tuple(moves))


def shortest(
    graph: Graph, restriction: str = "general", limit: int = STAGES
) -> Sequence:
    """The cheapest sequence under a restriction of RESTRICTIONS, by the plain count.

    Raises as `metagraph` does.
    """
    known = count(graph, cheapest(graph, (), (reverse, markowitz_latest), None))
    found = _cheaper(graph, known.multiplications + 1, restriction, limit)
    assert found is not None
    return found


def _cheaper(
    graph: Graph, price: int, restriction: str = "general", limit: int = STAGES
) -> Sequence | None:
    """The cheapest sequence under a restriction if it costs less than `price`.

    None proves that there is no such sequence. The A* search of stages that are made
    when they are reached; the price of the rest is at least `_least` of a stage. Raises
    as `metagraph` does.
    """
    moves_of = RESTRICTIONS[restriction]
    first = frozenset(graph.reduced().edges)
    best = {first: 0}
    floors: dict[Stage, int] = {}
    last: dict[Stage, tuple[Stage, Step]] = {}
    heap: list[tuple[int, int, int, Stage]] = [(0, 0, 0, first)]
    while heap:
        _, less, _, stage = heappop(heap)
        if -less > best[stage]:
            continue
        steps = list(moves_of(graph, stage))
        if not steps:
            return _traced(stage, last)
        for step in steps:
            following, cost = _performed(stage, step)
            paid = cost - less
            if paid >= best.get(following, price):
                continue
            if following not in floors:
                if len(floors) == limit:
                    raise Dearer
                floors[following] = _least(graph, following)
            least = paid + floors[following]
            if least >= price:
                continue
            best[following] = paid
            last[following] = stage, step
            heappush(heap, (least, -paid, len(last), following))
    return None


def metagraph_order(graph: Graph, limit: int | None = None) -> Sequence:
    """The cheapest sequence of eliminations of vertices and edges, by the plain count.

    One that meets a lower bound for them is taken without a search. Raises Dearer if
    the graph is not SMALL or the metagraph has too many stages (FEW) to be searched in
    seconds, or the sequence costs more than `limit`.
    """
    known = proven(graph, ("all", "edges"))
    if known is not None:
        return within(graph, known, limit)
    if len(graph.reduced().edges) > SMALL:
        raise Dearer
    return within(graph, shortest(graph, limit=FEW), limit)


def _traced(stage: Stage, last: dict[Stage, tuple[Stage, Step]]) -> Sequence:
    steps: list[Step] = []
    while stage in last:
        stage, step = last[stage]
        steps.append(step)
    return Sequence(tuple(reversed(steps)))


def _performed(stage: Stage, step: Step) -> tuple[Stage, int]:
    """The stage behind a step, and the step's multiplications."""
    match step:
        case EliminateVertex(v):
            into = [u for u, end in stage if end == v]
            out = [w for start, w in stage if start == v]
            kept = frozenset(edge for edge in stage if v not in edge)
            return kept | {(u, w) for u in into for w in out}, len(into) * len(out)
        case FrontEliminateEdge(u, v):
            out = [w for start, w in stage if start == v]
            gone = {(u, v)}
            if all(start == u for start, end in stage if end == v):
                gone |= {(v, w) for w in out}  # dangling
            return (stage - gone) | {(u, w) for w in out}, len(out)
        case BackEliminateEdge(u, v):
            into = [t for t, end in stage if end == u]
            gone = {(u, v)}
            if all(end == v for start, end in stage if start == u):
                gone |= {(t, u) for t in into}
            return (stage - gone) | {(t, v) for t in into}, len(into)
    raise TypeError(f"no step of a metagraph: {step}")


def _least(graph: Graph, stage: Stage) -> int:
    """A lower bound of the price still to be paid, whatever is eliminated."""
    edges = tuple(sorted(stage))
    classes = (EdgeClass.VARIABLE,) * len(edges)
    left = Graph(graph.size, graph.independents, graph.dependents, edges, classes)
    return max(entry_bound(left), cut_bound(left))


def _backs(graph: Graph, stage: Stage) -> Iterator[Step]:
    sources = set(graph.independents)
    for u, v in sorted(stage):
        if u not in sources:
            yield BackEliminateEdge(u, v)


def _fronts(graph: Graph, stage: Stage) -> Iterator[Step]:
    sinks = set(graph.dependents)
    for u, v in sorted(stage):
        if v not in sinks:
            yield FrontEliminateEdge(u, v)


def _edges(graph: Graph, stage: Stage) -> Iterator[Step]:
    yield from _backs(graph, stage)
    yield from _fronts(graph, stage)


def _vertices(graph: Graph, stage: Stage) -> Iterator[Step]:
    sources = set(graph.independents)
    for v in sorted({u for u, _ in stage} - sources):
        yield EliminateVertex(v)


def _general(graph: Graph, stage: Stage) -> Iterator[Step]:
    yield from _vertices(graph, stage)
    yield from _edges(graph, stage)


# fmt: off
RESTRICTIONS: dict[str, Callable[[Graph, Stage], Iterator[Step]]] = {
    "forward":  _backs,     # Naumann's forward elimination is the back elimination
    "backward": _fronts,
    "vertex":   _vertices,
    "edge":     _edges,
    "general":  _general,   # vertices are no shorter, but fewer steps
}
# fmt: on
