"""Safe reductions: vertices that some optimal order eliminates first, or last, with
proofs.

All statements are about the plain count of vertex elimination. Notation: after the set
X has been eliminated, P_X(y) are the predecessors of y: the ends of the paths that lead
backwards from y, over X, to the first vertex not in X. It does not depend on the order
within X, so an order costs the sum of |P_X(v)| |S_X(v)| over its vertices v, X being
what stands before v.

**Rule A (only independents before it).** Let P(v) consist of independents, let |S(v)|
be the minimum vertex cut between v and the dependents, and let there be an x in P(v)
such that P(v) - {x} is in P(s) for every intermediate s in S(v). Then some optimal
order starts with v.

*Proof.* Take an optimal order and move v to its front. (1) v itself costs |P(v)| |S(v)|
at the front. P(v) never changes, as independents are not eliminated, and |S_X(v)| is
never below the cut, so v cost no less where it stood. (2) Let y stand before v in the
old order, X being what stood before y. S_X(y) does not change: v is no successor of an
intermediate vertex. If v is not in P_X(y), that does not change either. Otherwise the
path from v to y over X starts with some s in S(v), and s is y or in X, so an
intermediate or y itself; as independents never leave predecessor sets,
P(s) - X is part of P_X(y), and with it P(v) - {x}. With v gone, P_X(y) becomes
(P_X(y) - {v}) + P(v), that is P_X(y) - {v} with at most x added: not larger. (3) Once v
has been eliminated in the old order, both orders have eliminated the same set. ∎
(A dependent s in S(v) needs no condition: it is never y and never in X.)

Special cases: one predecessor, an independent, and as many successors as the cut; all
predecessors independent and all successors dependent.

**Rule B** is rule A in the graph with all edges turned: only dependents behind it.

**Rule C (closed umbrella).** Let G' be a closed umbrella from u to w (u dominates w, w
post-dominates u). Some optimal order starts with the interior of G', in an order that
is optimal for G' by itself.

*Proof.* All out-edges of u, all in-edges of w and all edges at interior vertices are in
G'. Take an optimal order o; I is the interior. Let o' be I in the order of o, then the
others in the order of o. *Interior vertices:* the predecessors of y in I in o are those
it has in o', with u, if it has been eliminated, replaced by what u had then, which is
not empty and outside G'; likewise w and the successors. So y costs no less in o than in
o', where only G' matters, and the order of I may then be replaced by an optimal one.

*Case 1: when o has eliminated both u and w, no interior vertex is left.* Let y be
outside I, X before y in o, and an interior vertex left (else nothing differs). If w is
not in X and not y, then P_X(y) has nothing of I, and eliminating I changes nothing. If
w is in X or is y, then u is neither, and P_X(w), which is not empty, is within I + {u};
in o' it is {u}, and what y has through w does not become more. Likewise S_X(y). So y
costs no less in o.

*Case 2: o eliminates u and w, and then interior vertices, z being the last.* Let w be
the later one of u and w (the other case is the mirror image). Change o' by moving w to
the place of z. Let y, not w, be outside I and before z in o, X before y in o. If w is
not in X, what y has before it is the same in both; what it has behind u, a set that is
not empty, becomes {w}. If w is in X, so is u. Then P_X(w) contains an interior vertex,
as every interior vertex leads to w, and y can have it only through w: with w in its
place P_X(y) is no larger. Likewise S_X(u), with w in the place of an interior vertex.
So y costs no less in o. When o eliminates z, all paths through G' run over z: its sets
are those that w has at this place in o', and w costs in o' what z costs in o. In
return z, the last interior vertex in o', costs 1, and w costs no less in o. Behind z
both orders have eliminated the same sets. ∎

**Rule D (goes last).** Let all vertices but those of C be ends. Let as many ends lead
to v over C as the minimum cut before v has vertices, let v lead to as many as the cut
behind it has, and for every y in C that v leads to let there be an end that leads to v,
and to y over v only; turned round, the same for every y that leads to v. Then some
optimal order of C ends with v.

*Proof.* Take an optimal order and move v to its end. There v costs the product of the
cuts, and no less where it stood. Let y stand behind v in the old order, X being what
stood before y but v. If v is in P_X(y), then P_X(y) becomes (P_X(y) - {v}) + P_X(v)
when v is eliminated. Let e be the end that leads to y over v only, and p the last
vertex outside X on a path from e to v: it is in P_X(v). Were it in P_X(y), a path from
e over p to y would avoid v. So P_X(y) does not become smaller by eliminating v; nor
does, turned round, S_X(y). So y cost no less in the old order. ∎

Rules that held in tens of thousands of experiments but are not proved here (one
predecessor and one successor, chains with extreme cuts; research/elimination.md,
section 3.3) are not used.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import eliminate, members, reached
from ad_transform.eliminate.cuts import Cuts


def settled(
    before: list[int], after: list[int], v: int, inner: int, cuts: Cuts
) -> bool:
    """Whether rule A or rule B says that v may be eliminated now.

    `inner` is the bit set of the vertices to eliminate, all others count as ends. The
    cuts may be those of any earlier graph, as cuts do not shrink: smaller ones only
    make the rules apply less often.
    """
    return _rule_a(before, after, v, inner, cuts.after[v]) or _rule_a(
        after, before, v, inner, cuts.before[v]
    )


def _rule_a(
    before: list[int], after: list[int], v: int, inner: int, least: int
) -> bool:
    sources, targets = before[v], after[v]
    if sources & inner or targets.bit_count() != least:
        return False
    missing = 0
    for s in members(targets & inner):
        missing |= sources & ~before[s]
    return missing.bit_count() <= 1


def reduce(
    before: list[int], after: list[int], inner: int, cuts: Cuts, waiting: int
) -> tuple[list[int], int]:
    """Eliminate the vertices that rules A and B allow: these in order, and their cost.

    Changes `before` and `after`; looks at the `waiting` vertices of `inner`, at the
    last ones first, and at each one again when a neighbour has been eliminated.
    """
    order: list[int] = []
    cost = 0
    while waiting:
        v = waiting.bit_length() - 1
        waiting ^= 1 << v
        if settled(before, after, v, inner, cuts):
            near = before[v] | after[v]
            cost += eliminate(before, after, v)
            order.append(v)
            inner ^= 1 << v
            waiting |= near & inner
    return order, cost


def may_be_last(part: Side, turned: Side, v: int, cuts: Cuts) -> bool:
    """Whether rule D says that v may be eliminated last."""
    return (
        part.ends[v].bit_count() == cuts.before[v]
        and turned.ends[v].bit_count() == cuts.after[v]
        and part.keeps(v, turned.way[v])
        and turned.keeps(v, part.way[v])
    )


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the vertices to eliminate, before or behind them, by vertex: its
    neighbours, the ends that lead to it, and the vertices on the way.
    """

    sets: list[int]
    inner: int
    ends: dict[int, int]
    way: dict[int, int]
    onward: int  # 1 if vertices nearer to these ends have smaller numbers, else -1

    @classmethod
    def of(cls, sets: list[int], inner: int, onward: int) -> Side:
        """The side of the vertices in `inner`, which are numbered topologically."""
        ends, way = reached(sets, members(inner)[::onward], inner)
        return cls(sets, inner, ends, way, onward)

    def keeps(self, v: int, behind: int) -> bool:
        """Whether each vertex behind v has an end that leads to v, and to it over v
        only.
        """
        without = self.ends.copy()
        for y in members(behind)[:: self.onward]:
            near = self.sets[y] & ~(1 << v)
            found = near & ~self.inner
            for u in members(near & self.inner):
                found |= without[u]
            without[y] = found
            if not self.ends[v] & ~found:
                return False
        return True
