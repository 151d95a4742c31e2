"""The choice of an order for a graph whose labels are linear maps, by cost.

The price of an elimination is that of the products of its labels, in the forms that
they have by then: a diagonal beside a matrix costs as many multiplications as that has
elements, two matrices cost m k n. So a chain is bracketed by the price itself.
Source: Naumann 1999, section 2.5; Griewank & Naumann 2003.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.linear.algebra import Label, shadow
from ad_transform.eliminate.linear.arrays import A, Outlines, Shapes
from ad_transform.eliminate.linear.full import FullMaps
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.eliminate.order import ORDERS, asked_for, runnable
from ad_transform.eliminate.replay import State
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.graph.computational import Edge, Graph
from ad_transform.ir.dims import Dims

SMALL = 8
"""Intermediate vertices up to which all orders of them are looked at, by subsets."""

LARGEST = 60
"""Intermediate vertices up to which the cheapest of all goes first."""

SEARCHED = "cheapest-first"
"""The name of that order."""

PLANNERS = (
    "forward",
    "reverse",
    "markowitz",
    "markowitz-latest",
    "relative-markowitz",
    "relative-markowitz-latest",
)
"""The orders that are priced; the first wins ties."""


@dataclass(frozen=True, slots=True)
class VectorPlan:
    """The order that is taken for a graph, its steps, and multiplications by order.

    `sweep` are those of the sweeps that give one column each.
    """

    graph: Graph
    name: str
    sequence: Steps
    prices: Mapping[str, int]
    sweep: int

    @property
    def price(self) -> int:
        """Multiplications of the order that is taken."""
        return self.prices[self.name]


class Pricing:
    """Prices of orders, at given sizes of names in dims."""

    def __init__(
        self, graph: Graph, labels: Mapping[Edge, Label[A]], sizes: Mapping[str, int]
    ) -> None:
        outlines = Outlines()
        self.graph = graph
        self.sizes = sizes
        self.labels = {edge: shadow(label, outlines) for edge, label in labels.items()}

    def of(self, sequence: Steps) -> int:
        """Multiplications of the steps of a sequence, and of the matrices made last."""
        return sum(self.each(sequence))

    def each(self, sequence: Steps) -> Iterator[int]:
        """Multiplications of every step, and at last those of the matrices."""
        shapes = Shapes.at(self.sizes)
        maps = FullMaps(shapes)
        state = State(self.graph, self.labels, maps)
        try:
            for step in sequence:
                before = shapes.multiplications
                state.perform_all((step,))
                yield shapes.multiplications - before
            before = shapes.multiplications
            for label in state.jacobian().values():
                maps.matrix(label)
            yield shapes.multiplications - before
        finally:
            state.let_go()

    def sweep(self) -> int:
        """Multiplications of the tangents of all vertices along every column."""
        shapes = Shapes.at(self.sizes)
        maps = FullMaps(shapes)
        each = sum(maps.price(label) for label in self.labels.values())
        columns = (self.graph.dims_of(x) for x in self.graph.independents)
        return each * sum(shapes.elements(dims) for dims in columns)

    def searched(self) -> Steps:
        """The cheapest of all orders, for SMALL vertices at most. Of more vertices the
        one that costs least goes first until SMALL are left.

        The cost of an elimination depends on the set of vertices that are gone, and
        hardly on their order: of p vertices there are 2ᵖ sets.
        """
        vertices = self.graph.intermediates()
        stage = _Stage(0, (), self.labels)
        while len(vertices) > SMALL:
            stage = self._cheapest(stage, vertices)
            vertices = _others(vertices, stage.order[-1])
        best: dict[tuple[int, ...], _Stage] = {(): stage}
        for count in range(1, len(vertices) + 1):
            best = {
                gone: _least(self._without(best[_others(gone, v)], v) for v in gone)
                for gone in combinations(vertices, count)
            }
        return vertex_sequence(best[tuple(vertices)].order)

    def _cheapest(self, stage: _Stage, vertices: Sequence[int]) -> _Stage:
        """The stage behind the vertex whose elimination costs least now."""
        return _least(self._without(stage, v) for v in vertices)

    def _without(self, stage: _Stage, v: int) -> _Stage:
        """The stage behind the elimination of one more vertex."""
        shapes = Shapes.at(self.sizes)
        maps = FullMaps(shapes)
        left = {edge: label for edge, label in stage.labels.items() if v not in edge}
        into = [(u, label) for (u, w), label in stage.labels.items() if w == v]
        out = [(w, label) for (u, w), label in stage.labels.items() if u == v]
        for u, first in into:
            for w, second in out:
                made = maps.multiply(second, first, u, v, w)
                old = left.get((u, w))
                left[u, w] = made if old is None else maps.add(old, made, u, w)
        price = stage.price + shapes.multiplications
        return _Stage(price, (*stage.order, v), left)


@dataclass(frozen=True, slots=True)
class _Stage:
    """The labels left when some vertices are gone, and the price paid for that."""

    price: int
    order: tuple[int, ...]
    labels: Mapping[Edge, Label[Dims]]


def _least(stages: Iterable[_Stage]) -> _Stage:
    return min(stages, key=lambda stage: stage.price)


def _others(vertices: Sequence[int], v: int) -> tuple[int, ...]:
    return tuple(u for u in vertices if u != v)


def planned(
    graph: Graph,
    labels: Mapping[Edge, Label[A]],
    order: str,
    sizes: Mapping[str, int],
) -> VectorPlan:
    """The order asked for, or the cheapest one for `auto`."""
    pricing = Pricing(graph, labels, sizes)
    if order == "auto":
        found = {name: ORDERS[name](graph) for name in runnable(PLANNERS, graph)}
        vertices = len(graph.intermediates())
        if vertices <= LARGEST:
            name = "exact" if vertices <= SMALL else SEARCHED
            found[name] = pricing.searched()
    else:
        found = {order: asked_for(order, graph)}
    prices = {name: pricing.of(steps) for name, steps in found.items()}
    best = min(prices, key=lambda name: prices[name])
    return VectorPlan(graph, best, found[best], prices, pricing.sweep())
