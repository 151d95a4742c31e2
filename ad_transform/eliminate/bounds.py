"""Lower bounds of the plain count of vertex elimination.

Every bound holds for every order of the vertices; when single edges or faces are
eliminated, only `entry_bound` does.
"""

from __future__ import annotations

from collections.abc import Sequence as Row

from ad_transform.eliminate.bits import BitGraph, members
from ad_transform.eliminate.cuts import Allowance, Cuts, cut, minimum_cuts
from ad_transform.graph.computational import Graph
from ad_transform.graph.dominators import ROOT, dominators, post_dominators

LARGE = 4_000
"""Edges from which on only dominators are looked at, instead of cuts."""


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
    """The cut bound and what `pairing` adds to it."""
    if len(graph.edges) >= LARGE:
        return _dominator_bound(graph)
    bits = BitGraph.of(graph)
    allowance = Allowance()
    cuts = minimum_cuts(bits.before, bits.after, bits.inner, allowance)
    total = sum(cuts.price(v) for v in range(bits.count))
    return total + pairing(bits.before, bits.after, bits.inner, cuts, allowance)


def entry_bound(graph: Graph) -> int:
    """Entries of the Jacobian that some path over an intermediate contributes to.

    Each of them takes a product of its own, however the graph is eliminated.
    """
    bits = BitGraph.of(graph)
    below = list(bits.after)  # what each vertex reaches
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


def pairing(
    before: Row[int], after: Row[int], inner: int, cuts: Cuts, allowance: Allowance
) -> int:
    """What neighbours cost above the cut bound because they cannot both go first.

    For an edge u -> v of vertices in `inner`: if u is eliminated before v, then P(v) is
    later a cut that does not contain u; if v is eliminated before u, then S(u) is a cut
    that does not contain v. So the smaller of the two penalties is due, on top of the
    bounds of u and v. Penalties of edges without common vertices add up; such edges are
    taken greedily, the greatest penalty first, then the smallest vertices.
    """
    above = [list(members(bits)) for bits in before]
    below = [list(members(bits)) for bits in after]
    within = [inner >> v & 1 for v in range(len(before))]
    found: list[tuple[int, int, int]] = []
    for u in members(inner):
        for v in members(after[u] & inner):
            around = _without(above[v], above[u], u)
            later = cut(above, around, u, within, allowance) - cuts.before[v]
            if later <= 0:
                continue
            around = _without(below[u], below[v], v)
            sooner = cut(below, around, v, within, allowance) - cuts.after[u]
            if sooner > 0:
                penalty = min(later * cuts.after[v], sooner * cuts.before[u])
                found.append((-penalty, u, v))
    taken: set[int] = set()
    total = 0
    for penalty, u, v in sorted(found):
        if u not in taken and v not in taken:
            taken |= {u, v}
            total -= penalty
    return total


def _without(direct: list[int], over: list[int], passed: int) -> list[int]:
    """The neighbours after the vertex `passed` among them has been eliminated."""
    return sorted({*direct, *over} - {passed})


def _dominator_bound(graph: Graph) -> int:
    above, below = dominators(graph), post_dominators(graph)
    return sum(
        (2 if above[v] == ROOT else 1) * (2 if below[v] == ROOT else 1)
        for v in graph.intermediates()
    )
