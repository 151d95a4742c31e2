"""Guards of a power's slopes stand around one factor each: others are shared."""

import pytest
from amounts import ANY_ORDER
from support import generate, load, load_generated

SOURCE = """
import math

# ad: {kind}
def f({names}):
    return {body}
"""
RATE = "A, T, b, E", "A * T**b * math.exp(-E / T)"
RISK = "c, g", "c ** (1.0 - g) / (1.0 - g)"


def made(kind: str, names: str, body: str) -> str:
    source = SOURCE.format(kind=kind, names=names, body=body)
    return generate(source, container="tuple", **ANY_ORDER)


def test_the_slope_by_an_exponent_is_the_value_times_a_logarithm():
    text = made("gradient(value=True)", *RATE)
    assert "value_prod * log(T) if value_pow != 0.0 else 0.0" in text


@pytest.mark.parametrize(("case", "count"), [(RATE, 13), (RISK, 8)])
def test_operations(case, count):
    assert f"Operations: {count} (" in made("gradient(value=True)", *case)


def test_where_guards_hold():
    source = SOURCE.format(kind="gradient", names="x, y", body="3.0 * x**y")
    slope = load_generated(source)["f_grad"]
    assert slope(0.0, 2.0) == (0.0, 0.0)
    assert slope(0.0, 1.0) == (3.0, 0.0)


TREE = """
import math


# ad: gradient(sigma, s, value=True)
# ad: jvp(sigma)
def tree(sigma: float, s: float, n: int, cut: float):
    u = math.exp(sigma)
    d = 1.0 / u
    value = 0.0
    for j in range(n):
        for k in range(j):
            up = s * u ** (2 * k - j)
            if up > cut:
                value = value * d + up * u**k
    return value
"""


def test_what_is_divided_by_in_front_of_a_loop_is_not_0_in_it():
    text = generate(TREE, **ANY_ORDER)
    assert "!= 0" not in text
    plain, made = load(TREE)["tree"], load(text)
    value, (by_sigma, by_s) = made["tree_value_and_grad"](0.25, 1.5, 5, 1.25)
    assert value == plain(0.25, 1.5, 5, 1.25)
    h = 1e-6
    rise = plain(0.25 + h, 1.5, 5, 1.25) - plain(0.25 - h, 1.5, 5, 1.25)
    assert by_sigma == pytest.approx(rise / (2 * h), rel=1e-8)
    assert made["tree_jvp"](0.25, 1.0, 1.5, 5, 1.25)[1] == pytest.approx(by_sigma)
    rise = plain(0.25, 1.5 + h, 5, 1.25) - plain(0.25, 1.5 - h, 5, 1.25)
    assert by_s == pytest.approx(rise / (2 * h), rel=1e-8)


def test_a_power_in_a_loop_of_what_may_be_0_keeps_its_guard():
    text = generate(TREE.replace("d = 1.0 / u", "d = 1.0 - u"), **ANY_ORDER)
    assert "u != 0.0" in text


GUARDED = {
    "raised": "    if x <= 0.0:\n        raise ValueError\n    return x**n\n",
    "either": "    if x <= 0.0 or n < 0:\n        raise ValueError\n    return x**n\n",
    "denied": "    if not x > 0.0:\n        raise ValueError\n    return x**n\n",
    "early": "    if x <= 0.0:\n        return 0.0\n    return x**n\n",
    "chosen": "    return x**n if x > 0.0 else 0.0\n",
    "within": "    return x**n if n > 1.0 and x > 0.0 else 0.0\n",
    "deeper": "    return x**n if n > 1.0 and (n < 9.0 and x > 0.0) else 0.0\n",
    "twice": "    return x**n if x > 0.0 and x < 9.0 else 0.0\n",
    "looped": (
        "    s = 0.0\n    for k in range(3):\n        if x > k * n:\n"
        "            if x > 0.0:\n                s = s * x + x**n\n    return s\n"
    ),
}


@pytest.mark.parametrize("body", GUARDED.values(), ids=GUARDED)
@pytest.mark.parametrize("kind", ["gradient(value=True)", "jvp"])
def test_what_tests_tell_of_a_base_holds_behind_them_and_in_their_arms(body, kind):
    source = f"# ad: {kind}\ndef f(x, n):\n{body}"
    text = generate(source, container="tuple", **ANY_ORDER)
    assert "n - 1.0" not in text and "x != 0.0" not in text
    f, made = load(source)["f"], load(text)
    if kind == "jvp":
        value, slope = made["f_jvp"](1.75, 1.5, 1.0, 0.0)
    else:
        value, (slope, _) = made["f_value_and_grad"](1.75, 1.5)
    assert value == f(1.75, 1.5)
    step = 1e-5
    apart = f(1.75 + step, 1.5) - f(1.75 - step, 1.5)
    assert slope == pytest.approx(apart / (2.0 * step), rel=1e-8)


@pytest.mark.parametrize(
    "test",
    [
        *("x >= 0.0", "x != 1.0", "x > n", "n > 0.0", "x < 1.0"),
        *("x > 0.0 or n > 1.0", "(x > 0.0 if n > 3.0 else n > 1.0)"),
    ],
)
def test_a_base_that_may_be_0_in_an_arm_is_not_divided_by(test):
    source = f"# ad: gradient\ndef f(x, n):\n    return x**n if {test} else 0.0\n"
    slope = load_generated(source)["f_grad"]
    assert slope(0.0, 2.0)[0] == 0.0


def test_what_another_result_of_a_branch_tells_is_not_taken_for_the_test():
    source = (
        "# ad: gradient\ndef f(x, n):\n    p, q = False, False\n    if n > 1.0:\n"
        "        p, q = x > 0.0, x < n\n    s = 2.0 if p else n\n"
        "    return s * (x**n if q else 0.0)\n"
    )
    assert load_generated(source)["f_grad"](0.0, 2.0)[0] == 0.0


def test_a_test_that_nan_does_not_pass_is_still_asked_behind_one_that_it_does():
    source = (
        "# ad: gradient(value=True)\ndef f(x, n):\n    if x <= 0.0:\n"
        "        raise ValueError\n    if x > 0.0:\n        return x**n\n    return n\n"
    )
    made = load_generated(source)["f_value_and_grad"]
    assert made(float("nan"), 2.0) == (2.0, (0.0, 1.0))
