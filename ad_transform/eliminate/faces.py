"""Elimination of faces in the line graph.

A vertex of the line graph has a label, predecessors P and successors S. Eliminating the
face (i, j) forms the product of the labels of j and i, which is

* added to the label of a vertex k with P(k) = P(i) and S(k) = S(j), if there is one
  (absorption), or
* the label of a new vertex k with these sets (fill-in).

Then the face is removed. A vertex without predecessors or without successors is
removed, first i, then j; otherwise, if another vertex has the same two sets, the labels
are added and the younger of the two is removed (merge). Source: Naumann 2004, quoted in
Notes on Jacobian accumulation, section 1.

The Notes add operations that absorb or fill in for a part of P(i) or S(j) only, and
merge with a part of a vertex. All of them are a *split* followed by the rules above:
one copy of a vertex keeps its label and one of its sets, while the other set is shared
out (Griewank & Walther 2008, section 10.2, "interior vertex split"). So the language
has the split as a step of its own.

New vertices get the next free numbers, the first one `LineGraph.size`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from ad_transform.eliminate.algebra import Algebra
from ad_transform.graph.computational import Edge
from ad_transform.graph.linegraph import LineGraph

L = TypeVar("L")


class FaceState(Generic[L]):
    """A line graph under elimination.

    `ends` has for every vertex the source and the target in the computational graph of
    the paths that its label is the sum of.
    """

    def __init__(
        self, line: LineGraph, labels: Mapping[Edge, L], algebra: Algebra[L]
    ) -> None:
        self.line = line
        self.algebra = algebra
        self.labels: dict[int, L] = {}
        self.ends: dict[int, Edge] = {}
        for i, edge in enumerate(line.edges):
            self.labels[i] = labels[edge]
            self.ends[i] = edge
        self.before: dict[int, set[int]] = {i: set() for i in range(line.size)}
        self.after: dict[int, set[int]] = {i: set() for i in range(line.size)}
        for i, j in line.faces:
            self.after[i].add(j)
            self.before[j].add(i)
        self.fresh = line.size

    def copy(self) -> FaceState[L]:
        """An independent copy that shares the algebra."""
        other = FaceState[L].__new__(FaceState)
        other.line, other.algebra, other.fresh = self.line, self.algebra, self.fresh
        other.labels, other.ends = self.labels.copy(), self.ends.copy()
        other.before = {i: row.copy() for i, row in self.before.items()}
        other.after = {i: row.copy() for i, row in self.after.items()}
        return other

    def faces(self) -> list[tuple[int, int]]:
        """The intermediate faces that are left, sorted."""
        return [
            (i, j)
            for i in sorted(self.labels)
            for j in sorted(self.after[i])
            if j in self.labels
        ]

    def eliminate(self, i: int, j: int) -> None:
        """Eliminate the face (i, j); raises ValueError if it is no intermediate one."""
        if i not in self.labels or j not in self.labels or j not in self.after[i]:
            raise ValueError(f"there is no intermediate face {i} {j}")
        (u, v), (_, w) = self.ends[i], self.ends[j]
        product = self.algebra.multiply(self.labels[j], self.labels[i], u, v, w)
        twin = self._find(self.before[i], self.after[j])
        if twin is None:
            self._add(product, (u, w), self.before[i], self.after[j])
        else:
            self.labels[twin] = self.algebra.add(self.labels[twin], product, u, w)
        self.after[i].remove(j)
        self.before[j].remove(i)
        self._tidy(i)
        self._tidy(j)

    def split(self, i: int, clone: int, before: set[int], after: set[int]) -> None:
        """Let a new vertex with the label of i take over a part of its faces.

        `clone` is the next free number. One of the two sets is all of that of i, the
        other a proper part, which i loses. Raises ValueError otherwise.
        """
        if i not in self.labels or clone != self.fresh:
            raise ValueError(f"cannot split vertex {i}, or {clone} is not the next one")
        whole = before == self.before[i], after == self.after[i]
        if not (before and after and whole in ((True, False), (False, True))):
            raise ValueError(f"vertex {i} cannot be split like that")
        if not (before <= self.before[i] and after <= self.after[i]):
            raise ValueError(f"vertex {i} has no such faces")
        for h in before if whole[1] else ():
            self.before[i].remove(h)
            self.after[h].remove(i)
        for k in after if whole[0] else ():
            self.after[i].remove(k)
            self.before[k].remove(i)
        self._add(self.labels[i], self.ends[i], before, after)

    def jacobian(self) -> dict[Edge, L]:
        """The entries by independent, then dependent; ValueError if faces are left."""
        if self.faces():
            raise ValueError(f"the sequence leaves the face {self.faces()[0]}")
        entries: dict[Edge, L] = {}
        for i in sorted(self.labels, key=lambda i: (self.ends[i], i)):
            edge = self.ends[i]
            if edge in entries:
                entries[edge] = self.algebra.add(entries[edge], self.labels[i], *edge)
            else:
                entries[edge] = self.labels[i]
        order = {x: place for place, x in enumerate(self.line.independents)}
        return dict(sorted(entries.items(), key=lambda item: order[item[0][0]]))

    def _find(self, before: set[int], after: set[int], other: int = -1) -> int | None:
        """The oldest vertex with these sets that is not `other`."""
        h = min(before)
        for k in sorted(self.after[h]):
            same = self.before[k] == before and self.after[k] == after
            if k != other and k in self.labels and same:
                return k
        return None

    def _add(self, label: L, ends: Edge, before: set[int], after: set[int]) -> None:
        k = self.fresh
        self.fresh += 1
        self.labels[k] = label
        self.ends[k] = ends
        self.before[k], self.after[k] = set(before), set(after)
        for h in before:
            self.after[h].add(k)
        for j in after:
            self.before[j].add(k)

    def _tidy(self, i: int) -> None:
        """Remove i if it leads nowhere, or merge it with a vertex of the same sets."""
        if self.before[i] and self.after[i]:
            twin = self._find(self.before[i], self.after[i], i)
            if twin is None:
                return
            kept, gone = min(i, twin), max(i, twin)
            labels = self.labels[kept], self.labels[gone]
            self.labels[kept] = self.algebra.add(*labels, *self.ends[kept])
            i = gone
        for h in self.before[i]:
            self.after[h].remove(i)
        for j in self.after[i]:
            self.before[j].remove(i)
        del self.labels[i], self.ends[i], self.before[i], self.after[i]
