"""Loops that fill and read an array element by element become one; those whose trips
have to do with elements of others stay apart.
"""

from __future__ import annotations

import pytest

from ad_transform.derive.trips.fused import fused
from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Scan
from ad_transform.ir.parse import parse_function
from ad_transform.ir.verify import verify

LOOPS = """\
function f primal 0 nest .
parameter x (%0: float[n]) nest array(.)
parameter k (%1: int)
  %2: int = size(%0)
  %3: float[n] = like(%0, {first})
  %4: float[n] = scan ({start}, {stop}, {step}) (%3) (%0, %1) ()
  body (%10 i: int, %11: float[n], %12: float[n], %13: int)
    %14: float = get(%12, %10)
    %15: float = mul(%14, %14)
{stored}
    give %17
  %5: float = scan ({start}, {stop}, {step}) (0.0) (%4, %0, %1, {last}) () backwards
  body (%20 i: int, %21: float, %22: float[n], %23: float[n], %24: int, %29: float)
{read}
    %27: float = mul(%26, %29)
    %28: float = add(%21, %27)
    give %28
  %6: float = mul({end}, 0.5)
  give %6
"""
PLAIN = {
    "first": "0.0",
    "start": "0",
    "stop": "%2",
    "step": "1",
    "last": "0.25",
    "end": "%5",
    "stored": "    %17: float[n] = add_at(%11, %15, %10)",
    "read": "    %26: float = get(%22, %20)",
}
ARM = """\
    %30: bool = gt(%20, 1)
    %26: float = branch %30 (%22, %20)
    then (%31: float[n], %32: int)
      %33: float = get(%31, {place})
      give %33
    else (%34: float[n], %35: int)
      %36: int = size(%34)
      give 2.0"""
INNER = """\
    %26: float = scan (0, 2, 1) (0.0) (%22, {index}) ()
    body (%31 j: int, %32: float, %33: float[n], %34: int)
      %35: float = get(%33, {place})
      %36: float = add(%32, %35)
      give %36"""
STORED_IN_ARM = """\
    %16: bool = gt(%10, 0)
    %17: float[n] = branch %16 (%11, %15, %10)
    then (%31: float[n], %32: float, %33: int)
      %34: float[n] = set(%31, %32, {place})
      give %34
    else (%35: float[n], %36: float, %37: int)
      give %35"""
STORED_INSIDE = """\
    %17: float[n] = scan (0, 2, 1) (%11) (%15, %10) ()
    body (%31 j: int, %32: float[n], %33: float, %34: int)
      %35: float[n] = add_at(%32, %33, {place})
      give %35"""
GONE_OVER = """\
    %30: int = size(%22)
    %26: float = scan (0, %30, 1) (0.0) () (%22)
    body (%31 j: int, %32: float, %33: float)
      %34: float = add(%32, %33)
      give %34"""
STORED_WHILE = """\
    %17: float[n], %38: int, %39: int = while (%11, 0) (%15, %10)
    test (%41: float[n], %42: int, %43: float, %44: int)
      %45: float = get(%41, {tested})
      %46: bool = lt(%45, 0.5)
      %47: bool = lt(%42, 2)
      %48: bool = both(%46, %47)
      give %48
    body (%31: float[n], %32: int, %33: float, %34: int)
      %35: float[n] = add_at(%31, %33, %34)
      %36: int = add(%32, 1)
      give %35, %36"""
