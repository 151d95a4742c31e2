"""The choice of the code that is cheapest to run.

Every candidate (an order, a time for constants, quotients in one stage or two) is
priced by the operations of the code that would be emitted, dead code removed and shared
products counted once. The code of an order is made of its two best candidates, whether
the order is asked for or is one of many. So no order that can be asked for is cheaper
than the choice among all that are finished.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.accumulate import Task, linearise_task
from ad_transform.derive.accumulation.auto_orders import MEDIUM, PLAINEST, orders_of
from ad_transform.derive.accumulation.candidates import (
    LARGE,
    Candidates,
    Finished,
    Hasty,
    code,
)
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.factoring.sharing import LAST
from ad_transform.derive.progress import PLANNER, doing
from ad_transform.diagnostics import Refusal
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.order import ORDERS, SEARCHED, SEARCHES, runnable
from ad_transform.ir.build import Builder
from ad_transform.ir.count import Counts
from ad_transform.later import later
from ad_transform.options import HIGHEST, LEAST, Options, weights_of

with later():
    from ad_transform.derive.accumulation.search import improved, plainly_best

SHORT, SHORT_PRINTED = 50, 120
"""Operations of a draft up to which its order is finished, however dear it seems; those
of first derivatives, which are printed as they are, where no other draft has the same.
"""

NAMED = tuple(name for name in (*ORDERS, *SEARCHES) if name not in SEARCHED)
"""Orders that the highest effort finishes, on graphs that are not MEDIUM; searches that
may take seconds on ten edges run only if they are asked for.
"""

PATIENCE = 600
"""Statements of orders that are finished in a row without a gain, the plainest aside;
these are at most four orders, and of long code three, where one that is given up counts
half."""

# An order goes on to the next pass if its price is at most the best one times:
_NEAR = 1.2  # as drafted, of any order
_HOPELESS = 1.5  # as drafted, of PLAINEST: a pass gains more on some than on others
_FAR = 1.25  # as polished: then it is factored
_NEARLY = 1.01  # as polished, of the cheapest: of LARGE graphs the first such one
_LAST = frozenset(sharing.done for sharing in LAST)
_BEATEN = 1.1  # after one round of factoring: then there are more
_BEATEN_OF_FEW = 1.2  # the same where a few orders are named: each was chosen


def accumulate(builder: Builder, task: Task, options: Options) -> Outcome:
    """The cheapest code for a task, by the named order or by all of them (`auto`).

    Its `rivals` are the outcomes of the orders that were finished, none of them
    cheaper. The builder is not changed.
    """
    return compete(builder, task, options, ())


def compete(
    builder: Builder,
    task: Task,
    options: Options,
    names: Sequence[str],
    rival: Rival | None = None,
) -> Outcome:
    """The cheapest code among some orders only, if there are any in `names`.

    Beside a rival those are not finished that are hopeless; raises Dearer if all are.
    """
    if options.order == "auto" and options.cost == "fma" and not names:
        return plainly_best(_candidates(builder, task, options), options.effort)
    held = builder.memory.get(HELD) if rival is None and not names else None
    run = held.get(id(task)) if held is not None else None
    if run is None:
        run = _run(builder, task, options, names, rival)
        if held is not None:
            held[id(task)] = run
    race, best = run.race, run.best
    if options.order == "auto" and options.effort >= 2 and not names:
        race.candidates.work = run.work
        found = [best, improved(race.candidates, race.winning, best, options.effort)]
        if run.task.printed and options.effort == HIGHEST:
            found += race.each(NAMED).values()
        best = min(found, key=lambda outcome: outcome.rank)
    if run.task.printed and best is run.best:
        best = race.settled(best)
    rivals = {name: race.finished(name) for name in race.done}
    return replace(best, rivals=rivals)


def each(
    builder: Builder, task: Task, options: Options, names: Sequence[str]
) -> dict[str, Outcome]:
    """The code that is printed for each of some orders, see `Race.each`."""
    held = builder.memory.get(HELD, {}).get(id(task))
    race = held.race if held else Race(_candidates(builder, task, options))
    return race.each(names)


@dataclass(frozen=True, slots=True)
class Rival:
    """An outcome that orders are to beat. They are hopeless if their drafts cost more
    than so many operations and so many times the draft of this outcome.
    """

    outcome: Outcome
    operations: int = SHORT
    times: float = _HOPELESS

    def is_hopeless(self, drafted: int) -> bool:
        """Whether an order with a draft of this price would not be finished."""
        return drafted > max(self.operations, self.times * self.outcome.drafted)


DRAFTED = "what the orders of the last race cost as drafted"
"""The key in a builder's memory for these prices, by the names of the orders."""

