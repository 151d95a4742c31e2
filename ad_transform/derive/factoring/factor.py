"""The pass after accumulation: sums and products are factored in turn.

The first round looks at sums alone, which costs little: drafts are compared behind it.
Then products are extracted and sums looked at again, until nothing is gained. The
winner is made once more, with as much of the first round left as costs nothing, so that
a small edit of the source changes little of the output.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.accumulation.shapes import same_text
from ad_transform.derive.factoring.extract import LONG, extracted
from ad_transform.derive.factoring.known import once
from ad_transform.derive.factoring.polish import polish
from ad_transform.derive.factoring.powers import Versions, with_powers
from ad_transform.derive.factoring.sharing import LAST, PRODUCTS, REMADE, SIGNS, Sharing
from ad_transform.derive.factoring.twins import Body, counter
from ad_transform.derive.factoring.ways import Ways, quotients, reciprocals
from ad_transform.eliminate.algebra import Dearer
from ad_transform.ir.build import Builder

FACTORED = 50_000
"""Statements up to which sums and products are factored."""

LONGEST = 20_000
"""Statements up to which products are shared in a round as they stand."""

_LEAST = 1 / 50
"""The part of its price that long code has to gain by sharing to be factored again."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Accumulated code before it is factored, and the passes that share operands of it.

    It is `indifferent` to the time for constants if none has been multiplied in. `ways`
    are those of `cover`, but where divisions are dear; `powers` gives the versions that
    are tried of powers.
    """

    builder: Builder
    primal: int
    outcome: Outcome
    shares: tuple[Sharing, ...] = ()
    indifferent: bool = False
    ways: Ways = quotients
    powers: Versions = with_powers

    def polished(self) -> Outcome:
        """The outcome with its sums factored, or as it is if it is very long."""
        return self._polished(self.outcome)

    def factored(self, polished: Outcome, limit: float | None = None) -> Outcome:
        """A polished outcome after as many further rounds as gain something. Long code
        has one round: a second one takes as much time again and hardly gains.

        Raises Dearer where the price is above the limit after the first one.
        """
        if len(polished.body) >= FACTORED:
            return polished
        best, round_of = polished, self._once(polished, "round", self._round(set()))
        while (better := round_of(best)).rank < best.rank:
            best = better
            if limit is not None and best.price > limit:
                raise Dearer
            if len(best.body) >= LONG:
                return best
        return best

    def shared(self, factored: Outcome) -> Outcome:
        """A factored outcome with common operands shared and factored again, as long as
        that gains; long code as long as it can be factored again.
        """
        best, sharing_of = factored, self._once(factored, "sharing", self._shared)
        while (better := sharing_of(best)).rank < best.rank:
            if not _is_worth_more(best, better):
                return better
            best = self.factored(better)
            if best is better and len(best.body) >= LONG:
                return best
        return best

    def signed(self, shared: Outcome) -> Outcome:
        """A shared outcome with the signs that cost least, and with what these make
        possible, as long as something is gained.
        """
        if SIGNS not in self.shares:
            return shared
        best, signed = shared, self._once(shared, "signs", self._signed)
        while (better := signed(best)).rank < best.rank:
            if not _is_worth_more(best, better):
                return better
            best = self.shared(better)
        return best

    def remade(self, signed: Outcome) -> Outcome:
        """A signed outcome with values made of others that are there, and with what
        that makes possible, as long as something is gained.
        """
        if REMADE not in self.shares:
            return signed
        best, remade = signed, self._once(signed, "remade", self._remade)
        while (better := remade(best)).rank < best.rank:
            best = self.signed(self.shared(better))
        return best

    def done(self) -> Outcome:
        """The outcome after all passes."""
        factored = self.factored(self.polished())
        return self.remade(self.signed(self.shared(factored)))

    def _once(
        self, outcome: Outcome, name: str, make: Callable[[Outcome], Outcome]
    ) -> Callable[[Outcome], Outcome]:
        """A pass over this draft, run once for all code that is alike."""
        weights = tuple(outcome.weights.items())
        task = name, self.primal, self.shares, self.ways, self.powers, weights
        return once(self.builder.memory, task, make)

    def _round(self, seen: set[object]) -> Callable[[Outcome], Outcome]:
        """The pass that gives the cheapest outcome of a round."""
        return lambda before: min(self._rounds(before, (), seen), key=_rank)

    def settled(self, polished: Outcome) -> Outcome:
        """The outcome after `factored` and `shared`, with as many values made as in the
        polished outcome as cost nothing.
        """
        older = polished.body
        kept = counter(older)

        def rank(outcome: Outcome) -> tuple[int, ...]:
            return *outcome.rank, -kept(outcome.body)

        best, seen = polished, set[object]()
        while True:
            better = min(self._rounds(best, older, seen), key=rank)
            if rank(better) >= rank(best):
                better = self._shared(best)
            if rank(better) >= rank(best):
                return best
            best = better

    def _shared(self, before: Outcome) -> Outcome:
        """The outcome with common operands shared in the first way that gains; long
        code in all ways, one after the other.
        """
        best = before
        for sharing in self.shares:
            if sharing in LAST:
                continue
            after = self._made(sharing, best)
            if after.rank < best.rank:
                best = after
                if len(before.body) < LONG:
                    break
        return best

    def _signed(self, before: Outcome) -> Outcome:
        """The outcome with the signs that cost least."""
        after = self._made(SIGNS, before)
        return after if after.rank < before.rank else before

    def _remade(self, before: Outcome) -> Outcome:
        """The outcome with values made of others, if that is cheaper."""
        after = self._made(REMADE, before)
        return after if after.rank < before.rank else before

    def _made(self, sharing: Sharing, before: Outcome) -> Outcome:
        """The outcome behind one way of sharing, which may leave it as it is."""
        body, results = sharing.share(
            self.builder, before.body, before.results, self.primal
        )
        if body is before.body and results == before.results:  # mostly
            return before
        return before.after(sharing.done, body, results)

    def _rounds(self, before: Outcome, older: Body, seen: set[object]) -> list[Outcome]:
        """The outcome, and outcomes with products extracted in all ways, with and
        without sums after; of long code, which has one round, with products shared as
        they stand, too. Code that was `seen` in this round or one before is left out.
        """
        found = [before]
        if PRODUCTS in self.shares and LONG <= len(before.body) < LONGEST:
            found.append(self._made(PRODUCTS, before))
        dear = before.weights["div"] > before.weights["mul"]
        for ways in (self.ways, reciprocals) if dear else (self.ways,):
            for after in self._extracted(before, ways, older):
                if len(after.body) < LONG:
                    own = same_text(after.body, after.results)
                    if own in seen:
                        continue
                    seen.add(own)
                found += (after, self._polished(after))
        return found

    def _extracted(self, before: Outcome, ways: Ways, older: Body) -> Iterator[Outcome]:
        """The outcome with products extracted in several versions; of a long one the
        first, if that gains something.
        """
        task = self.builder, before.body, before.results, self.primal
        for body, results in extracted(*task, ways, older):
            after = before.after("factor products", body, results)
            is_long = len(before.body) >= LONG
            if not is_long or after.rank < before.rank:
                yield after
            if is_long:
                return

    def _polished(self, rough: Outcome) -> Outcome:
        if len(rough.body) >= FACTORED:
            return rough
        code = self.builder, rough.body, rough.results, self.primal
        versions = (polish(code[0], *v, code[3]) for v in self.powers(*code))
        done = min((rough.after("factor sums", *v) for v in versions), key=_rank)
        # sums are factored for fewer operations, whatever these cost
        return rough if rough.price < done.price else done


def _is_worth_more(before: Outcome, after: Outcome) -> bool:
    """Whether a pass gained enough for others to follow it; always for short code."""
    gained = before.price - after.price
    return len(after.body) < LONG or gained >= _LEAST * before.price


def _rank(outcome: Outcome) -> tuple[int, int]:
    return outcome.rank
