"""Candidates of one task: their code in all stages; equal work is done once.

A candidate is an order in a variant: a graph, with quotients in one stage or two, and a
time for constants. It is drafted, polished (its sums are factored) and then factored as
long as that gains; all of it is remembered. The finished code of an order does not
depend on the other orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.accumulate import Task, linearise_task, perform
from ad_transform.derive.accumulation.labels import Constants
from ad_transform.derive.accumulation.linearise import Linearisation
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.accumulation.shapes import same_text, shape
from ad_transform.derive.factoring.factor import Draft
from ad_transform.diagnostics import Refusal
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.order import asked_for, pairs_asked_for
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.ir.build import Builder
from ad_transform.ir.count import Counts
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Statement

LARGE = 4_000
"""Edges from which on the plain counts decide which one order is priced, with eager
constants and quotients in one stage."""

LONG = 250
"""Statements from which on only the cheapest draft of an order goes on after polishing,
and is not settled."""

BOTH = 100
"""Statements up to which code with powers is made with and without what is known of
these: it takes twice the time."""

LONGEST = 2_000
"""Statements from which on drafts are not looked through for those that are alike."""

ABANDON = 4
"""A candidate is dropped once it has built this many times the best."""

_ROUNDS = 4  # work of further rounds of factoring, where polishing is 1
_POLISHED = 2  # variants of an order that are polished: the cheapest drafts
_CLOSE = (
    1.25  # the first variant goes on beside a better one up to so many times its price
)


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A graph, and the time at which constants are multiplied in."""

    linear: Linearisation
    constants: Constants


Entry = tuple[Draft, Variant]


@dataclass(frozen=True, slots=True)
class Finished:
    """An outcome after all passes but the last one, its rank as polished, its price
    before values are shared, its draft and its variant.
    """

    outcome: Outcome
    before: tuple[int, int]
    factored: int
    draft: Draft
    variant: Variant

    @property
    def rank(self) -> tuple[int, ...]:
        """The key by which finished outcomes are compared."""
        return *self.outcome.rank, *self.before


