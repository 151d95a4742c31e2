"""What only the trip that leaves a loop adds to an adjoint is added in that trip."""

from __future__ import annotations

import math
from operator import mul

import pytest
from amounts import QUICK
from support import generate, load, load_generated

from ad_transform.derive.trips.leaving import in_trips_that_leave
from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import While
from ad_transform.ir.parse import parse_function
from ad_transform.ir.verify import verify

HEAD = """\
import math


# ad: gradient, jvp
def f(x: "Vector[n]", y: "Vector[n]", at: float):
"""
CROSSING = """\
for k in range(1, len(x)):
    if x[k - 1] < at <= x[k]:
        return k - 1 + y[k] * (at - x[k - 1]) / (x[k] - x[k - 1])
return float(len(x))"""
CLAMPED = """\
if at <= x[0]:
    return y[0]
for i in range(len(x) - 1):
    if at <= x[i + 1]:
        t = (at - x[i]) / (x[i + 1] - x[i])
        return y[i] + t * (y[i + 1] - y[i])
return at * y[-1]"""
USED_LATER = """\
r = at
for i in range(len(x) - 1):
    if x[i] <= at < x[i + 1]:
        t = (at - x[i]) / (x[i + 1] - x[i])
        r = y[i] + t * (y[i + 1] - y[i])
        break
return r * math.exp(-r)"""
OVER_POINTS = """\
s = 0.0
for k in range(len(y)):
    a = at - 0.13 * k
    for i in range(len(x) - 1):
        if a <= x[i + 1]:
            t = (a - x[i]) / (x[i + 1] - x[i])
            s += y[i] + t * (y[i + 1] - y[i])
            break
return s"""
OTHERS_MATTER = """\
total = 0.0
for xi, yi in zip(x, y):
    if total + yi >= at:
        return xi + (at - total) / yi
    total += yi
return x[-1] * at"""
SEARCHES = {
    "crossing": CROSSING,
    "clamped": CLAMPED,
    "used later": USED_LATER,
    "over points": OVER_POINTS,
    "others matter": OTHERS_MATTER,
}
X, Y = [0.0, 0.7, 1.1, 2.0], [0.3, 0.9, 0.2, 1.4]
DIRECTION = [0.3, -0.2, 0.5, 0.1], [0.2, 0.6, -0.4, 0.7], 0.8


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("at", [-0.4, 0.05, 0.9, 1.2, 2.6])
def test_search_has_the_derivative_of_what_it_found(name: str, at: float) -> None:
    text = source(SEARCHES[name])
    f, module = load(text)["f"], load_generated(text, **QUICK)
    x_dot, y_dot, at_dot = DIRECTION

    def along(h: float) -> float:
        x = [a + h * b for a, b in zip(X, x_dot, strict=True)]
        y = [a + h * b for a, b in zip(Y, y_dot, strict=True)]
        return float(f(x, y, at + h * at_dot))

    slope = (8 * (along(1e-4) - along(-1e-4)) - along(2e-4) + along(-2e-4)) / 12e-4
    x_bar, y_bar, at_bar = module["f_grad"](X, Y, at)
    adjoint = (
        at_bar * at_dot + sum(map(mul, x_bar, x_dot)) + sum(map(mul, y_bar, y_dot))
    )
    value, tangent = module["f_jvp"](X, Y, at, x_dot, y_dot, at_dot)
    assert value == f(X, Y, at)
    assert math.isclose(tangent, slope, rel_tol=1e-8, abs_tol=1e-8)
    assert math.isclose(adjoint, tangent, rel_tol=1e-12, abs_tol=1e-14)


@pytest.mark.parametrize("name", [n for n in SEARCHES if n != "others matter"])
def test_search_records_nothing(name: str) -> None:
    text = generate(source(SEARCHES[name]).replace(", jvp", ""), **QUICK)
    assert "append" not in text and "saved" not in text
    assert text.count("for ") == 1 + (name == "over points")  # forth, and not back


def test_trips_that_add_to_an_adjoint_are_recorded() -> None:
    text = generate(source(OTHERS_MATTER).replace(", jvp", ""), **QUICK)
    assert "in reversed(" in text


