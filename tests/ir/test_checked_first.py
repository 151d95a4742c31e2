"""Checks stand in front of branches on their tests, where nothing is raised earlier."""

import pytest
from programs import program

from ad_transform.ir.arms.checked_first import checked_first
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Apply, Branch, Check
from ad_transform.ir.verify import verify

HEAD = """\
function f primal 1 nest .
parameter x (%0: float)
parameter y (%1: float)
  %2: bool = lt(%0, %1)
"""
MADE = """\
  %4: float = branch %2 (%0)
  then (%5: float)
    %6: float = exp(%5)
    give %6
  else (%7: float)
    give 0.0
"""
QUIET = "  %8: float = mul(%4, %0)\n"
LOUD = "  %8: float = exp(%0)\n"
CHECK = "  check %2 ()\n"
SHOWN = "  check %2 (text 'not ', %4)\n"
END = "  %9: float = add(%8, %4)\n  give %9\n"
MIDDLE = MADE.replace("give 0.0", "%10: float = exp(%7)\n    give %10")


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        (MADE + QUIET + CHECK, [Apply, Check, Branch, Apply, Apply]),
        (MADE + LOUD + CHECK, [Apply, Branch, Apply, Check, Apply]),
        (MADE + QUIET + SHOWN, [Apply, Branch, Apply, Check, Apply]),
        (MIDDLE + QUIET + CHECK, [Apply, Branch, Apply, Check, Apply]),
    ],
)
def test_a_check_passes_what_raises_nothing(body: str, kinds: list[type]) -> None:
    function = program(HEAD + body + END)
    made = checked_first(function)
    verify(made)
    assert [type(statement) for statement in made.body] == kinds
    assert (made is function) == (kinds[1] is not Check)


ARMS = """\
  %4: float, %20: bool = branch %2 (%0)
  then (%5: float)
    %6: float = exp(%5)
    give %6, True
  else (%7: float)
    %21: bool = lt(%7, 3.0)
    give 0.0, %21
"""
INSIDE = "  check %20 (text 'no value') raise 'TypeError'\n"


@pytest.mark.parametrize(
    ("between", "is_moved"), [(QUIET, True), (LOUD, False), (SHOWN + QUIET, False)]
)
def test_a_check_goes_into_the_arm_where_it_may_fail(
    between: str, is_moved: bool
) -> None:
    function = program(HEAD + ARMS + between + INSIDE + END)
    made = checked_first(function)
    verify(made)
    (branch,) = (s for s in made.body if isinstance(s, Branch))
    assert [type(s) for s in branch.orelse.body] == [Apply, *[Check] * is_moved]
    assert all(type(s) is Apply for s in branch.then.body)
    assert evaluate(made, (1.0, 2.0)) == evaluate(function, (1.0, 2.0))
    if is_moved:
        assert evaluate(made, (2.0, 1.0)) == evaluate(function, (2.0, 1.0))
        with pytest.raises(TypeError, match="no value"):
            evaluate(made, (4.0, 1.0))
