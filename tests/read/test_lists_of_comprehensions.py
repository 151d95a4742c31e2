"""Lists of which each item is a comprehension that only a run knows the length of."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import generate, load, same_bits

HEAD = """\
# ad: gradient(p, q, value=True)
def f(p: float, q: float, n: int) -> float:
"""
ROW = "[p * i + q * j for j in range(n)]"
BODIES = {
    "a list": f"B = [{ROW} for i in range(3)]\nreturn sum(B[1]) * q",
    "a tuple": f"B = tuple({ROW} for i in range(3))\nreturn sum(B[1]) * q",
    "an arm": f"B = [{ROW} if i else [q] * n for i in range(3)]\nreturn sum(B[1])",
    "reduced": f"B = [sum(r) for r in [{ROW} for i in range(3)]]\nreturn B[1] * q",
    "two names": "B = [[x * i - j for j in range(n)] for i, x in enumerate((p, q, p))]"
    "\nreturn sum(B[1]) * q",
    "conditions": "B = [[p * i + q * j for j in range(n) if j != i] for i in range(3)]"
    "\nreturn sum(B[0]) + q * sum(B[1])",
    "three deep": f"B = [[{ROW} for k in range(2)] for i in range(3)]\n"
    "return sum(B[1][0]) * q + sum(B[0][1])",
    "changed behind": "x = [p * j for j in range(n)]\n"
    "B = [[v * i for v in x] for i in range(3)]\nx[n - 1] = 2.0\nreturn sum(B[1]) * q",
    "written": f"B = [{ROW} for i in range(3)]\nB[1][0] *= p\nB[0][0] = q\n"
    "return sum(B[1]) + sum(B[0])",
}


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("name", BODIES)
def test_each_is_made_in_its_own_trip(name, n):
    text = source(BODIES[name])
    plain, made = load(text)["f"], load(generate(text, container="tuple", **ANY_ORDER))
    value, slopes = made["f_value_and_grad"](0.7, 0.4, n)
    assert same_bits(value, plain(0.7, 0.4, n))
    h = 1e-6
    along_p = (plain(0.7 + h, 0.4, n) - plain(0.7 - h, 0.4, n)) / (2 * h)
    along_q = (plain(0.7, 0.4 + h, n) - plain(0.7, 0.4 - h, n)) / (2 * h)
    assert slopes == pytest.approx((along_p, along_q), rel=1e-7, abs=1e-8)
