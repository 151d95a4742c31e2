"""The amount of work that goes into a plan: effort 0 to 3.

Every level does the work of the level below, in the same way, and goes on from there
with the best sequence; so more effort never gives a dearer result. Budgets are counts
of steps and nodes; results do not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeAlias

from ad_transform.dataclass import replace
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.anneal import anneal, anneal_priced
from ad_transform.eliminate.bits import BitGraph
from ad_transform.eliminate.bounds import LARGE as LARGEST_CUT
from ad_transform.eliminate.bounds import Bounds
from ad_transform.eliminate.choose import Choice, Plans, Price, choose
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.edgesearch import fewest_in_parts
from ad_transform.eliminate.exact import exact, solve
from ad_transform.eliminate.levels import EFFORTS, Effort, levels_of
from ad_transform.eliminate.markowitz import vertex_sequence
from ad_transform.eliminate.models import PLAIN, PRACTICAL, Measure
from ad_transform.eliminate.order import asked_for
from ad_transform.eliminate.packing import packed
from ad_transform.eliminate.plans import Plan, bounded, vertex_order
from ad_transform.eliminate.priced import Known, Priced
from ad_transform.eliminate.splits import anneal_splits
from ad_transform.eliminate.steps import Sequence
from ad_transform.eliminate.windows import anneal_windows
from ad_transform.graph.computational import Graph

WHOLE = 300
"""Intermediates up to which an order is annealed as a whole, above that in windows."""

LARGE = 30_000
"""Intermediates from which on nothing is searched."""

_STEP = 6  # edges that a step costs beside those of the graph

LEAST_STEPS = 20
"""Annealing by the price itself with fewer steps is not begun."""


Afford: TypeAlias = Callable[[int, int], int]
"""The number of steps to be made, of so many that look at so many edges each."""


def optimise(
    graph: Graph,
    price: Price,
    effort: int = 1,
    afford: Afford = lambda steps, edges: steps,
    plans: Plans | None = None,
) -> Plan:
    """The cheapest sequence that this effort finds, by any price.

    `price(sequence, limit)` may raise Dearer if the price is above the limit. Counts
    only suggest cheap sequences: their searches get a quarter of the steps and a
    twentieth of the nodes that they have in `optimise_plain`, and no more steps than
    `afford` says. Raises ValueError if there is no such effort.
    """
    race = _Race(graph, price, afford, plans)
    for level in levels_of(effort, graph):
        race.plan(level)
        if not race.searches(level):
            race.exact(level)
            continue
        by_counts = replace(level, steps=level.steps // 4, clones=level.clones // 4)
        for seed in range(level.runs):
            race.anneal_price(level, seed)  # counts suggest less than prices find
            if not seed:
                race.exact(level)
            race.anneal_counts(by_counts, seed, PRACTICAL)
            race.anneal_counts(by_counts, seed, PLAIN)
            race.split_counts(by_counts, seed)
        race.split(level)
    return Plan(race.best.name, race.best.sequence, race.best.price)


def planned(order: str, graph: Graph, effort: int = 1) -> tuple[str, Sequence]:
    """The order that is asked for, for `auto` the plainly cheapest, and its steps."""
    if order != "auto":
        return order, asked_for(order, graph)
    plan = optimise_plain(graph, effort)
    return plan.name, plan.sequence


def optimise_plain(graph: Graph, effort: int = 1) -> Plan:
    """The cheapest sequence that this effort finds by the plain count, with a bound.

    Orders of vertices are searched until their bound is met, others until the overall
    bound is. Raises ValueError if there is no such effort.
    """
    race, least, searched = _raced(graph, effort)
    return bounded(race.best, least, searched)


def explained(graph: Graph, effort: int = 1) -> Plan:
    """The plan of `optimise_plain`, with a bound for any elimination that takes longer
    to find: see `packing`.
    """
    race, least, searched = _raced(graph, effort)
    if race.best.price > least.overall:
        least = packed(graph, race.order, least, EFFORTS[effort].blocks)
    return bounded(race.best, least, searched)


def proven(graph: Graph, over: tuple[str, ...]) -> Sequence | None:
    """The sequence of `explained`, where it is proven to be the cheapest among the
    eliminations named, see `plans.Plan`.
    """
    plan = explained(graph)
    return plan.sequence if plan.proven and plan.over in over else None


def _raced(graph: Graph, effort: int) -> tuple[_Race, Bounds, str | None]:
    """The race by the plain count, what is known of the least one, and the eliminations
    that were searched to the end.
    """

    def price(sequence: Sequence, limit: int | None) -> int:
        return count(graph, sequence, limit).multiplications

    race = _Race(graph, price, lambda steps, edges: steps)
    least = Bounds.of(graph)
    searched = None
    for level in levels_of(effort, graph):
        race.plan(level)
        if race.searches(level) and race.best.price > least.vertices:
            for seed in range(level.runs):
                race.anneal_counts(level, seed, PLAIN)
        searched_for = level.nodes and len(graph.edges) < LARGEST_CUT
        if searched_for and race.best.price > least.vertices:
            solution = solve(graph, level.nodes, race.vertices(), 10 * level.nodes)
            race.prefer("exact", solution.sequence)
            least = least.raised(solution.bound, solution.overall)
            if level.names and race.best.price > least.vertices:
                race.offer("exact", exact(graph))  # its search begins elsewhere
        if race.searches(level) and race.best.price > least.overall and not searched:
            for seed in range(level.runs):
                race.split_counts(level, seed)
        if race.best.price > least.overall and not searched:
            searched = race.edges(level)
    return race, least, searched


class _Race:
    """The best sequence so far, and the best one that only eliminates vertices.

    Everything that is tried goes through `price`, which remembers the latter.
    """

    def __init__(
        self, graph: Graph, price: Price, afford: Afford, plans: Plans | None = None
    ) -> None:
        self.graph = graph
        self.afford = afford
        self.plans = plans
        self.bits = BitGraph.of(graph)
        self.number = {v: i for i, v in enumerate(self.bits.vertices)}
        self.size = self.bits.count
        self.found: Choice | None = None
        self.order: list[int] = []
        self._order_price: int | None = None
        self._price = price
        self._known = Known()

    @property
    def best(self) -> Choice:
        """The best sequence; there is one after the first level."""
        assert self.found is not None
        return self.found

    def vertices(self) -> Sequence:
        """The best sequence that only eliminates vertices."""
        return vertex_sequence(self.order)

    def steps(self, most: int) -> int:
        """The steps for a graph of this size."""
        return min(most, 40 * self.size**2)

    def searches(self, level: Effort) -> bool:
        """Whether the level searches, and the graph is not too large for that."""
        return level.runs > 0 and 1 < len(self.order) < LARGE

    def price(self, sequence: Sequence, limit: int | None) -> int:
        """The price; raises Dearer if it is above the limit."""
        paid = self._price(sequence, limit)
        if self._order_price is None or paid < self._order_price:
            order = vertex_order(sequence)
            if order is not None:
                self.order, self._order_price = order, paid
        return paid

    @property
    def _looked_at(self) -> int:
        """The edges that a step by counts looks at: about as many as the graph has."""
        return len(self.graph.edges) + _STEP

    def plan(self, level: Effort) -> None:
        """Run the planners of a level; the cheapest sequence stays the best."""
        if level.names:
            names = level.names
            if self.found:
                names = (self.found.name, *names)
            self.found = choose(self.graph, names, self.price, self.plans)

    def offer(self, name: str, sequence: Sequence) -> None:
        """Take a sequence if it is cheaper than the best."""
        try:
            paid = self.price(sequence, self.best.price - 1)
        except Dearer:
            return
        if paid < self.best.price:
            self.found = Choice(name, sequence, paid)

    def prefer(self, name: str, sequence: Sequence) -> None:
        """Take an order of vertices if it is cheaper than the best. Take it at the same
        price if the best is no such order: more is proven of it.
        """
        self.offer(name, sequence)
        if vertex_order(self.best.sequence) is None:
            with suppress(Dearer):
                paid = self.price(sequence, self.best.price)
                self.found = Choice(name, sequence, paid)

    def exact(self, level: Effort) -> None:
        """Search for the order of vertices that is best by the plain count."""
        if level.nodes and len(self.graph.edges) < LARGEST_CUT:
            solution = solve(self.graph, level.nodes // 20, self.vertices())
            self.offer("exact", solution.sequence)

    def anneal_counts(self, level: Effort, seed: int, measure: Measure) -> None:
        """Anneal the best vertex order by a count, as a whole or in windows."""
        if self.size > WHOLE:
            steps = self.afford(level.steps, self._looked_at)
            order = anneal_windows(self.graph, self.order, steps, seed, measure)
            self.offer("windows", vertex_sequence(order))
            return
        bits = self.bits
        start = [self.number[v] for v in self.order]
        steps = self.afford(self.steps(level.steps), self._looked_at)
        model = measure.model(bits, self.graph)
        order, _ = anneal(model, start, steps, seed)
        self.offer("annealing", vertex_sequence(bits.vertices[v] for v in order))

    def anneal_price(self, level: Effort, seed: int) -> None:
        """Anneal the best vertex order by the price itself, as long as it is paid."""
        budget = self.budget(level)
        steps = min(self.steps(level.steps // 4), 10 * budget)
        if budget < LEAST_STEPS or self._order_price is None:
            return
        bits = self.bits
        start = [self.number[v] for v in self.order]

        def ask(order: Iterable[int], limit: int | None) -> int:
            return self._price(vertex_sequence(bits.vertices[v] for v in order), limit)

        price = Priced(bits, ask, self._known, budget)
        price.start(start, self._order_price)
        hot = max(1, self._order_price // 256)
        order, _ = anneal_priced(start, price, steps, seed, hot)
        self.offer("annealing", vertex_sequence(bits.vertices[v] for v in order))

    def budget(self, level: Effort) -> int:
        """The number of prices that a level may ask for in one run."""
        cost = count(self.graph, self.vertices()).multiplications
        return min(level.work // max(1, cost), 10 * self.size)

    def edges(self, level: Effort) -> str | None:
        """Search all eliminations of edges for a cheaper one: "edges" if it ends."""
        if not level.nodes or self.size > WHOLE:
            return None
        found, ended = fewest_in_parts(self.graph, self.order, level.nodes)
        self.offer("edges", found)
        return "edges" if ended else None

    def split_counts(self, level: Effort, seed: int) -> None:
        """Search sequences with split vertices by the plain count."""

        def price(sequence: Sequence, limit: int | None) -> int:
            return count(self.graph, sequence, limit).multiplications

        if self.size <= WHOLE:
            cost = price(self.vertices(), None)
            steps = min(level.clones, 250 * level.clones // max(1, cost))
            whole = 3 * (self._looked_at + cost)  # every step eliminates all vertices
            self._split(price, self.afford(steps, whole), seed)

    def split(self, level: Effort) -> None:
        """Search sequences with split vertices by the price itself."""
        if level.splits and self.size <= WHOLE:
            cost = count(self.graph, self.vertices()).multiplications
            self._split(
                self._price, min(level.splits, 4 * level.work // max(1, cost)), 0
            )

    def _split(self, price: Price, steps: int, seed: int) -> None:
        steps = min(steps, 400 * len(self.graph.edges))
        sequence, _ = anneal_splits(self.graph, self.order, price, steps, seed)
        self.offer("splits", sequence)