class Candidates:
    """The drafts of every order, cheapest first, and their later stages."""

    def __init__(self, builder: Builder, task: Task, linear: Linearisation) -> None:
        self.builder = builder
        self.task = task
        self.first = Variant(linear, Constants.AT_ONCE)
        self.drafts: dict[str, list[Entry]] = {}
        self.work = 0
        self._plans: dict[tuple[str, int], Steps | None] = {}
        self._sequences: dict[Steps, Steps] = {}  # the first of equal ones
        self._drafted: dict[tuple[Variant, int], Draft | None] = {}  # by sequence
        self._indifferent: dict[tuple[int, int], Draft] = {}  # by graph and sequence
        self._alike: dict[object, Draft] = {}
        self._counted: dict[Counts, Draft] = {}  # the first with such counts
        self._shaped: set[Counts] = set()  # whose first draft is in `_alike`
        self._polished: dict[int, Outcome] = {}
        self._factored: dict[object, Outcome] = {}
        self._without_powers: dict[int, Outcome] = {}
        self._shared: dict[int, tuple[Outcome, Outcome]] = {}
        self._signed: dict[int, tuple[Outcome, Outcome]] = {}
        self._remade: dict[int, tuple[Outcome, Outcome]] = {}
        self._shared_alike: dict[object, tuple[Outcome, Outcome]] = {}
        self._beaten: dict[object, float] = {}  # limits that were passed
        self._complete: set[str] = set()  # orders that were drafted in all variants

    @cached_property
    def others(self) -> tuple[Variant, ...]:
        """The variants beside the first one."""
        return tuple(_other_variants(self.builder, self.task, self.first.linear))

    @cached_property
    def _forgetful(self) -> Builder:
        return self.builder.without_powers()

    def draft(self, name: str, variant: Variant) -> None:
        """Draft a candidate, once for all names that give the same sequence."""
        plan = self._plan(name, variant.linear)
        if plan is None:
            return
        key = variant, id(plan)
        if key not in self._drafted:
            self._drafted[key] = self._performed(variant, plan, name)
        draft = self._drafted[key]
        if draft is None:
            return
        own = self.drafts.setdefault(name, [])
        own.append((draft, variant))
        own.sort(key=lambda d: d[0].outcome.rank)

    def plans(self, linear: Linearisation) -> dict[str, Steps]:
        """The sequences of the planners for a graph so far."""
        own = id(linear)
        return {name: p for (name, of), p in self._plans.items() if of == own and p}

    def again(self, variant: Variant, sequence: Steps, room: int) -> Draft | None:
        """The draft of a sequence, which may be the plan of an order; None where more
        than `room` statements are built.
        """
        first = self._sequences.get(sequence, sequence)
        known = self._drafted.get((variant, id(first)))
        return known or self.perform(variant, sequence, room)

    def _performed(self, variant: Variant, plan: Steps, name: str) -> Draft | None:
        """The draft of a plan; that of another variant if both are the same."""
        known = self._indifferent.get((id(variant.linear), id(plan)))
        if known is None:
            return self.perform(variant, plan, self._room(name))
        self._count(variant, known)
        return known

    def _room(self, name: str) -> int | None:
        """The number of statements that a candidate may build, by the order's own
        drafts or, before there are any, by those of all orders.
        """
        drafts = self.drafts.get(name) or [
            e for own in self.drafts.values() for e in own
        ]
        if not drafts:
            return None
        return ABANDON * (min(d.outcome.counts.total for d, _ in drafts) + 50)

    def perform(
        self, variant: Variant, sequence: Steps, room: int | None
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
        self._count(variant, draft)
        same = self._same(draft)
        if draft.indifferent:
            sequence = self._once(sequence)
            self._indifferent[id(variant.linear), id(sequence)] = same
        return same

    def _count(self, variant: Variant, draft: Draft) -> None:
        self.work += len(variant.linear.graph.edges) + len(draft.outcome.body)

    def _same(self, draft: Draft) -> Draft:
        """The draft, with the body of an earlier draft that is alike."""
        if len(draft.outcome.body) >= LONGEST:
            return draft
        counts = draft.outcome.counts
        first = self._counted.setdefault(counts, draft)
        if first is draft:  # nothing before has as many operations
            return draft
        if counts not in self._shaped:
            self._shaped.add(counts)
            self._alike.setdefault(_shape(first.outcome), first)
        known = self._alike.setdefault(_shape(draft.outcome), draft)
        return replace(known, outcome=_by(draft, known.outcome))

    def _plan(self, name: str, linear: Linearisation) -> Steps | None:
        key = (name, id(linear))  # the graphs of a task outlive its race
        if key not in self._plans:
            plan = self._planned(name, linear)
            self._plans[key] = None if plan is None else self._once(plan)
        return self._plans[key]

    def _once(self, plan: Steps) -> Steps:
        """The first of equal sequences: it is known by its identity."""
        return self._sequences.setdefault(plan, plan)

    def _planned(self, name: str, linear: Linearisation) -> Steps | None:
        """The sequence; None if only the first variant is small enough for it."""
        if self.task.drawn is not None:
            return pairs_asked_for(name, linear.graph)
        try:
            return asked_for(name, linear.graph)
        except Refusal:
            if linear is self.first.linear:
                raise
            return None

    def polished_price(self, name: str) -> int:
        own = self.own(name)[:_POLISHED]
        return min(self.polish(draft).price for draft, _ in own)

    def own(self, name: str) -> list[Entry]:
        """The drafts of an order in all variants, cheapest first."""
        if name not in self._complete:
            for variant in self.others:
                self.draft(name, variant)
            self._complete.add(name)
        return self.drafts[name]

    def promising(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """The draft that is cheapest after polishing; and that of the first variant, if
        it is close and not LONG.
        """
        best = min(entries[:_POLISHED], key=lambda e: self.polish(e[0]).rank)
        if len(best[0].outcome.body) >= LONG:
            return (best,)
        first = next(e for e in entries if e[1] is self.first)
        close = _CLOSE * self.polish(best[0]).price
        return (best, first) if self.polish(first[0]).price <= close else (best,)

    def finish(self, entries: Sequence[Entry], limit: float | None) -> Finished:
        """The cheapest of drafts; signs are searched of that alone."""
        made = [self._made(entry, limit) for entry in entries]
        best = min(made, key=lambda m: m.rank)
        return replace(best, outcome=self.sign(best.draft, best.outcome))

    def settled(self, name: str, best: tuple[int, int]) -> Iterator[Outcome]:
        """The code of an order, left as it is as far as that costs nothing; the first
        variant comes first. Polished code of the `best` rank stays as it is.
        """
        entries = self.promising(self.own(name))
        for draft, _ in sorted(entries, key=lambda e: e[1] is not self.first):
            polished = self.polish(draft)
            if len(polished.body) < LONG:
                is_best = polished.rank == best
                yield _by(draft, polished if is_best else draft.settled(polished))

    def _made(self, entry: Entry, limit: float | None) -> Finished:
        draft, variant = entry
        outcome = self.polish(draft)
        factored = self.factor(draft, outcome, limit)
        done = self.share(draft, factored)
        return Finished(done, outcome.rank, factored.price, draft, variant)

    def polish(self, draft: Draft) -> Outcome:
        key = code(draft)
        if key not in self._polished:
            self.work += len(draft.outcome.body)
            self._polished[key] = draft.polished()
        return _by(draft, self._polished[key])

    def factor(self, draft: Draft, outcome: Outcome, limit: float | None) -> Outcome:
        """A polished outcome after all rounds of factoring; once for all alike.

        Raises Dearer as `Draft.factored` does.
        """
        key = _shape(outcome)
        done = self._factored.get(key)
        if done is None:
            if limit is not None and limit <= self._beaten.get(key, 0.0):
                raise Dearer
            self.work += _ROUNDS * len(outcome.body)
            try:
                done = self._factored[key] = draft.factored(outcome, limit)
            except Dearer:
                assert limit is not None
                self._beaten[key] = limit
                raise
        return _by(draft, done)

    def share(self, draft: Draft, outcome: Outcome) -> Outcome:
        """A factored outcome with common summands shared; once for all alike."""
        key = id(outcome.body)
        if key not in self._shared:
            self.work += len(outcome.body)
            self._shared[key] = outcome, self._shared_once(draft, outcome)
        return _by(draft, self._shared[key][1])

    def sign(self, draft: Draft, outcome: Outcome) -> Outcome:
        """A shared outcome with the signs that cost least, once for all alike."""
        key = id(outcome.body)
        if key not in self._signed:
            self._signed[key] = outcome, draft.signed(outcome)
        return _by(draft, self._signed[key][1])

    def remake(self, draft: Draft, outcome: Outcome) -> Outcome:
        """A signed outcome with values made of others, once for all alike."""
        key = id(outcome.body)
        if key not in self._remade:
            self._remade[key] = outcome, draft.remade(outcome)
        return _by(draft, self._remade[key][1])

    def done(self, draft: Draft, outcome: Outcome) -> Outcome:
        """A signed outcome remade, or that of passes which do not know that powers are
        not 0, if that is cheaper: what cancels cannot be shared.
        """
        remade, body = self.remake(draft, outcome), draft.outcome.body
        if len(body) >= BOTH or not any(map(_is_power, body)):
            return remade
        key = code(draft)
        if key not in self._without_powers:
            plain = replace(draft, builder=self._forgetful)
            self._without_powers[key] = plain.done()
        other = _by(draft, self._without_powers[key])
        return other if other.rank < remade.rank else remade

    def _shared_once(self, draft: Draft, outcome: Outcome) -> Outcome:
        """A factored outcome with common summands shared; once for equal texts."""
        if len(outcome.body) >= LONGEST:
            return draft.shared(outcome)
        key = same_text(outcome.body, outcome.results)
        if key not in self._shared_alike:
            self._shared_alike[key] = outcome, draft.shared(outcome)
        before, after = self._shared_alike[key]
        later = after.passes[len(before.passes) :]
        return replace(after, passes=(*outcome.passes, *later))


class Hasty(Candidates):
    """Drafts of one variant, which are polished and not factored."""

    @property
    def others(self) -> tuple[Variant, ...]:
        """No other variants."""
        return ()

    def settled(self, name: str, best: tuple[int, int]) -> Iterator[Outcome]:
        """Nothing: there are no factors to leave."""
        return iter(())

    def factor(self, draft: Draft, outcome: Outcome, limit: float | None) -> Outcome:
        """The outcome as it is."""
        return outcome

    def share(self, draft: Draft, outcome: Outcome) -> Outcome:
        """The outcome as it is."""
        return outcome

    def sign(self, draft: Draft, outcome: Outcome) -> Outcome:
        """The outcome as it is."""
        return outcome

    def done(self, draft: Draft, outcome: Outcome) -> Outcome:
        """The outcome as it is."""
        return outcome


def code(draft: Draft) -> int:
    """A number, the same for drafts whose code is alike."""
    return id(draft.outcome.body)


def _is_power(statement: Statement) -> bool:
    return type(statement) is Apply and statement.op.form is Form.POWER


def _shape(outcome: Outcome) -> object:
    return shape(outcome.body, outcome.results)


def _by(draft: Draft, outcome: Outcome) -> Outcome:
    """An outcome with the history of a draft whose code is alike."""
    if outcome.trails is draft.outcome.trails:
        return outcome
    return replace(outcome, trails=draft.outcome.trails)


def _other_variants(
    builder: Builder, task: Task, linear: Linearisation
) -> Iterator[Variant]:
    """The variants beside the first: constants at once, quotients in one stage."""
    if len(linear.graph.edges) >= LARGE:
        return
    yield Variant(linear, Constants.LAST)
    yield Variant(linear, Constants.AT_FORKS)
    staged = linearise_task(builder, task, staged=True)
    if staged.graph.size != linear.graph.size:
        for constants in Constants:
            yield Variant(staged, constants)