def test_what_no_trip_has_found_stands_in_the_else_of_the_loop() -> None:
    text = generate(source(CLAMPED).replace(", jvp", ""), **QUICK)
    assert "            break\n    else:\n" in text and "left" not in text


@pytest.mark.parametrize("name", ["crossing", "clamped"])
def test_a_value_beside_it_leaves_the_adjoints_in_the_trip_that_leaves(
    name: str,
) -> None:
    marks = "gradient, gradient(value=True)"
    text = source(SEARCHES[name]).replace("gradient, jvp", marks)
    f, module = load(text)["f"], load_generated(text, **QUICK)
    for at in (-0.4, 0.05, 0.9, 2.6):
        value, gradient = module["f_value_and_grad"](X, Y, at)
        x_bar, y_bar, at_bar = module["f_grad"](X, Y, at)
        assert value == f(X, Y, at)
        for made, alone in zip(gradient, (x_bar, y_bar, at_bar), strict=True):
            assert made == pytest.approx(alone, rel=1e-12, abs=1e-14)
    made = generate(text, **QUICK).partition("f_value_and_grad")[2]
    assert "while " not in made and "if left:" not in made and " 1.0 * " not in made


def test_adjoints_behind_the_loop_stand_behind_it() -> None:
    text = generate(source(USED_LATER).replace(", jvp", ""), **QUICK)
    assert "\n    if left:\n" in text
    assert "for i in range(" in text and "t_diff = x_list[i_plus_1] - x_i" in text


FOUND = """function f primal 0 nest tuple(array(.), .)
parameter x (%0: float[n]) nest array(.)
parameter v (%1: float)
  %2: int = size(%0)
  %3: int, %4: bool, %5: bool[saved.1], %6: int[saved.1], %7: int = \
while (0, False) (%2, %0, %1)
  test (%10: int, %11: bool, %12: int, %13: float[n], %14: float)
    %15: bool = not(%11)
    %16: bool = branch %15 (%10, %12)
    then (%17: int, %18: int)
      %19: bool = lt(%17, %18)
      give %19
    else (%20: int, %21: int)
      give False
    give %16
  body (%22: int, %23: bool, %24: int, %25: float[n], %26: float)
    %27: float = get(%25, %22)
    %28: bool = le(%26, %27)
    %29: int = add(%22, 1)
    give %29, %28, %28, %22
  %30: float[n] = like(%0, 0.5)
  {between}
  %40: float[n] = scan (0, %7, 1) ({start}) () (%5, %6) backwards
  body (%41: int, %42: float[n], %43: bool, %44: int)
    %45: float[n] = branch %43 (%44, %42)
    then (%46: int, %47: float[n])
      %48: float[n] = add_at(%47, 1.0, %46)
      give %48
    else (%49: int, %50: float[n])
      give %50
    give %45
  give %40, {other}
"""
STARTS = {
    "as it is": ("%31: float = sqrt(%1)", "%30", "%31", 1),
    "changed": ("%31: float[n] = add_at(%30, 2.0, 0)", "%31", "0.0", 1),
    "read": ("%31: float = get(%30, 0)", "%30", "%31", 0),
    "read and changed": (
        "%31: float = get(%30, 0)\n  %32: float[n] = add_at(%30, 2.0, 0)",
        "%32",
        "%31",
        0,
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_an_adjoint_that_something_reads_behind_the_loop_waits(name: str) -> None:
    between, start, other, carried = STARTS[name]
    text = FOUND.format(between=between, start=start, other=other)
    before = parse_function(text, TABLE)
    made = in_trips_that_leave(before)
    verify(made)
    (loop,) = (s for s in made.body if isinstance(s, While))
    assert not loop.stacks  # what it records is told by its last trip
    assert sum(bool(carry.type.dims) for carry in loop.carries) == carried
    for v in (0.5, 1.5, 4.0):
        at = [0.25, 1.0, 2.5], v
        assert evaluate(made, at) == evaluate(before, at)
