"""What stands still in a loop is multiplied in front of it; what is made of records is
not recorded.
"""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

POWER = """\
# ad: gradient(x), jvp(x)
def f(x: float, mu: float, n: int):
    for _ in range(n):
        {test}x = x - mu * (1.0 - x * x) * x
    return x
"""
VAN_DER_POL = """\
# ad: gradient(x, v, mu)
def f(x: float, v: float, mu: float, n: int):
    h = 0.01
    for _ in range(n):
        a = x + 0.5 * h * v
        b = v + 0.5 * h * (mu * (1.0 - x * x) * v - x)
        x = x + h * b
        v = v + h * (mu * (1.0 - a * a) * b - a)
    return x * v
"""


@pytest.mark.parametrize("test", ["", "if x > 1.0: "])
def test_twice_the_rate_is_made_once(test):
    gradient, tangent = generate(POWER.format(test=test), **ANY_ORDER).split("def ")[1:]
    assert "2.0 * mu" in gradient.partition("for _ in")[0]
    assert "2.0 * mu" in tangent.partition("for _ in")[0]


def test_constants_of_the_steps_are_made_once():
    text = generate(VAN_DER_POL, **ANY_ORDER)
    assert text.count("0.5 * h") == text.count("2.0 * mu") == 1


def test_what_one_value_makes_again_is_there_for_the_next():
    x, v = "x = x + h * b", "v = v + h * (mu * (1.0 - a * a) * b - a)"
    used = v.replace("a", "(x + 0.5 * h * v)")
    nameless = VAN_DER_POL.replace(x, "").replace("a = x + 0.5 * h * v", "pass")
    nameless = nameless.replace(v, f"{used}\n        {x}")
    assert "holds 3 values for each trip" in generate(nameless, **ANY_ORDER)


def test_what_has_a_name_and_takes_two_operations_is_recorded():
    text = generate(VAN_DER_POL, **ANY_ORDER)
    assert "saved.append((b, a, v, x))" in text and "_diff = 1.0 - a * a" in text


MASKED = """\
import numpy as np

# ad: jacobian(x)
def f(W: "Matrix[m, n]", x: "Vector[n]", k: int):
    y = x
    for i in range(k):
        y = np.where(x > 0.0, x * x, 0.1 * x) + np.tanh(W.T @ (W @ y))
    return y
"""


def test_masks_of_what_stands_still_are_made_once():
    text = generate(MASKED, **ANY_ORDER)
    before, _, loop = text.partition("for j in")
    assert "x > 0.0" in before and before.count("np.where(") == 2
    assert "> 0.0" not in loop and "np.where(" not in loop
    W, x = np.array([[0.5, -0.25, 1.5]]), np.array([0.3, -1.2, 0.7])
    plain, jacobian = load(MASKED)["f"], load(text)["f_jac"](W, x, 3)
    for column, step in zip(jacobian.T, 1e-6 * np.eye(3), strict=True):
        slope = (plain(W, x + step, 3) - plain(W, x - step, 3)) / 2e-6
        assert column == pytest.approx(slope, abs=1e-8)


ZEROS = """
# ad: hvp
def f(b: float, x: "Vector[m]"):
    if b > 0:
        return x[0]
    t = x[0]
    for _ in range(len(x)):
        t = t * b
    w, v = b * b, 0 * b
    w = 0.5 * v ** 2 + w * w
    return w * w + t
"""


def test_a_product_of_literals_alone_is_not_regrouped():
    made = load(generate(ZEROS, order="forward", effort=0))["f_hvp"]
    (by_b, by_x) = made(-1.0, [3.0, 2.0], 1.0, [0.0, 0.0])
    assert (by_b, list(by_x)) == (56.0 + 6.0, [-2.0, 0.0])
