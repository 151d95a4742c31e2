"""The choice of the code that is cheapest to run.

Every candidate (an order, a time for constants, quotients in one stage or two) is
priced by the operations of the code that would be emitted, dead code removed and shared
products counted once; the best of the plainest orders and the most promising of the
others are then polished and priced again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ad_transform.derive.accumulate import Draft, Outcome, Task, linearise_task, perform
from ad_transform.derive.labels import Constants
from ad_transform.derive.linearise import Linearisation
from ad_transform.derive.progress import PLANNER, doing
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.order import ORDERS, runnable
from ad_transform.eliminate.replay import Dearer
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.ir.build import Builder
from ad_transform.options import Options, weights_of

MEDIUM = 600
"""Edges from which on only forward, reverse and Markowitz are priced."""

SMALL = 100
"""The same for gradients and products with a vector."""

LARGE = 4_000
"""Edges from which on the plain counts decide which one order is priced, with eager
constants and quotients in one stage."""

KERNEL = 40
"""Intermediate vertices up to which the plainly optimal order is priced, too, unless
there is one source or one target."""

HUGE = 40_000
"""Edges from which on nothing is searched, whatever the effort."""

PLAINEST = ("reverse", "forward", "markowitz-latest", "markowitz")
"""The orders that are always polished; ties go to the first."""

OTHERS = (
    "relative-markowitz-latest",
    "relative-markowitz",
    "min-edge-growth",
    "fewest-edges-first",
    "single-use-reverse",
    "single-use-forward",
    "closed-umbrellas-first",
    "copying-umbrellas-first",
    "greedy-edge",
)
"""The rest of the portfolio; planners that are slower come with more effort."""

_ABANDON = 4  # a candidate is dropped once it has built this many times the best
_POLISHED = 2  # so many variants of an order are polished
_HOPELESS = 1.5  # what is so many times as dear before a pass is not cheapest after it
_GAIN = 1.125  # what is so many times too dear is not made anew while searching
_PROMISING = 2  # so many other orders are polished, if within a tenth of the best


def accumulate(builder: Builder, task: Task, options: Options) -> Outcome:
    """The cheapest code for a task, by the named order or by all of them (`auto`).

    Never dearer than what one of PLAINEST alone would give, but on LARGE graphs. Ties
    go to the first candidate. The builder is not changed.
    """
    race = _Race(builder, replace(task, weights=weights_of(options.cost)))
    linear = linearise_task(builder, task, staged=False)
    names = _orders(linear, options)
    first = _Variant(linear, Constants.AT_ONCE)
    for name in names:
        race.enter(name, first)
    leaders = race.names_by_price()[:2]
    again = [name for name in names if name in PLAINEST or name in leaders]
    again = [name for name in again if race.hopeful(name)]
    for variant in _other_variants(builder, task, linear):
        for name in again:
            race.enter(name, variant)
    best = race.winner()
    if options.order == "auto" and options.effort >= 2:
        return race.improved(best, options.effort)
    return best


@dataclass(frozen=True, slots=True, eq=False)
class _Variant:
    """A graph, and when constants are multiplied in."""

    linear: Linearisation
    constants: Constants


class _Race:
    """The candidates of one task: the drafts of every order, cheapest first."""

    def __init__(self, builder: Builder, task: Task) -> None:
        self.builder = builder
        self.task = task
        self.drafts: dict[str, list[tuple[Draft, _Variant]]] = {}
        self._plans: dict[tuple[str, int], Steps] = {}
        self._drafted: dict[tuple[_Variant, Steps], Draft | None] = {}
        self._least = 0  # price
        self._shortest = 0  # operations
        self._winning: _Variant

    def enter(self, name: str, variant: _Variant) -> None:
        """Price a candidate, once for all names that give the same sequence."""
        doing(PLANNER, f"order {name}")
        key = variant, self._plan(name, variant.linear)
        if key not in self._drafted:
            self._drafted[key] = self._perform(*key, name)
        draft = self._drafted[key]
        if draft is None:
            return
        own = self.drafts.setdefault(name, [])
        own.append((draft, variant))
        own.sort(key=lambda d: d[0].outcome.rank)

    def _perform(self, variant: _Variant, sequence: Steps, name: str) -> Draft | None:
        room = _ABANDON * (self._shortest + 50) if self.drafts else None
        try:
            draft = perform(
                self.builder,
                self.task,
                variant.linear,
                sequence,
                constants=variant.constants,
                room=room,
            )
        except Dearer:
            return None
        price, total = draft.outcome.price, draft.outcome.counts.total
        self._least = min(self._least, price) if self.drafts else price
        self._shortest = min(self._shortest, total) if self.drafts else total
        return replace(draft, outcome=replace(draft.outcome, order=name))

    def _plan(self, name: str, linear: Linearisation) -> Steps:
        key = (name, id(linear))  # the graphs of a task outlive its race
        if key not in self._plans:
            self._plans[key] = ORDERS[name](linear.graph)
        return self._plans[key]

    def names_by_price(self) -> list[str]:
        """The orders from the cheapest to the dearest, before polishing."""
        return sorted(self.drafts, key=lambda n: self.drafts[n][0][0].outcome.rank)

    def winner(self) -> Outcome:
        """The cheapest outcome after polishing."""
        names = self.names_by_price()
        near = self._least + self._least // 10
        others = [
            name
            for name in names
            if name not in PLAINEST and self.drafts[name][0][0].outcome.price <= near
        ]
        chosen = [n for n in PLAINEST if n in self.drafts] + others[:_PROMISING]
        best: Outcome | None = None
        for polished, draft, variant in self._polished(chosen or names):
            if best and polished.price > _HOPELESS * best.price:
                break
            outcome = draft.shared(polished)
            if best is None or outcome.rank < best.rank:
                best, self._winning = outcome, variant
        assert best is not None
        return best

    def _polished(self, names: Sequence[str]) -> list[tuple[Outcome, Draft, _Variant]]:
        """The best of each order after polishing, without repetitions, cheapest first.

        No draft is polished twice, and none that is hopeless.
        """
        done: dict[int, tuple[Outcome, Draft, _Variant]] = {}
        best: dict[int, tuple[Outcome, Draft, _Variant]] = {}
        for name in names:
            if not self.hopeful(name):
                continue
            own = self.drafts[name][:_POLISHED]
            for draft, variant in own:
                if id(draft) not in done:
                    done[id(draft)] = draft.polished(), draft, variant
            first = min((done[id(d)] for d, _ in own), key=lambda entry: entry[0].rank)
            best[id(first)] = first
        return sorted(best.values(), key=lambda entry: entry[0].rank)

    def hopeful(self, name: str) -> bool:
        """Whether the drafts of an order are not much dearer than the cheapest."""
        limit = _HOPELESS * self._least
        own = self.drafts.get(name, ())
        return any(draft.outcome.price <= limit for draft, _ in own)

    def improved(self, best: Outcome, effort: int) -> Outcome:
        """The best that annealing and exact search find from the winner's variant."""
        variant = self._winning
        if len(variant.linear.graph.edges) >= HUGE:
            return best
        from ad_transform.eliminate.effort import optimise  # noqa: PLC0415  slow

        found = [best]
        doing(PLANNER, f"search for orders at effort {effort}")

        def price(sequence: Steps, limit: int | None) -> int:
            draft = self._perform(variant, sequence, f"effort {effort}")
            if draft is None:
                raise Dearer
            outcome = draft.polished()
            if limit is not None and outcome.price > _GAIN * limit:
                raise Dearer
            outcome = draft.shared(outcome)
            if outcome.rank < found[0].rank:
                found[0] = outcome
            return outcome.price

        optimise(variant.linear.graph, price, effort)
        return found[0]


