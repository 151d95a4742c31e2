"""Times of gradients of what is remembered by keys, as ratios to the source's."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest
from measuring import seconds
from support import generate, load

PAIRS = """\
import math


def ways(i, j, x, memo):
    if i == 0 or j == 0:
        return 1.0
    if (i, j) in memo:
        return memo[i, j]
    v = x[i] * ways(i - 1, j, x, memo) + math.sin(x[j]) * ways(i, j - 1, x, memo)
    memo[i, j] = v
    return v


# ad: gradient
def f(x: "Vector[m]", n: int):
    return ways(n, n + 1, x, {})
"""
SUMS = """\
# ad: gradient(x)
def f(x: "Vector[n]", k: "Vector[n, int]"):
    totals = {}
    for v, i in zip(x, k):
        totals[i] = totals.get(i, 0.0) + v
    return sum(t * t for t in totals.values())
"""
SEEN = """\
# ad: gradient(x)
def f(x: "Vector[n]", k: "Vector[n, int]"):
    seen = set()
    total = 0.0
    for v, i in zip(x, k):
        if i not in seen:
            seen.add(i)
            total += v * v
    return total
"""
X = np.linspace(0.1, 0.9, 4000)
K = np.random.default_rng(1).integers(0, 2000, 4000)
# name, source, arguments, limit: a memo of 42 times 43 has 1,806 pairs
CASES = {
    "memo of pairs": (PAIRS, (X[:44], 42), 10.0),
    "sums by key": (SUMS, (X, K), 4.0),
    "what is seen": (SEEN, (X, K), 4.0),
}


@pytest.fixture(autouse=True)
def deep() -> Iterator[None]:
    most = sys.getrecursionlimit()
    sys.setrecursionlimit(5000)
    yield
    sys.setrecursionlimit(most)


@pytest.mark.parametrize("name", CASES)
def test_a_key_is_looked_for_in_no_time(name: str) -> None:
    source, args, limit = CASES[name]
    plain = [a.tolist() if isinstance(a, np.ndarray) else a for a in args]
    function, made = load(source)["f"], load(generate(source))["f_grad"]
    own, derived = seconds((function, plain), (made, args))
    print(f"{name:40s} {derived / own:6.2f}   limit {limit}")
    assert derived <= limit * own
