"""Order within the columns: few crossings, and the members of a group side by side.

The second phase of Sugiyama, Tagawa & Toda 1981, by barycentres, with adjacent
exchanges where the lattice is small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise

from ad_transform.dataclass import dataclass

_SWEEPS = 40
_PATIENCE = 6  # sweeps without progress
_SMALL = 1_500  # items up to which neighbours are exchanged


@dataclass(slots=True)
class Lattice:
    """Items in columns; edges join neighbouring columns only.

    `columns` lists the items from top to bottom. `left` and `right` are the neighbours
    of each item, `group` its group or -1.
    """

    columns: list[list[int]] = field(default_factory=list)
    left: list[list[int]] = field(default_factory=list)
    right: list[list[int]] = field(default_factory=list)
    group: list[int] = field(default_factory=list)

    def add(self, column: int, group: int) -> int:
        """A new item at the end of a column; its number."""
        item = len(self.group)
        while len(self.columns) <= column:
            self.columns.append([])
        self.columns[column].append(item)
        self.left.append([])
        self.right.append([])
        self.group.append(group)
        return item

    def join(self, a: int, b: int) -> None:
        """An edge from a to b, which stands one column further right."""
        self.right[a].append(b)
        self.left[b].append(a)


def untangle(lattice: Lattice) -> None:
    """Reorder the columns; members of a group become neighbours in every column.

    Deterministic; every sweep costs O(edges log edges).
    """
    for column in lattice.columns:
        _gather(lattice, column)
    best = [column.copy() for column in lattice.columns]
    fewest, stale = crossings(lattice), 0
    for sweep in range(_SWEEPS):
        if not fewest or stale > _PATIENCE:
            break
        _sweep(lattice, rightwards=sweep % 2 == 0)
        if len(lattice.group) <= _SMALL:
            _exchange(lattice)
        found = crossings(lattice)
        stale += 1
        if found < fewest:
            best = [column.copy() for column in lattice.columns]
            fewest, stale = found, 0
    lattice.columns = best


def _gather(lattice: Lattice, column: list[int]) -> None:
    _arrange(lattice, column, [float(k) for k in range(len(column))])


def _sweep(lattice: Lattice, rightwards: bool) -> None:
    columns = lattice.columns if rightwards else lattice.columns[::-1]
    sides = lattice.left if rightwards else lattice.right
    for fixed, column in pairwise(columns):
        place = {item: k for k, item in enumerate(fixed)}
        scale = len(fixed) / max(1, len(column))
        wishes = []
        for k, item in enumerate(column):
            found = [place[other] for other in sides[item]]
            wishes.append(sum(found) / len(found) if found else k * scale)
        _arrange(lattice, column, wishes)


def _arrange(lattice: Lattice, column: list[int], wishes: Sequence[float]) -> None:
    """Sort a column by wishes, groups as one by their mean; ties stay as they are."""
    members: dict[tuple[int, int], list[int]] = {}
    for k, item in enumerate(column):
        group = lattice.group[item]
        members.setdefault((group, -1 if group >= 0 else item), []).append(k)
    blocks = []
    for block in members.values():
        mean = sum(wishes[k] for k in block) / len(block)
        blocks.append((mean, block[0], sorted(block, key=lambda k: (wishes[k], k))))
    blocks.sort(key=lambda b: b[:2])
    column[:] = [column[k] for _, _, block in blocks for k in block]


def _exchange(lattice: Lattice) -> None:
    """Exchange neighbours of the same group while that removes crossings."""
    places = [{item: k for k, item in enumerate(column)} for column in lattice.columns]
    for c, column in enumerate(lattice.columns):
        near = []
        if c:
            near.append((lattice.left, places[c - 1]))
        if c + 1 < len(places):
            near.append((lattice.right, places[c + 1]))
        for k in range(len(column) - 1):
            a, b = column[k], column[k + 1]
            if lattice.group[a] != lattice.group[b]:
                continue
            gain = 0
            for sides, place in near:
                x = [place[i] for i in sides[a]]
                y = [place[i] for i in sides[b]]
                gain += sum((i > j) - (i < j) for i in x for j in y)
            if gain > 0:
                column[k], column[k + 1] = b, a
                places[c][a], places[c][b] = k + 1, k


def crossings(lattice: Lattice) -> int:
    """The number of pairs of edges that cross; O(edges log edges)."""
    total = 0
    for fixed, column in pairwise(lattice.columns):
        place = {item: k for k, item in enumerate(column)}
        ends = [p for a in fixed for p in sorted(place[b] for b in lattice.right[a])]
        total += _inversions(ends, len(column))
    return total


def _inversions(ends: Sequence[int], size: int) -> int:
    tree = [0] * (size + 1)
    total = 0
    for seen, end in enumerate(ends):
        k, before = end + 1, 0
        while k:
            before += tree[k]
            k &= k - 1
        total += seen - before
        k = end + 1
        while k <= size:
            tree[k] += 1
            k += k & -k
    return total