def _orders(linear: Linearisation, options: Options) -> Sequence[str]:
    if options.order != "auto":
        return (options.order,)
    edges = len(linear.graph.edges)
    if edges >= LARGE:
        return (_for_large(linear),)
    if options.effort == 0:
        return PLAINEST[:2]
    if options.cost == "fma":
        names = runnable(PLAINEST + OTHERS, linear.graph)
        return (_plainly_cheapest(linear, names),)
    ends = min(len(linear.graph.independents), len(linear.graph.dependents))
    if edges >= MEDIUM or (edges >= SMALL and ends == 1):
        return PLAINEST
    kernel = ends > 1 and len(linear.graph.intermediates()) <= KERNEL
    exact = ("exact",) if kernel else ()
    return runnable(PLAINEST + OTHERS + exact, linear.graph)


def _for_large(linear: Linearisation) -> str:
    """The order with the fewest multiplications in the plain model.

    With one target no order beats reverse by much, with one source none forward.
    """
    if len(linear.graph.dependents) <= 1:
        return "reverse"
    if len(linear.graph.independents) == 1:
        return "forward"
    return _plainly_cheapest(linear, PLAINEST)


def _plainly_cheapest(linear: Linearisation, names: Sequence[str]) -> str:
    best, fewest = names[0], None
    for name in names:
        try:
            steps = ORDERS[name](linear.graph, fewest)
            total = count(linear.graph, steps, fewest).multiplications
        except Dearer:
            continue
        if fewest is None or total < fewest:
            best, fewest = name, total
    return best


def _other_variants(
    builder: Builder, task: Task, linear: Linearisation
) -> Iterator[_Variant]:
    """The variants beside the first: constants at once, quotients in one stage."""
    if len(linear.graph.edges) >= LARGE:
        return
    yield _Variant(linear, Constants.LAST)
    yield _Variant(linear, Constants.AT_FORKS)
    staged = linearise_task(builder, task, staged=True)
    if staged.graph.size != linear.graph.size:
        for constants in Constants:
            yield _Variant(staged, constants)
