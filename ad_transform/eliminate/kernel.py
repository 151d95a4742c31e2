"""Search for the optimal order of one component.

f(C), the least cost of eliminating the set C when everything else is gone, depends on C
only. f(C) is the least, over v in C, of the cost of v and f of the components of
C - {v}; reductions leave one choice of v, bounds cut off others.
"""

from __future__ import annotations

from dataclasses import dataclass

from ad_transform.eliminate.bits import components, eliminate, members
from ad_transform.eliminate.clusters import Clusters
from ad_transform.eliminate.cuts import Allowance, Cuts, minimum_cuts
from ad_transform.eliminate.reductions import reduce

LARGEST = 64
"""Components of more vertices are not searched; it also bounds the recursion."""


class Exhausted(Exception):
    """The budget of nodes is used up."""


class Budget:
    """How many nodes may still be looked at."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes

    def spend(self) -> None:
        """Take one node; raises Exhausted if there is none."""
        if self.nodes <= 0:
            raise Exhausted
        self.nodes -= 1


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of f(C): its value and the vertex to begin with, or, where the
    choice is -1, a lower bound."""

    value: int
    choice: int


_NOTHING = -1
_REDUCED = -2  # the value is exact, and reductions and components say what to do


class Search:
    """Finds f(C) for all vertices of one component, given in bit sets from 0 on.

    `before` and `after` are lists of bit sets; `inner` are the vertices to eliminate.
    What clusters cost together is a bound for every set that is left.
    """

    def __init__(
        self,
        before: list[int],
        after: list[int],
        inner: int,
        budget: Budget,
        clusters: Clusters,
    ) -> None:
        self.before = before
        self.after = after
        self.inner = inner
        self.budget = budget
        self.clusters = clusters
        allowance = Allowance()
        self.cuts = minimum_cuts(before, after, inner, allowance)
        self.without = self._cuts_without(allowance)
        self.table: dict[int, _Known] = {}

    def _cuts_without(self, allowance: Allowance) -> dict[int, Cuts]:
        """Per vertex u the cuts of the others that do not contain u."""
        found: dict[int, Cuts] = {}
        for u in members(self.inner):
            before, after = self.before.copy(), self.after.copy()
            eliminate(before, after, u)
            found[u] = minimum_cuts(before, after, self.inner ^ 1 << u, allowance)
        return found

    def run(self, upper: int) -> tuple[int, list[int] | None]:
        """A lower bound of f and an order that meets it.

        The order is None if the bound is `upper`, the cost of an order that is known,
        or if the budget was exhausted.
        """
        limit = self._bound(self.inner, self.before, self.after)[0]
        while limit < upper:
            try:
                value = self._least(self.inner, self.before, self.after, limit)
            except Exhausted:
                return limit, None
            if value <= limit:
                return value, self._order()
            limit = value
        return upper, None

    def _least(self, left: int, before: list[int], after: list[int], limit: int) -> int:
        """f(left), if it is at most `limit`; else a lower bound of it above `limit`.

        Recursion is as deep as `left` has vertices, at most LARGEST.
        """
        if not left:
            return 0
        known = self.table.get(left)
        if known and (known.choice != _NOTHING or known.value > limit):
            return known.value
        self.budget.spend()
        before, after = before.copy(), after.copy()
        order, cost = reduce(before, after, left, self.cuts)
        rest = left
        for v in order:
            rest ^= 1 << v
        parts = components(before, after, rest)
        if order or len(parts) > 1:
            value, choice = self._sum(parts, before, after, limit - cost)
            value += cost
        else:
            value, choice = self._branch(left, before, after, limit)
        self.table[left] = _Known(value, choice)
        return value

    def _sum(
        self, parts: list[int], before: list[int], after: list[int], limit: int
    ) -> tuple[int, int]:
        """The sum of f over the components, or a lower bound above the limit."""
        values = [self._bound(part, before, after)[0] for part in parts]
        total = sum(values)
        for i, part in enumerate(parts):
            if total > limit:
                return total, _NOTHING
            room = limit - total + values[i]
            value = self._least(part, before, after, room)
            total += value - values[i]
            if value > room:
                return total, _NOTHING
        return total, _REDUCED if total <= limit else _NOTHING

    def _branch(
        self, left: int, before: list[int], after: list[int], limit: int
    ) -> tuple[int, int]:
        """Try the vertices in the order of what must be paid if they go first."""
        bound, candidates = self._bound(left, before, after)
        if bound > limit:
            return bound, _NOTHING
        least_failure, choice = -1, _NOTHING
        for floor, degree, v in candidates:
            if floor > limit:
                if choice == _NOTHING and not 0 <= least_failure <= floor:
                    least_failure = floor
                break
            inner_before, inner_after = before.copy(), after.copy()
            eliminate(inner_before, inner_after, v)
            rest = self._least(left ^ 1 << v, inner_before, inner_after, limit - degree)
            value = degree + rest
            if value <= limit:
                limit, choice = value - 1, v
            elif choice == _NOTHING and not 0 <= least_failure <= value:
                least_failure = value
        if choice != _NOTHING:
            return limit + 1, choice
        return least_failure, _NOTHING

    def _bound(
        self, left: int, before: list[int], after: list[int]
    ) -> tuple[int, list[tuple[int, int, int]]]:
        """A lower bound of f(left), and the candidates: bound, degree, vertex.

        Of vertices with equal neighbours only the first is a candidate: they can be
        exchanged. The bound is that of clusters, or the sum of the cut bounds and a
        greedy matching of penalties, as in `bounds.pairing`. The bound of a candidate v
        is what is due if v goes first: it pays its degree for its own bound and the
        penalty it takes part in, or for its part in a cluster.
        """
        fewest_in, fewest_out = self.cuts.before, self.cuts.after
        inner, ended = [*members(left)], ~left
        ins: dict[int, int] = {}
        outs: dict[int, int] = {}
        total = 0
        for v in inner:
            least = fewest_in[v]
            ends = (before[v] & ended).bit_count()
            ins[v] = i = ends if ends > least else least
            least = fewest_out[v]
            ends = (after[v] & ended).bit_count()
            outs[v] = o = ends if ends > least else least
            total += i * o
        penalties: list[tuple[int, int, int]] = []
        for u in inner:
            near = after[u] & left
            if not near:
                continue
            without_u = self.without[u].before
            for v in members(near):
                later = (without_u[v] - ins[v]) * outs[v]
                if later > 0:
                    sooner = (self.without[v].after[u] - outs[u]) * ins[u]
                    if sooner > 0:
                        penalties.append((-min(later, sooner), u, v))
        share: dict[int, int] = {}
        for penalty, u, v in sorted(penalties):
            if u not in share and v not in share:
                share[u] = share[v] = -penalty
                total -= penalty
        together = self.clusters.bound(left)
        bound = max(total, together)
        candidates: list[tuple[int, int, int]] = []
        seen: set[tuple[int, int]] = set()
        for v in inner:
            sets = (before[v], after[v])
            if sets not in seen:
                seen.add(sets)
                degree = sets[0].bit_count() * sets[1].bit_count()
                alone = total + degree - ins[v] * outs[v] - share.get(v, 0)
                floor = max(
                    bound, alone, together + degree - self.clusters.share(left, v)
                )
                candidates.append((floor, degree, v))
        candidates.sort()
        return bound, candidates

    def _order(self) -> list[int]:
        """The order that the table's exact values stand for."""
        before, after = self.before.copy(), self.after.copy()
        order: list[int] = []
        waiting = [self.inner]
        while waiting:
            left = waiting.pop()
            choice = self.table[left].choice
            if choice == _REDUCED:
                reduced, _ = reduce(before, after, left, self.cuts)
                order += reduced
                for v in reduced:
                    left ^= 1 << v
                waiting += components(before, after, left)
            else:
                eliminate(before, after, choice)
                order.append(choice)
                if left ^ 1 << choice:
                    waiting.append(left ^ 1 << choice)
        return order
