"""Elements of lists of one number are that number."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amounts import ANY_ORDER, amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.filled import filled
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

HEAD = """\
function f primal {primal} nest .
parameter x (%0: float[n])
parameter c (%1: float)
  %2: int = size(%0)
  %3: float[n] = like(%0, %1)
"""
# fmt: off
TAKEN = {
    "outside": "  %4: float = get(%3, 0)\n  %9: float = mul(%4, %1)\n",
    "in a loop": """\
  %9: float = scan (0, %2, 1) (0.5) (%3) ()
  body (%5: int, %6: float, %7: float[n])
    %8: float = get(%7, %5)
    %10: float = add(%6, %8)
    give %10
""",
    "beside a carry that begins with the number": """\
  %4: float, %9: float = scan (0, %2, 1) (%1, 0.0) (%3) ()
  body (%5: int, %6: float, %7: float, %8: float[n])
    %10: float = get(%8, %5)
    %11: float = add(%6, 1.0)
    %12: float = add(%7, %10)
    give %11, %12
""",
    "in an arm": """\
  %4: bool = gt(%1, 0.0)
  %9: float = branch %4 (%3, %1)
  then (%5: float[n], %6: float)
    %7: float = get(%5, -1)
    give %7
  else (%8: float[n], %10: float)
    give %10
""",
    "the last each": """\
  %4: float[n], %9: float = scan (0, %2, 1) (%3, 0.0) () () backwards
  body (%5: int, %6: float[n], %7: float)
    %8: float = get(%6, -1)
    %10: float[n] = pop(%6)
    %11: float = add(%7, %8)
    give %10, %11
""",
    "its own, then changed": """\
  %4: float[n], %9: float = scan (0, %2, 1) (%3, 0.0) () ()
  body (%5: int, %6: float[n], %7: float)
    %8: float = get(%6, %5)
    %10: float[n] = set(%6, 0.0, %5)
    %11: float = add(%7, %8)
    give %10, %11
""",
}
LEFT = {
    "changed before": """\
  %4: float[n], %9: float = scan (0, %2, 1) (%3, 0.0) () ()
  body (%5: int, %6: float[n], %7: float)
    %10: float[n] = set(%6, 0.25, %5)
    %8: float = get(%10, %5)
    %11: float = add(%7, %8)
    give %10, %11
""",
    "of another trip": """\
  %4: float[n], %9: float = scan (0, %2, 1) (%3, 0.0) () ()
  body (%5: int, %6: float[n], %7: float)
    %8: float = get(%6, 0)
    %10: float[n] = set(%6, 0.25, %5)
    %11: float = add(%7, %8)
    give %10, %11
""",
    "first, and the last goes": """\
  %4: float[n], %9: float = scan (0, 1, 1) (%3, 0.0) () ()
  body (%5: int, %6: float[n], %7: float)
    %8: float = get(%6, 0)
    %10: float[n] = append(%6, %8)
    %11: float = add(%7, %8)
    give %10, %11
""",
}
# fmt: on
POINT = ([1.5, 2.0], 0.75)


def source(body: str, primal: int = 0):
    return program(HEAD.format(primal=primal) + body + "  give %9\n")


@pytest.mark.parametrize("name", TAKEN)
def test_elements_are_the_number(name):
    function = source(TAKEN[name])
    made = filled(function, TABLE)
    verify(made)
    text = format_function(made)
    assert "get(" not in text and "pop(" not in text and "like(" not in text
    assert evaluate(made, POINT) == evaluate(function, ([1.5, 2.0], 0.75))


@pytest.mark.parametrize("name", LEFT)
def test_what_has_changed_is_read(name):
    function = source(LEFT[name])
    assert filled(function, TABLE) is function


@pytest.mark.parametrize("name", TAKEN)
def test_what_the_value_reads_stays(name):
    function = source(TAKEN[name], primal=1)
    assert "get(" in format_function(filled(function, TABLE))


def test_numbers_that_are_written_out_are_computed_with():
    body = TAKEN["outside"].replace("mul(%4, %1)", "mul(%5, %1)")
    body = body.replace("  %9", "  %5: float = abs(%4)\n  %9")
    function = program(
        HEAD.format(primal=0).replace("(%0, %1)", "(%0, -1.0)") + body + "  give %9\n"
    )
    made = filled(function, TABLE)
    assert made.body == () and made.results == (function.parameters[1].vars[0],)


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2))
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = filled(function, TABLE)
    verify(made)
    assert repr(evaluate(made, args)) == repr(evaluate(function, args))


MEAN = """
import math


# ad: gradient
# ad: error
def f(x: "Vector[n]") -> float:
    y = []
    for v in x:
        y.append(math.exp(v))
    return sum(y) / len(y)
"""


def test_the_way_back_of_a_sum_has_no_list_of_one_number():
    text = generate(MEAN, **ANY_ORDER)
    assert "x_bar = [over_y * exp(v) for v in x_list]" in text
    assert "_bar = [1" not in text and ".pop()" not in text
    gradient = load(text)["f_grad"]
    assert list(gradient([0.0, 0.0])) == [0.5, 0.5]


def test_a_carry_that_begins_with_the_same_number_is_another_one():
    text = TAKEN["beside a carry that begins with the number"]
    head = HEAD.format(primal=0).replace("(%0, %1)", "(%0, 0.25)")
    function = program(head + text.replace("(%1, 0.0)", "(0.25, 0.0)") + "  give %9\n")
    made = filled(function, TABLE)
    verify(made)
    assert evaluate(made, POINT) == evaluate(function, POINT) == (0.5,)
