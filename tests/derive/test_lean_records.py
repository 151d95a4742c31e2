"""Functions that call themselves record what their way back reads, and nothing else."""

from __future__ import annotations

import ast
from functools import cache

import numpy as np
import pytest
from amounts import NUMBERS
from support import load, run

FLOOD = """\
# ad: gradient(h)
def f(h: "Matrix[m, n]", level: float) -> float:
    seen = [[False] * len(h[0]) for _ in range(len(h))]
    volume = [0.0]

    def fill(i, j):
        if i < 0 or j < 0 or i >= len(h) or j >= len(h[0]) or seen[i][j]:
            return
        seen[i][j] = True
        if h[i][j] >= level:
            return
        volume[0] += level - h[i][j]
        fill(i + 1, j)
        fill(i - 1, j)
        fill(i, j + 1)
        fill(i, j - 1)

    fill(0, 0)
    return volume[0] ** 2
"""

MEMO = """\
# ad: gradient(h)
def f(h: "Vector[n]", depth: int) -> float:
    memo = {}

    def best(i, d):
        if d == 0:
            return h[i]
        key = (i, d)
        if key not in memo:
            a = best(i, d - 1) * 0.5
            b = best((i + 1) % len(h), d - 1) + h[i] * h[i]
            memo[key] = a * h[i] if a > b else b * a
        return memo[key]

    return best(0, depth)
"""

ARMS = """\
# ad: gradient(h)
def f(h: "Vector[n]", depth: int) -> float:
    def go(k, x, y):
        if k == 0:
            return x * y
        z = x * y
        if x > y:
            s = go(k - 1, z, y) * x
            return s * h[k % len(h)]
        t = go(k - 1, x + 0.5, z)
        return t * t + x

    return go(depth, h[0], h[1])
"""

POINTS = {
    FLOOD: (np.array([[0.1, 0.2, 2.0], [0.3, 3.0, 0.1], [0.5, 0.6, 0.7]]), 1.0),
    MEMO: (np.array([0.3, 0.9, 0.5]), 4),
    ARMS: (np.array([0.7, 0.6, 1.3]), 5),
}


@cache
def derived(source: str) -> str:
    made = run(source, **NUMBERS)
    assert made.text is not None, made.diagnostics
    return made.text


@pytest.mark.parametrize("source", POINTS, ids=["flood", "memo", "arms"])
def test_gradients_are_those_of_differences(source: str) -> None:
    function = load(source)["f"]
    x, *others = POINTS[source]
    gradient = load(derived(source))["f_grad"](x, *others)
    for place in np.ndindex(x.shape):
        ends = []
        for step in (1e-6, -1e-6):
            moved = x.copy()
            moved[place] += step
            ends.append(function(moved.tolist(), *others))
        assert gradient[place] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)


@pytest.mark.parametrize("source", POINTS, ids=["flood", "memo", "arms"])
def test_all_that_is_taken_from_a_record_is_read(source: str) -> None:
    module = ast.parse(derived(source))
    functions = [one for one in module.body if isinstance(one, ast.FunctionDef)]
    backs = [one for one in functions if "_back" in one.name]
    assert backs
    for back in backs:
        names = [n for n in ast.walk(back) if isinstance(n, ast.Name)]
        read = {n.id for n in names if isinstance(n.ctx, ast.Load)}
        opened = [
            target
            for n in ast.walk(back)
            if isinstance(n, ast.Assign) and ast.unparse(n.value).startswith("record")
            for target in ast.walk(n.targets[0])
            if isinstance(target, ast.Name)
        ]
        assert opened
        assert {target.id for target in opened} <= read


def test_ways_forth_that_are_alike_are_one() -> None:
    text = derived(FLOOD)
    assert text.count("def _fill_forth") == 1
    assert "_copied_rows" not in text  # nobody reads what was there before


def test_ways_forth_of_a_memo_are_one() -> None:
    assert derived(MEMO).count("\ndef _best_forth") == 1
