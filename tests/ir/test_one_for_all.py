"""What all trips of a loop record alike is read as what the last one has computed."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER, amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.one_for_all import one_for_all
from ad_transform.ir.verify import verify

LOOPS = """\
function f primal 0 nest .
parameter x (%0: float)
parameter t (%1: float)
parameter n (%2: int)
  %3: float, %4: float[trips.1], %5: float[trips.1] = scan (0, %2, 1) (%0) (%1) ()
  body (%6: int, %7: float, %8: float)
    %9: float = exp({argument})
    %10: float = mul(%9, %7)
    give %10, %9, %7
  %11: float = scan (0, %2, 1) (1.0) (%1) (%4, %5) backwards
  body (%12: int, %13: float, %14: float, %15: float, %16: float)
    %17: float = mul(%13, %15)
    %18: float = add(%17, %16)
    %19: float = mul(%18, %14)
    give %19
  {end}
"""
END = "%20: float = add(%11, %3)\n  give %20"
ARGS = [(0.5, 0.25, 3), (0.5, 0.25, 1), (0.5, 0.25, 0), (0.5, 1e3, 0)]


def test_what_is_alike_is_one_value():
    function = program(LOOPS.format(argument="%8", end=END))
    made = one_for_all(function)
    verify(made)
    forth, back, _ = made.body
    assert len(forth.stacks) == len(back.entries) == 1
    assert forth.outs[1] in back.reads
    for args in ARGS:
        assert evaluate(made, args) == evaluate(function, args)


def test_a_function_of_numbers_is_alike():
    text = LOOPS.format(argument="%8", end=END)
    text = text.replace("%9: float = exp(%8)", "%9: float = pow(2.0, %8)")
    function = program(text)
    made = one_for_all(function)
    verify(made)
    assert len(made.body[0].stacks) == 1
    for args in ARGS:
        assert evaluate(made, args) == evaluate(function, args)


def test_what_differs_is_recorded():
    function = program(LOOPS.format(argument="%7", end=END))
    assert one_for_all(function) is function


RECORDING = """\
function f primal 0 nest .
parameter x (%0: float)
parameter n (%1: int)
  %2: float, %3: float[trips.1], %4: float[trips.1] = scan (0, %1, 1) (%0) (%0) ()
  body (%5: int, %6: float, %7: float)
    %8: float = exp(%7)
    %9: float = sin(%7)
    %10: float = mul(%8, %6)
    give %10, %8, %9
  %11: float, %12: float[trips.1] = scan (0, %1, 1) (%2) () ({over}) backwards
  body (%13: int, %14: float, {entries})
    %17: float = mul(%14, %15)
    give %17, %14
  %18: float = scan (0, %1, 1) (%11) () (%12)
  body (%19: int, %20: float, %21: float)
    %22: float = sub(%20, %21)
    give %22
  give %18
"""


@pytest.mark.parametrize(
    ("over", "entries", "left"),
    [("%3", "%15: float", 2), ("%3, %4", "%15: float, %16: float", 1)],
)
def test_a_loop_that_records_goes_over_something(over, entries, left):
    """It records as many values as there are entries of that."""
    function = program(RECORDING.format(over=over, entries=entries))
    made = one_for_all(function)
    verify(made)
    forth, back, _ = made.body
    assert len(forth.stacks) == left
    assert len(back.entries) == 1
    assert evaluate(made, (0.5, 3)) == evaluate(function, (0.5, 3))


def test_a_loop_that_records_nothing_may_go_over_nothing():
    text = RECORDING.format(over="%3", entries="%15: float")
    text = text.replace("%11: float, %12: float[trips.1] =", "%11: float =")
    text = text.replace("give %17, %14", "give %17")
    function = program(text[: text.index("  %18")] + "  give %11\n")
    made = one_for_all(function)
    verify(made)
    forth, back = made.body
    assert not forth.stacks
    assert not back.entries
    for args in ((0.5, 3), (0.5, 0)):
        assert evaluate(made, args) == evaluate(function, args)


# fmt: off
STAY = {
    "an element":    ("give %20", "%21: float = get(%4, 0)\n"
                      "  %22: float = mul(%20, %21)\n  give %22"),
    "read by a loop": ("(%1) (%4, %5) backwards", "(%1, %4) (%5) backwards"),
    "given back":    ("give %20", "give %20, %4"),
    "gone over twice": ("(%4, %5) backwards\n  body (%12: int, ",
                      "(%4, %5, %4) backwards\n  body (%12: int, "),
    "of an arm":     ("give %20", "%21: bool = gt(%0, 0.0)\n  %22: float = branch %21 "
                      "(%4)\n  then (%23: float[trips.1])\n    %24: float = get(%23, 0)"
                      "\n    give %24\n  else (%25: float[trips.1])\n    give 0.5"
                      "\n  %26: float = mul(%20, %22)\n  give %26"),
}
# fmt: on


@pytest.mark.parametrize("name", STAY)
def test_a_list_that_something_else_reads_stays(name):
    text = LOOPS.format(argument="%8", end=END).replace(*STAY[name])
    if name == "given back":
        text = text.replace("nest .", "nest tuple(., .)")
    if name == "gone over twice":
        text = text.replace("%16: float)", "%16: float, %30: float)")
        text = text.replace("mul(%13, %15)", "mul(%30, %15)")
    if name == "read by a loop":
        text = text.replace("%15: float, %16", "%15: float[trips.1], %16")
        read = "%17: float = get(%15, 0)\n    %30: float"
        text = text.replace("%17: float", read).replace("add(%17", "add(%30")
        text = text.replace("mul(%13, %15)", "mul(%13, %17)")
    function = program(text)
    assert one_for_all(function) is function


ROWS = """\
function f primal 0 nest .
parameter x (%0: float)
parameter a (%1: float[m])
parameter n (%2: int)
  %3: float[trips.1, m] = scan (0, %2, 1) () (%1) ()
  body (%4: int, %5: float[m])
    %6: float[m] = copy(%5)
    give %6
  %7: float = scan (0, %2, 1) (%0) () (%3) backwards
  body (%8: int, %9: float, %10: float[m])
    %11: float = get(%10, 0)
    %12: float = mul(%11, %9)
    give %12
  give %7
