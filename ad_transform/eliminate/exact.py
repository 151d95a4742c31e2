"""Optimal vertex elimination, proved, for graphs with small kernels.

Closed umbrellas go first, reductions are applied (`reductions`, all proved), the rest
falls into components that do not influence each other, and every component is searched
(`kernel`). The budget counts nodes of the search; there is no clock.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bits import BitGraph, components, eliminate, members
from ad_transform.eliminate.bounds import LARGE, Bounds
from ad_transform.eliminate.clusters import WIDEST, Clusters
from ad_transform.eliminate.contraction import cheapest
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.cuts import WORK, Allowance, minimum_cuts
from ad_transform.eliminate.growth import min_edge_growth
from ad_transform.eliminate.kernel import LARGEST, SMALL, Budget
from ad_transform.eliminate.markowitz import (
    Planner,
    forward,
    markowitz_latest,
    relative_markowitz_latest,
    reverse,
    vertex_sequence,
)
from ad_transform.eliminate.reductions import reduce
from ad_transform.eliminate.searched import Question, searched
from ad_transform.eliminate.steps import EliminateVertex, Sequence
from ad_transform.graph.computational import EdgeClass, Graph
from ad_transform.graph.umbrellas import closed_chains

NODES = 4_000
"""The default budget, enough for most kernels of 20 vertices; half a second."""

HOPEFUL, AMPLE = 40, 20_000
"""The greatest number of vertices of a component that is searched, with one more for
every AMPLE nodes that are left: a search of larger ones would be in vain."""

WIDTH, TABLES = 6, 700
"""The greatest number of vertices of a cluster in a search; more if all parts of the
cluster may be looked at TABLES times."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The best sequence found, its plain count, and lower bounds.

    `bound` is that for all orders of vertices, `overall` that for any elimination.
    `kernel` is the number of vertices of the largest component that was left for the
    search, 0 if reductions and bounds were enough.
    """

    sequence: Sequence
    cost: int
    bound: int
    overall: int
    kernel: int

    @property
    def proven(self) -> bool:
        """Whether the sequence is proven to be an optimal vertex elimination."""
        return self.cost == self.bound


def solve(
    graph: Graph, nodes: int = NODES, known: Sequence | None = None, parts: int = 0
) -> Solution:
    """The cheapest vertex elimination, by the plain count, as far as `nodes` suffice.

    Bounds are better the more `parts` of clusters may be looked at in a component.
    `known` is a sequence of vertex steps that eliminates the graph; the result is not
    dearer. It may be proven without any search: by reductions, or where the cost of a
    simple order meets the bound. Graphs of LARGE edges get a simple order and a bound.
    """
    if len(graph.edges) >= LARGE:
        sequence = known or cheapest(graph, (), (reverse, markowitz_latest), None)
        cost = count(graph, sequence).multiplications
        least = Bounds.of(graph)
        return Solution(sequence, cost, least.vertices, least.overall, 0)
    solver = _Solver(BitGraph.of(graph), Budget(nodes), known, parts)
    return solver.solve(closed_chains(graph))


def exact(graph: Graph, limit: int | None = None) -> Sequence:
    """The planner: the sequence of `solve` with the default budget."""
    solution = _solved(graph)
    if limit is not None and solution.cost > limit:
        raise Dearer
    return solution.sequence


@lru_cache(maxsize=8)
def _solved(graph: Graph) -> Solution:
    """The solution of the planner, kept: races and figures of a graph share it."""
    return solve(graph)


_SIMPLE: tuple[Planner, ...] = (
    markowitz_latest,
    relative_markowitz_latest,
    min_edge_growth,
    reverse,
    forward,
)


class _Solver:
    """A graph in the course of its solution: sets, order, cost and bound so far."""

    def __init__(
        self, bits: BitGraph, budget: Budget, known: Sequence | None, parts: int
    ) -> None:
        self.bits = bits
        self.parts = parts
        self.before = list(bits.before)
        self.after = list(bits.after)
        self.budget = budget
        self.number = {v: i for i, v in enumerate(bits.vertices)}
        self.known = self._places(known) if known else None
        self.order: list[int] = []
        self.cost = 0
        self.bound = 0
        self.overall = 0
        self.kernel = 0
        self.allowance = Allowance()
        self.solved: dict[tuple[tuple[int, ...], ...], _Solved] = {}

    def _places(self, known: Sequence) -> dict[int, int]:
        """Per bit number the place in a known order."""
        places: dict[int, int] = {}
        for step in known.steps:
            if not isinstance(step, EliminateVertex):
                raise ValueError(f"not a sequence of vertex steps: {step}")
            if step.vertex in self.number:
                places.setdefault(self.number[step.vertex], len(places))
        return places

    def solve(self, chains: tuple[tuple[int, ...], ...]) -> Solution:
        """Eliminate everything: umbrellas from the inside out, then the rest."""
        left = self.bits.inner
        for chain in reversed(chains):  # umbrellas inside start later
            numbers = [self.number[v] for v in chain]
            for u, w in pairwise(numbers):
                inside = self._between(u, w)
                self._region(inside)
                left &= ~inside
            for v in numbers[1:-1]:
                self._eliminate([v])
                left ^= 1 << v
        self._region(left)
        sequence = vertex_sequence(self.bits.vertices[v] for v in self.order)
        return Solution(sequence, self.cost, self.bound, self.overall, self.kernel)

    def _between(self, u: int, w: int) -> int:
        """The vertices that are left inside the closed umbrella from u to w."""
        inside, fresh = 0, self.after[u] & ~(1 << w)
        while fresh:
            inside |= fresh
            near = 0
            for v in members(fresh):
                near |= self.after[v]
            fresh = near & ~inside & ~(1 << w)
        return inside

    def _eliminate(self, order: list[int]) -> None:
        """Eliminate vertices in an order that is known to be optimal."""
        for v in order:
            degree = eliminate(self.before, self.after, v)
            self.cost += degree
            self.bound += degree
            self.overall += degree
        self.order += order

    def _region(self, inner: int) -> None:
        """Eliminate the vertices of a bit set, taking all others for ends."""
        while inner:
            cuts = minimum_cuts(self.before, self.after, inner, self.allowance)
            order, cost = reduce(self.before, self.after, inner, cuts, inner)
            self.order += order
            self.cost += cost
            self.bound += cost
            self.overall += cost
            for v in order:
                inner ^= 1 << v
            if not order or self.allowance.visits < WORK // 2:
                for part in components(self.before, self.after, inner):
                    self._component(part)
                return

    def _component(self, part: int) -> None:
        """Eliminate a component; one of the same shape is solved once."""
        kernel = _Kernel.of(self.before, self.after, part)
        known = self._known_order(kernel)
        key = (kernel.before, kernel.after, known)
        if key not in self.solved:
            self.solved[key] = self._solved(kernel, known)
        solved = self.solved[key]
        vertices = [kernel.vertices[v] for v in solved.order]
        for v in vertices:
            eliminate(self.before, self.after, v)
        self.order += vertices
        self.cost += solved.cost
        self.bound += solved.bound
        self.overall += solved.overall

    def _solved(self, kernel: _Kernel, known: tuple[int, ...]) -> _Solved:
        """An order of the kernel, its cost and bounds."""
        order, cost = kernel.simple(known)
        inner = (1 << kernel.count) - 1
        sets = list(kernel.before), list(kernel.after), inner
        least = Bounds.of_part(*sets, self.allowance)
        parts = self.parts if kernel.count > SMALL else 0
        is_searched = kernel.count <= min(HOPEFUL + self.budget.nodes // AMPLE, LARGEST)
        most = self._most(parts) if is_searched else WIDEST
        clusters = Clusters.of(*sets, parts, most)
        bound = max(least.vertices, clusters.bound(inner))
        if is_searched:
            self.kernel = max(self.kernel, kernel.count)
        if is_searched and bound < cost:
            divisions = tuple(map(tuple, clusters.divisions))
            question = Question(
                kernel.before, kernel.after, kernel.count, divisions, most
            )
            answer = searched(question, tuple(order), cost, self.budget.nodes)
            self.budget.nodes = answer.left
            order, cost = [*answer.order], answer.cost
            bound = max(bound, answer.bound)
        return _Solved(order, cost, bound, least.overall)

    def _most(self, parts: int) -> int:
        """The greatest number of vertices of a cluster: a search makes thousands of
        clusters.
        """
        if self.budget.nodes and parts:
            return min(max(WIDTH, (parts // TABLES).bit_length()), WIDEST)
        return WIDEST if parts else 1

    def _known_order(self, kernel: _Kernel) -> tuple[int, ...]:
        if self.known is None:
            return ()
        places = self.known
        return tuple(
            sorted(range(kernel.count), key=lambda v: places[kernel.vertices[v]])
        )


@dataclass(frozen=True, slots=True)
class _Solved:
    """An order of a kernel, its cost, and bounds: for orders, for any elimination."""

    order: list[int]
    cost: int
    bound: int
    overall: int


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A component and its neighbours with numbers of their own, the component first."""

    count: int
    vertices: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]

    @classmethod
    def of(cls, before: list[int], after: list[int], part: int) -> _Kernel:
        near = 0
        for v in members(part):
            near |= before[v] | after[v]
        vertices = (*members(part), *members(near & ~part))
        number = {v: i for i, v in enumerate(vertices)}
        count = part.bit_count()

        def renumbered(sets: list[int]) -> tuple[int, ...]:
            rows = []
            for v in vertices:
                around = sets[v] if part >> v & 1 else sets[v] & part
                rows.append(sum(1 << number[u] for u in members(around)))
            return tuple(rows)

        return cls(count, vertices, renumbered(before), renumbered(after))

    def simple(self, known: tuple[int, ...]) -> tuple[list[int], int]:
        """The cheapest of the simple orders and the known one."""
        graph, number = self._graph()
        orders = [list(known)] if known else []
        for planner in _SIMPLE:
            steps = planner(graph).steps
            orders.append(
                [number[s.vertex] for s in steps if isinstance(s, EliminateVertex)]
            )
        return min(((o, self._price(o)) for o in orders), key=lambda pair: pair[1])

    def _price(self, order: list[int]) -> int:
        before, after = list(self.before), list(self.after)
        return sum(eliminate(before, after, v) for v in order)

    def _graph(self) -> tuple[Graph, dict[int, int]]:
        """The kernel as a graph: independents, component, dependents; and the bit
        numbers of its vertices."""
        heads = [v for v in range(self.count, len(self.vertices)) if self.after[v]]
        tails = [v for v in range(self.count, len(self.vertices)) if self.before[v]]
        order = [*heads, *range(self.count)]
        number = dict(enumerate(order))
        place = {v: i for i, v in number.items()}
        tail = {v: len(order) + i for i, v in enumerate(tails)}
        edges = {}
        for v in range(self.count):
            for u in members(self.before[v]):
                edges[place[u], place[v]] = EdgeClass.VARIABLE
            for w in members(self.after[v]):
                edges[place[v], tail.get(w, place.get(w, 0))] = EdgeClass.VARIABLE
        size = len(order) + len(tails)
        graph = Graph.build(size, range(len(heads)), range(len(order), size), edges)
        return graph, number
