"""Lists that begin with whole numbers and hold floats later: numbers do not care."""

from __future__ import annotations

import pytest
from amounts import NUMBERS
from support import load, load_generated

TABLE = """\
c = [[0] * (n + 1) for _ in range(n + 1)]
for i in range(1, n + 1):
    for j in range(1, n + 1):
        c[i][j] = 0.5 * c[i - 1][j] + a * c[i][j - 1] + a * i
return c[n][n] * c[1][n]"""
BODIES = {
    "comprehension": (
        "c = [0 for _ in range(n)]\nfor i in range(1, n):\n"
        "    c[i] = c[i - 1] + a * i\nreturn c[n - 1] * c[1]"
    ),
    "table": TABLE,
    "unit matrix": (
        "c = [[1 if i == j else 0 for j in range(n)] for i in range(n)]\n"
        "for i in range(n):\n    c[i][i] += a\n    c[i][0] -= a * a\n"
        "return c[1][1] * c[2][0] + c[0][0]"
    ),
    "polynomial": (
        "p = [1]\nfor k in range(n):\n    q = [0] * (len(p) + 1)\n"
        "    for i, c in enumerate(p):\n        q[i] -= a * k * c\n"
        "        q[i + 1] += c\n    p = q\nreturn p[1] * p[2] + p[3]"
    ),
    "two rows": (
        "b = [0] * (n + 1)\nfor i in range(n):\n    c = [0] * (n + 1)\n"
        "    for j in range(n):\n        c[j + 1] = c[j] + b[j] + a * (i + j)\n"
        "    b = c\nreturn b[n]"
    ),
    "rows in turn": (
        "P = [[0] * n for _ in range(2)]\nfor t in range(n):\n    for j in range(n):\n"
        "        P[t % 2][j] = P[(t + 1) % 2][j] + a * j\nreturn sum(P[0]) * P[1][1]"
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_they_hold_floats_from_where_they_are_made(body: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"# ad: gradient(value=True)\ndef f(a: float, n: int):\n{lines}"
    plain, h = load(source)["f"], 1e-5
    value, slope = load_generated(source, **NUMBERS)["f_value_and_grad"](0.5, 4)
    assert value == plain(0.5, 4)
    assert slope == pytest.approx((plain(0.5 + h, 4) - plain(0.5 - h, 4)) / (2 * h))