HELD = "races that a search goes on from"
"""The key in a builder's memory for races, by the ids of their tasks, if the builder's
maker has put a dict there: more effort repeats the work of less effort."""


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """A race that is over, its winner, and the amount of its work."""

    task: Task  # as it was given: it lives as long as its id is a key
    race: Race
    best: Outcome
    work: int


def _run(
    builder: Builder,
    task: Task,
    options: Options,
    names: Sequence[str],
    rival: Rival | None,
) -> _Run:
    beaten = _BEATEN_OF_FEW if names else _BEATEN
    race = Race(_candidates(builder, task, options), beaten)
    linear = race.candidates.first.linear
    orders = (
        runnable(names, linear.graph) if names else orders_of(linear, task, options)
    )
    for name in orders:
        race.enter(name)
    drafted = race.drafted()
    builder.memory[DRAFTED] = drafted
    if rival:
        race.leave_out(n for n, price in drafted.items() if rival.is_hopeless(price))
        if not race.candidates.drafts:
            raise Dearer
    return _Run(task, race, race.winner(), race.candidates.work)


def _candidates(builder: Builder, task: Task, options: Options) -> Candidates:
    task = replace(task, weights=weights_of(options.cost))
    linear = linearise_task(builder, task, staged=False)
    made = Hasty if options.effort == LEAST else Candidates
    return made(builder, task, linear)


