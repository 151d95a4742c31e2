"""Tests that are known where they are asked again are not asked."""

from __future__ import annotations

from programs import program

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Branch, Check, walk
from ad_transform.ir.told_tests import told_tests
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
