"""Functions inside others that call themselves, and read what is around them."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from reading import curves, indented, slopes
from support import generate, load, load_generated, run

HEAD = """import math
from functools import cache, lru_cache


# ad: gradient(a, b, value=True), hessian(a, b), vjp(a, b)
def f(a: float, b: float, n: int):
"""

BODIES = {
    "legendre": "def p(k):\n    if k == 0:\n        return 1.0\n    if k == 1:\n"
    "        return a\n"
    "    return ((2 * k - 1) * a * p(k - 1) - (k - 1) * p(k - 2)) / k\n"
    "return p(n) * b",
    "bound anew": "def p(k):\n    if k == 0:\n        return b\n"
    "    return a * p(k - 1) + 1.0\nfirst = p(n)\na = a * b\nreturn first + p(n)",
    "remembered": "@lru_cache(maxsize=None)\ndef win(i, j):\n    if i == n:\n"
    "        return b\n    if j == n:\n        return 0.0\n"
    "    return a * win(i + 1, j) + (1 - a) * win(i, j + 1)\nreturn win(0, 0)",
    "in a loop": "s = 0.0\nfor k in range(n):\n    w = a * k + b\n    def g(m):\n"
    "        return w if m < 1 else math.sin(w) * g(m - 1)\n    s += g(k) * a\n"
    "return s",
    "two": "def even(k):\n    return a if k == 0 else b * odd(k - 1)\n"
    "def odd(k):\n    return b if k == 0 else math.cos(a) * even(k - 1)\n"
    "return even(n) + odd(n)",
    "given": "def bisect(lo, hi, depth):\n    mid = 0.5 * (lo + hi)\n"
    "    if depth == 0:\n        return mid * a\n    if mid * mid > b:\n"
    "        return bisect(lo, mid, depth - 1)\n"
    "    return bisect(mid, hi, depth - 1)\nreturn bisect(0.1, 2.0 + a, n)",
}


@pytest.mark.parametrize("name", BODIES)
def test_values_and_derivatives(name: str) -> None:
    source = HEAD + indented(BODIES[name])
    f, derived = load(source)["f"], load_generated(source)
    for a, b, n in ((0.31, 0.9, 4), (0.77, 1.3, 2)):
        slope = slopes(f, a, b, n)
        value, found = derived["f_value_and_grad"](a, b, n)
        assert value == f(a, b, n)
        assert list(found) == pytest.approx(slope, rel=1e-5, abs=1e-6)
        found = derived["f_vjp"](a, b, 2.0, n)[1]
        assert found == pytest.approx((2 * slope[0], 2 * slope[1]), rel=1e-5, abs=1e-6)
        wanted = np.array(curves(f, a, b, n))
        assert derived["f_hess"](a, b, n) == pytest.approx(wanted, rel=1e-3, abs=1e-3)


def test_one_function_for_one_reading_of_what_is_around() -> None:
    text = generate(HEAD + indented(BODIES["legendre"]), **ANY_ORDER)
    assert "def _p_jac(" in text and "_p_2" not in text


def test_what_is_ignored_is_said() -> None:
    (found,) = run(HEAD + indented(BODIES["remembered"])).diagnostics
    assert found.message == "'functools.lru_cache' is ignored: it remembers results"


def test_a_list_that_is_read_is_refused() -> None:
    body = "u = [a, b]\ndef g(k):\n    u[0] = u[0] * a\n"
    body += "    return [g(k - 1), 1.0][k == 0]\nreturn g(n)"
    (found,) = (d for d in run(HEAD + indented(body)).diagnostics if d.code == "AD120")
    assert "'g' calls itself" in found.message and found.help
