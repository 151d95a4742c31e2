"""The choice of the code that is cheapest to run.

Every candidate (an order, a time for constants, quotients in one stage or two) is
priced by the operations of the code that would be emitted, dead code removed and shared
products counted once. What is printed for an order is made of its two best candidates,
in the same way whether the order is asked for or one of many: so the cheapest of all
orders that are finished is the cheapest of all that can be asked for among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from ad_transform.derive.accumulate import (
    SHARED,
    Draft,
    Outcome,
    Task,
    linearise_task,
    perform,
)
from ad_transform.derive.labels import Constants
from ad_transform.derive.linearise import Linearisation
from ad_transform.derive.progress import PLANNER, doing
from ad_transform.derive.shapes import shape
from ad_transform.diagnostics import Refusal
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.order import ORDERS, asked_for, runnable
from ad_transform.eliminate.replay import Dearer
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.ir.build import Builder
from ad_transform.ir.count import Counts
from ad_transform.options import Options, weights_of

MEDIUM = 600
"""Edges from which on only forward, reverse and Markowitz are priced."""

SMALL = 100
"""The same for gradients and products with a vector."""

LARGE = 4_000
"""Edges from which on the plain counts decide which one order is priced, with eager
constants and quotients in one stage."""

KERNEL = 40
"""Intermediate vertices up to which the plainly optimal order is priced, too."""

HUGE = 40_000
"""Edges from which on nothing is searched, whatever the effort."""

PLAINEST = ("reverse", "forward", "markowitz-latest", "markowitz")
"""The orders that are finished first; ties go to the first."""

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
    "level-chains",
    "forward-factorisation",
    "backward-factorisation",
)
"""The rest of the portfolio; planners that are slower come with more effort."""

SHORT = 25
"""Operations of a draft up to which its order is finished, however dear it seems."""

PATIENCE = 600
"""Statements of orders that are finished in a row without a gain, the plainest aside;
these are at most four orders."""

LONG = 250
"""Statements from which on only the cheapest draft of an order goes on after polishing.
"""

HOPE = 10
"""A search ends after so many times the work of all orders together without a gain.
Work is counted in statements that are drafted, polished or made anew."""

_REMADE = 4  # what it takes to make products anew, if polishing takes one
_ABANDON = 4  # a candidate is dropped once it has built this many times the best
_POLISHED = 2  # so many variants of an order are polished
_HOPELESS = 1.5  # what is so many times as dear before a pass is not cheapest after it
_GAIN = 1.125  # what is so many times too dear is not made anew while searching
_NEAR = 1.125  # what is so many times as dear at first is the cheapest now and then
_BEATEN = 1.1  # what is so many times as dear after a pass is given up
_CLOSE = 1.25  # what is so many times as dear after polishing is made anew, too
_FAR = 1.2  # what is so many times as dear after polishing is not made anew


def accumulate(builder: Builder, task: Task, options: Options) -> Outcome:
    """The cheapest code for a task, by the named order or by all of them (`auto`).

    Its `rivals` are what the orders give that were finished, itself not dearer than any
    of them. The builder is not changed.
    """
    return compete(builder, task, options, ())


def compete(
    builder: Builder, task: Task, options: Options, names: Sequence[str]
) -> Outcome:
    """The same among some orders only, if there are any in `names`."""
    task = replace(task, weights=weights_of(options.cost))
    linear = linearise_task(builder, task, staged=False)
    race = _Race(builder, task, linear)
    if options.order == "auto" and options.cost == "fma" and not names:
        return race.plainly_best(options.effort)
    for name in runnable(names, linear.graph) if names else _orders(linear, options):
        race.enter(name)
    best = race.winner()
    if options.order == "auto" and options.effort >= 2 and not names:
        best = race.improved(best, options.effort)
    rivals = {name: race.finished(name) for name in race.done}
    return replace(best, rivals=rivals)


@dataclass(frozen=True, slots=True, eq=False)
class _Variant:
    """A graph, and when constants are multiplied in."""

    linear: Linearisation
    constants: Constants


_Entry = tuple[Draft, _Variant]


@dataclass(frozen=True, slots=True)
class _Finished:
    """An outcome after all passes, its rank before the last one, and its variant."""

    outcome: Outcome
    before: tuple[int, int]
    variant: _Variant

    @property
    def rank(self) -> tuple[int, ...]:
        """What finished outcomes are compared by."""
        return *self.outcome.rank, *self.before


class _NoHope(Exception):
    """Raised where a search ends that finds nothing."""


class _Race:
    """The candidates of one task: the drafts of every order, cheapest first."""

    def __init__(self, builder: Builder, task: Task, linear: Linearisation) -> None:
        self.builder = builder
        self.task = task
        self.first = _Variant(linear, Constants.AT_ONCE)
        self.drafts: dict[str, list[_Entry]] = {}
        self.done: dict[str, tuple[int, ...]] = {}  # finished orders: their drafts
        self._plans: dict[tuple[str, int], Steps | None] = {}
        self._drafted: dict[tuple[_Variant, Steps], Draft | None] = {}
        self._alike: dict[object, Draft] = {}
        self._polished: dict[int, Outcome] = {}
        self._shared: dict[object, Outcome] = {}
        self._beaten: dict[object, float] = {}  # limits that were not kept
        self._finished: dict[tuple[int, ...], _Finished] = {}
        self._complete: set[str] = set()  # orders that were drafted in all variants
        self._winning = self.first
        self._work = 0

    @cached_property
    def others(self) -> tuple[_Variant, ...]:
        """The variants beside the first one."""
        return tuple(_other_variants(self.builder, self.task, self.first.linear))

    def enter(self, name: str) -> None:
        """Draft an order in the first variant."""
        doing(PLANNER, f"order {name}")
        self._draft(name, self.first)

    def _draft(self, name: str, variant: _Variant) -> None:
        """Draft a candidate, once for all names that give the same sequence."""
        plan = self._plan(name, variant.linear)
        if plan is None:
            return
        key = variant, plan
        if key not in self._drafted:
            self._drafted[key] = self._perform(*key, self._room(name))
        draft = self._drafted[key]
        if draft is None:
            return
        own = self.drafts.setdefault(name, [])
        own.append((draft, variant))
        own.sort(key=lambda d: d[0].outcome.rank)

    def _room(self, name: str) -> int | None:
        """Statements that a candidate may build: the order's own first draft tells, or
        those of all others.
        """
        drafts = self.drafts.get(name) or [
            e for own in self.drafts.values() for e in own
        ]
        if not drafts:
            return None
        return _ABANDON * (min(d.outcome.counts.total for d, _ in drafts) + 50)

    def _perform(
        self, variant: _Variant, sequence: Steps, room: int | None
    ) -> Draft | None:
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
        self._work += len(draft.outcome.body)
        return self._same(draft)

    def _same(self, draft: Draft) -> Draft:
        """The draft, with the body of an earlier one if that is alike."""
        if len(draft.outcome.body) >= SHARED:
            return draft
        known = self._alike.setdefault(_shape(draft.outcome), draft)
        return replace(known, outcome=_by(draft, known.outcome))

    def _plan(self, name: str, linear: Linearisation) -> Steps | None:
        key = (name, id(linear))  # the graphs of a task outlive its race
        if key not in self._plans:
            self._plans[key] = self._planned(name, linear)
        return self._plans[key]

    def _planned(self, name: str, linear: Linearisation) -> Steps | None:
        """The sequence; None where only the first variant is small enough for it."""
        try:
            return asked_for(name, linear.graph)
        except Refusal:
            if linear is self.first.linear:
                raise
            return None

    def winner(self) -> Outcome:
        """The cheapest outcome of the finished orders.

        Ties go to what was cheapest before products were made anew, then to the first.
        """
        best: _Finished | None = None
        idle = 0
        for name in self._candidates():
            sure = name in PLAINEST or self._is_short(name)
            if idle >= PATIENCE and not sure:
                break
            known = len(self._finished)
            size = self.drafts[name][0][0].outcome.counts.total
            work = 0 if sure else max(PATIENCE // 4, size)
            limit = None if sure or best is None else _BEATEN * best.outcome.price
            try:
                outcome = self.finished(name, limit)
            except Dearer:
                idle += work
                continue
            found = replace(self._finished[self.done[name]], outcome=outcome)
            idle += work * (len(self._finished) - known)
            if best is None or found.rank < best.rank:
                best, idle = found, 0
        assert best is not None
        self._winning = best.variant
        return best.outcome

    def _candidates(self) -> list[str]:
        """The orders to finish: those that surely are, then the promising ones by their
        price after polishing.

        What has the same operations at first as one before is none of them.
        """
        first = {name: own[0][0].outcome for name, own in self.drafts.items()}
        least = min(outcome.price for outcome in first.values())
        chosen: list[str] = []
        seen: set[Counts] = set()
        for name, outcome in first.items():
            new = outcome.counts not in seen and outcome.price <= _NEAR * least
            short = outcome.counts.total <= SHORT
            if (
                short
                or new
                or (name in PLAINEST and outcome.price <= _HOPELESS * least)
            ):
                chosen.append(name)
            seen.add(outcome.counts)
        prices = {name: self._polished_price(name) for name in chosen}
        sure = [n for n in chosen if n in PLAINEST or self._is_short(n)]
        others = sorted((n for n in chosen if n not in sure), key=lambda n: prices[n])
        far = _FAR * min(prices.values())
        return sure + [name for name in others if prices[name] <= far]

    def _is_short(self, name: str) -> bool:
        """Whether an order is finished, however dear it seems."""
        return self.drafts[name][0][0].outcome.counts.total <= SHORT

    def _polished_price(self, name: str) -> int:
        own = self._own(name)[:_POLISHED]
        return min(self._polish(draft).price for draft, _ in own)

    def _own(self, name: str) -> list[_Entry]:
        """The drafts of an order in all variants, cheapest first."""
        if name not in self._complete:
            for variant in self.others:
                self._draft(name, variant)
            self._complete.add(name)
        return self.drafts[name]

    def finished(self, name: str, limit: float | None = None) -> Outcome:
        """What is printed for an order, whichever others there are.

        Raises Dearer if it is given up.
        """
        if name not in self.done:
            entries = self._promising(self._own(name))
            key = tuple(_code(draft) for draft, _ in entries)
            if key not in self._finished:
                self._finished[key] = self._finish(entries, limit)
            self.done[name] = key
        key = self.done[name]
        return replace(self._finished[key].outcome, order=name)

    def _promising(self, entries: Sequence[_Entry]) -> Sequence[_Entry]:
        """The draft that is cheapest after polishing, and that of the first variant if
        it is close and not LONG.
        """
        best = min(entries[:_POLISHED], key=lambda e: self._polish(e[0]).rank)
        if len(best[0].outcome.body) >= LONG:
            return (best,)
        first = next(e for e in entries if e[1] is self.first)
        close = _CLOSE * self._polish(best[0]).price
        return (best, first) if self._polish(first[0]).price <= close else (best,)

    def _finish(self, entries: Sequence[_Entry], limit: float | None) -> _Finished:
        """The cheapest of drafts after all passes."""
        return min((self._made(e, limit) for e in entries), key=lambda m: m.rank)

    def _made(self, entry: _Entry, limit: float | None) -> _Finished:
        draft, variant = entry
        outcome = self._polish(draft)
        return _Finished(self._share(draft, outcome, limit), outcome.rank, variant)

    def _polish(self, draft: Draft) -> Outcome:
        code = _code(draft)
        if code not in self._polished:
            self._work += len(draft.outcome.body)
            self._polished[code] = draft.polished()
        return _by(draft, self._polished[code])

    def _share(self, draft: Draft, outcome: Outcome, limit: float | None) -> Outcome:
        """A polished outcome with its products made anew, once for all that are alike.

        Raises Dearer as `Draft.shared` does.
        """
        if len(outcome.body) >= SHARED:
            return outcome
        key = _shape(outcome)
        if key not in self._shared:
            if limit is not None and limit <= self._beaten.get(key, 0.0):
                raise Dearer
            self._work += _REMADE * len(outcome.body)
            try:
                self._shared[key] = draft.shared(outcome, limit)
            except Dearer:
                assert limit is not None
                self._beaten[key] = limit
                raise
        return _by(draft, self._shared[key])

    def plainly_best(self, effort: int) -> Outcome:
        """What the sequence gives that is cheapest in the plain model."""
        from ad_transform.eliminate.effort import optimise_plain  # noqa: PLC0415  slow

        plan = optimise_plain(self.first.linear.graph, effort)
        own = [v for v in self.others if v.linear is self.first.linear]
        drafts = [
            (draft, variant)
            for variant in (self.first, *own)
            if (draft := self._perform(variant, plan.sequence, None))
        ]
        drafts.sort(key=lambda d: d[0].outcome.rank)
        made = self._finish(self._promising(drafts), None)
        return replace(made.outcome, order=plan.name)

    def improved(self, best: Outcome, effort: int) -> Outcome:
        """The best that annealing and exact search find from the winner's variant.

        The search goes on as long as there is hope: HOPE.
        """
        variant = self._winning
        if len(variant.linear.graph.edges) >= HUGE:
            return best
        from ad_transform.eliminate.effort import optimise  # noqa: PLC0415  slow

        found = [best]
        doing(PLANNER, f"search for orders at effort {effort}")
        room = _ABANDON * (best.counts.total + 50)
        hope = HOPE * self._work
        ends = [self._work + hope]

        def price(sequence: Steps, limit: int | None) -> int:
            if self._work > ends[0]:
                raise _NoHope
            draft = self._perform(variant, sequence, room)
            if draft is None:
                raise Dearer
            outcome = self._polish(draft)
            if limit is not None and outcome.price > _GAIN * limit:
                raise Dearer
            outcome = self._share(draft, outcome, None)
            if outcome.rank < found[0].rank:
                found[0] = replace(outcome, order=f"effort {effort}")
                ends[0] = self._work + hope
            return outcome.price

        with suppress(_NoHope):
            optimise(variant.linear.graph, price, effort)
        return found[0]


def _code(draft: Draft) -> int:
    """The same number for drafts whose code is alike."""
    return id(draft.outcome.body)


def _shape(outcome: Outcome) -> object:
    return shape(outcome.body, outcome.results)


def _by(draft: Draft, outcome: Outcome) -> Outcome:
    """An outcome as it came about by a draft whose code is alike."""
    return replace(outcome, trails=draft.outcome.trails)


def _orders(linear: Linearisation, options: Options) -> Sequence[str]:
    if options.order != "auto":
        return (options.order,)
    edges = len(linear.graph.edges)
    if edges >= LARGE:
        return (_for_large(linear),)
    if options.effort == 0:
        return PLAINEST[:2]
    ends = min(len(linear.graph.independents), len(linear.graph.dependents))
    if edges >= MEDIUM or (edges >= SMALL and ends == 1):
        return PLAINEST
    kernel = len(linear.graph.intermediates()) <= KERNEL
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
