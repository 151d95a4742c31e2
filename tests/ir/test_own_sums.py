"""Sums of what one branch gives stand in its arms."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from amounts import amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load, load_generated

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Branch
from ad_transform.ir.sums.own_sums import own_sums
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

SOURCE = """\
function f primal {primal} nest .
parameter x (%0: float)
parameter s (%1: float)
  %3: bool = gt(%0, 1.0)
  %4: float, %5: float = branch %3 (%0)
  then (%6: float)
    %7: float = sin(%6)
    give {then}
  else (%9: float)
    %8: float = exp(%9)
    give {orelse}
  {behind}
  give %10
"""
SCALED = "%11: float = mul(%1, %5)\n  %10: float = {}"
# fmt: off
TAKEN = {  # arms, behind the branch, operations of the two arms
    "sum":            ("%7, %6", "0.0, %8", "%10: float = add(%4, %5)", 3),
    "difference":     ("%7, %6", "%8, 0.0", "%10: float = sub(%4, %5)", 3),
    "each in an arm": ("%7, 0.0", "0.0, %8", "%10: float = add(%4, %5)", 2),
    "scaled":         ("%7, %6", "0.0, %8", SCALED.format("add(%4, %11)"), 5),
    "nothing scaled": ("%7, %6", "%8, 0.0", SCALED.format("sub(%4, %11)"), 4),
    "of another":     ("%7, %6", "0.0, %8", "%10: float = add(%4, %1)", 2),
    "less than another": ("%7, %6", "0.0, %8", "%10: float = sub(%1, %4)", 2),
    "by what is made behind": ("%7, %6", "%8, 0.0",
                       "%12: float = cos(%1)\n  %11: float = mul(%12, %5)\n"
                       "  %10: float = add(%4, %11)", 4),
}
LEFT = {
    "less than nothing": ("%7, %6", "0.0, %8", "%10: float = sub(%4, %5)"),
    "nothing is 0":   ("%7, %6", "%9, %8", "%10: float = add(%4, %5)"),
    "read twice":     ("%7, %6", "0.0, %8",
                       "%11: float = add(%4, %5)\n  %10: float = mul(%11, %4)"),
    "of another":     ("%7, %6", "%9, %8", "%10: float = add(%4, %1)"),
    "less of it":     ("%7, %6", "0.0, %8", "%10: float = sub(%4, %1)"),
    "in a function":  ("%7, %6", "0.0, %8",
                       "%11: float = exp(%5)\n  %10: float = add(%4, %11)"),
    "square":         ("%7, %6", "%8, 0.0",
                       "%11: float = mul(%5, %5)\n  %10: float = add(%4, %11)"),
    "divisor":        ("%7, %6", "0.0, %8",
                       "%11: float = div(%1, %5)\n  %10: float = add(%4, %11)"),
}
# fmt: on
POINTS = [(0.5, 2.0), (1.5, 2.0)]


def source(then, orelse, behind, primal=0):
    text = SOURCE.format(then=then, orelse=orelse, behind=behind, primal=primal)
    return program(text)


@pytest.mark.parametrize("name", TAKEN)
def test_sums_are_made_in_the_arms(name):
    *parts, operations = TAKEN[name]
    before = source(*parts)
    made = own_sums(before, TABLE)
    verify(made)
    branch = made.body[-1]
    assert isinstance(branch, Branch) and made.results == branch.outs
    assert sum(len(arm.body) for arm in branch.blocks) == operations
    for values in POINTS:
        assert evaluate(made, values) == evaluate(before, values)


CHAINS = {  # behind the branch, operations of the two arms
    "a product between": ("%12: float = add(%1, %11)\n  %10: float = add(%12, %5)", 3),
    "less a product": ("%12: float = sub(%1, %11)\n  %10: float = add(%5, %12)", 3),
    "a product first": ("%12: float = add(%11, %1)\n  %10: float = sub(%12, %5)", 3),
}


@pytest.mark.parametrize("name", CHAINS)
def test_what_is_0_in_an_arm_is_added_first(name):
    behind, operations = CHAINS[name]
    product = "%11: float = mul(%1, %4)\n  "
    before = source("%7, %6", "%8, 0.0", product + behind)
    made = own_sums(before, TABLE)
    verify(made)
    (branch,) = (s for s in made.body if isinstance(s, Branch))
    assert sum(len(arm.body) for arm in branch.blocks) == operations
    for values in POINTS:
        (wanted,) = evaluate(before, values)
        assert evaluate(made, values) == (pytest.approx(wanted, rel=1e-14),)


@pytest.mark.parametrize("name", ["a product between", "less a product"])
def test_sums_behind_that_are_the_value_stay(name):
    behind = "%11: float = mul(%1, %4)\n  " + CHAINS[name][0]
    function = source("%7, %6", "%8, 0.0", behind, primal=1)
    assert own_sums(function, TABLE) is function


@pytest.mark.parametrize("name", LEFT)
def test_all_else_stays(name):
    function = source(*LEFT[name])
    assert own_sums(function, TABLE) is function


NESTED = """\
  %3: bool = gt(%0, 1.0)
  %4: float = branch %3 (%0)
  then (%6: float)
    %7: bool = gt(%6, 2.0)
    %8: float = branch %7 (%6)
    then (%9: float)
      %11: float = sin(%9)
      give %11
    else (%12: float)
      give {inner}
    give %8
  else (%13: float)
    give {outer}
  %10: float = add(%1, %4)"""


@pytest.mark.parametrize(
    ("inner", "outer", "is_taken"),
    [
        ("0.0", "0.0", True),
        ("0.0", "%13", True),
        ("%12", "0.0", True),
        ("%12", "%13", False),
    ],
)
def test_only_arms_that_give_something_add(inner, outer, is_taken):
    body = NESTED.format(inner=inner, outer=outer)
    head = SOURCE[: SOURCE.index("  %3")]
    before = program(head.format(primal=0) + body + "\n  give %10\n")
    made = own_sums(before, TABLE)
    verify(made)
    assert (made is not before) is is_taken
    branch = made.body[-1]
    if is_taken:
        assert isinstance(branch, Branch) and made.results == branch.outs
        (inside,) = (s for s in branch.then.body if isinstance(s, Branch))
        assert inner != "0.0" or not inside.orelse.body
    if outer == "0.0":
        (given,) = branch.orelse.results
        assert not branch.orelse.body
        assert branch.args[branch.orelse.params.index(given)] is made.block.params[1]
    for values in ((0.5, 2.0), (1.5, 2.0), (2.5, 2.0)):
        assert evaluate(made, values) == evaluate(before, values)


def test_sums_of_the_value_stay():
    *parts, _ = TAKEN["sum"]
    function = source(*parts, primal=1)
    assert own_sums(function, TABLE) is function


def test_other_results_of_the_branch_stay():
    text = SOURCE.format(
        then="%7, %6, %7", orelse="0.0, %8, %9", behind=TAKEN["sum"][2], primal=0
    )
    text = text.replace("%5: float =", "%5: float, %2: float =")
    text = text.replace("nest .", "nest tuple(., .)")
    function = program(text.replace("give %10", "give %10, %2"))
    made = own_sums(function, TABLE)
    verify(made)
    assert "add(%4" not in format_function(made)
    for values in POINTS:
        assert evaluate(made, values) == evaluate(function, values)


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2) | programs())
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = own_sums(function, TABLE)
    verify(made)
    assert repr(evaluate(made, args)) == repr(evaluate(function, args))


def test_what_is_read_elsewhere_is_given_still():
    text = SOURCE.format(
        then="%7, %6", orelse="%8, 0.0", behind="{behind}", primal=0
    ).replace("nest .", "nest tuple(., .)")
    behind = "%11: float = mul(%4, %5)\n  %12: float = mul(%2, %5)\n"
    text = text.replace("%5: float =", "%5: float, %2: float =")
    text = text.replace("give %7, %6", "give %7, %6, %6").replace("0.0\n", "0.0, %9\n")
    text = text.format(behind=behind + "  %10: float = add(%2, %11)")
    function = program(text.replace("give %10", "give %10, %4").replace("%12", "%13"))
    made = own_sums(function, TABLE)
    verify(made)
    for values in POINTS:
        assert evaluate(made, values) == evaluate(function, values)


def test_a_tangent_through_max_is_chosen_as_the_value_is():
    text = generate("""
