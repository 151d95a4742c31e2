"""Search over vertex orders of graphs with split vertices.

A vertex whose paths are shared out among clones, each with a rectangle of them, is
eliminated piece by piece. This covers the elimination of edges: the back elimination of
v -> w is that of a clone of v with the successor w, the front elimination of u -> v
that of a clone with the predecessor u. A clone of a clone is a face u -> v -> w.
"""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.anneal import anneal_any, move
from ad_transform.eliminate.markowitz import live_sets
from ad_transform.eliminate.randomness import Random
from ad_transform.eliminate.steps import EliminateVertex, Sequence, SplitVertex, Step
from ad_transform.graph.computational import Graph


@dataclass(frozen=True, slots=True)
class _Split:
    """Vertex `clone` takes over the edges of `vertex` to or from `other`.

    `backward` says that `other` is a predecessor. The clone's number is its identity:
    it stays the same when other splits come and go.
    """

    vertex: int
    clone: int
    other: int
    backward: bool


@dataclass(frozen=True, slots=True)
class _Candidate:
    splits: tuple[_Split, ...]
    order: tuple[int, ...]


def anneal_splits(
    graph: Graph,
    order: list[int],
    price: Callable[[Sequence, int | None], int],
    steps: int,
    seed: int,
) -> tuple[Sequence, int]:
    """The cheapest sequence met in this many steps, and its price.

    A sequence consists of splits, all at the beginning, and vertex eliminations. A step
    moves a block of the order, splits a clone off, or takes a split back; it starts
    with no split. `price(sequence, limit)` may raise Dearer.
    """
    search = _Search(graph)

    def priced(candidate: _Candidate, limit: int | None) -> int:
        return price(search.sequence(candidate), limit)

    start = _Candidate((), tuple(order))
    steps = steps if len(order) > 1 else 0
    best, least = anneal_any(start, search.changed, priced, steps, seed)
    return search.sequence(best), least


class _Search:
    """The moves on candidates of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.before, self.after = live_sets(graph)
        self.size = graph.size
        self.fresh = graph.size

    def changed(self, candidate: _Candidate, random: Random) -> _Candidate | None:
        """A neighbour of the candidate, None if the move is impossible."""
        kind = random.below(8)
        if kind == 0:
            return self._split(candidate, random)
        if kind == 1:
            return self._joined(candidate, random)
        low, high, window = move(list(candidate.order), random)
        order = (*candidate.order[:low], *window, *candidate.order[high:])
        return _Candidate(candidate.splits, order)

    def _split(self, candidate: _Candidate, random: Random) -> _Candidate | None:
        """Split a clone with one edge off, and eliminate it at a random place.

        All clones of a vertex have edges on the same side, those of a clone on the
        other one: a clone of a clone has one edge on either side, it is a face.
        """
        order = list(candidate.order)
        v = order[random.below(len(order))]
        backward = random.below(2) == 1
        root = v
        for split in candidate.splits:
            if split.vertex == v and split.backward != backward:
                return None
            if split.clone == v:
                if split.backward == backward or split.vertex >= self.size:
                    return None
                root = split.vertex
        taken = {split.other for split in candidate.splits if split.vertex == v}
        ends = sorted((self.before if backward else self.after)[root] - taken)
        if len(ends) < 2:
            return None
        clone = _Split(v, self.fresh, ends[random.below(len(ends))], backward)
        self.fresh += 1
        order.insert(random.below(len(order) + 1), clone.clone)
        return _Candidate((*candidate.splits, clone), tuple(order))

    def _joined(self, candidate: _Candidate, random: Random) -> _Candidate | None:
        """Take a split back, and those of its clone."""
        splits = candidate.splits
        if not splits:
            return None
        gone = splits[random.below(len(splits))].clone
        kept = tuple(s for s in splits if gone not in (s.clone, s.vertex))
        clones = {split.clone for split in kept}
        order = (v for v in candidate.order if v < self.size or v in clones)
        return _Candidate(kept, tuple(order))

    def sequence(self, candidate: _Candidate) -> Sequence:
        """The steps that the candidate stands for, with clones numbered in turn.

        A split that has become impossible, or would move everything, is left out.
        """
        before: dict[int, set[int]] = {}  # changed by splits
        after: dict[int, set[int]] = {}
        origin: dict[int, int] = {}
        number: dict[int, int] = {}
        steps: list[Step] = []
        for split in candidate.splits:
            v, clone = number.get(split.vertex, split.vertex), self.size + len(number)
            if v >= self.size and split.vertex not in number:
                continue
            sources = self._row(before, self.before, v)
            targets = self._row(after, self.after, v)
            ends = sources if split.backward else targets
            moved = {u for u in ends if origin.get(u, u) == split.other}
            if not moved or moved == ends:
                continue
            number[split.clone] = clone
            origin[clone] = origin.get(v, v)
            if split.backward:
                before[v], sources = sources - moved, moved
            else:
                after[v], targets = targets - moved, moved
            before[clone], after[clone] = sources, targets
            gone = {v} if split.backward else set()
            for u in sources:
                after[u] = (self._row(after, self.after, u) - gone) | {clone}
            gone = set() if split.backward else {v}
            for w in targets:
                before[w] = (self._row(before, self.before, w) - gone) | {clone}
            ins, outs = tuple(sorted(sources)), tuple(sorted(targets))
            steps.append(SplitVertex(v, clone, ins, outs))
        for v in candidate.order:
            if v < self.size or v in number:
                steps.append(EliminateVertex(number.get(v, v)))
        return Sequence(tuple(steps))

    @staticmethod
    def _row(changed: dict[int, set[int]], rows: list[set[int]], v: int) -> set[int]:
        return changed[v] if v in changed else rows[v]
