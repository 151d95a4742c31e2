"""A loop goes over a list while others grow, which may be the same one, or may not."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load, run

SEARCH = """\
# ad: gradient(rates)
def bfs(rates: "Vector[m]", heads: "Vector[m, int]", tails: "Vector[m, int]"):
    frontier = [0]
    seen = {0}
    total = 0.0
    while len(frontier) > 0:
        new = []
        for u in frontier:
            for e in range(len(heads)):
                if heads[e] == u and tails[e] not in seen:
                    seen.add(tails[e])
                    new.append(tails[e])
                    total += rates[e] ** 2
        frontier = new
    return total
"""

IN_TURN = """\
# ad: gradient(w)
def g(w: float, n: int):
    u = [w, 2.0 * w]
    v = [0.5 * w]
    total = 0.0
    for k in range(n):
        for a in v:
            total += a * a
            if len(u) < 5:
                u.append(a)
        u, v = v, u
    return total
"""

ONE = """\
# ad: gradient(w)
def f(w: float, n: int):
    u = [w, 2.0 * w]
    v = u
    total = 0.0
    for k in range(n):
        for a in v:
            total += a * a
            if len(u) < 5:
                u.append(a)
        v = u
    return total
"""

PERHAPS = """\
# ad: gradient(w)
def h(w: float, n: int):
    u = [w, 2.0 * w]
    v = [0.5 * w]
    total = 0.0
    while len(v) > 0 and total < 30.0:
        new = []
        for a in v:
            total += a * a
            u.append(a)
            if total < 20.0:
                new.append(a * 1.1)
        v = new if total > 1.0 else u
    return total
"""


def test_a_search_goes_over_what_the_trip_before_has_found() -> None:
    rates = np.array([0.3, 0.5, 0.7, 0.2, 0.9, 1.1])
    heads, tails = np.array([0, 0, 1, 2, 2, 3]), np.array([1, 2, 3, 3, 4, 5])
    made = load(generate(SEARCH, **ANY_ORDER))["bfs_grad"](rates, heads, tails)
    assert made == pytest.approx(2.0 * rates * (np.arange(6) != 3))


@pytest.mark.parametrize("n", range(5))
def test_lists_take_turns(n: int) -> None:
    made, plain = load(generate(IN_TURN, **ANY_ORDER))["g_grad"], load(IN_TURN)["g"]
    rise = (plain(0.7 + 1e-6, n) - plain(0.7 - 1e-6, n)) / 2e-6
    assert made(0.7, n) == pytest.approx(rise, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("source", [ONE, PERHAPS], ids=["one", "perhaps"])
def test_a_list_that_may_grow_is_refused_once(source: str) -> None:
    (said,) = run(source, **ANY_ORDER).diagnostics
    assert said.code == "AD107" and "'v' may grow while a loop" in said.message
    assert said.help
