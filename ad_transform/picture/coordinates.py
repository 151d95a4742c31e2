"""Heights of items in their columns: edges as straight as the distances allow.

Every column is solved exactly: the wishes of its items, which are the mean heights of
their neighbours, are met in the least-squares sense under the distances that must be
kept (pool adjacent violators, Barlow et al. 1972). Sweeps from column to column repeat
that; then long edges are levelled. The third phase of Sugiyama, Tagawa & Toda 1981.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.picture.order import Lattice

_SWEEPS = 24

Distance = Callable[[int, int], float]
"""The least distance between the centres of an item and the one below it."""

Weight = Callable[[int, int], float]
"""The weight that pulls an edge between neighbouring columns level."""


def heights(lattice: Lattice, distance: Distance, weight: Weight) -> list[float]:
    """The height of the centre of every item, whole numbers, growing downwards."""
    height = [0.0] * len(lattice.group)
    gaps = [_gaps(column, distance) for column in lattice.columns]
    for column, offsets in zip(lattice.columns, gaps, strict=True):
        middle = offsets[-1] / 2 if offsets else 0.0
        for item, offset in zip(column, offsets, strict=True):
            height[item] = offset - middle
    for sweep in range(_SWEEPS):
        both = sweep >= _SWEEPS // 2
        turns = list(zip(lattice.columns, gaps, strict=True))
        rightwards = sweep % 2 == 0
        for column, offsets in turns if rightwards else turns[::-1]:
            _settle(lattice, column, offsets, height, weight, (both, rightwards))
    return [float(round(h)) for h in height]


def _gaps(column: Sequence[int], distance: Distance) -> list[float]:
    """The least distance of every item from the first."""
    offsets: list[float] = []
    for k, item in enumerate(column):
        offsets.append(offsets[-1] + distance(column[k - 1], item) if k else 0.0)
    return offsets


def _settle(
    lattice: Lattice,
    column: Sequence[int],
    offsets: Sequence[float],
    height: list[float],
    weight: Weight,
    sides: tuple[bool, bool],
) -> None:
    both, rightwards = sides
    wishes, weights = [], []
    for item, offset in zip(column, offsets, strict=True):
        total = wanted = 0.0
        if both or rightwards:
            for other in lattice.left[item]:
                total += weight(other, item)
                wanted += weight(other, item) * height[other]
        if both or not rightwards:
            for other in lattice.right[item]:
                total += weight(item, other)
                wanted += weight(item, other) * height[other]
        own = wanted / total if total else height[item]
        wishes.append(own - offset)
        weights.append(total or 0.01)
    for item, offset, value in zip(
        column, offsets, nearest(wishes, weights), strict=True
    ):
        height[item] = value + offset


def leveled(
    lattice: Lattice,
    height: list[float],
    distance: Distance,
    chains: Sequence[Sequence[int]],
) -> None:
    """Make the bends of long edges level if their neighbours leave room.

    A chain lists the items of one edge from left to right. Each is cut into as few
    level runs as may be; the rest stays where it is. Changes `height`; linear.
    """
    above: dict[int, int] = {}
    for column in lattice.columns:
        above.update(zip(column[1:], column, strict=False))
    below = {b: a for a, b in above.items()}

    def room(item: int) -> tuple[float, float]:
        a, b = above.get(item), below.get(item)
        low = -_FAR if a is None else height[a] + distance(a, item)
        high = _FAR if b is None else height[b] - distance(item, b)
        return low, high

    for _ in range(_ROUNDS):
        for chain in chains:
            start = 0
            while start < len(chain):
                start = _level_run(chain, start, room, height)


def _level_run(
    chain: Sequence[int],
    start: int,
    room: Callable[[int], tuple[float, float]],
    height: list[float],
) -> int:
    """Level the longest run from `start` on; the start of the next one."""
    low, high = room(chain[start])
    end = start + 1
    while end < len(chain):
        least, most = room(chain[end])
        if max(low, least) > min(high, most):
            break
        low, high = max(low, least), min(high, most)
        end += 1
    run = chain[start:end]
    middle = float(round(sum(height[item] for item in run) / len(run)))
    for item in run:
        height[item] = min(max(middle, low), max(low, high))
    return end


_FAR = 1e9
_ROUNDS = 4


def nearest(wishes: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The ascending numbers nearest to the wishes in weighted least squares; linear."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, count
    for wish, weight in zip(wishes, weights, strict=True):
        mean, total, count = wish, weight, 1
        while blocks and blocks[-1][0] > mean:
            other, more, size = blocks.pop()
            mean = (mean * total + other * more) / (total + more)
            total, count = total + more, count + size
        blocks.append((mean, total, count))
    return [mean for mean, _, count in blocks for _ in range(count)]
