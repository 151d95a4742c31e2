"""The loop through which intervals go, beside those of the value and its adjoints."""

from __future__ import annotations

import re
from functools import cache

from support import generate

SOURCE = """\
# ad: error(p)
def f(p: "Vector[2]", t: float):
    x, y, a = 1.0, 0.0, p[0]
    while t > 0.0:
        h = min(0.1, t)
        a += h * p[1] * a
        x += h * a * y
        y += h * x * p[0]
        t -= h
    return x, y + a * p[0]
"""


@cache
def text() -> str:
    return generate(SOURCE, effort=0)


def test_two_results_have_one_largest_value() -> None:
    (loop_back,) = re.findall(r"(?s)in reversed\(saved\):\n(.*?)\n    \w", text())
    assert loop_back.count("largest = ") == 1
    assert "largest_2 = " not in loop_back


def test_a_doubt_counts_once_and_nothing_is_less_zero() -> None:
    assert not re.search(r"doubt \+ (\w+) \+ \1\b", text())
    assert " - 0.0" not in text()


def test_loops_have_the_names_of_the_source() -> None:
    *_, intervals = text().split("\n    while ")
    assert re.match(r"t\w* > 0\.0:", intervals)
    assert not re.search(r"\n        t\d+ = ", intervals)


def test_what_a_loop_sums_up_keeps_its_name() -> None:
    source = """\
# ad: error(a, b)
def f(a: float, b: float, y: float):
    x0, x1 = 0.5, 1.0
    f0 = a * x0**3 + b * x0 - y
    for _ in range(50):
        f1 = a * x1**3 + b * x1 - y
        if abs(f1) < 1e-12:
            break
        x0, x1, f0 = x1, x1 - f1 * (x1 - x0) / (f1 - f0), f1
    return x1
"""
    assert "\n    a_bar = 0.0\n" in generate(source, effort=0)
