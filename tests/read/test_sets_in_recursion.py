"""Functions that call themselves are given sets and deques, or read those around."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load, run

HEAD = """\
from collections import deque


# ad: gradient(w)
def f(w: "Vector[m]", heads: "Vector[m, int]", tails: "Vector[m, int]"):
"""
# fmt: off
BODIES = {
    "read around": """
seen = set()
total = [0.0]

def visit(u):
    seen.add(u)
    for e in range(len(w)):
        if heads[e] == u and tails[e] not in seen:
            total[0] += w[e] * w[e]
            visit(tails[e])

visit(0)
return total[0] ** 2 + len(seen)
""",
    "given": """
def visit(u, seen):
    seen.add(u)
    total = 0.0
    for e in range(len(w)):
        if heads[e] == u and tails[e] not in seen:
            total += w[e] * w[e] + 0.5 * visit(tails[e], seen)
    return total

found = set()
first = visit(0, found)
return first * sum(w[e] for e in range(len(w)) if tails[e] in found)
""",
    "of pairs": """
seen = set()

def walk(i, j):
    if i >= len(w) or j >= len(w) or (i, j) in seen:
        return 0.0
    seen.add((i, j))
    return w[i] * w[j] + 0.5 * walk(i + 1, j) + 0.25 * walk(i, j + 1)

return walk(0, 2)
""",
    "on the way alone": """
def paths(u, on_it):
    if u == 5:
        return 1.0
    on_it.add(u)
    total = 0.0
    for e in range(len(w)):
        if heads[e] == u and tails[e] not in on_it:
            total += w[e] * paths(tails[e], on_it)
    on_it.discard(u)
    return total

return paths(0, {7}) ** 2
""",
    "copied": """
def most(u, seen):
    own = seen.copy()
    own.add(u)
    best = 0.0
    for e in range(len(w)):
        if heads[e] == u and tails[e] not in own:
            best = max(best, w[e] * w[e] + most(tails[e], own))
    return best

return most(0, set())
""",
    "a deque": """
waiting = deque([0])

def next_one(depth):
    if not waiting or depth > 9:
        return 0.0
    u = waiting.popleft()
    total = 0.0
    for e in range(len(w)):
        if heads[e] == u:
            total += w[e] ** 2 / (1.0 + depth)
            waiting.append(tails[e])
    return total + next_one(depth + 1)

return next_one(0)
""",
}
# fmt: on
W = np.array([0.3, 0.5, 0.7, 0.2, 0.9, 1.1, 0.4])
HEADS = np.array([0, 0, 1, 2, 2, 3, 4])
TAILS = np.array([1, 2, 3, 3, 4, 5, 5])


def source(name: str) -> str:
    lines = BODIES[name].strip().splitlines()
    return HEAD + "".join(f"    {line}\n" if line else "\n" for line in lines)


@pytest.mark.parametrize("name", BODIES)
def test_gradients_are_those_of_differences(name: str) -> None:
    plain = load(source(name))["f"]
    made = load(generate(source(name), **ANY_ORDER))["f_grad"](W, HEADS, TAILS)
    for k in range(len(W)):
        high, low = ([*W] for _ in range(2))
        high[k] += 1e-6
        low[k] -= 1e-6
        rise = plain(high, [*HEADS], [*TAILS]) - plain(low, [*HEADS], [*TAILS])
        assert made[k] == pytest.approx(rise / 2e-6, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", ["read around", "given", "of pairs"])
def test_no_call_copies_the_set(name: str) -> None:
    assert "copy()" not in generate(source(name), **ANY_ORDER)


def test_a_deque_that_drops_items_is_refused_by_name() -> None:
    text = source("a deque").replace("deque([0])", "deque([0], maxlen=3)")
    (said,) = run(text, **ANY_ORDER).diagnostics
    assert said.code == "AD120" and "'waiting'" in said.message