# ad: jvp
def f(x: "Vector[n]", a: float) -> float:
    best = x[0]
    for v in x:
        best = max(best, a * v)
    return best
""")
    assert re.search(
        r"if best_prod > best:\n +best_dot = plus_v\n +elif best == best_prod:\n"
        r" +best_dot = 0\.5 \* best_dot \+ 0\.5 \* plus_v\n +best = ",
        text,
    )
    tangent = load(text)["f_jvp"]
    assert tangent([1.0, 2.0], 1.0, [3.0, 5.0], 7.0) == (2.0, 19.0)
    assert tangent([2.0], 1.0, [3.0], 7.0) == (2.0, 10.0)  # 3 and 3 + 2 * 7


CAPPED = """import math
import numpy as np


# ad: hvp
def f(x: "Vector[n]"):
    y = SELECTED
    t = np.sum(np.sin(y))
    if t > 1.0:
        return 0.5
    return math.asin(t)
"""


@pytest.mark.parametrize("container", ["array", "tuple"])
@pytest.mark.parametrize("selected", ["x", "x[x > 0.25]"])
def test_a_sum_of_arrays_is_no_number_in_an_arm(selected: str, container: str) -> None:
    source = CAPPED.replace("SELECTED", selected)
    made = load_generated(source, container=container)["f_hvp"]
    assert list(made([1.0, 1.5, 0.5], [1.0, -0.5, 0.25])) == [0.0] * 3
    assert all(list(made([0.3, 0.27, 0.26], [1.0, -0.5, 0.25])))
