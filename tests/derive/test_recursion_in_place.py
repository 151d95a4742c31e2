"""Functions that call themselves change lists where they stand, forth and back."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS
from support import load, run

QUICKSORT = """\
import math


def sort(a, lo: int, hi: int):
    if lo >= hi:
        return
    pivot, i = a[hi], lo
    for j in range(lo, hi):
        if a[j] < pivot:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    sort(a, lo, i - 1)
    sort(a, i + 1, hi)


# ad: {kind}(w)
def f(w: float, x: "Vector[n]"):
    a = [w * v + math.sin(w * v) for v in x]
    sort(a, 0, len(a) - 1)
    return {of}
"""

FLOOD = """\
# ad: gradient(level, h)
def f(level: float, h: "Matrix[m, n]"):
    seen = [[0] * len(h[0]) for _ in range(len(h))]

    def fill(i, j):
        if i < 0 or j < 0 or i >= len(h) or j >= len(h[0]) or seen[i][j]:
            return 0.0
        seen[i][j] = 1
        if h[i][j] >= level:
            return 0.0
        depth = level - h[i][j]
        rest = fill(i + 1, j) + fill(i - 1, j) + fill(i, j + 1) + fill(i, j - 1)
        return depth * depth + rest

    return fill(0, 0)
"""

MEMO = """\
# ad: gradient(rate)
def f(rate: float, n: int):
    table = {}

    def value(k, s):
        if k == 0:
            return 1.0 + s * rate
        if (k, s) in table:
            return table[k, s]
        out = rate * value(k - 1, s) + (1.0 - rate) * value(k - 1, s + 1)
        table[k, s] = out
        return out

    return value(n, 0)
"""

# the first call has a weight that depends on the rate, the others a known one
WEIGHED = (
    MEMO.replace("value(k, s)", "value(k, s, w)")
    .replace("1.0 + s * rate", "w + s * rate")
    .replace("value(k - 1, s)", "value(k - 1, s, 1.0)")
    .replace("value(k - 1, s + 1)", "value(k - 1, s + 1, 2.0)")
    .replace("value(n, 0)", "value(n, 0, rate)")
)

# two that call each other, and remember
EACH_OTHER = """\
# ad: gradient(rate)
def f(rate: float, n: int):
    table = {}

    def up(k):
        if k <= 0:
            return rate
        if k not in table:
            table[k] = rate * down(k - 1) + down(k - 2)
        return table[k]

    def down(k):
        if k > 0:
            return 0.5 * up(k)
        return 1.0 - rate

    return up(n)
"""

# what is read behind the call: the copy has to stay
KEPT = """\
def shift(a, k: int):
    if k < 0:
        return
    a[k] = 2.0 * a[k]
    shift(a, k - 1)


# ad: gradient(w)
def f(w: float, x: "Vector[n]"):
    a = [w * v * v for v in x]
    b = a.copy()
    shift(a, len(a) - 1)
    {more}
    return sum(a[k] * b[k] for k in range(len(a)))
"""

TWO = """\
def mix(a, b, k: int):
    if k == 0:
        return a[0] * b[-1]
    a[0] += b[0] * b[0]
    left = mix(b, a, k - 1)
    b[-1] = a[0] * left
    return left + mix(a, b, k - 1)


# ad: gradient(w)
def f(w: float, x: "Vector[n]", k: int):
    a = [w * v for v in x]
    b = [w + 0.1 * v for v in x]
    return mix(a, b, k) + a[0] * b[-1]
"""

# one arm knows how long the list is, the other one lengthens it
GROWS = """\
# ad: gradient(w)
def f(w: float, x: "Vector[n]", n: int):
    a = [w * v for v in x]
    b = [v + 0.1 * w for v in x]

    def go(k, t):
        if k <= 0:
            return a[k % len(a)]
        if 0.87 * t > b[0]:
            if a[(k + 1) % len(a)] > b[-1]:
                b[k % len(b)] += 0.3 * (b[-1] * w)
                for j in range(len(b)):
                    b[j] = 0.9 * b[j] + 0.1 * t
                b.append(0.5 * w)
        u = go(k - 1, t)
        return b[k % len(b)] + 0.3 * u

    s = go(n, 1.5 * w)
    return s + sum(v * v for v in a) + 0.5 * sum(b)
"""

UNITED = """\
# ad: gradient(w)
def f(w: float, x: "Vector[m]", a: "Vector[m, int]", n: int):
    parent = list(range(n))
    mass = [0.0] * n

    def find(i):
        if parent[i] != i:
            parent[i] = find(parent[i])
        return parent[i]

    for e in range(len(x)):
        i, j = find(a[e]), find(a[e - 1])
        if i != j:
            parent[i] = j
            mass[j] += mass[i]
        mass[j] += w * x[e] * x[e]
    return sum(m * m for m in mass)
