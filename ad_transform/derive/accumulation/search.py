"""The search at higher effort: annealing and exact search, by the price of the code."""

from __future__ import annotations

from contextlib import suppress

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.candidates import ABANDON, Candidates, Variant
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.progress import PLANNER, doing
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.steps import Sequence
from ad_transform.ir.blocks.live import live
from ad_transform.ir.count import Counts
from ad_transform.later import later

with later():
    from ad_transform.eliminate.effort import optimise, optimise_plain

HUGE = 40_000
"""Edges from which on nothing is searched, whatever the effort."""

HOPE, MOST = 5_000, 28_000
"""A search ends after so much work without a gain as all orders together took, and as
much again, but at most HOPE; together it is at most MOST. Half of it is for code that
may lead to a gain, as it costs less before values are shared. Work is counted in edges
and statements that are drafted, polished or factored."""

LOOKED = 40
"""Edges that a search by counts looks at for one unit of work. All such searches get as
much work as those by the price, each a quarter of the rest."""

# A candidate may cost so many times as much as the best
_ROUGH, _FEW = 1.3, 16  # as drafted, and so many operations more: then it is polished
_GAIN = 1.125  # as polished: then it is factored


class _NoHope(Exception):
    """Raised where a search ends without a result."""


def plainly_best(candidates: Candidates, effort: int) -> Outcome:
    """The cheapest code of the sequence that is cheapest in the plain model."""
    plan = optimise_plain(candidates.first.linear.graph, effort)
    own = [v for v in candidates.others if v.linear is candidates.first.linear]
    drafts = [
        (draft, variant)
        for variant in (candidates.first, *own)
        if (draft := candidates.perform(variant, plan.sequence, None))
    ]
    drafts.sort(key=lambda d: d[0].outcome.rank)
    made = candidates.finish(candidates.promising(drafts), None)
    return replace(made.outcome, order=plan.name)


def improved(
    candidates: Candidates, variant: Variant, best: Outcome, effort: int
) -> Outcome:
    """The best code that annealing and exact search find from a variant.

    The search goes on as long as there is hope: HOPE.
    """
    if len(variant.linear.graph.edges) >= HUGE or _is_free(candidates, best):
        return best
    found = [best]
    met: list[tuple[int, int]] = []  # the least rank before summands are shared
    factored: dict[tuple[Counts, Counts], int] = {}  # prices, by counts before
    shared: set[Counts] = set()  # done, by counts before
    doing(PLANNER, f"search for orders at effort {effort}")
    room = ABANDON * (best.counts.total + 50)
    hope = min(candidates.work + min(candidates.work, HOPE), MOST)
    ends = [candidates.work + hope]
    left = [hope]

    def afford(steps: int, edges: int) -> int:
        allowed = min(steps, left[0] * LOOKED // (4 * edges))
        work = allowed * edges // LOOKED
        left[0] -= work
        ends[0] += work
        candidates.work += work
        return allowed

    def price(sequence: Sequence, limit: int | None) -> int:
        if candidates.work > ends[0]:
            raise _NoHope
        draft = candidates.again(variant, sequence, room)
        if draft is None:
            raise Dearer
        if limit is not None and draft.outcome.price > _ROUGH * limit + _FEW:
            raise Dearer
        outcome = candidates.polish(draft)
        if limit is not None and outcome.price > _GAIN * limit:
            raise Dearer
        like = draft.outcome.counts, outcome.counts
        if like in factored:
            return factored[like]
        outcome = candidates.factor(draft, outcome, None)
        factored[like] = outcome.price
        if (met and outcome.rank > met[0]) or outcome.counts in shared:
            return outcome.price
        shared.add(outcome.counts)
        done = candidates.share(draft, outcome)
        if not met or outcome.rank < met[0]:
            ends[0] = max(ends[0], candidates.work + hope // 2)
            left[0] = max(left[0], hope // 2)
        met[:] = [outcome.rank]
        if done.rank < found[0].rank:
            last = candidates.remake(draft, candidates.sign(draft, done))
            found[0] = replace(last, order=f"effort {effort}")
            ends[0], left[0] = candidates.work + hope, hope
        return outcome.price

    with suppress(_NoHope):
        plans = candidates.plans(variant.linear)
        optimise(variant.linear.graph, price, effort, afford, plans)
    return found[0]


def _is_free(candidates: Candidates, best: Outcome) -> bool:
    """Whether the derivative costs nothing on top of the value returned with it."""
    value = best.results[: candidates.task.primal]
    return best.price <= best.after("value", live(best.body, value), value).price
