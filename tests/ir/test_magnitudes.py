"""x times the sign of x is abs(x): slopes of `x * abs(x) ** p` have a value at 0."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support import generate, load, load_generated

HEAD = "import math\n\n\n# ad: {}\ndef f({}):\n    return {}\n"
SMOOTH = {
    "x * abs(x)": 2.0,
    "x * abs(x) ** 0.852": 1.852,
    "abs(x) ** 0.25 * x": 1.25,
    "x * math.sqrt(abs(x))": 1.5,
    "x * abs(x) ** n": 1.5,
    "abs(x) ** (n + 1.0 - 1.0) * x": 1.5,
    "(x * math.fabs(x) ** n)": 1.5,
}
"""Expressions `x * abs(x) ** p`, and p + 1."""


@pytest.mark.parametrize("order", ["auto", "forward", "reverse", "markowitz"])
@pytest.mark.parametrize("what", SMOOTH)
def test_slopes_at_zero(what: str, order: str) -> None:
    source = HEAD.format("gradient(x)", "x, n=0.5", what)
    slope, power = load_generated(source, order=order)["f_grad"], SMOOTH[what]
    for x in (0.0, 0.3, -1.75):
        want = power * abs(x) ** (power - 1.0)
        assert slope(x) == pytest.approx(want, rel=1e-14)


@pytest.mark.parametrize("order", ["auto", "forward", "reverse"])
def test_sums_of_such_terms(order: str) -> None:
    what = "v - 0.5 * abs(v) * abs(x) ** (n - 1) * x - 0.25 * v * abs(x) ** n"
    source = HEAD.format("gradient(x, n, v)", "x, n, v", what)
    plain, slopes = load(source)["f"], load_generated(source, order=order)["f_grad"]
    by_x, by_n, by_v = slopes(0.0, 1.5, 0.75)
    assert (by_x, by_n, by_v) == (0.0, 0.0, 1.0)
    step = 2.0**-17
    for x, n, v in [(0.5, 1.5, 0.75), (-0.5, 2.25, -0.75)]:
        slope = (plain(x + step, n, v) - plain(x - step, n, v)) / (2.0 * step)
        assert slopes(x, n, v)[0] == pytest.approx(slope, rel=1e-8)


def test_nothing_is_left_to_choose() -> None:
    text = generate(HEAD.format("gradient(v)", "v, k", "k * v * abs(v)"))
    assert " if " not in text and "abs'(0) = 0" in text


POWERS = {"abs(k * v)": 2.0, "abs(k * v) ** 0.5": 1.5, "abs(k * v) ** n": 2.5}


@pytest.mark.parametrize("what", POWERS)
def test_a_product_times_its_own_sign(what: str) -> None:
    text = generate(HEAD.format("gradient(v, k)", "v, k, n", f"(k * v) * {what}"))
    assert "> 0.0" not in text
    slopes, power = load(text)["f_grad"], POWERS[what]
    for v, k in [(0.0, 2.0), (0.75, 0.0), (-0.5, 2.0), (0.25, 1.5)]:
        slope = power * abs(k * v) ** (power - 1.0)
        assert slopes(v, k, 1.5) == pytest.approx((slope * k, slope * v), rel=1e-14)


CHOSEN = [
    "x * (abs(x) ** (n - 1.0) if abs(x) != 0.0 and n != 0.0 else 0.25)",
    "x * (n if x > 0.0 else -n if x < 0.0 else 0.5)",
    "x * (n if x > 0.0 else -n if n < 0.0 else 0.0)",
    "x * (n if x > 0.25 else -n if x < 0.25 else 0.0)",
    "x * (n if x > 0.0 else -2.0 * n if x < 0.0 else 0.0)",
]


@pytest.mark.parametrize("what", CHOSEN)
@pytest.mark.parametrize("x", [0.0, 0.5, -0.5])
@pytest.mark.parametrize("n", [0.0, 1.5, -1.5])
def test_other_choices_stay(what: str, x: float, n: float) -> None:
    source = HEAD.format("gradient(x, n)", "x, n", f"{what} * x + n * x")
    plain, slopes = load(source)["f"], load_generated(source)["f_grad"]
    step = 2.0**-20
    by_x, _ = slopes(x, n)
    if math.copysign(1.0, x - step) == math.copysign(1.0, x + step):
        slope = (plain(x + step, n) - plain(x - step, n)) / (2.0 * step)
        assert by_x == pytest.approx(slope, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("what", ["np.abs(x) ** 0.75", "np.sqrt(np.abs(x))", "abs(x)"])
def test_arrays(what: str) -> None:
    head = (
        'import numpy as np\n# ad: gradient(x)\ndef f(x: "Vector[n]", y: "Vector[n]"):'
    )
    source = f"{head}\n    return y @ (2.0 * x * {what})\n"
    plain, slope = load(source)["f"], load_generated(source)["f_grad"]
    x, y, step = np.array([0.5, -1.25, 0.0]), np.array([1.0, 0.75, 0.5]), 2.0**-17
    want = [(plain(x + d, y) - plain(x - d, y)) / 2.0 / step for d in np.eye(3) * step]
    assert slope(x, y)[:2] == pytest.approx(want[:2], rel=1e-8)
    assert slope(x, y)[2] == 0.0