"""


def test_rows_stay():
    function = program(ROWS)
    assert one_for_all(function) is function


@settings(max_examples=amount(30, 300), deadline=None)
@given(programs(arrays=2) | programs())
def test_random_programs_compute_the_same(function):
    made = one_for_all(function)
    verify(made)
    at, again = point(function, 1), point(function, 1)
    assert repr(evaluate(made, at)) == repr(evaluate(function, again))


SOURCE = """
import math


# ad: gradient(c, k, t)
# ad: hvp(c)
def decayed(c: float, k: "Vector[n]", t: float):
    y = c
    for i in range(len(k)):
        rate = math.exp(-t / c)
        if y > 1.0:
            y = y + rate * y**2 * k[i]
        else:
            y = y - rate * math.sin(y)
    return y
"""


def test_a_derivative_holds_no_list_of_it():
    text = generate(SOURCE, **ANY_ORDER)
    gradient = text[text.index("def decayed_grad") : text.index("def decayed_hvp")]
    assert "rate = 0.0" in gradient and gradient.count("exp(") == 1
    (saved,) = [line for line in gradient.splitlines() if ".append(" in line]
    assert saved.strip() == "saved.append((y, case_rate, pow_y))"
    assert gradient.index("saved.append") < gradient.rindex("* rate")


@pytest.mark.parametrize("k", [[0.5, 0.25, 1.5], [0.3], []])
def test_derivatives_are_those_of_the_function(k):
    plain, made = load(SOURCE)["decayed"], load(generate(SOURCE, **ANY_ORDER))
    c, t, h = 1.25, 0.75, 1e-6
    by_c, by_k, by_t = made["decayed_grad"](c, k, t)
    rise = plain(c + h, k, t) - plain(c - h, k, t)
    assert by_c == pytest.approx(rise / (2 * h), rel=1e-8)
    rise = plain(c, k, t + h) - plain(c, k, t - h)
    assert by_t == pytest.approx(rise / (2 * h), rel=1e-7, abs=1e-9)
    for j in range(len(k)):
        high, low = ([v + s * (i == j) for i, v in enumerate(k)] for s in (h, -h))
        rise = plain(c, high, t) - plain(c, low, t)
        assert by_k[j] == pytest.approx(rise / (2 * h), rel=1e-7, abs=1e-9)
    high, low = (made["decayed_grad"](c + s, k, t)[0] for s in (h, -h))
    product = made["decayed_hvp"](c, 1.0, k, t)
    assert product == pytest.approx((high - low) / (2 * h), rel=1e-7, abs=1e-9)


LEAVING = """\
function f primal 0 nest .
parameter x (%0: float)
parameter t (%1: float)
parameter n (%2: int)
  %3: float, %4: float[trips.1], %5: float[trips.1], %6: int = while (%0) (%1, %2)
  test (%7: float, %8: float, %9: int)
    %10: bool = lt(%7, 3.0)
    give %10
  body (%11: float, %12: float, %13: int)
    %14: float = exp(%12)
    %15: float = mul(%14, %11)
    give %15, {record}, %15
  %16: float = scan (0, %6, 1) (1.0) () (%4, %5) backwards
  body (%17: int, %18: float, %19: float, %20: float)
    %21: float = mul(%18, %19)
    %22: float = add(%21, %20)
    give %22
  give %16
"""


@pytest.mark.parametrize("record", ["%14", "%12"])
def test_a_loop_that_ends_when_a_test_says_so(record):
    function = program(LEAVING.format(record=record))
    made = one_for_all(function)
    verify(made)
    forth, back = made.body
    assert len(forth.stacks) == len(back.entries) == 1
    is_read = record == "%12"
    assert (made.block.params[1] in back.reads) is is_read
    assert (forth.outs[1] in back.reads) is not is_read
    for args in ((0.5, 0.25, 3), (4.0, 0.25, 3), (4.0, 1e3, 0)):
        assert evaluate(made, args) == evaluate(function, args)
