"""Shortest face elimination of small graphs, by a search of stages."""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush
from typing import TypeAlias

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bounds import overall_bound
from ad_transform.eliminate.counting import within
from ad_transform.eliminate.effort import proven
from ad_transform.eliminate.faces import FaceState
from ad_transform.eliminate.growth import greedy_edge
from ad_transform.eliminate.metagraph import SMALL, shortest
from ad_transform.eliminate.steps import (
    BackEliminateEdge,
    EliminateFace,
    EliminateVertex,
    FrontEliminateEdge,
    Sequence,
    Step,
)
from ad_transform.graph.computational import Graph
from ad_transform.graph.linegraph import LineGraph, line_graph

STAGES = 8_000
"""The number of stages that are looked at by default."""

KNOWN = 2_000
"""The number of stages of edges that are looked at for a sequence to begin with."""

_Label: TypeAlias = frozenset[tuple[int, ...]]
_Key: TypeAlias = frozenset[tuple[object, object, object]]


class _Names:
    """An algebra whose labels nobody looks at."""

    unit = ""

    def multiply(self, out_edge: str, in_edge: str, u: int, v: int, w: int) -> str:
        return ""

    def add(self, old: str, new: str, u: int, w: int) -> str:
        return ""


class _PathSets:
    """An algebra whose labels are sets of paths, as tuples of vertices: the label is
    their sum.
    """

    unit: _Label = frozenset([()])

    def multiply(
        self, out_edge: _Label, in_edge: _Label, u: int, v: int, w: int
    ) -> _Label:
        return frozenset(a + b[1:] for a in in_edge for b in out_edge)

    def add(self, old: _Label, new: _Label, u: int, w: int) -> _Label:
        return old | new


def faces_order(graph: Graph, limit: int | None = None) -> Sequence:
    """A face elimination with the fewest multiplications, as an order.

    One of vertices and edges that meets a lower bound for all eliminations is taken,
    face by face, without a search. Raises Dearer where the graph is not SMALL, as
    `shortest_faces` does, and where it costs more than `limit`.
    """
    known = proven(graph, ("all",))
    if known is not None:
        return within(graph, _by_faces(graph, known), limit)
    if len(graph.reduced().edges) > SMALL:
        raise Dearer
    return within(graph, shortest_faces(graph), limit)


def shortest_faces(graph: Graph, limit: int = STAGES) -> Sequence:
    """A face elimination with the fewest multiplications, without splits.

    An elimination of edges is taken face by face, and all that is cheaper is searched,
    unless the overall bound says that nothing is. The A* search of stages: every step
    costs one, and a stage needs at least one more for each of its `_open_pairs`. A
    stage is a line graph whose vertices are told apart by the paths they stand for.
    Raises Dearer if more than `limit` stages are met. Naumann & Utke hold that face
    elimination reaches the optimum under the chain rule; splits of vertices are not
    tried here.
    """
    known = _by_faces(graph, _known(graph))
    most = len(known) - 1
    if most < overall_bound(graph):
        return known
    line = line_graph(graph)
    labels: dict[tuple[int, int], _Label] = {e: frozenset([e]) for e in line.edges}
    start = FaceState(line, labels, _PathSets())
    costs = {_key(start, line): 0}
    waiting: list[_Entry] = [(_open_pairs(start), 0, 0, start, ())]
    pushed = 0
    while waiting:
        _, less, _, state, steps = heappop(waiting)
        if costs[_key(state, line)] < -less:
            continue  # it has been reached by fewer steps since
        faces = state.faces()
        if not faces:
            return Sequence(steps)
        for i, j in faces:
            other = state.copy()
            other.eliminate(i, j)
            cost = 1 - less
            least = cost + _open_pairs(other)
            if least > most:
                continue
            key = _key(other, line)
            if cost < costs.get(key, cost + 1):
                if len(costs) == limit and key not in costs:
                    raise Dearer
                costs[key] = cost
                pushed += 1
                more = (*steps, EliminateFace(i, j))
                heappush(waiting, (least, -cost, pushed, other, more))
    return known


def _known(graph: Graph) -> Sequence:
    """A cheap elimination of vertices and edges."""
    try:
        return shortest(graph, limit=KNOWN)
    except Dearer:
        return greedy_edge(graph)


def _by_faces(graph: Graph, sequence: Sequence) -> Sequence:
    """The same elimination, face by face; it is shorter where labels merge."""
    line = line_graph(graph)
    state = FaceState(line, dict.fromkeys(line.edges, ""), _Names())
    steps: list[EliminateFace] = []
    for step in sequence:
        while face := next((f for f in state.faces() if _takes(state, step, f)), None):
            state.eliminate(*face)
            steps.append(EliminateFace(*face))
    return Sequence(tuple(steps))


def _takes(state: FaceState[str], step: Step, face: tuple[int, int]) -> bool:
    """Whether the face goes when the step is performed."""
    into, out = state.ends[face[0]], state.ends[face[1]]
    match step:
        case EliminateVertex(v):
            return into[1] == v
        case BackEliminateEdge(u, v):
            return out == (u, v)
        case FrontEliminateEdge(u, v):
            return into == (u, v)
    raise TypeError(f"no step of vertices and edges: {step}")


_Entry: TypeAlias = tuple[int, int, int, FaceState[_Label], tuple[EliminateFace, ...]]
"""The least cost of a sequence through a stage, less its cost so far, a serial number,
the stage, and its faces so far."""


def _open_pairs(state: FaceState[_Label]) -> int:
    """The pairs of an independent and a dependent that are still joined over a face.

    Each needs a product of its own, the last one that gives a path between the two.
    """
    found = 0
    for x in range(len(state.line.edges), state.line.size):
        direct = [i for i in state.after[x] if i in state.labels]
        beyond = {j for i in direct for j in state.after[i] if j in state.labels}
        waiting = list(beyond)
        for i in waiting:  # grows while it is read
            fresh = {j for j in state.after[i] if j in state.labels} - beyond
            beyond |= fresh
            waiting += fresh
        ends = (y for j in beyond for y in state.after[j] if y not in state.labels)
        found += len(set(ends))
    return found


def _key(state: FaceState[_Label], line: LineGraph) -> _Key:
    """The stage, whatever numbers its vertices have got.

    Vertices with equal labels are told apart by age: that may take one stage for two,
    never two for one.
    """
    ranks: Counter[_Label] = Counter()
    names: dict[int, object] = {i: i for i in range(len(line.edges), line.size)}
    for i in sorted(state.labels):
        names[i] = state.labels[i], ranks[state.labels[i]]
        ranks[state.labels[i]] += 1
    return frozenset(
        (
            names[i],
            frozenset(names[h] for h in state.before[i]),
            frozenset(names[j] for j in state.after[i]),
        )
        for i in state.labels
    )
