"""What nobody needs is left out, in branches and round loops too."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from programs import deep, program
from structured import programs

from ad_transform.ir.blocks.live import live, live_outside
from ad_transform.ir.nodes import Block, walk
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

HEAD = "function f primal 1 nest .\nparameter x (%0: float)\nparameter n (%1: int)\n"

CARRIES = """\
  %2: float, %3: float, %4: float = scan (0, %1, 1) (%0, 1.0, 2.0) (%0, %0) ()
  body (%5: int, %6: float, %7: float, %8: float, %9: float, %10: float)
    %11: float = mul(%6, %9)
    %12: float = add(%7, %6)
    %13: float = sin(%8)
    %14: float = mul(%13, %10)
    give %11, %12, %14
  give %2
"""
CARRIES_LEFT = """\
  %2: float = scan (0, %1, 1) (%0) (%0) ()
  body (%3: int, %4: float, %5: float)
    %6: float = mul(%4, %5)
    give %6
  give %2
"""

NEEDED_BY_ANOTHER = CARRIES.replace("give %2\n", "give %3\n")
NEEDED_BY_ANOTHER_LEFT = """\
  %2: float, %3: float = scan (0, %1, 1) (%0, 1.0) (%0) ()
  body (%4: int, %5: float, %6: float, %7: float)
    %8: float = mul(%5, %7)
    %9: float = add(%6, %5)
    give %8, %9
  give %3
"""

NOTHING = """\
  %2: bool = gt(%0, 0.0)
  = branch %2 (%1, %0)
  then (%3: int, %4: float)
    = scan (0, %3, 1) () (%4) ()
    body (%5: int, %6: float)
      %7: float = div(1.0, %6)
      give
    give
  else (%8: int, %9: float)
    give
  give %0
"""
NOTHING_LEFT = "  give %0\n"

RECORDS = """\
  %2: float, %3: float[k], %4: float[k], %5: int = while (%0) ()
  test (%6: float)
    %7: bool = lt(%6, 3.0)
    give %7
  body (%8: float)
    %9: float = add(%8, 1.0)
    %10: float = exp(%8)
    give %9, %8, %10
  %11: float, %12: float = scan (0, %5, 1) (0.0, 0.0) () (%3, %4) backwards
  body (%13: int, %14: float, %15: float, %16: float, %17: float)
    %18: float = add(%14, %16)
    %19: float = add(%15, %17)
    give %18, %19
  give %11
"""
RECORDS_LEFT = """\
  %2: float, %3: float[k], %4: int = while (%0) ()
  test (%5: float)
    %6: bool = lt(%5, 3.0)
    give %6
  body (%7: float)
    %8: float = add(%7, 1.0)
    give %8, %7
  %9: float = scan (0, %4, 1) (0.0) () (%3) backwards
  body (%10: int, %11: float, %12: float)
    %13: float = add(%11, %12)
    give %13
  give %9
"""

# The trips of the while decide what the scan gives; nothing else of it is read.
TRIPS = RECORDS.replace("(0.0, 0.0) () (%3, %4) backwards", "(0.0, 0.0) () ()").replace(
    "%15: float, %16: float, %17: float", "%15: float"
)
TRIPS = TRIPS.replace("add(%14, %16)", "add(%14, 1.0)").replace(
    "add(%15, %17)", "add(%15, 2.0)"
)
TRIPS_LEFT = """\
  %2: float, %3: int = while (%0) ()
  test (%4: float)
    %5: bool = lt(%4, 3.0)
    give %5
  body (%6: float)
    %7: float = add(%6, 1.0)
    give %7
  %8: float = scan (0, %3, 1) (0.0) () ()
  body (%9: int, %10: float)
    %11: float = add(%10, 1.0)
    give %11
  give %8
"""

ARMS = """\
  %2: bool = gt(%0, 0.0)
  %3: float, %4: float = branch %2 (%0, %1)
  then (%5: float, %6: int)
    %7: float, %8: float = scan (0, %6, 1) (%5, %5) () ()
    body (%9: int, %10: float, %11: float)
      %12: float = sin(%10)
      %13: float = cos(%11)
      give %12, %13
    give %7, %8
  else (%14: float, %15: int)
    %16: float = exp(%14)
    give %14, %16
  give %3
"""
ARMS_LEFT = """\
  %2: bool = gt(%0, 0.0)
  %3: float = branch %2 (%0, %1)
  then (%4: float, %5: int)
    %6: float = scan (0, %5, 1) (%4) () ()
    body (%7: int, %8: float)
      %9: float = sin(%8)
      give %9
    give %6
  else (%10: float, %11: int)
    give %10
  give %3
"""

CHECKED = """\
  %2: bool = gt(%0, 0.0)
  %3: float = branch %2 (%0)
  then (%4: float)
    %5: bool = lt(%4, 1.0)
    check %5 (text 'large')
    %6: float = exp(%4)
    give %6
  else (%7: float)
    give %7
  give %0
"""
CHECKED_LEFT = """\
  %2: bool = gt(%0, 0.0)
  = branch %2 (%0)
  then (%3: float)
    %4: bool = lt(%3, 1.0)
    check %4 (text 'large')
    give
  else (%5: float)
    give
  give %0
