"""Loops go over the items of lists where no trip reads an index but for them."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, jacobian, load, load_exact, load_generated

HEAD = """\
# ad: gradient(k), jvp(k), vjp(k)
def f(k: float, x: "Vector[n]", w: "Vector[n]", n: int):
    s = 0.0
{body}
    return s
"""
# fmt: off
OVER_ITEMS = {
    "items":  "for a in x:\n    s += k * k * a",
    "zip":    "for a, b in zip(x, w):\n    s += k * a * b * s + b * k",
    "slopes": "for a in x:\n    s = s * k + a",
    "break":  "for a in x:\n    s = s * k + a\n    if s > 3.0:\n        break",
    "return": "for a in x:\n    if a > 2.0:\n        return s * k\n    s = s + k * a",
    "two":    "for a in x:\n    s = s * k + a\n"
              "for a, b in zip(x, w):\n    s = s * b + k * a",
    "nested": "for a in x:\n    for b in w:\n        s = s * k * 0.5 + a * b",
    "an arm": "for a in x:\n    r = a\n    for b in w:\n        r += b * k\n"
              "    if r > 0.5:\n        for b in w:\n            s += r * r * b",
}
BY_INDEX = {
    "own index":  "for i in range(len(x)):\n    s += k * x[i] * w[i] + k * k * x[i]",
    "goes on":    "for i in range(len(x)):\n    a = x[i]\n"
                  "    for b in w:\n        a = a + b * k\n    s += k * a",
    "a number":   "for i in range(n):\n    a = x[i]\n    s += k * a + k * k * a",
    "neighbours": "for i in range(1, len(x)):\n    s += k * (x[i] - x[i - 1]) * k",
}
NUMBERED = {
    "enumerate":  "for i, a in enumerate(x):\n    s += k * a * i + k * k",
    "own names":  "for i in range(len(x)):\n    a = x[i]\n    s += k * k * a + i * k",
}
# fmt: on
FILLED = """\
# ad: gradient(x)
def f(x: "Vector[n]", w: "Vector[n]", k: float) -> float:
    s = 0.0
    for a, b in zip(x, w):
        s += a * a * b
    return k * s


# ad: gradient(k)
def g(x: "Vector[n]", k: float) -> float:
    return sum(k * k * a for a in x) ** 2
"""
RESIDUALS = {
    "stored": """
    out = np.zeros(len(t))
    for i in range(len(t)):
        out[i] = a * math.exp(-b * t[i]) - y[i]
    return out""",
    "an array of a list": """
    return np.array([a * math.exp(-b * u) - v for u, v in zip(t, y)])""",
    "appended": """
    out = []
    for u, v in zip(t, y):
        out.append(a * math.exp(-b * u) - v)
    return np.array(out)""",
}
JACOBIAN = """\
import math
import numpy as np


# ad: jacobian(a, b)
# ad: jacobian(a, b, value=True)
def f(a: float, b: float, t: "Vector[n]", y: "Vector[n]"):
"""
POINT = {"k": 0.7, "x": [0.5, 1.5, 2.5], "w": [1.0, -1.0, 0.3], "n": 3}


def source(body):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return HEAD.format(body=lines.rstrip())


def check(text):
    ((slope,),) = jacobian(load_exact(text)["f"], POINT, ("k",))
    expected = float(slope)
    made = load_generated(text)
    value = load(text)["f"](**POINT)
    assert made["f_grad"](**POINT) == pytest.approx(expected, rel=1e-13)
    assert made["f_jvp"](k_dot=1.0, **POINT) == pytest.approx((value, expected))
    assert made["f_vjp"](f_bar=1.0, **POINT) == pytest.approx((value, expected))
    assert made["f_jvp"](k_dot=1.0, **POINT)[0] == value


@pytest.mark.parametrize("name", OVER_ITEMS)
def test_no_index_is_there_for_items_alone(name):
    text = source(OVER_ITEMS[name])
    loops = re.findall(r"(?m)^ +for .*$", generate(text, **ANY_ORDER))
    assert loops
    assert not any("range" in loop for loop in loops)
    assert "_size" not in generate(text, **ANY_ORDER)  # nor a length that nothing reads
    check(text)


@pytest.mark.parametrize("name", NUMBERED)
def test_items_are_numbered_where_more_reads_the_index(name):
    text = source(NUMBERED[name])
    loops = re.findall(r"(?m)^ +for .*$", generate(text, **ANY_ORDER))
    assert loops
    assert all("for i, a in enumerate(" in loop for loop in loops)
    check(text)


def test_what_a_loop_fills_is_a_comprehension():
    text = generate(FILLED, **ANY_ORDER)
    assert "x_bar = [times_k * b * a for a, b in zip(x_list, w_list)]" in text, text
    made = load_generated(FILLED)
    assert made["f_grad"]([1.0, 2.0], [3.0, 4.0], 0.5).tolist() == [3.0, 8.0]
    assert made["g_grad"]([1.0, 2.0], 2.0) == 2 * 12.0 * 3.0 * 4.0


@pytest.mark.parametrize("name", BY_INDEX)
def test_an_index_that_is_read_stays(name):
    text = source(BY_INDEX[name])
    assert "range" in generate(text, **ANY_ORDER)
    check(text)


@pytest.mark.parametrize("name", RESIDUALS)
def test_a_jacobian_is_stored_row_by_row(name):
    text = JACOBIAN + RESIDUALS[name].lstrip("\n") + "\n"
    made = generate(text, **ANY_ORDER)
    alone, both = made[made.index("def f_jac") :].split("def f_value_and_jac")
    for one in (alone, both):
        loops = one.count("for ") + one.count("_exp = exp(")
        assert loops == 2 if name != "appended" or one is alone else loops >= 2, one
    at = 2.0, 0.5, [0.0, 1.0, 2.0], [1.0, 1.0, 1.0]
    decay = [math.exp(-0.5 * t) for t in at[2]]
    rows = [[d, -2.0 * t * d] for d, t in zip(decay, at[2], strict=True)]
    generated = load_generated(text)
    assert generated["f_jac"](*at) == pytest.approx(np.array(rows))
    value, jacobian_ = generated["f_value_and_jac"](*at)
    assert value.tolist() == load(text)["f"](*at).tolist()
    assert jacobian_ == pytest.approx(np.array(rows))


UNLIKE = """\
# ad: gradient(k)
def f(k: float, n: int) -> float:
    short = []
    long = []
    for i in range(n):
        short.append(k * i)
        long.append(k * k * i)
        long.append(k + i)
    s = 0.0
    for i in range(len(short)):
        v = long[i]
        s += v * k + short[i]
    return s