class Race:
    """The orders of one task, in a race against each other."""

    def __init__(self, candidates: Candidates, beaten: float = _BEATEN) -> None:
        self.candidates = candidates
        self.done: dict[str, tuple[int, ...]] = {}  # finished orders: their drafts
        self.winning = candidates.first
        self.short: set[str] = set()  # orders that are finished in any case
        self.beaten = beaten
        self._finished: dict[tuple[int, ...], Finished] = {}
        self._outcomes: dict[str, Outcome] = {}

    def enter(self, name: str) -> None:
        """Draft an order in the first variant."""
        doing(PLANNER, f"order {name}")
        self.candidates.draft(name, self.candidates.first)

    def drafted(self) -> dict[str, int]:
        """The prices of the orders in the first variant."""
        drafts = self.candidates.drafts.items()
        return {name: own[0][0].outcome.price for name, own in drafts}

    def leave_out(self, names: Iterable[str]) -> None:
        """Forget the drafts of some orders."""
        for name in names:
            del self.candidates.drafts[name]

    def winner(self) -> Outcome:
        """The cheapest outcome of the finished orders.

        Ties go to the one that was cheapest as polished, then to the first.
        """
        best: Finished | None = None
        idle = 0
        for name in self._candidates():
            sure = name in PLAINEST or name in self.short
            if idle >= PATIENCE and not sure:
                break
            known = len(self._finished)
            size = self.candidates.drafts[name][0][0].outcome.counts.total
            work = 0 if sure else min(max(PATIENCE // 4, size), PATIENCE // 3)
            limit = None if sure or best is None else self._limit(best)
            try:
                found = self._finish(name, limit)
            except Dearer:
                idle += work // 2 if size > PATIENCE // 4 else work
                continue
            idle += work * (len(self._finished) - known)
            if best is None or found.rank < best.rank:
                best, idle = found, 0
        assert best is not None
        return self._last(best)

    def _last(self, best: Finished) -> Outcome:
        """The cheapest outcome behind the last pass, of those of all finished orders;
        ties go to the one that was best before.
        """
        found = [(best, best.outcome.order)]
        found += [(self._finished[key], name) for name, key in self.done.items()]
        winner, name = min(found, key=lambda f: self.finished(f[1]).rank)
        self.winning = winner.variant
        return self.finished(name)

    def _limit(self, best: Finished) -> float:
        """The price after one round of factoring above which an order is given up.

        Where sharing has made the best one far cheaper, others are to be shared, too.
        """
        nearer = (1 + self.beaten) / 2
        return max(self.beaten * best.outcome.price, nearer * best.factored)

    def each(self, names: Sequence[str]) -> dict[str, Outcome]:
        """The code that is printed for each of some orders, except for those that the
        graph is too large for; of a MEDIUM graph for those of PLAINEST.
        """
        if len(self.candidates.first.linear.graph.edges) >= MEDIUM:
            names = [name for name in names if name in PLAINEST]
        for name in names:
            if name not in self.candidates.drafts:
                with suppress(Refusal):
                    self.enter(name)
        made = [name for name in names if name in self.candidates.drafts]
        return {name: self.finished(name) for name in made}

    def settled(self, best: Outcome) -> Outcome:
        """The outcome of the best rank that is nearest to a plain order; the best one
        where a search was run at last, without which others cost more.
        """
        if any(made.name in _LAST for made in best.passes):
            return best
        plain = [n for n in PLAINEST if n in self.done]
        tied = [n for n in plain if self.finished(n).rank == best.rank]
        for name in dict.fromkeys((*tied, best.order)):
            for found in self.candidates.settled(name, best.rank):
                if found.rank == best.rank:
                    return replace(found, order=name)
        return best

    def _candidates(self) -> list[str]:
        """The orders to finish: those that always are, then the promising ones by their
        price after polishing.

        An order whose draft has the same operations as an earlier one is left out.
        """
        first = {
            name: own[0][0].outcome for name, own in self.candidates.drafts.items()
        }
        least = min(outcome.price for outcome in first.values())
        most = SHORT_PRINTED if self.candidates.task.printed else SHORT
        chosen: list[str] = []
        seen: set[Counts] = set()
        for name, outcome in first.items():
            new = outcome.counts not in seen
            if outcome.counts.total <= (most if new else SHORT):
                self.short.add(name)
            near = new and outcome.price <= _NEAR * least
            plain = name in PLAINEST and outcome.price <= _HOPELESS * least
            if name in self.short or near or plain:
                chosen.append(name)
            seen.add(outcome.counts)
        prices = {name: self.candidates.polished_price(name) for name in chosen}
        if len(self.candidates.first.linear.graph.edges) >= LARGE:
            dear = _NEARLY * min(prices.values())
            return [name for name in chosen if prices[name] <= dear][:1]
        sure = [n for n in chosen if n in PLAINEST or n in self.short]
        others = sorted((n for n in chosen if n not in sure), key=lambda n: prices[n])
        far = _FAR * min(prices.values())
        return sure + [name for name in others if prices[name] <= far]

    def finished(self, name: str) -> Outcome:
        """The code that is printed for an order, whichever others there are."""
        if name not in self._outcomes:
            made = self._finish(name, None)
            outcome = self.candidates.done(made.draft, made.outcome)
            self._outcomes[name] = replace(outcome, order=name)
        return self._outcomes[name]

    def _finish(self, name: str, limit: float | None) -> Finished:
        """The same but for the last pass; raises Dearer if it is given up."""
        if name not in self.done:
            entries = self.candidates.promising(self.candidates.own(name))
            key = tuple(code(draft) for draft, _ in entries)
            if key not in self._finished:
                self._finished[key] = self.candidates.finish(entries, limit)
            self.done[name] = key
        made = self._finished[self.done[name]]
        return replace(made, outcome=replace(made.outcome, order=name))
