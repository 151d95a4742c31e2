"""Rows and elements that are exchanged: at once, forth and back."""

from __future__ import annotations

import math

import black
import hyperduals
import pytest
from amounts import ANY_ORDER
from hyperduals import Hyper
from support import generate, load

SOURCE = """
# ad: gradient(b, q, value=True)
def f(b: "Vector[n]", q: float, k: int, p: int) -> float:
    y = list(b)
    m = [[u * v + i for u in b] for i, v in enumerate(b)]
    n = len(b)
    s = 0.0
    for t in range(k):
{exchange}
        y[0] = y[0] * q
        m[-1][0] += y[-1] * m[0][t]
        s += m[0][t] * y[0] + m[t][-1] * y[t]
    return s
"""
# fmt: off
EXCHANGES = {
    "elements":     ["y[t], y[p] = y[p], y[t]"],
    "rows":         ["m[t], m[p] = m[p], m[t]"],
    "both":         ["m[t], m[p] = m[p], m[t]", "y[t], y[p] = y[p], y[t]"],
    "from the end": ["m[0], m[-1] = m[-1], m[0]", "y[-2], y[0] = y[0], y[-2]"],
    "tested":       ["if p != t:", "    m[p], m[t] = m[t], m[p]"],
    "by hand":      ["for j in range(n):", "    m[t][j], m[p][j] = m[p][j], m[t][j]"],
    "turned":       ["for i in range(n // 2):",
                     "    y[i], y[n - 1 - i] = y[n - 1 - i], y[i]"],
    "round":        ["y[t], y[p], y[0] = y[p], y[0], y[t]"],
    "one of both":  ["m[t][0], m[p][1] = m[p][1], m[t][0]"],
    "named":        ["held = y[t]", "y[t] = y[p]", "y[p] = held"],
    "used":         ["held = y[t]", "y[t] = y[p]", "y[p] = held", "s += held * q"],
}
# fmt: on


def source(name):
    return SOURCE.format(exchange="\n".join(f"        {s}" for s in EXCHANGES[name]))


@pytest.mark.parametrize("name", EXCHANGES)
def test_gradients_are_those_of_forward_mode(name):
    text = source(name)
    made = load(generate(text, container="tuple", **ANY_ORDER))["f_value_and_grad"]
    plain, dual = load(text)["f"], load(text, hyperduals.modules())["f"]
    b = [0.5, -0.75, 1.25]
    for k, p in ((0, 0), (1, 0), (3, 0), (3, 1), (2, 2), (3, -1)):
        value, (slopes, slope) = made(b, 0.5, k, p)
        assert value == plain(b, 0.5, k, p)
        for j in range(4):
            *point, q = [Hyper(v, float(i == j), 0.0) for i, v in enumerate([*b, 0.5])]
            want = hyperduals.hyper(dual(point, q, k, p)).s
            assert [*slopes, slope][j] == pytest.approx(want, rel=1e-12, abs=1e-13)


def test_both_ways_exchange_at_once():
    text = generate(source("both"), **ANY_ORDER)
    for array in ("m", "y", "m_bar", "y_bar"):
        assert f"        {array}[t], {array}[p] = {array}[p], {array}[t]\n" in text


def test_what_the_user_names_keeps_its_name():
    text = generate(source("named"), **ANY_ORDER)
    assert "        held = y[t]\n        y[t] = y[p]\n        y[p] = held\n" in text
    assert "        y_bar[t], y_bar[p] = y_bar[p], y_bar[t]\n" in text


@pytest.mark.parametrize("name", ["y" * 20, "y" * 29, "y" * 40])
def test_long_exchanges_are_laid_out_as_black_does(name):
    text = generate(source("elements").replace("y", name), **ANY_ORDER)
    assert f"{name}[t], {name}[p] = " in text or "    ) = (\n" in text
    assert black.format_str(text, mode=black.Mode()) == text


COMMENTED = """
# ad: gradient(b, value=True)
def f(b: "Vector[n]", k: int, p: int) -> float:
    y = list(b)
    m = [[u * v for u in b] for v in b]
    # the largest one comes first
    m[k], m[p] = m[p], m[k]  # rows
    # and here
    y[k], y[p] = y[p], y[k]  # elements
    return y[0] * m[0][1] * y[-1]
"""


def test_comments_stay_beside_what_is_exchanged():
    text = generate(COMMENTED, **ANY_ORDER)
    assert (
        "    # the largest one comes first\n    m[k], m[p] = m[p], m[k]  # rows\n"
        in text
    )
    assert "    # and here\n    y[k], y[p] = y[p], y[k]  # elements\n" in text


ZERO = """
# ad: gradient(b, value=True)
def f(b: "Vector[n]", k: int, p: int) -> float:
    y = list(b)
    for i in range(k):
        x = y[p]
        y[p] = 0.0
        z = y[i]
        y[i] = x
        y[p] += z
    return y[p]
"""


def test_a_sum_that_the_user_writes_keeps_the_sign_of_its_zero():
    made = load(generate(ZERO, container="tuple", **ANY_ORDER))["f_value_and_grad"]
    value, slopes = made([-0.0, 2.0], 1, 1)
    assert math.copysign(1.0, value) == 1.0
    assert slopes == (1.0, 0.0)
