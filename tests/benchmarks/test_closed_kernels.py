"""How many random kernels the search closes, by size and effort, and the gap it leaves.

A kernel is what reductions leave of a graph whose values have two predecessors each,
half of them among the last six, with four or five ends on each side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

import pytest

from ad_transform.eliminate import optimise_plain, solve
from ad_transform.graph import EdgeClass, Graph

WIDTHS = {10: (16, 4), 20: (28, 4), 30: (40, 5), 40: (54, 5)}
"""Per size of kernels how many intermediates and ends graphs have that leave such."""


def layered(seed: int, inner: int, ends: int) -> Graph:
    chance = Random(seed)
    last = ends + inner
    edges = set()
    for v in range(ends, last + ends):
        for _ in "ab":
            below = min(v, last)
            reach = below if chance.randrange(2) else min(below, 6)
            edges.add((below - 1 - chance.randrange(reach), v))
    for v in sorted(set(range(ends, last)) - {u for u, _ in edges}):
        edges.add((v, chance.randrange(v + 1, last + ends)))
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    return Graph.build(last + ends, range(ends), range(last, last + ends), classes)


@pytest.mark.parametrize(
    ("size", "effort", "least"),
    [(10, 1, 5), (20, 1, 4), (30, 1, 1), (30, 2, 4), (40, 2, 3)],
)
def test_random_kernels_are_closed(size: int, effort: int, least: int) -> None:
    inner, ends = WIDTHS[size]
    graphs = (layered(seed, inner, ends) for seed in range(1_000))
    plans = [optimise_plain(g, effort) for g in islice(_of_size(graphs, size), 5)]
    closed = sum(plan.proven for plan in plans)
    gaps = [1 - (plan.bound or 0) / plan.price for plan in plans]
    mean = 100 * sum(gaps) / len(gaps)
    print(f"kernels of {size}, effort {effort}: {closed} of 5, gap {mean:.1f} %")
    assert closed >= least


def _of_size(graphs: Iterable[Graph], size: int) -> Iterator[Graph]:
    return (g for g in graphs if abs(solve(g, 0).kernel - size) <= 2)