ONE = {
    "added": {},
    "to what was there": {"first": "1.5"},
    "stored": {"stored": "    %17: float[n] = set(%11, %15, %10)"},
    "from a number on": {"start": "1"},
    "in an arm": {"read": ARM.format(place="%32")},
    "in a loop": {"read": INNER.format(index="%20", place="%34")},
    "stored in an arm": {"stored": STORED_IN_ARM.format(place="%33")},
    "added in a loop": {"stored": STORED_INSIDE.format(place="%34")},
    "read twice": {
        "read": """\
    %25: float = get(%22, %20)
    %30: float = get(%22, %20)
    %26: float = mul(%25, %30)"""
    },
    "read between": {
        "stored": """\
    %16: float[n] = add_at(%11, %15, %10)
    %18: float = get(%16, %10)
    %17: float[n] = add_at(%16, %18, %10)"""
    },
}
APART = {
    "places from the end": {"start": "-2"},
    "a step that nobody knows": {"step": "%1", "start": "1"},
    "an element of another trip": {"read": "    %26: float = get(%22, 0)"},
    "one that is told": {"read": "    %26: float = get(%22, %24)"},
    "another one in an arm": {"read": ARM.format(place="0")},
    "others in a loop": {"read": INNER.format(index="%20", place="%31")},
    "one that is told in a loop": {"read": INNER.format(index="%24", place="%34")},
    "inner ones of another number": {"read": INNER.format(index="%24", place="%31")},
    "gone over": {"read": GONE_OVER},
    "another one tested": {"stored": STORED_WHILE.format(tested="0")},
    "stored elsewhere": {"stored": "    %17: float[n] = add_at(%11, %15, 0)"},
    "stored elsewhere in an arm": {"stored": STORED_IN_ARM.format(place="0")},
    "stored elsewhere inside": {"stored": STORED_INSIDE.format(place="%31")},
    "another one read between": {
        "stored": """\
    %16: float[n] = add_at(%11, %15, %10)
    %18: float = get(%16, 0)
    %17: float[n] = add_at(%16, %18, %10)"""
    },
    "all elements": {
        "read": """\
    %25: float = sum_of(%22)
    %26: float = mul(%25, 0.5)"""
    },
    "what the first loop gives": {"last": "%40"},
}
LAST = """\
  %4: float[n], %40: float = scan ({start}, {stop}, {step}) (%3, 0.0) (%0, %1) ()
  body (%10 i: int, %11: float[n], %41: float, %12: float[n], %13: int)
    %14: float = get(%12, %10)
    %15: float = mul(%14, %14)
    %42: float = add(%41, %15)
{stored}
    give %17, %42
"""
X = [0.5, -1.25, 2.0, 0.75, -0.5]


def made(changes: dict[str, str]):
    """The loops with changes, and what becomes of them."""
    text = LOOPS
    if changes.get("last"):
        begin, end = text.index("  %4:"), text.index("  %5:")
        text = text[:begin] + LAST + text[end:]
    values = PLAIN | changes
    function = parse_function(text.format(**values), TABLE)
    verify(function)
    after = fused(function)
    verify(after)
    for k in (1, 2):
        assert evaluate(after, (X, k)) == evaluate(function, (X, k))
    return sum(isinstance(s, Scan) for s in after.body)


@pytest.mark.parametrize("name", ONE)
def test_loops_over_own_elements_are_one(name):
    assert made(ONE[name]) == 1


@pytest.mark.parametrize("name", APART)
def test_loops_that_read_what_other_trips_store_stay_apart(name):
    assert made(APART[name]) == 2


ROWS = """\
function f primal 0 nest .
parameter x (%0: float[n]) nest array(.)
  %2: int = size(%0)
  %3: float[n, 2] = grid(0.0, %2, 2)
  %4: float[n, 2] = scan (0, %2, 1) (%3) (%0) ()
  body (%10 i: int, %11: float[n, 2], %12: float[n])
    %13: float = get(%12, %10)
    %14: float[n, 2] = add_at(%11, %13, %10, 1)
    give %14
  %5: float = scan (0, %2, 1) (0.0) (%4) () backwards
  body (%20 i: int, %21: float, %22: float[n, 2])
    %24: float = get(%22, %20, 0)
    %25: float = get(%22, %20, 1)
    %26: float = sub(%24, %25)
    %27: float = add(%21, %26)
    give %27
  give %5
"""


def test_rows_of_their_own():
    function = parse_function(ROWS, TABLE)
    verify(function)
    after = fused(function)
    verify(after)
    assert sum(isinstance(s, Scan) for s in after.body) == 1
    assert evaluate(after, (X,)) == evaluate(function, (X,))
