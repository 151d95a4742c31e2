"""Lower bounds of any elimination, by sets of products of which one must be formed.

Whatever is eliminated (vertices, edges, faces, split vertices), a label is a sum of
paths from a vertex u to a vertex w, and a product multiplies one that leads from u to v
with one that leads from v to w. Call (u, v, w) its triple. An entry of the Jacobian is
the sum of all paths P between its ends, as a polynomial in the labels of edges. So P is
a term of it, and was put together by products: one of two terms that P consists of, and
so on down to single edges. The triples of these products are a binary tree over P: the
root has both ends of P and a vertex of P between them, its children are trees over the
two parts.

A *block* is a set of triples on a path P that has one of every binary tree over P. By
what was said, every elimination forms a product with a triple of the block. So every
elimination takes as many products as there are blocks without common triples.

Blocks are given by marked intervals of P. P itself is marked, edges never are, and the
block has the triples that divide a marked interval into two that are not. It meets
every tree: go down from the root to a child that is marked, as long as there is one;
where there is none, the triple is in the block.

**Rules A and B** of `reductions` hold for this bound, too: if t(G) is the least number
of triples of trees over all paths of G, and rule A allows v to go first, then t(G) is
at least |P(v)| |S(v)| + t(G without v). *Proof.* There are |S(v)| paths out of v that
share nothing but v, as that is the cut, each with |P(v)| paths into it, so there are so
many triples (u, v, w) with v in the middle. Take a path Q of the graph without v. If it
is in G, take its tree from there. If not, it starts with an edge from an end in P(v) to
an s in S(v) that is not in G, so it starts at x; take the tree of the path from x over
v to s and on, and leave v out: where v was the left end of a triple, x is. So no triple
becomes two, and all of them have a middle other than v. ∎

Blocks are looked for around an order of vertices, which is a choice of trees: each of
its triples is to be the only one of them in a block of its own. If there are disjoint
blocks for all, the order is optimal among all eliminations. Blocks are chosen in turn,
as cheap as they can be: triples of other blocks are dear, and those that have changed
hands before are dearer. A block that has lost a triple is looked for anew (compare the
routing of McMurchie & Ebeling 1995, which negotiates for wires).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from collections.abc import Sequence as Row
from itertools import islice
from math import comb
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import BitGraph
from ad_transform.eliminate.bounds import LARGE, Bounds
from ad_transform.eliminate.products import Path, Product, Rest
from ad_transform.graph.computational import Graph

NEVER = 1 << 40
"""The price of a triple of the order that belongs to another block."""

FREE, TAKEN, CONTESTED = 4, 100, 20
"""Prices of a triple: that of a free one, what is added while it belongs to a block,
and what is added for ever when a block loses it."""

TRIES, LONGEST = 60, 24
"""Paths that are tried for each triple of the order, and the vertices they may have."""

ROOM = 4_000_000
"""Triples on all paths together; each triple of the order has as much room for paths.
"""

SHORT, OTHERS, DEEP = 6, 6, 2
"""Paths of a triple that one step looks at: the shortest ones, and others in turn; and
those of them whose intervals are marked one by one."""

MOST = 1_000
"""Triples of an order up to which blocks are looked for."""

PATIENT = 20
"""The search ends without a gain after so many steps for each triple of the order."""


@dataclass(frozen=True, slots=True)
class Block:
    """A path, and the triples of a block on it."""

    path: Path
    products: tuple[Product, ...]


@dataclass(frozen=True, slots=True)
class Packing:
    """Disjoint blocks on what reductions leave of a graph, and the cost of these.

    The numbers of vertices are those of the `BitGraph`.
    """

    reduced: int
    blocks: tuple[Block, ...]

    @property
    def bound(self) -> int:
        """A lower bound of the plain count of any elimination."""
        return self.reduced + len(self.blocks)


def packing(graph: Graph, order: Iterable[int], steps: int) -> Packing:
    """Blocks around an order of all intermediates, chosen in so many steps at most.

    There are none if the order has more than MOST triples after reductions. A step
    takes O(n³) for paths of n vertices.
    """
    bits = BitGraph.of(graph)
    rest = Rest.of(bits)
    number = {v: i for i, v in enumerate(bits.vertices)}
    inner = [number[v] for v in order if v in number and rest.inner >> number[v] & 1]
    return Packing(rest.cost, _Search(rest, inner).run(steps))


def packed(graph: Graph, order: Iterable[int], least: Bounds, steps: int) -> Bounds:
    """The bounds of a graph, raised by blocks around an order of all intermediates."""
    if not steps or len(graph.edges) >= LARGE:
        return least
    found = packing(graph, order, steps).bound
    return least.raised(found, found)


Rows: TypeAlias = list[list[list[int]]]
"""Numbers or prices of the triples on a path, by the first and the last place of an
interval and by the places between them."""


class _Search:
    """The blocks at present, one for each triple of the order that has one.

    Triples have numbers, those of the order come first. `price` has the price of every
    triple, `owner` the triple whose block has it, -1 if it is free.
    """

    def __init__(self, rest: Rest, order: list[int]) -> None:
        made = list(islice(rest.products(order), MOST + 1))
        self.products = [product for product, _ in made] if len(made) <= MOST else []
        self.numbers = {product: t for t, product in enumerate(self.products)}
        self.price = [NEVER] * len(self.products)
        self.owner = [-1] * len(self.products)
        room = ROOM // max(1, len(made))
        found = made[: len(self.products)]
        self.paths = [_fitting(rest.paths(*made, TRIES), room) for made in found]
        self.rows: dict[Path, Rows] = {}
        self.blocks: dict[int, tuple[Path, list[int]]] = {}

    def run(self, steps: int) -> tuple[Block, ...]:
        """As many disjoint blocks as were there at a time, in so many steps."""
        best: dict[int, tuple[Path, list[int]]] = {}
        count = len(self.products)
        waiting = deque(sorted(range(count), key=lambda t: len(self.paths[t])))
        left = PATIENT * count
        while waiting and steps and left:
            steps, left = steps - 1, left - 1
            t = waiting.popleft()
            found = self._cheapest(t)
            if found:
                self._prefer(t, found[0])
                waiting += self._taken(t, found[1])
                self.blocks[t] = found
                if len(self.blocks) > len(best):
                    best, left = self.blocks.copy(), PATIENT * count
            elif len(self.paths[t]) > SHORT + OTHERS:
                waiting.append(t)
        named = list(self.numbers)
        return tuple(
            Block(path, tuple(named[x] for x in block)) for path, block in best.values()
        )

    def _prefer(self, t: int, path: Path) -> None:
        """Look at a path in the next steps too, instead of a short one."""
        paths = self.paths[t]
        place = paths.index(path)
        if place >= SHORT:
            paths.insert(0, paths.pop(place))

    def _taken(self, t: int, block: list[int]) -> list[int]:
        """Give the triples to the block of t; the triples whose blocks lose theirs."""
        losers = []
        for x in block:
            owner = self.owner[x]
            if owner in self.blocks:
                losers.append(owner)
                self.price[x] += CONTESTED
                for y in self.blocks.pop(owner)[1]:
                    self._pass(y, -1)
            self._pass(x, t)
        return losers

    def _pass(self, x: int, owner: int) -> None:
        if x >= len(self.products):
            self.owner[x] = owner
            self.price[x] += TAKEN if owner >= 0 else -TAKEN

    def _cheapest(self, t: int) -> tuple[Path, list[int]] | None:
        """The cheapest block that is found for t; None if all have other triples of
        the order.
        """
        self.price[t] = 0
        paths, looked = self.paths[t], SHORT + OTHERS
        cores = [self._core(t, path) for path in paths[:looked]]
        self.paths[t] = paths[:SHORT] + paths[looked:] + paths[SHORT:looked]
        self.price[t] = NEVER
        cores.sort(key=_Marked.key)
        best: _Marked | None = None
        for marked in cores[:DEEP]:
            marked.improve()
            if marked.paid < (best.paid if best else NEVER):
                best = marked
        return (best.path, best.block()) if best else None

    def _core(self, t: int, path: Path) -> _Marked:
        if path not in self.rows:
            places = range(len(path))
            self.rows[path] = [
                [[self._number(path, i, k, j) for k in range(i + 1, j)] for j in places]
                for i in places
            ]
        u, v, w = (path.index(x) for x in self.products[t])
        return _Marked.core(path, self.rows[path], self.price, (u, v, w))

    def _number(self, path: Path, i: int, k: int, j: int) -> int:
        product = path[i], path[k], path[j]
        number = self.numbers.setdefault(product, len(self.numbers))
        if number == len(self.price):
            self.price.append(FREE)
            self.owner.append(-1)
        return number


def _fitting(paths: list[Path], room: int) -> list[Path]:
    """The first of the paths that are short enough and have room for their triples."""
    found: list[Path] = []
    for path in paths:
        room -= comb(len(path), 3)
        if len(path) <= LONGEST and (room >= 0 or not found):
            found.append(path)
    return found


class _Marked:
    """Marked intervals of a path, and the price of the block that they give."""

    def __init__(
        self, path: Path, rows: Rows, price: Rows, a: int, b: int, paid: int
    ) -> None:
        places = range(len(path))
        self.path = path
        self.rows = rows
        self.price = price
        self.paid = paid
        self.marked = [[i <= a and j >= b for j in places] for i in places]

    @classmethod
    def core(
        cls, path: Path, rows: Rows, price: Row[int], site: tuple[int, int, int]
    ) -> _Marked:
        """The cheapest block with a triple, given by its places on the path, of those
        whose marked intervals are all that have a part from a to b in them.
        """
        first, middle, last = site
        places = range(len(path))
        prices = [[[price[x] for x in row] for row in line] for line in rows]
        costs: dict[tuple[int, int], int] = {}
        for k in range(first + 1, last):
            above = [0] * len(path)  # by b, of the triples (i, k, j) with j >= b
            for a in range(min(k, middle)):
                paid = 0
                for b in reversed(places[k + 1 :]):
                    paid += prices[a][b][k - a - 1]
                    above[b] += paid
                if a >= first:
                    for b in range(max(k, middle) + 1, last + 1):
                        costs[a, b] = costs.get((a, b), 0) + above[b]
        paid, (a, b) = min((cost, core) for core, cost in costs.items())
        return cls(path, rows, prices, a, b, paid)

    def key(self) -> tuple[int, Path]:
        """What is paid, and the path: the key by which they are sorted."""
        return self.paid, self.path

    def improve(self) -> None:
        """Mark intervals, or take marks away, as long as the block becomes cheaper."""
        count, before = len(self.marked), self.paid + 1
        while self.paid < before:
            before = self.paid
            for length in range(2, count - 1):
                for i in range(count - length):
                    gain = self._gain(i, i + length)
                    if gain > 0:
                        self.marked[i][i + length] ^= True
                        self.paid -= gain

    def _gain(self, i: int, j: int) -> int:
        """By how much the block is cheaper if the mark of an interval changes."""
        marked, price = self.marked, self.price
        from_i, from_j = marked[i], marked[j]
        own = price[i][j]
        gain = 0  # if a mark is taken away
        for k in range(i + 1, j):
            if not from_i[k] and not marked[k][j]:
                gain += own[k - i - 1]
        for k in range(j + 1, len(marked)):
            if from_i[k] and not from_j[k]:
                gain -= price[i][k][j - i - 1]
        for k in range(i):
            if marked[k][j] and not marked[k][i]:
                gain -= price[k][j][i - k - 1]
        return gain if from_i[j] else -gain

    def block(self) -> list[int]:
        """The triples that divide a marked interval into two that are not."""
        marked, rows = self.marked, self.rows
        count = len(marked)
        return [
            rows[i][j][k - i - 1]
            for i in range(count)
            for j in range(i + 2, count)
            if marked[i][j]
            for k in range(i + 1, j)
            if not marked[i][k] and not marked[k][j]
        ]
