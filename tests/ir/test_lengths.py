"""Which lists a trip leaves as long as they were."""

from __future__ import annotations

import pytest

from ad_transform.elementals import TABLE
from ad_transform.ir.lists.lengths import as_long, keep_length
from ad_transform.ir.nodes import Scan, While
from ad_transform.ir.parse import parse_function

LOOP = """\
function f primal 0 nest .
parameter x (%0: float[?]) nest array(.)
parameter y (%1: float[?]) nest array(.)
parameter n (%2: int)
  %3: float[?], %4: float[?] = scan (0, %2, 1) (%0, %1) (%2) ()
  body (%10 i: int, %11: float[?], %12: float[?], %13: int)
{body}
  give %3
"""
STORED = "    %14: float[?] = set(%11, 2.0, %10)\n    give %14, %12"
BOTH_WAYS = """\
    %14: bool = lt(%10, 2)
    %15: float[?], %16: float[?] = branch %14 (%11, %12)
    then (%20: float[?], %21: float[?])
      %22: float[?] = add_at(%20, 1.0, 0)
      give {then}
    else (%30: float[?], %31: float[?])
      give {orelse}
    give %15, %16"""
INNER = """\
    %14: float[?] = scan (0, %13, 1) (%11) () ()
    body (%20: int, %21: float[?])
      %22: float[?] = {change}
      give %22
    give %14, %12"""

BODIES = {
    "a store": (STORED, [0, 1]),
    "the other one": (STORED.replace("give %14, %12", "give %12, %14"), []),
    "longer": (
        "    %14: float[?] = append(%11, 2.0)\n    give %14, %12",
        [1],
    ),
    "shorter": ("    %14: float[?] = pop(%11)\n    give %14, %12", [1]),
    "in an arm": (BOTH_WAYS.format(then="%22, %21", orelse="%30, %31"), [0, 1]),
    "crossed in an arm": (BOTH_WAYS.format(then="%21, %22", orelse="%30, %31"), []),
    "crossed in one arm": (BOTH_WAYS.format(then="%22, %21", orelse="%31, %30"), []),
    "one that both arms give": (
        BOTH_WAYS.format(then="%22, %21", orelse="%30, %31").replace(
            "give %15, %16", "give %15, %12"
        ),
        [0, 1],
    ),
    "stores of inner trips": (INNER.format(change="sub_at(%21, 1.0, %20)"), [0, 1]),
    "longer in inner trips": (INNER.format(change="append(%21, 1.0)"), [1]),
    "a store to a list of the trip": (
        "    %14: float[?] = copy(%12)\n    %15: float[?] = set(%14, 2.0, 0)\n"
        "    give %11, %15",
        [0],
    ),
    "behind a check": (
        "    %14: bool = lt(%10, 2)\n    check %14 (text 'late') raise 'ValueError'\n"
        "    give %11, %12",
        [0, 1],
    ),
}


def _loop(body: str) -> Scan:
    function = parse_function(LOOP.format(body=body), TABLE)
    (loop,) = function.body
    assert isinstance(loop, Scan)
    return loop


@pytest.mark.parametrize(("body", "kept"), BODIES.values(), ids=BODIES)
def test_lists_of_a_trip(body: str, kept: list[int]) -> None:
    assert keep_length(_loop(body)) == kept


BESIDE_A_NUMBER = """\
function f primal 0 nest .
parameter x (%0: float[?]) nest array(.)
parameter n (%1: int)
  %2: int, %3: float[?], %4: int = while (%1, %0) ()
  test (%5: int, %6: float[?])
    %7: bool = lt(%5, 2)
    give %7
  body (%8: int, %9: float[?])
    %10: float[?] = set(%9, 2.0, 0)
    give %8, %10
  give %2
"""


def test_a_number_has_no_length() -> None:
    (loop,) = parse_function(BESIDE_A_NUMBER, TABLE).body
    assert isinstance(loop, While)
    assert keep_length(loop) == [1]


def test_lists_of_a_block_are_told_by_those_outside() -> None:
    loop = _loop(STORED)
    first = loop.body.params[1]
    found = as_long(loop.body, {first: loop.carries[0]})
    assert found == dict.fromkeys((first, loop.body.results[0]), loop.carries[0])
