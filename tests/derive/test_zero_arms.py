"""A derivative is 0 where a function has left with a constant, and computes nothing."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

HEAD = "from math import exp, inf, log\n\n\n# ad: gradient(value=True), hessian\n"
# fmt: off
BARRIER = HEAD + '''def f(w: "Vector[3]", r: "Vector[3]", t: float):
    total = 0.0
    for i in range(3):
        if w[i] <= 0.0:
            return inf
        total += t * w[i] * r[i] + log(w[i])
    return -total
'''
CHAIN = HEAD + '''def f(w: "Vector[3]", r: "Vector[3]", t: float):
    a = w[0] * w[1]
    if a > 50.0:
        return 50.0
    b = exp(a) * w[2]
    if b > 80.0:
        return 80.0
    c = b * b + a
    return c * w[0] if c < 900.0 else 900.0
'''
# fmt: on


POINTS = ([0.3, 0.5, 0.7], [-1.0, 0.5, 0.7], [0.3, -0.5, 0.7], [0.3, 0.5, -0.7])
POINTS += ([9.0, 9.0, 1.0], [3.0, 0.9, 20.0], [1.5, 1.2, 4.0])


def returned(text, name):
    """What a function returns, in its order."""
    own = text.split(f"def {name}(")[1].split("\ndef ")[0]
    return [line.strip() for line in own.splitlines() if line.strip()[:6] == "return"]


def test_each_way_out_returns_zeros():
    text = generate(BARRIER, **ANY_ORDER)
    outs = returned(text, "f_value_and_grad")
    assert outs[:3] == ["return inf, (np.zeros(3), np.zeros(3), 0.0)"] * 3
    first, second = returned(text, "f_hess")  # which ends alike for all three
    assert first == "return np.zeros((7, 7))" and second != first
    assert "if w_0 <= 0.0 or w_1 <= 0.0 or w_2 <= 0.0:\n" in text
    assert "-1.0 *" not in text
    assert "-(-" not in text
    assert "else:" not in text


def test_the_last_choice_returns_zeros():
    zeros = "np.zeros(3), np.zeros(3), 0.0"
    *_, out = returned(generate(CHAIN, **ANY_ORDER), "f_value_and_grad")
    assert out == f"return 900.0, ({zeros})"


def test_what_an_arm_returns_twice_is_computed_once() -> None:
    source = "import math\n\n\n# ad: hessian\ndef f(x: float, y: float):\n"
    source += "    return x * math.sin(y) if x < 0.0 else x * x * y\n"
    text = generate(source, **ANY_ORDER)
    assert text.count("cos(y)") == 1
    assert "dx_bar_dy], [dx_bar_dy" in text


@pytest.mark.parametrize("source", [BARRIER, CHAIN], ids=["barrier", "chain"])
@pytest.mark.parametrize("w", POINTS, ids=str)
def test_gradients_and_hessians_are_right(source, w):
    made: dict = load(generate(source, **ANY_ORDER))
    python: dict = {}
    exec(source, python)
    f, r, h = python["f"], np.array([0.2, 0.4, 0.6]), 1e-5
    value, (slope, *_) = made["f_value_and_grad"](w, r, 1.5)
    assert value == f(w, r, 1.5)
    steps = h * np.eye(3)
    if np.isfinite(value):
        ways = [(f(w + s, r, 1.5) - f(w - s, r, 1.5)) / (2.0 * h) for s in steps]
        assert slope == pytest.approx(np.array(ways), rel=1e-6, abs=1e-5)
    else:
        assert not slope.any()

    def gradient(w):
        return made["f_value_and_grad"](w, r, 1.5)[1][0]

    rows = [(gradient(w + s) - gradient(w - s)) / (2.0 * h) for s in steps]
    hessian = made["f_hess"](w, r, 1.5)[:3, :3]
    assert hessian == pytest.approx(np.array(rows), rel=1e-5, abs=1e-5)


QUOTIENT = """# ad: hessian(a, b, y)
def f(a: float, b: float, y: "Vector[n]", k: int):
    u, v, s = 0.0, a, 0.0
    for i in range(len(y)):
        try:
            u += b / (0.5 - y[0] / k)
        except ZeroDivisionError:
            v = y[i]
        s = v / a
    return a * u + s
"""


def test_what_has_gone_in_front_of_a_branch_goes_into_it_for_another_sum():
    second = load(generate(QUOTIENT, **ANY_ORDER))["f_hess"]
    found = second(2.0, 3.0, [0.25, 1.0], 1)
    assert found.tolist() == [
        [0.0, 8.0, 96.0, 0.0],
        [8.0, 0.0, 64.0, 0.0],
        [96.0, 64.0, 1536.0, 0.0],
        [0.0] * 4,
    ]
    wanted = np.zeros((4, 4))
    wanted[0, 0], wanted[0, 3], wanted[3, 0] = 0.25, -0.25, -0.25
    assert second(2.0, 3.0, [0.25, 1.0], 0).tolist() == wanted.tolist()
