"""Crossings and heights against their definitions."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from ad_transform.picture.coordinates import heights, nearest
from ad_transform.picture.order import Lattice, crossings, untangle

patient = settings(deadline=None)


@st.composite
def lattices(draw):
    lattice = Lattice()
    sizes = draw(st.lists(st.integers(1, 7), min_size=2, max_size=5))
    for column, size in enumerate(sizes):
        for _ in range(size):
            lattice.add(column, draw(st.integers(-1, 1)))
    for left, right in pairwise(lattice.columns):
        pairs = [(a, b) for a in left for b in right]
        for a, b in draw(st.lists(st.sampled_from(pairs), unique=True, max_size=14)):
            lattice.join(a, b)
    return lattice


def counted(lattice):
    """Crossings by looking at every pair of edges."""
    total = 0
    for left, right in pairwise(lattice.columns):
        edges = [
            (left.index(a), right.index(b)) for a in left for b in lattice.right[a]
        ]
        pairs = combinations(edges, 2)
        total += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in pairs)
    return total


@patient
@given(lattices())
def test_crossings_are_counted(lattice):
    assert crossings(lattice) == counted(lattice)


@patient
@given(lattices())
def test_groups_become_neighbours_and_no_item_is_lost(lattice):
    before = [sorted(column) for column in lattice.columns]
    untangle(lattice)
    assert [sorted(column) for column in lattice.columns] == before
    for column in lattice.columns:
        groups = [lattice.group[item] for item in column]
        for group in {0, 1} & set(groups):
            places = [k for k, g in enumerate(groups) if g == group]
            assert places == list(range(places[0], places[-1] + 1))


@patient
@given(lattices())
def test_without_groups_crossings_do_not_increase(lattice):
    lattice.group = [-1] * len(lattice.group)
    before = crossings(lattice)
    untangle(lattice)
    assert crossings(lattice) <= before


@patient
@given(lattices(), st.integers(1, 40))
def test_heights_keep_their_distance(lattice, apart):
    height = heights(lattice, lambda a, b: float(apart), lambda a, b: 1.0)
    for column in lattice.columns:
        for a, b in pairwise(column):
            assert height[b] - height[a] >= apart - 1  # they are rounded


numbers = st.lists(st.integers(-50, 50), min_size=1, max_size=9)


@patient
@given(numbers, st.data())
def test_the_nearest_ascending_numbers(wishes, data):
    """By the min-max formula of isotonic regression (Barlow et al. 1972)."""
    size = len(wishes)
    weights = data.draw(st.lists(st.integers(1, 5), min_size=size, max_size=size))

    def mean(a, b):
        total = sum(w * x for w, x in zip(weights[a:b], wishes[a:b], strict=True))
        return total / sum(weights[a:b])

    for i, value in enumerate(nearest(wishes, weights)):
        lows = [min(mean(a, b) for b in range(i + 1, size + 1)) for a in range(i + 1)]
        assert abs(value - max(lows)) < 1e-9