"""

DIM = """\
  %2: float, %3: float[k], %4: int = while (%0) ()
  test (%5: float)
    %6: bool = lt(%5, 3.0)
    give %6
  body (%7: float)
    %8: float = add(%7, 1.0)
    give %8, %7
  %9: float, %10: float[k] = scan (0, %4, 1) (%0) () (%3, %3)
  body (%11: int, %12: float, %13: float, %14: float)
    %15: float = sin(%12)
    give %15, %12
  %16: float = scan (0, %4, 1) (0.0) () (%3, %10)
  body (%17: int, %18: float, %19: float, %20: float)
    %21: float = mul(%19, %20)
    %22: float = add(%18, %21)
    give %22
  give %16
"""
DIM_LEFT = DIM.replace("() (%3, %3)", "() (%3)").replace(
    "(%11: int, %12: float, %13: float, %14: float)",
    "(%11: int, %12: float, %13: float)",
)

UNREAD = """\
  %2: bool = gt(%0, 0.0)
  %3: float, %4: int = branch %2 (%1, %0)
  then (%5: int, %6: float)
    %7: float = sin(%6)
    give %7, %5
  else (%8: int, %9: float)
    give %9, %8
  give %3
"""
UNREAD_LEFT = """\
  %2: bool = gt(%0, 0.0)
  %3: float = branch %2 (%0)
  then (%4: float)
    %5: float = sin(%4)
    give %5
  else (%6: float)
    give %6
  give %3
"""

CALLED = """\
  %2: float = call g (%0)
  %3: float = sin(%0)
  %4: float = call g (%3)
  %5: float = exp(%2)
  give %4
"""
CALLED_LEFT = """\
  %2: float = sin(%0)
  %3: float = call g (%2)
  give %3
"""

CASES = {
    "calls and what they are given": (CALLED, CALLED_LEFT),
    "arguments of arms": (UNREAD, UNREAD_LEFT),
    "entries, but for one that tells the dim of a stack": (DIM, DIM_LEFT),
    "a loop in an arm that gives nothing": (NOTHING, NOTHING_LEFT),
    "a carry that is read to compute itself": (CARRIES, CARRIES_LEFT),
    "a carry that another one needs": (NEEDED_BY_ANOTHER, NEEDED_BY_ANOTHER_LEFT),
    "records, and the entries they are for": (RECORDS, RECORDS_LEFT),
    "trips alone": (TRIPS, TRIPS_LEFT),
    "a loop in an arm": (ARMS, ARMS_LEFT),
    "what an arm checks": (CHECKED, CHECKED_LEFT),
}


def left(function):
    block = function.block
    body = live(block.body, block.results)
    block = Block(block.params, body, block.results)
    return type(function)(
        function.name, function.parameters, block, function.nest, function.primal
    )


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=list(CASES))
def test_what_is_left(before, after):
    made = left(program(HEAD + before))
    verify(made)
    assert format_function(made) == format_function(program(HEAD + after))


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_what_is_alive_stays_as_it_is(function):
    once = left(function)
    twice = left(once)
    assert all(a is b for a, b in zip(once.body, twice.body, strict=True))


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_what_is_alive_outside_first_changes_nothing(function):
    block = function.block
    outside = live_outside(block.body, block.results)
    function_ = replace(function, block=replace(block, body=outside))
    assert format_function(left(function_)) == format_function(left(function))


def by_search(function):
    """What is left where every statement with blocks is searched."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("live", "wants"):
            looked = f"ad_transform.ir.blocks.{module}.is_whole"
            patch.setattr(looked, lambda statement: False)
        return left(function)


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_what_is_read_throughout_is_what_a_search_leaves(function):
    for each in (function, left(function)):
        assert format_function(left(each)) == format_function(by_search(each))


@pytest.mark.parametrize("text", [CARRIES_LEFT, ARMS_LEFT, UNREAD_LEFT])
def test_what_is_read_throughout_is_not_searched(text, monkeypatch):
    function = program(HEAD + text)
    monkeypatch.delattr("ad_transform.ir.blocks.live.needed_part")
    assert left(function).body == function.body


def test_outside_what_nobody_needs_goes_and_blocks_stay():
    block = program(HEAD + UNUSED).block
    kept = live_outside(block.body, block.results)
    assert [s.label for s in kept] == ["mul", "gt", "branch"]


UNUSED = """\
  %2: float = mul(%0, %0)
  %3: float = sin(%0)
  %4: bool = gt(%0, 1.0)
  %5: float = branch %4 (%2)
  then (%6: float)
    give %6
  else (%7: float)
    give 0.0
  give %0
"""


def test_it_is_linear_and_depth_is_no_limit():
    def seconds(depth):
        function = deep(depth)
        start = time.perf_counter()
        made = left(function)
        spent = time.perf_counter() - start
        assert sum(1 for _ in walk(made.body)) == depth * 2 + 1
        return spent

    seconds(10)
    assert seconds(5_000) < 100 * max(seconds(500), 1e-4)
