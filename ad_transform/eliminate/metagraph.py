"""The metagraph: all stages of the elimination of a small graph, and shortest paths.

A stage is the set of edges that are left, dangling ones removed. An elimination leads
from one stage to another and costs its multiplications, so the cheapest sequence is a
shortest path. Source: Naumann 1999, section 3. The number of stages is exponential in
the number of vertices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.counting import PlainAlgebra
from ad_transform.eliminate.replay import State
from ad_transform.eliminate.steps import (
    BackEliminateEdge,
    EliminateVertex,
    FrontEliminateEdge,
    Sequence,
    Step,
)
from ad_transform.graph.computational import Edge, EdgeClass, Graph

STAGES = 200_000
"""How many stages are looked at by default."""

FEW = 3_000
"""How many stages are looked at for an order that is asked for."""

Stage = frozenset[Edge]


@dataclass(frozen=True, slots=True)
class Metagraph:
    """All stages that can be reached, in the order in which they are found (breadth
    first), and the eliminations between them: from, to, cost, step.

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
            following, cost = _performed(graph, stage, step)
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

    Dijkstra's algorithm on stages that are made when they are reached; of equally cheap
    sequences the one is taken whose stages are found first. Raises as `metagraph` does.
    """
    moves_of = RESTRICTIONS[restriction]
    first = frozenset(graph.reduced().edges)
    best: dict[Stage, int] = {first: 0}
    last: dict[Stage, tuple[Stage, Step]] = {}
    heap: list[tuple[int, int, Stage]] = [(0, 0, first)]
    found = 1
    while True:
        cost, _, stage = heappop(heap)
        if cost > best[stage]:
            continue
        steps = list(moves_of(graph, stage))
        if not steps:
            return _traced(stage, last)
        for step in steps:
            following, price = _performed(graph, stage, step)
            if cost + price < best.get(following, cost + price + 1):
                if len(best) == limit:
                    raise Dearer
                best[following] = cost + price
                last[following] = stage, step
                heappush(heap, (cost + price, found, following))
                found += 1


def metagraph_order(graph: Graph, limit: int | None = None) -> Sequence:
    """The cheapest sequence of eliminations of vertices and edges, by the plain count.

    Raises Dearer if the metagraph has too many stages (FEW) to be searched in seconds.
    """
    return shortest(graph, limit=FEW)


def _traced(stage: Stage, last: dict[Stage, tuple[Stage, Step]]) -> Sequence:
    steps: list[Step] = []
    while stage in last:
        stage, step = last[stage]
        steps.append(step)
    return Sequence(tuple(reversed(steps)))


def _performed(graph: Graph, stage: Stage, step: Step) -> tuple[Stage, int]:
    """The stage behind a step, and the step's multiplications."""
    edges = tuple(sorted(stage))
    now = Graph(
        graph.size,
        graph.independents,
        graph.dependents,
        edges,
        (EdgeClass.VARIABLE,) * len(edges),
    )
    plain = PlainAlgebra()
    state = State(now, dict.fromkeys(edges), plain)
    state.perform_all([step])
    left = frozenset((u, v) for u, row in state.rows.items() for v in row)
    return left, plain.multiplications


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
