"""The fewest multiplications by eliminations of edges, or a proof that none are fewer.

A stage has the edges at intermediates that are left: the price of the rest does not
depend on edges between ends. The search is that of a shortest path in the metagraph
(`metagraph`), but stages are bit sets, a vertex is eliminated edge by edge, and of a
stage with several components the first is worked off before the others, which do not
influence it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bits import BitGraph, components, members, reached
from ad_transform.eliminate.bounds import overall_bound
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.cuts import KnownCuts
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.eliminate.steps import (
    BackEliminateEdge,
    FrontEliminateEdge,
    Sequence,
    Step,
)
from ad_transform.graph.computational import Graph

LARGEST = 40
"""Edges at the intermediates of a component up to which a proof is asked for."""


def fewest_by_edges(graph: Graph, price: int, limit: int) -> Sequence | None:
    """The cheapest elimination of edges if it costs less than `price`.

    None proves that there is none, of vertices neither. Raises Dearer if more than
    `limit` stages are met.
    """
    return _Search(BitGraph.of(graph), price, limit).run()


def fewest_in_parts(
    graph: Graph, order: Iterable[int], limit: int
) -> tuple[Sequence, bool]:
    """The cheapest eliminations of edges of all components, one after the other, and
    whether all of them are proven to be the cheapest.

    A component that is too large, or not searched to its end within `limit` stages of
    all, is eliminated by `order`, an order of all intermediates.
    """
    places = {v: place for place, v in enumerate(order)}
    steps: list[Step] = []
    proven = True
    for part, inner in _parts(graph):
        own = vertex_sequence(sorted(inner, key=places.__getitem__))
        price = count(part, own).multiplications
        if price > overall_bound(part):
            small = len(part.edges) <= LARGEST
            search = _Search(BitGraph.of(part), price, limit if small else 0)
            try:
                own = search.run() or own
            except Dearer:
                proven = False
            limit -= len(search.floors)
        steps += own.steps
    return Sequence(tuple(steps)), proven


def _parts(graph: Graph) -> Iterator[tuple[Graph, list[int]]]:
    """The components of the intermediates with their edges; ends belong to all."""
    bits = BitGraph.of(graph)
    edges = dict(zip(graph.edges, graph.classes, strict=True))
    for part in components([*bits.before], [*bits.after], bits.inner):
        inner = [bits.vertices[v] for v in members(part)]
        own = {e: edges[e] for e in edges if e[0] in inner or e[1] in inner}
        ends = graph.independents, graph.dependents
        yield Graph.build(graph.size, *ends, own), inner


@dataclass(frozen=True, slots=True)
class _Stage:
    """The predecessors and the successors of every intermediate."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def inner(self) -> int:
        """The intermediates that are left."""
        return sum(1 << v for v, sources in enumerate(self.before) if sources)

    def turned(self) -> _Stage:
        """The stage with all edges the other way round."""
        return _Stage(self.after, self.before)

    def front(self, u: int, v: int) -> _Stage:
        """The stage behind a front elimination; v goes with its last edge."""
        before, after = [*self.before], [*self.after]
        targets, edge = after[v], 1 << u
        before[v] ^= edge
        gone = 0 if before[v] else 1 << v
        if u < len(after):
            after[u] = after[u] & ~(1 << v) | targets
        for w in members(targets & self.inner):
            before[w] = (before[w] | edge) & ~gone
        if gone:
            after[v] = 0
        return _Stage(tuple(before), tuple(after))

    def moves(self) -> Iterator[tuple[int, int, int, int]]:
        """The edges that may go in the first component: whether it is a front (1) or a
        back (-1) elimination, the other end, the vertex that is passed, and the cost.
        """
        part = components([*self.before], [*self.after], self.inner)[0]
        for v in members(part):
            sources, targets = self.before[v], self.after[v]
            for u in members(sources):
                yield 1, u, v, targets.bit_count()
            for w in members(targets):
                yield -1, w, v, sources.bit_count()


class _Search:
    """The stages met so far, with the price paid for each and the floor of the rest."""

    def __init__(self, bits: BitGraph, price: int, limit: int) -> None:
        self.bits = bits
        self.price = price
        self.limit = limit
        self.above = KnownCuts()
        self.below = KnownCuts()
        self.floors: dict[_Stage, int] = {}
        self.last: dict[_Stage, tuple[_Stage, Step]] = {}

    def run(self) -> Sequence | None:
        """The A* search, the furthest stage first among those that promise the same."""
        count = self.bits.count
        first = _Stage(self.bits.before[:count], self.bits.after[:count])
        paid = {first: 0}
        number = itertools.count()  # the stage met first goes first
        heap = [(0, 0, 0, first)] if self._floor(first) < self.price else []
        while heap:
            _, less, _, stage = heappop(heap)
            if -less > paid[stage]:
                continue
            if not stage.inner:
                return self._traced(stage)
            for side, end, v, cost in stage.moves():
                following = _behind(stage, side, end, v)
                total = cost - less
                if total >= paid.get(following, self.price):
                    continue
                least = total + self._floor(following)
                if least < self.price:
                    paid[following] = total
                    self.last[following] = stage, self._step(side, end, v)
                    heappush(heap, (least, -total, next(number), following))
        return None

    def _floor(self, stage: _Stage) -> int:
        """A lower bound of the price still to be paid, whatever is eliminated: see
        `bounds`.
        """
        if stage not in self.floors:
            if len(self.floors) == self.limit:
                raise Dearer
            self.floors[stage] = self._least(stage)
        return self.floors[stage]

    def _least(self, stage: _Stage) -> int:
        inner = [*members(stage.inner)]
        _, above = reached(stage.before, inner, stage.inner)
        ends, below = reached(stage.after, inner[::-1], stage.inner)
        cuts, entries = 0, dict.fromkeys(range(len(self.bits.before)), 0)
        for v in inner:
            least = self.above.cut(stage.before, v, above[v])
            cuts += least * self.below.cut(stage.after, v, below[v])
            for u in members(stage.before[v] & ~stage.inner):
                entries[u] |= ends[v]
        return max(cuts, sum(found.bit_count() for found in entries.values()))

    def _step(self, side: int, end: int, v: int) -> Step:
        other, passed = self.bits.vertices[end], self.bits.vertices[v]
        if side > 0:
            return FrontEliminateEdge(other, passed)
        return BackEliminateEdge(passed, other)

    def _traced(self, stage: _Stage) -> Sequence:
        steps: list[Step] = []
        while stage in self.last:
            stage, step = self.last[stage]
            steps.append(step)
        return Sequence(tuple(reversed(steps)))


def _behind(stage: _Stage, side: int, end: int, v: int) -> _Stage:
    if side > 0:
        return stage.front(end, v)
    return stage.turned().front(end, v).turned()
