"""States that trips change in place: a trip records a copy where it reads all of one,
what it reads where that is little, and nothing that is quickly made again.
"""

from __future__ import annotations

import hyperduals
import pytest
from amounts import ANY_ORDER
from hyperduals import Hyper
from support import generate, load

SOURCE = """
import math

# ad: gradient(x, p)
def f(x: "Vector[n]", p: float, k: int):
    n = len(x)
    u = list(x)
    m = [[v * p for v in x] for _ in range(n)]
    at = [(3 * i + 1) % n for i in range(n)]
    total = 0.0
    for t in range(k):
        d = [0.0] * n
{reading}
        for i in range(n):
            u[i] += 0.25 * d[i] * p
            for j in range(n):
                m[i][j] = m[i][j] * 0.5 + u[i] * d[j]
    return total + sum(v * v for v in u)
"""
# fmt: off
ALL = {
    "each":        ["for i in range(n):", "    d[i] = math.sin(u[i])"],
    "length":      ["for i in range(len(u)):", "    d[i] = u[i] * u[i]"],
    "neighbours":  ["for i in range(1, n - 1):", "    d[i] = u[i - 1] * u[i + 1]"],
    "back":        ["for i in range(n - 1, -1, -1):", "    d[i] = u[i] ** 3"],
    "ring":        ["for i in range(n):", "    d[i] = u[i] * u[(i + 1) % n]"],
    "all pairs":   ["for i in range(n):", "    for j in range(n):",
                    "        if j != i:", "            z = u[j] - u[i]",
                    "            w = z * z + 0.5",
                    "            d[i] += z / (w * math.sqrt(w))"],
    "looked up":   ["for i in range(n):", "    d[at[i]] -= u[i] * u[at[i]] ** 2"],
    "product":     ["for i in range(n):", "    for j in range(n):",
                    "        d[i] += m[i][j] * u[j]"],
    "while":       ["i = 0", "while i < n and total < 50.0:",
                    "    for j in range(n):", "        total += u[i] * u[j] * p",
                    "    i += 1"],
}
FEW = {
    "few":         ["for i in range(min(n, 2)):", "    d[i] = math.sin(u[i])"],
    "a window":    ["for i in range(t, min(n, t + 2)):", "    d[i] = u[i] ** 2"],
    "one":         ["for i in range(n):", "    d[i] = x[i] * math.sin(u[0])"],
    "left":        ["for i in range(n):", "    if u[i] > 1.5:", "        break",
                    "    d[i] = u[i] ** 2 * u[-1]"],
    "a row":       ["for j in range(n):", "    d[j] = math.sin(m[0][j])"],
}
# fmt: on
POINTS = [[0.5, 0.25, -0.75], [1.75, 0.5], [0.5, -1.0, 0.25, 1.25]]


def source(reading):
    return SOURCE.format(reading="\n".join(f"        {line}" for line in reading))


@pytest.mark.parametrize("name", [*ALL, *FEW])
def test_gradients_are_those_of_forward_mode(name):
    text = source((ALL | FEW)[name])
    derived = generate(text, container="tuple", **ANY_ORDER)
    made, dual = load(derived)["f_grad"], load(text, hyperduals.modules())["f"]
    copies = ("u.copy()", "_copied_rows(m)")
    assert any(copy in derived for copy in copies) == (name in ALL)
    for x in POINTS:
        for k in (0, 1, 3):
            slopes, slope = made(x, 0.75, k)
            every = [*x, 0.75]
            for j in range(len(every)):
                *point, p = [Hyper(v, float(i == j), 0.0) for i, v in enumerate(every)]
                want = hyperduals.hyper(dual(point, p, k)).s
                assert [*slopes, slope][j] == pytest.approx(want, rel=1e-11, abs=1e-12)


def test_copies_are_recorded_where_they_are_made():
    text = generate(source(ALL["each"]), **ANY_ORDER)
    assert "u_before_list.append(u.copy())\n" in text
    assert "zip(reversed(d_list), reversed(u_before_list))" in text


def test_what_is_quickly_made_again_is_not_recorded():
    text = generate(source(ALL["all pairs"]), **ANY_ORDER)
    assert text.count(".append(") == 2  # copies of u and the rows of d
    assert text.count("z = u[j] - u[i]\n") == 1
    assert text.count("z = u_before[j] - u_before[i]\n") == 1
