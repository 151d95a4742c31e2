"""A loop that is left, or else something is raised."""

from __future__ import annotations

from functools import partial

import pytest
from amounts import ANY_ORDER
from support import generate, load

SOURCE = """
# ad: gradient(x)
def f(x: float, k: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        step = (x * x - k) / (2.0 * x)
        x -= step
        {inside}
        if abs(step) < 1e-10:
            {leave}
    {behind}
"""
OPEN = {
    "inside": "s += step",
    "leave": "return x",
    "behind": "raise RuntimeError('open')",
}


def made(**words: str) -> str:
    return generate(SOURCE.format(**{**OPEN, **words}), **ANY_ORDER)


def test_a_loop_that_is_not_left_has_an_else():
    text = made()
    assert "        if abs(step) < 1e-10:\n            break\n    else:\n" in text
    assert '        raise RuntimeError("open")\n' in text and "left" not in text
    slope = load(text)["f_grad"]
    assert slope(3.0, 2.0, 50) == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(RuntimeError, match="open"):
        slope(3.0, 2.0, 1)


def test_several_ways_out_have_one_else():
    text = made(inside="if x > 100.0:\n            return s * x")
    assert "not left" not in text and "    else:\n        raise" in text
    assert load(text)["f_grad"](3.0, 2.0, 50) == pytest.approx(0.0, abs=1e-9)


def test_a_while_has_an_else_as_well():
    source = SOURCE.replace("for i in range(n)", "while n > 0")
    text = generate(source.format(**{**OPEN, "inside": "n -= 1"}), **ANY_ORDER)
    assert "    else:\n        raise RuntimeError" in text
    slope = load(text)["f_grad"]
    assert slope(3.0, 2.0, 50) == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(RuntimeError, match="open"):
        slope(3.0, 2.0, 1)


def test_a_flag_that_is_read_again_stays():
    text = made(leave="break", behind="return x + s")
    assert "else:\n        raise" not in text


def test_c_keeps_its_flag():
    text = generate(SOURCE.format(**OPEN), target="c", **ANY_ORDER)
    assert "left" in text


TWO = """
# ad: hvp(a, b)
def f(a: float, b: float, x: "Vector[n]", y: "Vector[m]") -> float:
    first = False
    second = False
    s = 0.0
    {early}
    for i in range(len(x)):
        if x[i] > 0.8:
            first = True
            break
        s += x[i] * a
    if not first:
        raise ValueError("first")
    for i in range(len(y)):
        if y[i] > 0.3:
            second = True
            break
        s += y[i] * b
    if not second:
        raise ValueError("second")
    return s * b
"""

AT = {"a": 0.5, "b": 2.0, "a_dot": 1.0, "b_dot": 1.0}


def test_two_flags_that_begin_together():
    text = generate(TWO.format(early="pass"), **ANY_ORDER)
    product = partial(load(text)["f_hvp"], **AT)
    assert product(x=[0.25, 0.9], y=[0.2, 0.4]) == pytest.approx((0.25, 0.65))
    with pytest.raises(ValueError, match="second"):
        product(x=[0.25, 0.9], y=[0.2])
    with pytest.raises(ValueError, match="first"):
        product(x=[0.25], y=[0.2])


def test_a_flag_that_an_earlier_loop_sets_too_stays():
    early = "for v in y:\n        if v > 0.45:\n            first = True\n"
    early += "            s += v"
    text = generate(TWO.format(early=early), **ANY_ORDER)
    product = partial(load(text)["f_hvp"], **AT)
    assert product(x=[0.25], y=[0.2, 0.5]) == pytest.approx((0.25, 0.65))
    with pytest.raises(ValueError, match="first"):
        product(x=[0.25], y=[0.2, 0.4])


HELD = """\
# ad: gradient(p, q)
def f(p: float, q: float, n: int):
    s = [p, p + q]
    # ad: checkpoint(snapshots=2)
    while True:
        for i in range(n):
            return s[1] * s[1]
        s[0] = q
"""


def test_a_flag_that_a_part_of_a_function_returns_stays():
    assert load(generate(HELD, **ANY_ORDER))["f_grad"](0.5, 0.75, 2) == (2.5, 2.5)
