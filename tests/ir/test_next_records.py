"""What the next trip records as well is recorded once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amounts import ANY_ORDER, amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.next_records import next_records
from ad_transform.ir.nodes import Scan
from ad_transform.ir.verify import verify

SOURCE = """\
function f primal 0 nest .
parameter x (%0: float)
parameter n (%1: int)
  %2 x: float, %3: float[t], %4: float[t] = scan (0, %1, 1) (%0) () ()
  body (%5: int, %6: float)
    %7: float = sin(%6)
    %8: float = add(%6, %7)
    give %8, {records}
  %9: float = scan {back} ({start}) ({reads}) ({entries}){how}
  body (%10: int, %11: float, {params})
    %14: float = mul({factors})
    %15: float = add(%11, %14)
    give %15
  give {given}
"""
PLAIN = {
    "back": "(0, %1, 1)",
    "records": "%6, %8",
    "start": "0.0",
    "reads": "",
    "entries": "%3, %4",
    "how": " backwards",
    "params": "%12: float, %13: float",
    "factors": "%12, %13",
    "given": "%9",
}
CHANGED = {
    "plain": {},
    "the other way about": {"records": "%8, %6"},
    "begun by what is left": {"start": "%2"},
}
KEPT = {
    "forwards": {"how": ""},
    "over fewer trips": {"back": "(1, %1, 1)"},
    "another value": {"records": "%6, %7"},
    "twice the beginning": {"records": "%6, %6"},
    "twice the end": {"records": "%8, %8"},
    "taken twice": {
        "entries": "%3, %4, %4",
        "params": "%12: float, %13: float, %16: float",
    },
    "read as a list": {
        "reads": "%4",
        "params": "%16: float[t], %12: float, %13: float",
    },
    "no other entries": {
        "entries": "%4",
        "params": "%13: float",
        "factors": "%13, %13",
    },
}
POINTS = [(0.5, 0), (0.5, 1), (0.75, 5)]


def source(**parts):
    return program(SOURCE.format(**{**PLAIN, **parts}))


@pytest.mark.parametrize("name", CHANGED)
def test_the_value_is_carried(name):
    before = source(**CHANGED[name])
    made = next_records(before)
    verify(made)
    forth, back = made.body
    assert isinstance(forth, Scan) and isinstance(back, Scan)
    assert len(forth.stacks) == 1 and len(back.entries) == 1
    assert back.carries[-1] is forth.outs[0]
    for values in POINTS:
        assert evaluate(made, values) == evaluate(before, values)


@pytest.mark.parametrize("name", KEPT)
def test_all_else_is_recorded(name):
    function = source(**KEPT[name])
    assert next_records(function) is function


def test_what_is_returned_stays():
    text = SOURCE.format(**{**PLAIN, "given": "%9, %4"})
    function = program(text.replace("nest .", "nest tuple(., .)"))
    assert next_records(function) is function


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2) | programs())
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = next_records(function)
    verify(made)
    assert repr(evaluate(made, args)) == repr(evaluate(function, args))


FIXED_POINT = """
# ad: gradient, hessian
def f(k: float, v: float, n: int) -> float:
    x = 1.0
    cost = 0.0
    for _ in range(n):
        new = x + 0.1 * v * x * x
        cost += k * new * new * x
        x = new
    return cost
"""
SETTLING = """
# ad: gradient
def f(a: float, tol: float) -> float:
    x, d = a, 1.0
    while abs(d) > tol:
        new = x - (x * x * x - a) / (3.0 * x * x)
        d = new * new * x - a
        x = new
    return x * d
"""
LEFT = """
# ad: gradient
def f(k: float, w: float, v: int, n: int) -> float:
    m = 1
    y, z = k, w
    while n > 0:
        n -= 1
        old = m
        m = (3 * m + v) % 7
        if m == 5:
            break
        y, z = y * old * (z + m), z * y * m * old
    return y * z
"""


def test_a_state_is_one_list():
    text = generate(FIXED_POINT, **ANY_ORDER)
    gradient = text.partition("def f_hess")[0]
    assert gradient.count(".append(") == 1
    assert "new = x\n    for x in reversed(x_list):" in gradient
    made = load(text)
    f = load(FIXED_POINT)["f"]
    h = 1e-6
    for n in (0, 1, 4):
        k, v = 0.7, 0.3
        slopes = (
            (f(k + h, v, n) - f(k - h, v, n)) / (2 * h),
            (f(k, v + h, n) - f(k, v - h, n)) / (2 * h),
        )
        assert made["f_grad"](k, v, n) == pytest.approx(slopes, rel=1e-7, abs=1e-8)
        up, down = made["f_grad"](k, v + h, n), made["f_grad"](k, v - h, n)
        wanted = [(p - m) / (2 * h) for p, m in zip(up, down, strict=True)]
        assert made["f_hess"](k, v, n)[1] == pytest.approx(wanted, rel=1e-6, abs=1e-7)


def test_a_while_loop_gives_what_it_has_left():
    made, f = load(generate(SETTLING, **ANY_ORDER))["f_grad"], load(SETTLING)["f"]
    h = 1e-6
    for a in (0.8, 2.0):
        slope = (f(a + h, 1e-9) - f(a - h, 1e-9)) / (2 * h)
        assert made(a, 1e-9)[0] == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("v", [1, 2, 3])
def test_a_loop_back_without_the_trip_that_left_begins_with_what_it_recorded(v):
    made, f = load(generate(LEFT, **ANY_ORDER))["f_grad"], load(LEFT)["f"]
    h, k, w = 1e-6, 0.7, 0.4
    for n in (0, 2, 5):
        slopes = (
            (f(k + h, w, v, n) - f(k - h, w, v, n)) / (2 * h),
            (f(k, w + h, v, n) - f(k, w - h, v, n)) / (2 * h),
        )
        assert made(k, w, v, n) == pytest.approx(slopes, rel=1e-6)
