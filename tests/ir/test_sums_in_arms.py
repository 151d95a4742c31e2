"""Sums stand in the arm that has something to add."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from programs import program
from structured import point, programs

from ad_transform.elementals import TABLE
from ad_transform.ir.arms.conditional import conditional
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Branch
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

SOURCE = """\
function f primal {primal} nest .
parameter x (%0: float)
parameter s (%1: float)
parameter c (%2: float)
  %3: bool = gt(%0, 1.0)
  %4: float, %5: float = branch %3 (%0)
  then (%6: float)
    %7: float = sin(%6)
    %8: float = neg(%6)
    give {then}
  else (%9: float)
    give {orelse}
  {behind}
  give {result}
"""
# fmt: off
INTO_ARMS = {  # arms, behind the branch, the result, what an arm gives
    "sum":          ("%7, %6", "0.0, %9", "%10: float = add(%1, %4)",
                     "%10", "add("),
    "turned":       ("%7, %6", "0.0, %9", "%10: float = add(%4, %1)",
                     "%10", "add("),
    "difference":   ("%7, %6", "0.0, %9", "%10: float = sub(%1, %4)",
                     "%10", "sub("),
    "other arm":    ("0.0, %6", "%9, %9", "%10: float = add(%1, %4)",
                     "%10", "add("),
    "negation":     ("%8, %6", "-0.0, %9", "%10: float = add(%1, %4)",
                     "%10", "add("),
    "of negation":  ("%8, %6", "0.0, %9", "%10: float = sub(%1, %4)",
                     "%10", "sub("),
    "scaled":       ("%7, %6", "0.0, %9",
                     "%11: float = mul(%2, %4)\n  %10: float = add(%1, %11)",
                     "%10", "mul("),
    "two":          ("%7, %8", "0.0, 0.0",
                     "%11: float = add(%1, %4)\n  %10: float = sub(%11, %5)",
                     "%10", "add("),
    "given":        ("%7, %6", "0.0, %9", "%10: float = mul(%2, %4)",
                     "%10", "mul("),
    "of its own":   ("%7, 0.0", "0.0, %9", "%10: float = add(%4, %5)",
                     "%10", "give %7"),
}
LEFT = {
    "both arms":    ("%7, %6", "%9, %9", "%10: float = add(%1, %4)", "%10"),
    "both zero":    ("0.0, %6", "0.0, %9", "%10: float = add(%1, %4)", "%10"),
    "read twice":   ("%7, %6", "0.0, %9",
                     "%11: float = add(%1, %4)\n  %10: float = mul(%11, %4)", "%10"),
    "of its own, less": ("%7, 0.0", "0.0, %9", "%10: float = sub(%4, %5)", "%10"),
    "from it":      ("%7, %6", "0.0, %9", "%10: float = sub(%4, %1)", "%10"),
    "made behind":  ("%7, %6", "0.0, %9",
                     "%11: float = mul(%1, %5)\n  %10: float = add(%11, %4)", "%10"),
    "an expression that is nested": ("%7, %6", "0.0, %9",
                     "%10: float = add(%12, %4)", "%10"),
}
# fmt: on
POINTS = [(0.5, 2.0, -3.0), (1.5, 2.0, -3.0)]


def source(then, orelse, behind, result, primal=0):
    text = SOURCE.format(
        then=then, orelse=orelse, behind=behind, result=result, primal=primal
    )
    if "%12" in behind:
        text = text.replace("  %3: bool", "  %12: float = mul(%1, %2)\n  %3: bool")
    return program(text)


def only_branch(function):
    (branch,) = (s for s in function.body if isinstance(s, Branch))
    return branch


@pytest.mark.parametrize("name", INTO_ARMS)
def test_what_an_arm_adds_is_added_there(name):
    *parts, told = INTO_ARMS[name]
    before = source(*parts)
    function = conditional(before, TABLE)
    verify(function)
    assert function.body[-1] is only_branch(function)  # nothing is left behind it
    assert told.partition("%")[0] in format_function(function)
    for values in POINTS:
        assert evaluate(function, values) == evaluate(before, values)


@pytest.mark.parametrize("name", LEFT)
def test_all_else_stays(name):
    function = source(*LEFT[name])
    assert conditional(function, TABLE) is function


def test_sums_of_the_value_stay():
    *parts, _ = INTO_ARMS["sum"]
    function = source(*parts, primal=1)
    assert conditional(function, TABLE) is function


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = conditional(function, TABLE)
    verify(made)
    assert repr(evaluate(made, args)) == repr(evaluate(function, args))
