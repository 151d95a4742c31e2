"""What an arm gives another value keeps its name, and the other arm says nothing."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import generate, load

HEAD = '# ad: gradient(x, value=True)\ndef f(x: "Vector[n]", limit: float) -> float:\n'
TRIP = "    s = 0.0\n    for k in range(len(x)):\n        {}\n    return s\n"
# fmt: off
UPDATED = {
    "of itself":    "c = x[k] * limit\n        if k == 1:\n            c = c + 1.0\n"
                    "        s += c * c",
    "of others":    "c = x[k] * limit\n        if k > 1:\n            c = limit\n"
                    "            s += x[0]\n        s += c * x[0]",
    "twice":        "c = x[k] * limit\n        if k == 1:\n            c = c + 1.0\n"
                    "        if k == 2:\n            c = -c\n            s += x[0]\n"
                    "        s += c * c",
}
KEPT = {
    "in the test":  "i = int(x[k])\n        if i >= len(x):\n"
                    "            i = len(x) - 1\n            s += x[0]\n"
                    "        s += x[i] * x[k]",
    "read behind":  "c = x[k] * limit\n        d = c\n        if k == 1:\n"
                    "            d = d + 1.0\n        s += c * d",
    "read by two":  "c, d = x[k] * limit, x[k]\n        if k == 1:\n"
                    "            c, d = c + 1.0, d * c\n        s += c * d",
    "in the next trip": "t = s + x[k]\n        if t > limit:\n            t = t * t\n"
                    "        s = t * 0.5",
}
# fmt: on
POINTS = [([0.5, 1.5, 2.25, 3.1], 0.75), ([3.5, 0.25, 1.1], 2.0)]


def source(body: str) -> str:
    return HEAD + TRIP.format(body)


@pytest.mark.parametrize("name", [*UPDATED, *KEPT])
def test_values_and_slopes_are_those_of_the_source(name: str) -> None:
    text = source({**UPDATED, **KEPT}[name])
    plain, made = load(text)["f"], load(generate(text, **ANY_ORDER))["f_value_and_grad"]
    for x, limit in POINTS:
        value, slopes = made(x, limit)
        assert value == plain(x, limit)
        for k in range(len(x)):
            high = [v + 1e-6 * (j == k) for j, v in enumerate(x)]
            low = [v - 1e-6 * (j == k) for j, v in enumerate(x)]
            rise = plain(high, limit) - plain(low, limit)
            assert slopes[k] == pytest.approx(rise / 2e-6, rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("name", UPDATED)
def test_a_name_goes_on(name: str) -> None:
    text = generate(source(UPDATED[name]), **ANY_ORDER)
    trip = text[text.index("    for ") : text.index("    return s")]
    others = name in ("of others", "twice")  # what is in their arms is differentiated
    assert ("else:" in trip) == others
    assert "c_2" not in trip and "i_2" not in trip.replace("x_i_2", "")


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_so_it_does_elsewhere(target: str) -> None:
    text = generate(source(UPDATED["of itself"]), target=target, **ANY_ORDER)
    assert "c_2" not in text


CLIPPED = """\
import math


# ad: hessian(a, b, c{})
def fit(a: float, b: float, c: float, ts: "Vector[m]", ys: "Vector[m]") -> float:
    sse = 0.0
    for t, y in zip(ts, ys):
        rate = min(max(b * t, -30.0), 30.0)
        r = y - (a * math.exp(-rate) + c)
        sse += r * r
    return sse
"""


@pytest.mark.parametrize("options", ["", ", value=True"])
def test_an_if_in_an_arm_has_something_to_do_where_its_test_holds(options: str) -> None:
    text = generate(CLIPPED.format(options), **ANY_ORDER)
    assert "pass" not in text.split()
    assert " not test_rate:" in text and " not test_rate_2:" in text


BARRIER = """
import math


# ad: gradient(s0, r)
def f(s0: float, r: float, paths: "Matrix[m, n]"):
    total = 0.0
    for path in paths:
        s = s0
        alive = True
        for z in path:
            s *= math.exp(r + z)
            if s <= 0.5:
                alive = False
                break
        if alive:
            total += max(s - 1.0, 0.0)
    return total
"""


def test_a_loop_in_an_arm_goes_on_with_the_name_of_a_carry():
    text = generate(BARRIER)
    assert "\n                    r_bar = r_bar + s_bar" in text
    assert "r_bar_2" not in text and "else:" not in text
    made, f = load(text)["f_grad"], load(BARRIER)["f"]
    paths, h = [[0.1, 0.3], [0.2, -1.5], [0.5, 0.1]], 1e-6
    slopes = (
        (f(1.0 + h, 0.1, paths) - f(1.0 - h, 0.1, paths)) / (2 * h),
        (f(1.0, 0.1 + h, paths) - f(1.0, 0.1 - h, paths)) / (2 * h),
    )
    assert made(1.0, 0.1, paths) == pytest.approx(slopes, rel=1e-6)


MISSING = """
# ad: gradient(a)
def f(a: float, x: "Vector[n]"):
    s = a
    for v in x:
        s = s * 0.5
        if v != v:
            continue
        s = s * v + a * a
    return s
"""


def test_the_opposite_of_unlike_is_alike():
    text = generate(MISSING, **ANY_ORDER)
    assert "if v == v:" in text and "not v" not in text
    nan = float("nan")
    assert load(text)["f_grad"](3.0, [2.0, nan, 4.0]) == 13.0  # a + 2 a a
