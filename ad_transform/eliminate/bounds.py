"""Lower bounds of the plain count, for orders of vertices and for any elimination.

Any elimination of vertices, edges, faces or split vertices forms labels, each the sum
of some paths from a vertex u to a vertex w, by products of a label that ends in a
vertex v with one that starts there. A path from an independent to a dependent gets
exactly one product at each vertex v on it. Take paths into v that share nothing but v,
and paths out of v likewise: every pair of them gets a product at v, and no two pairs
the same, as its left factor starts on one path into v and its right factor ends on one
path out of v. So v costs at least the product of the two vertex cuts, whatever is
eliminated: `cut_bound` holds for all, and so do the penalties of `pairing` with
`shared`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Row
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import BitGraph, members
from ad_transform.eliminate.cuts import Allowance, Cuts, cut, minimum_cuts
from ad_transform.graph.computational import Graph
from ad_transform.graph.dominators import ROOT, dominators, post_dominators

LARGE = 4_000
"""Edges from which on only dominators are looked at, instead of cuts."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bound for orders of vertices, and the one that holds for any elimination."""

    vertices: int
    overall: int

    @classmethod
    def of(cls, graph: Graph) -> Bounds:
        """Both bounds of a graph. Above LARGE edges dominators stand for cuts."""
        entries = entry_bound(graph)
        if len(graph.edges) >= LARGE:
            dominated = _dominator_bound(graph)
            return cls(dominated, max(dominated, entries))
        bits = BitGraph.of(graph)
        least = cls.of_part(bits.before, bits.after, bits.inner, Allowance())
        return cls(least.vertices, max(least.overall, entries))

    def raised(self, vertices: int, overall: int) -> Bounds:
        """The greater of these bounds and others of the same graph, one by one."""
        return Bounds(max(self.vertices, vertices), max(self.overall, overall))

    @classmethod
    def of_part(
        cls, before: Row[int], after: Row[int], inner: int, allowance: Allowance
    ) -> Bounds:
        """The bounds of the vertices in `inner`: their cuts, and the penalties that
        `pairing` adds.
        """
        cuts = minimum_cuts(before, after, inner, allowance)
        least = sum(cuts.price(v) for v in members(inner))
        pairs = list(neighbours(before, after, inner, cuts, allowance))
        exact = allowance.visits >= 0  # `shared` needs the cuts as they are
        shares = pairing(pairs, shared) if exact else 0
        return cls(least + pairing(pairs, ordered), least + shares)


def cut_bound(graph: Graph) -> int:
    """Sum over the intermediates of (cut from the independents) (cut to the
    dependents).

    A vertex cannot be eliminated for less (see `cuts`). For graphs of LARGE edges the
    cuts are replaced by 1 where there is a dominator, by 2 elsewhere: O(E log size).
    """
    if len(graph.edges) >= LARGE:
        return _dominator_bound(graph)
    bits = BitGraph.of(graph)
    cuts = minimum_cuts(bits.before, bits.after, bits.inner, Allowance())
    return sum(cuts.price(v) for v in range(bits.count))


def lower_bound(graph: Graph) -> int:
    """The bound for orders of vertices: cut bound and penalties of `pairing`."""
    return Bounds.of(graph).vertices


def overall_bound(graph: Graph) -> int:
    """The bound for any elimination: that of entries, or of cuts with `pairing`."""
    return Bounds.of(graph).overall


def entry_bound(graph: Graph) -> int:
    """The number of entries of the Jacobian with some path over an intermediate.

    Each of them takes a product of its own, however the graph is eliminated.
    """
    bits = BitGraph.of(graph)
    below = list(bits.after)  # the vertices that each one reaches
    for v in reversed(range(bits.count)):
        for w in members(bits.after[v] & bits.inner):
            below[v] |= below[w]
    total = 0
    for u in range(bits.count, len(below)):
        reached = 0
        for v in members(bits.after[u] & bits.inner):
            reached |= below[v]
        total += (reached & ~bits.inner).bit_count()
    return total


