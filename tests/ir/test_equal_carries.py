"""Carries of a loop that are the same number in every trip are one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from programs import program
from structured import point, programs

from ad_transform.derive.passes import alike_once
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.equal_carries import without_equal_carries
from ad_transform.ir.nodes import Scan
from ad_transform.ir.verify import verify

LOOP = """function f primal 0 nest tuple(., .)
parameter x (%1: float)
parameter n (%2: int)
  %3: float, %4: float, %5: float = scan (0, %2, 1) ({a}, {b}, {c}) (%1) ()
  body (%10: int, %11: float, %12: float, %13: float, %14: float)
    %15: float = mul(%14, {other_a})
    %16: float = add(%11, %15)
    %17: float = mul(%14, {other_b})
    %18: float = add(%12, %17)
    %19: float = mul(%13, {factor})
    give %16, %18, {last}
  %6: float = sub(%3, %4)
  give %6, %5
"""
WHOLE = {"a": 1.5, "b": 1.5, "c": 1.0, "other_a": "%11", "other_b": "%12"}
WHOLE |= {"factor": 0.5, "last": "%19"}
# fmt: off
EQUAL = {
    "each by itself": ({}, 2),
    "by each other":  ({"other_a": "%12", "other_b": "%11"}, 2),
    "all":            ({"c": 1.5, "last": "%18"}, 1),
    "of the start":   ({"a": "%1", "b": "%1"}, 2),
}
OTHER = {
    "a start":        {"b": 1.0},
    "a sign of 0":    {"a": 0.0, "b": -0.0},
    "a factor":       {"other_a": "%13"},
    "one is ahead":   {"other_a": "%12", "other_b": "%10"},
}
# fmt: on

ARMS = """function f primal 0 nest tuple(., .)
parameter x (%1: float)
parameter n (%2: int)
  %3: float, %4: float = scan (0, %2, 1) (%1, %1) (%1) ()
  body (%10: int, %11: float, %12: float, %13: float)
    %14: float = mul(%13, %11)
    %15: bool = gt(%14, {tested})
    %16: float, %17: float = branch %15 (%11, %12, %14)
    then (%20: float, %21: float, %22: float)
      give %22, %22
    else (%23: float, %24: float, %25: float)
      %26: float = mul(%25, 2.0)
      give {one}, {other}
    give %16, %17
  give %3, %4
"""
ARM_CASES = {
    "what they are": ("%23", "%24", 1),
    "crossed": ("%24", "%23", 1),
    "another number": ("%23", "%26", 2),
}

LISTS = """function f primal 0 nest tuple(., .)
parameter u (%0: float[n])
parameter x (%1: float)
parameter n (%2: int)
  %3: float[n], %4: float[n] = scan (0, %2, 1) (%0, %0) (%1) ()
  body (%10: int, %11: float[n], %12: float[n], %13: float)
    %14: float[n] = set(%11, %13, 0)
    %15: float[n] = set(%12, %13, 0)
    give %14, %15
  give %3, %4
"""


def carries(function):
    (loop,) = (s for s in function.body if isinstance(s, Scan))
    return len(loop.carries)


@pytest.mark.parametrize("name", EQUAL)
def test_equal_carries_are_one(name):
    other, count = EQUAL[name]
    before = program(LOOP.format(**WHOLE | other))
    made = alike_once(before)
    verify(made)
    assert carries(made) == count
    for n in (0, 1, 4):
        assert evaluate(made, (3.0, n)) == evaluate(before, (3.0, n))


@pytest.mark.parametrize("name", OTHER)
def test_others_stay(name):
    before = program(LOOP.format(**WHOLE | OTHER[name]))
    assert without_equal_carries(before) is before


def test_lists_that_a_loop_changes_are_two():
    before = program(LISTS)
    assert without_equal_carries(before) is before


@settings(deadline=None, max_examples=60)
@given(programs())
def test_programs_keep_their_values(function):
    made = alike_once(function)
    verify(made)
    assert evaluate(made, point(function)) == evaluate(function, point(function))


@pytest.mark.parametrize("name", ARM_CASES)
def test_arms_that_give_both_the_same_leave_one_carry(name):
    one, other, count = ARM_CASES[name]
    before = program(ARMS.format(tested="%12", one=one, other=other))
    made = alike_once(before)
    verify(made)
    assert carries(made) == count
    for at in ((1.5, 3), (0.5, 4), (1.5, 0)):
        assert evaluate(made, at) == evaluate(before, at)