"""

RANDOM = random.Random(3)
X = [RANDOM.random() for _ in range(12)]
H = [[RANDOM.random() for _ in range(6)] for _ in range(5)]
H[2][3] = H[0][4] = 1.4
SUM = "sum((k + 1) * v * v for k, v in enumerate(a))"
# fmt: off
CASES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "sorted":           (QUICKSORT.format(kind="gradient", of=SUM), (1.3, X)),
    "filled":           (FLOOD, (1.2, H)),
    "remembered":       (MEMO, (0.4, 7)),
    "remembered by weight": (WEIGHED, (0.4, 7)),
    "each other":       (EACH_OTHER, (0.4, 7)),
    "two in turn":      (TWO, (0.3, X, 3)),
    "united":           (UNITED, (0.9, X[:6], [3, 1, 4, 1, 5, 0], 6)),
    "grows in an arm":  (GROWS, (1.7, X, 3)),
    "read behind":      (KEPT.format(more="b[0] = a[1]"), (0.7, X)),
    "again":            (KEPT.format(more="shift(b, 2)\n    shift(a, 1)"), (0.7, X)),
    "one before, one behind": (KEPT.format(more="b = a\n    shift(b, 1)"), (0.7, X)),
}
# fmt: on


@cache
def derived(source: str) -> str:
    made = run(source, **NUMBERS)
    assert made.text is not None, made.diagnostics
    return made.text


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_differences(name: str) -> None:
    source, (w, *more) = CASES[name]
    made, plain = load(derived(source))["f_grad"], load(source)["f"]
    wide = (plain(w + 1e-6, *more) - plain(w - 1e-6, *more)) / 2e-6
    for _ in range(2):  # what is given is left alone
        slope = made(w, *more)
        slope = slope[0] if isinstance(slope, tuple) else slope
        assert slope == pytest.approx(wide, rel=1e-7)


@pytest.mark.parametrize("name", ["sorted", "remembered"])
def test_second_derivatives_go_the_same_way(name: str) -> None:
    source, (w, *more) = CASES[name]
    first = load(derived(source))["f_grad"]
    wide = (first(w + 1e-6, *more) - first(w - 1e-6, *more)) / 2e-6
    second = load(derived(source.replace("ad: gradient", "ad: hessian")))["f_hess"]
    assert np.ravel(second(w, *more))[0] == pytest.approx(wide, rel=1e-6)


@pytest.mark.parametrize("name", ["sorted", "filled", "remembered"])
def test_no_call_copies_a_list(name: str) -> None:
    text = derived(CASES[name][0])
    assert "copy" not in text.lower()
    back = text[text.index("_back(") :].partition("\n\n\n")[0]
    assert "_added(" not in back and "[0.0] *" not in back


def test_functions_that_record_unlike_values_stay_apart() -> None:
    assert derived(WEIGHED).count("\ndef _value_forth") == 2  # one records a test


@pytest.mark.parametrize("kind", ["gradient", "jvp", "hvp"])
@pytest.mark.parametrize("source", [MEMO, EACH_OTHER], ids=["itself", "each other"])
def test_one_function_is_for_the_first_call_and_for_those_inside(
    source: str, kind: str
) -> None:
    made = derived(source.replace("ad: gradient", f"ad: {kind}"))
    names = re.findall(r"^def (\w+)", made, re.MULTILINE)
    assert not [name for name in names if re.search(r"_\d$", name)]


def test_a_list_of_numbers_in_order_is_that_of_a_range() -> None:
    text = derived(UNITED)
    assert "parent = list(range(n))" in text and "copy" not in text


def test_lists_of_the_caller_are_copied_where_they_are_read_again() -> None:
    text = derived(CASES["one before, one behind"][0])
    assert "copy()" not in text  # b is a
    assert "copy()" in derived(CASES["again"][0])


def test_one_function_gives_the_partials_of_the_first_call_and_of_those_inside() -> (
    None
):
    made = derived("""\
# ad: gradient
def f(p: float, n: int):
    def go(x, k, total):
        return go(x * p, k - 1, total + x * p) if k else x + total

    return go(1.0, n, 0.5)
""")
    assert made.count("def _go_jac") == 1 and "_go_jac_2" not in made
    assert "dgo_dx, dgo_dtotal, dgo_dp = _go_jac(1.0, n, 0.5, p)" in made
    powers = [0.7**k for k in range(4)]
    slope = 3 * powers[2] + sum(k * powers[k - 1] for k in (1, 2, 3))
    assert load(made)["f_grad"](0.7, 3) == pytest.approx(slope)


SHARED = """\
# ad: hessian(p, q)
def f(p: float, q: float, n: int):
    row = [1.0, 2.0]

    def go(x, k):
        if k == 0:
            return x + row[0]
        row[k % 2] = row[(k + 1) % 2] * x + q
        return go(x * p, k - 1)

    return go(1.0, n)
"""


def test_a_list_that_only_the_first_call_reads_again_is_copied_there() -> None:
    made = derived(SHARED)
    head, main = made.split("def f_hess")
    assert "row.copy()" in main and "row.copy()" not in head
    assert "_added(" not in made  # copies of zeros are zeros
    assert "sum_" not in main and "x_bar," in main  # what nobody reads has its name

    def first(p: float, q: float) -> float:
        return load(derived(SHARED.replace("hessian", "gradient")))["f_grad"](p, q, 5)

    second = load(made)["f_hess"](0.7, 0.4, 5)
    wide = np.subtract(first(0.7 + 1e-6, 0.4), first(0.7 - 1e-6, 0.4)) / 2e-6
    assert second[0] == pytest.approx(wide, rel=1e-7)


EXTERNAL = (
    SHARED.replace("row[(k + 1) % 2] * x", "row[(k + 1) % 2] * soft(x)")
    + """\


# ad: external
def soft(x: float) -> float:
    return x * x


def soft_jac(x: float) -> float:
    return 2.0 * x


def soft_jac_jac(x: float) -> float:
    return 2.0
"""
)


def test_what_is_not_looked_into_is_in_no_cycle() -> None:
    head, main = derived(EXTERNAL).split("def f_hess")
    assert "row.copy()" in main and "row.copy()" not in head