@dataclass(frozen=True, slots=True)
class Neighbours:
    """An edge u -> v of intermediates, and the penalty of each end for going second.

    Cuts of u are `rows` and `least_columns`, those of v `least_rows` and `columns`.
    `later` is the growth of the cut before v if it may not contain u; `sooner` is that
    of the cut behind u if it may not contain v. Both are positive.
    """

    u: int
    v: int
    rows: int
    columns: int
    least_rows: int
    least_columns: int
    later: int
    sooner: int


def neighbours(
    before: Row[int], after: Row[int], inner: int, cuts: Cuts, allowance: Allowance
) -> Iterator[Neighbours]:
    """The edges within `inner` whose ends cannot both cost no more than their cuts."""
    above = [list(members(bits)) for bits in before]
    below = [list(members(bits)) for bits in after]
    within = [inner >> v & 1 for v in range(len(before))]
    for u in members(inner):
        for v in members(after[u] & inner):
            around = _without(above[v], above[u], u)
            later = cut(above, around, u, within, allowance) - cuts.before[v]
            if later <= 0:
                continue
            around = _without(below[u], below[v], v)
            sooner = cut(below, around, v, within, allowance) - cuts.after[u]
            if sooner > 0:
                sides = cuts.before[u], cuts.after[v], cuts.before[v], cuts.after[u]
                yield Neighbours(u, v, *sides, later, sooner)


Penalty: TypeAlias = Callable[[Neighbours], int]


def pairing(pairs: list[Neighbours], penalty: Penalty) -> int:
    """The sum of penalties above the cut bound: two neighbours cannot both go first.

    A penalty is due on top of the bounds of u and v. Those of edges without common
    vertices add up; such edges are taken greedily, the greatest penalty first, then the
    smallest vertices.
    """
    taken: set[int] = set()
    total = 0
    for minus, u, v in sorted((-penalty(pair), pair.u, pair.v) for pair in pairs):
        if u not in taken and v not in taken:
            taken |= {u, v}
            total -= minus
    return total


def ordered(pair: Neighbours) -> int:
    """The penalty of an order of vertices: one of the two goes first.

    If u is eliminated before v, then P(v) is later a cut that does not contain u; if v
    is eliminated before u, then S(u) is a cut that does not contain v.
    """
    return min(pair.later * pair.columns, pair.sooner * pair.rows)


def shared(pair: Neighbours) -> int:
    """The penalty of any elimination: every path decides for itself which goes first.

    Let m = `rows` and n = `columns`. There are m paths into u that share nothing, and
    they are part of as many paths into v, not over u itself, as the cut without u has;
    likewise n paths out of v. A path over u -> v, row i and column j, has its product
    at u first, so that the left factor of the one at v starts in row i, or it has the
    one at v first. A column with k rows of the first kind costs v its cut and at least
    k + [k < m] - m + `later` more; a row with k columns of the second kind costs u its
    cut and at least k + [k < n] - n + `sooner` more. If p > 0 columns are of the first
    kind alone, no row is of the second alone, and the others hold (n - p) m paths, of
    which each column has `free` for nothing, and each row. It is the same with rows.
    """
    m, n = pair.rows, pair.columns
    free = m - 1 - pair.later, n - 1 - pair.sooner
    return min(
        _mixed(m, n, pair.later, free), _mixed(n, m, pair.sooner, (free[1], free[0]))
    )


def _mixed(m: int, n: int, full: int, free: tuple[int, int]) -> int:
    """The least price over p, if p columns of m paths cost `full` each and the others
    are mixed.
    """
    return min(
        p * full + max(0, (n - p) * (m - free[0]) - m * free[1]) for p in range(n + 1)
    )


def _without(direct: list[int], over: list[int], passed: int) -> list[int]:
    """The neighbours after the vertex `passed` among them has been eliminated."""
    return sorted({*direct, *over} - {passed})


def _dominator_bound(graph: Graph) -> int:
    above, below = dominators(graph), post_dominators(graph)
    return sum(
        (2 if above[v] == ROOT else 1) * (2 if below[v] == ROOT else 1)
        for v in graph.intermediates()
    )