"""


def test_lists_of_unknown_length_are_not_alike():
    (slope,) = jacobian(load_exact(UNLIKE)["f"], {"k": 0.7, "n": 3}, ("k",))[0]
    made = load_generated(UNLIKE)["f_grad"](0.7, 3)
    assert made == pytest.approx(float(slope), rel=1e-13)


NO_ROWS = """\
# ad: gradient(w)
def f(w: "Vector[k]", X: "Matrix[n, k]") -> float:
    s = 0.0
    for row in X:
        for a, b in zip(row, w):
            s += a * b
        for a, b in zip(row, w):
            s -= a * b * b
    return s
"""


def test_the_length_of_a_row_is_taken_where_there_is_one():
    made = load_generated(NO_ROWS)["f_grad"]
    assert made([1.0, 2.0], np.zeros((0, 2))).tolist() == [0.0, 0.0]
    assert made([1.0, 2.0], [[3.0, 4.0]]).tolist() == [-3.0, -12.0]


def test_c_counts():
    assert "for (" in generate(source(OVER_ITEMS["zip"]), target="c", **ANY_ORDER)


LEFT = """\
# ad: gradient(k)
def f(k: float, x: "Vector[n]", w: "Vector[n]", n: int):
    s = 0.0
    for a in x:
        for b in w:
            s = s * k + a * b
            if s > 3.0:
                break
    return s
"""


def test_trips_are_not_counted_where_lists_tell_how_many_there_were():
    text = generate(LEFT, **ANY_ORDER)
    assert "trips" not in text
    ((slope,),) = jacobian(load_exact(LEFT)["f"], POINT, ("k",))
    assert load(text)["f_grad"](**POINT) == pytest.approx(float(slope), rel=1e-13)


def test_lists_that_trips_replace_are_as_long_as_these_are():
    source = """
# ad: gradient(a)
def f(a: float, x: "Vector[n]", k: int) -> float:
    n = len(x)
    w = [1.0] * n
    for j in range(k):
        w = [2.0] * (n + 2)
    s = 0.0
    for i in range(n):
        c = w[i]
        s += a * c
    return s
"""
    slope = load(generate(source, **ANY_ORDER))["f_grad"]
    assert [slope(3.0, [1.0, 2.0], k) for k in (0, 1)] == [2.0, 4.0]


def test_lists_that_trips_exchange_are_as_long_as_these_are():
    source = """
# ad: gradient(a)
def f(a: float, x: "Vector[n]", k: int) -> float:
    n = len(x)
    w = [1.0] * n
    v = [2.0] * (n + 2)
    for j in range(k):
        u = w
        w = v
        v = u
        w[0] = 5.0
    s = 0.0
    for i in range(n):
        c = w[i]
        s += a * c
    return s
"""
    slope = load(generate(source, **ANY_ORDER))["f_grad"]
    assert [slope(3.0, [1.0, 2.0], k) for k in (0, 1, 2)] == [2.0, 7.0, 6.0]
