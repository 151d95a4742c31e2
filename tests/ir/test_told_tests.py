"""Tests that are known where they are asked again are not asked."""

from __future__ import annotations

from programs import program

from ad_transform.ir.arms.told_tests import told_tests
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Apply, Branch, Check, walk
from ad_transform.ir.verify import verify

TEXT = """\
function f primal 1 nest .
parameter x (%0: float)
parameter y (%1: float)
  %2: bool = lt(%0, %1)
  %3: bool = not(%2)
  check %3 ()
  %4: float = branch %2 (%0)
  then (%5: float)
    %6: float = mul(%5, 2.0)
    give %6
  else (%7: float)
    %8: float = mul(%7, 3.0)
    give %8
  %9: bool = gt(%0, 5.0)
  %10: float = branch %9 (%9, %4, %1)
  then (%11: bool, %12: float, %13: float)
    %14: float = branch %11 (%12, %13)
    then (%15: float, %16: float)
      %17: float = mul(%15, %16)
      give %17
    else (%18: float, %19: float)
      %20: float = sub(%18, %19)
      give %20
    give %14
  else (%21: bool, %22: float, %23: float)
    %24: bool = not(%21)
    check %24 ()
    %25: float = add(%22, %23)
    give %25
  give %10
"""
OF_WHOLES = """\
function f primal 1 nest .
parameter x (%0: float)
parameter n (%1: int)
  %2: bool = lt(%1, 0)
  %3: bool = not(%2)
  %4: bool = not(%3)
  %5: float = branch %4 (%0)
  then (%6: float)
    give %6
  else (%7: float)
    %8: float = mul(%7, 2.0)
    give %8
  %9: float = branch %2 (%5, %1)
  then (%10: float, %11: int)
    %12: bool = gt(0, %11)
    %13: float = branch %12 (%10)
    then (%14: float)
      give %14
    else (%15: float)
      %16: float = sin(%15)
      give %16
    give %13
  else (%17: float, %18: int)
    %19: bool = ge(%18, 0)
    check %19 ()
    %20: bool = le(%18, 5)
    check %20 ()
    %21: bool = lt(5, %18)
    %22: float = branch %21 (%17)
    then (%23: float)
      give %23
    else (%24: float)
      %25: float = mul(%24, 3.0)
      give %25
    give %22
  give %9
"""
OF_FLOATS = """\
function f primal 1 nest .
parameter x (%0: float)
  %1: bool = lt(%0, 0.0)
  %2: float = branch %1 (%0)
  then (%3: float)
    give 1.0
  else (%4: float)
    %5: bool = ge(%4, 0.0)
    %6: float = branch %5 (%4)
    then (%7: float)
      give %7
    else (%8: float)
      give 5.0
    give %6
  give %2
"""
OF_LISTS = """\
function f primal 1 nest .
parameter x (%0: float[3])
parameter y (%1: float)
  %2: bool = gt(%1, 0.0)
  %3: bool = not(%2)
  %4: float[3] = copy(%0)
  %5: float = branch %3 (%4, %1)
  then (%6: float[3], %7: float)
    %8: float = get(%6, 0)
    give %8
  else (%9: float[3], %10: float)
    %11: bool = lt(%10, 0.0)
    %12: float = branch %11 (%9, %10, %11)
    then (%13: float[3], %14: float, %27: bool)
      give %14
    else (%15: float[3], %16: float, %28: bool)
      %17: bool = not(%28)
      %18: float[?] = branch %17 (%15, %16)
      then (%19: float[3], %20: float)
        %21: float[3] = set(%19, %20, 1)
        give %21
      else (%22: float[3], %23: float)
        %24: float[4] = append(%22, %23)
        give %24
      %25: float[?] = set(%18, 2.0, 0)
      %26: float = sum_of(%25)
      give %26
    give %12
  give %5
"""
OF_NUMBER = """\
function f primal 1 nest .
parameter x (%0: float)
  %1: bool = not(%0)
  %2: float = branch %1 (%0)
  then (%3: float)
    give 1.0
  else (%4: float)
    give %4
  give %2
"""


def test_arms_and_checks_tell_what_a_test_is() -> None:
    function = program(TEXT)
    made = told_tests(function)
    verify(made)
    statements = list(walk(made.body))
    assert len([s for s in statements if isinstance(s, Branch)]) == 1
    assert len([s for s in statements if isinstance(s, Check)]) == 1
    for point in ((3.0, 1.0), (7.0, 2.0), (5.0, 5.0)):
        assert evaluate(made, point) == evaluate(function, point)


def test_a_number_is_not_known_by_its_truth() -> None:
    function = program(OF_NUMBER)
    assert told_tests(function) is function


def test_whole_numbers_are_compared_once() -> None:
    function = program(OF_WHOLES)
    made = told_tests(function)
    verify(made)
    statements = list(walk(made.body))
    assert len([s for s in statements if isinstance(s, Branch)]) == 2
    assert len([s for s in statements if isinstance(s, Check)]) == 1
    assert not [s for s in statements if isinstance(s, Apply) and s.op.name == "not"]
    for point in ((3.0, -1), (7.0, 0), (5.0, 5)):
        assert evaluate(made, point) == evaluate(function, point)


def test_floats_that_are_not_less_may_be_no_numbers() -> None:
    function = program(OF_FLOATS)
    assert told_tests(function) is function
    assert evaluate(function, (float("nan"),)) == evaluate(function, (float("nan"),))


def test_a_number_that_is_turned_twice_is_a_truth_value() -> None:
    text = OF_NUMBER.replace("branch %1 (%0)", "branch %9 (%0)").replace(
        "not(%0)", "not(%0)\n  %9: bool = not(%1)"
    )
    function = program(text)
    made = told_tests(function)
    assert evaluate(made, (0.5,)) == evaluate(function, (0.5,))


def test_a_list_of_any_length_is_none_of_three_items() -> None:
    function = program(OF_LISTS)
    verify(function)
    made = told_tests(function)
    verify(made)
    x = [1.0, 2.0, 3.0]
    for y in (-1.0, 0.0, 4.0):
        assert evaluate(made, (x, y)) == evaluate(function, (x, y))
