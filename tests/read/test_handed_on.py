"""Arrays that take turns in a loop, and other names that stand for one of them."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load, run

HEAD = """import numpy as np


# ad: jvp(x)
def f(x: "Vector[n]", k: int):
"""
SWAP = """    u = {start}
    w = np.cos(x)
    t = 0.0
    for i in range(k):
        t = t + {read}
        w[1:] = u[:-1]
        u, w = w, u
    return np.sum(u * w) + {behind}
"""
IN_A_LOOP = """    t = 0.0
    for j in range(k):
        u = x
        w = np.cos(x)
        for i in range(k):
            w[1:] = u[:-1]
            u, w = w, u
        t = t + np.sum(u)
    return t
"""
IN_AN_ARM = """    u = x
    if k > 1:
        w = np.cos(x)
        for i in range(k):
            w[1:] = u[:-1]
            u, w = w, u
    return np.sum(u){more}
"""
HELPER = """    return np.sum(relax(x, k) ** 2){more}


def relax(u, k):
    w = np.zeros_like(u)
    for i in range(k):
        w[1:] = 0.5 * u[:-1]
        u, w = w, u
    return u
"""
READ_AGAIN = {
    "in the loop": SWAP.format(start="x", read="x[1]", behind="t"),
    "of a view": SWAP.format(start="x[::-1]", read="x[1]", behind="t"),
    "behind the loop": SWAP.format(start="x", read="u[0]", behind="x[1]"),
    "in the next trip": IN_A_LOOP,
    "behind an arm": IN_AN_ARM.format(more=" + x[1]"),
    "by the caller": HELPER.format(more=" + np.sum(x)"),
    "by the helper": HELPER.format(more=" + np.sum(relax(x, 2))"),
}
WHILE = SWAP.format(start="x", read="u[0]", behind="t")
WHILE = WHILE.replace("for i in range(k):", "while k > 0:\n        k -= 1")
NOT_AGAIN = {
    "copy": SWAP.format(start="x.copy()", read="x[1] * u[0]", behind="x[1] * t"),
    "loop": SWAP.format(start="x", read="u[0]", behind="t"),
    "length": SWAP.format(start="x", read="len(x) * u[0]", behind="t"),
    "while": WHILE,
    "arm": IN_AN_ARM.format(more=""),
    "helper": HELPER.format(more=""),
}
X, D = np.array([0.3, -0.4, 0.8]), np.array([0.5, 1.0, -0.25])


@pytest.mark.parametrize("name", READ_AGAIN)
def test_an_array_that_changes_is_not_read_by_another_name(name: str) -> None:
    (found,) = run(HEAD + READ_AGAIN[name], effort=0).diagnostics
    assert found.code == "AD124"


@pytest.mark.parametrize("k", [0, 1, 2, 5])
@pytest.mark.parametrize("name", NOT_AGAIN)
def test_names_that_nobody_reads_again_forbid_nothing(name: str, k: int) -> None:
    text = HEAD + NOT_AGAIN[name]
    f, h = load(text)["f"], 1e-6
    found, tangent = load(generate(text, **NUMBERS))["f_jvp"](X, D, k)
    assert found == pytest.approx(f(X.copy(), k), rel=1e-14)
    slope = (f(X + h * D, k) - f(X - h * D, k)) / (2 * h)
    assert tangent == pytest.approx(slope, rel=1e-7, abs=1e-7)
