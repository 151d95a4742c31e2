"""Tables of a file under texts: a loop over them gives keys, which cannot change."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import load, load_generated, run

ROADS = """import math
from heapq import heappop, heappush

ROADS = {
    "home": [("a", 0), ("b", 1)],
    "a": [("b", 2), ("work", 3)],
    "b": [("work", 4)],
    "work": [],
}
"""
SHORTEST = """

# ad: gradient(cost, value=True)
def shortest(cost: "Vector[5]") -> float:
    dist = {node: math.inf for node in ROADS}
    dist["home"] = 0.0
    heap = [(0.0, "home")]
    while heap:
        d, u = heappop(heap)
        if d > dist[u]:
            continue
        if u == "work":
            return d
        for v, e in ROADS[u]:
            nd = d + cost[e]
            if nd < dist[v]:
                dist[v] = nd
                heappush(heap, (nd, v))
    raise ValueError("no path")
"""


@pytest.mark.parametrize("cost", [[1.0, 2.5, 0.5, 4.0, 1.0], [1.0, 1.0, 3.0, 0.5, 2.0]])
def test_shortest_way(cost: list[float]) -> None:
    source = ROADS + SHORTEST
    plain, made = load(source)["shortest"], load_generated(source, **NUMBERS)
    value, slopes = made["shortest_value_and_grad"](cost)
    assert value == plain(cost)
    ways = [plain(np.add(cost, step)) - value for step in np.eye(5) * 0.125]
    assert slopes.tolist() == pytest.approx([way / 0.125 for way in ways])


@pytest.mark.parametrize("use", ["{k: v for k in ROADS}", "{k for k in ROADS}"])
def test_keys_are_only_read(use: str) -> None:
    body = f"# ad: gradient\ndef f(v):\n    u = {use}\n    return v * len(u)\n"
    assert load_generated(f"{ROADS}\n\n{body}")["f_grad"](2.0) == 4.0


@pytest.mark.parametrize("use", ["{0: row for row in T}", "{v: T for v in (0, 1)}"])
def test_values_may_change(use: str) -> None:
    body = f"T = [[1.0], [2.0]]\n\n\n# ad: gradient\ndef f(v):\n    u = {use}\n"
    found = run(f"{body}    return v * len(u)\n").diagnostics
    assert [d.code for d in found] == ["AD122"]
