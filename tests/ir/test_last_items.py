"""Items that loops back take from the end of a list are read at their index."""

from __future__ import annotations

import pytest

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.last_items import read_at_index
from ad_transform.ir.parse import parse_function
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

LOOPS = """\
function f primal 0 nest .
parameter x (%0: float[n]) nest array(.)
parameter k (%1: int)
  %2: float[{first}] = full(0.0, {first})
  %3: float[?] = scan ({start}, {stop}, 1) (%2) (%0) ()
  body (%10 i: int, %11: float[?], %12: float[n])
    %13: float = get(%12, %10)
    %14: float = sin(%13)
    %15: float[?] = {grown}
    give %15
  %4: int = size(%3)
  %5: float[?] = like(%3, 0.0)
  %6: float[?] = scan (0, {length}, 1) (%5) (%3) ()
  body (%20 i: int, %21: float[?], %22: float[?])
    %23: float = get(%22, %20)
    %24: float[?] = {filled}
    give %24
  %7: float[?], %8: float = scan (0, {trips}, 1) (%6, 0.0) (%0) (){backwards}
  body (%30 i: int, %31: float[?], %32: float, %33: float[n])
    %34: float = get(%31, {place})
    %35: float[?] = {taken}
    %36: float = get(%33, %30)
    %37: float = mul(%36, %34)
    %38: float = add(%32, %37)
    give %35, %38
{end}
"""
PLAIN = {
    "first": "0",
    "start": "0",
    "stop": "%1",
    "grown": "append(%11, %14)",
    "length": "%4",
    "filled": "add_at(%21, %23, %20)",
    "trips": "%1",
    "backwards": " backwards",
    "place": "-1",
    "taken": "pop(%31)",
    "end": "  give %8",
}
AS_THEY_ARE = {
    "fewer trips": {"trips": "2"},
    "forth": {"backwards": ""},
    "not the last one": {"place": "%30"},
    "a list that is left": {
        "end": "  %9: int = size(%7)\n  %40: float = mul(%9, %8)\n  give %40"
    },
    "an item before": {"first": "1"},
    "more items": {"filled": "append(%21, %23)"},
    "another start": {"start": "1", "trips": "2"},
    "two items a trip": {
        "grown": "append(%11, %14)\n    %16: float[?] = append(%15, 1.0)"
    },
}

X = [0.5, -1.25, 2.0, 0.75, -0.5]


def program(changes):
    text = LOOPS.format(**PLAIN | changes)
    if "%16" in text:
        text = text.replace("    give %15\n", "    give %16\n")
    function = parse_function(text, TABLE)
    verify(function)
    return function


FILLED_INSIDE = """\
scan (0, 2, 1) (%21) (%22, %23) ()
    body (%25 j: int, %26: float[?], %27: float[?], %28: float)
      %29: int = size(%27)
      %39: float[?] = scan (0, %29, 1) (%26) (%28) ()
      body (%50 k: int, %51: float[?], %52: float)
        %53: float[?] = add_at(%51, %52, %50)
        give %53
      give %39"""


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"length": "%4"}, id="by its length"),
        pytest.param({"length": "%1"}, id="by the trips"),
        pytest.param({"filled": FILLED_INSIDE}, id="added to by inner loops"),
    ],
)
def test_last_items_are_read_at_the_index(changes):
    function = program(changes)
    after = read_at_index(function)
    verify(after)
    text = format_function(after)
    assert "pop(" not in text
    assert text.count("scan (0, %1, 1)") == 3
    for k in (0, 1, 4):
        assert evaluate(after, (X, k)) == evaluate(function, (X, k))


@pytest.mark.parametrize("name", AS_THEY_ARE)
def test_others_are_taken_as_they_were(name):
    function = program(AS_THEY_ARE[name])
    after = read_at_index(function)
    verify(after)
    assert "pop(" in format_function(after)
    assert evaluate(after, (X, 3)) == evaluate(function, (X, 3))
