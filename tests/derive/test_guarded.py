"""Where a branch keeps from dividing by 0, so does the derivative."""

from __future__ import annotations

from functools import cache

import pytest
from amounts import NUMBERS
from flows import Flows
from support import flat, generate, load, load_generated, marked

SOURCE = """
import math


def early(x, y):
    s = math.sqrt(x * x + y * y)
    if s == 0.0:
        return 0.0
    return x / s * y


def chosen(x, y):
    r2 = x**2 + y**2
    r = r2**0.5
    return x * math.exp(-r) / r if not (r2 == 0.0 or x > 100.0) else x


def repeated(x, y):
    t = 0.0
    while t < 5.0:
        s = math.sqrt(x * x + y * y)
        if s == 0.0:
            return x
        t += abs(x) / s + 1.0
    return t * y


def summed(x, y):
    t = 0.0
    for k in range(9):
        s = math.sqrt(x * x + (k * y) ** 2)
        if s > 1e-12:
            t += (x + y) / s
    return t


def within(x, y):
    s = math.sqrt(x * x + y * y)
    t = max(s, 1e-6)
    if s >= 2.0:
        return 0.0
    if s == 0.0:
        return 0.0
    return x / s * y * t


def apart(x, y):
    s = math.sqrt(x * x + y * y)
    a = 0.0 if s == 0.0 else x * y / s
    b = 0.0 if s < 1e-9 else y / s
    return a * a + b * y


def scaled(x, y):
    s = math.sqrt(x * x + y * y)
    k = 0.0 if s == 0.0 else 1.0 / s
    return x + k * y


def clamped(x, y):
    s = math.sqrt(x * x + y * y)
    return y * max(s, 1e-6) + x / max(s, 1e-6)


def called(x, y):
    return clamped(x, y) + early(x, y)


def direction(v: "Vector[n]"):
    s = math.sqrt(v[0] * v[0] + v[1] * v[1])
    if s == 0.0:
        return 0.0
    return v[0] / s * v[1]


def directed(v: "Vector[n]", c):
    return c * direction(v)
"""
AT_ZERO = dict.fromkeys(["early", "summed", "within", "apart"], (0, 0))
AT_ZERO |= dict.fromkeys(["chosen", "repeated"], (1, 0))


@cache
def flows() -> Flows:
    names = [*AT_ZERO, "scaled", "called"]
    return Flows(SOURCE, names, pushed=names)


@pytest.mark.parametrize("name", [*AT_ZERO, "scaled", "called"])
def test_derivatives_are_right_beside_the_guard(name: str) -> None:
    flows().check(name, (0.75, -0.5))


@pytest.mark.parametrize("name", AT_ZERO)
def test_nothing_is_divided_where_the_branch_forbids_it(name: str) -> None:
    made = flows().made
    assert made[f"{name}_vjp"](0.0, 0.0, 1.0)[1] == AT_ZERO[name]
    assert made[f"{name}_jvp"](0.0, 0.0, 2.0, 3.0)[1] == 2.0 * AT_ZERO[name][0]


@pytest.mark.parametrize("order", ["auto", "reverse", "forward"])
def test_second_derivatives_are_guarded(order: str) -> None:
    text = marked(marked(SOURCE, "within", "hvp"), "apart", "hessian")
    derived = generate(text, container="tuple", effort=0, order=order)
    assert derived.count("s >= 2.0") == 1  # what is known in an arm is not asked again
    made = load(derived)
    assert flat(made["apart_hess"](0.0, 0.0)) == [0.0] * 4
    assert made["within_hvp"](0.0, 0.0, 2.0, 3.0) == (0.0, 0.0)


@pytest.mark.parametrize(("name", "inline"), [("clamped", "auto"), ("called", "never")])
def test_products_and_functions_that_are_kept_are_guarded(name, inline) -> None:
    source = marked(SOURCE, name, "gradient, hvp")
    made = load(generate(source, inline=inline, **NUMBERS))
    assert made[f"{name}_grad"](0.0, 0.0) == (1e6, 1e-6)
    assert made[f"{name}_hvp"](0.0, 0.0, 2.0, 3.0) == (0.0, 0.0)


def test_functions_of_arrays_that_are_kept_are_guarded() -> None:
    source = marked(SOURCE, "directed", "gradient, hvp")
    made = load(generate(source, inline="never", **NUMBERS))
    slopes = made["directed_grad"]([0.0, 0.0], 2.0)
    ways = made["directed_hvp"]([0.0, 0.0], 2.0, [1.0, 2.0], 3.0)
    assert flat([*slopes, *ways]) == [0.0] * 6


def test_what_the_value_divides_by_still_raises() -> None:
    source = "def f(x, y):\n    t = 0.0 if x == 0.0 else y\n    return t / x\n"
    made = load_generated(marked(source, "f", "vjp"))
    with pytest.raises(ZeroDivisionError):
        made["f_vjp"](0.0, 1.0, 1.0)


def test_a_branch_of_two_values_stays_where_one_is_read_beside() -> None:
    """It was asked for again without end."""
    source = """\
import math


# ad: hvp
def f(x: float, y: float):
    y = min(y, math.sqrt(1.0 + x * x))
    return max(math.atan2(x, 2.0 + x * x), y) * x
"""
    made = load(generate(source, order="markowitz", effort=0))["f_hvp"]
    assert made(0.5, 0.25, 1.0, 0.0) == (0.0, 1.0)
    assert made(0.5, 0.25, 0.0, 1.0) == (1.0, 0.0)
