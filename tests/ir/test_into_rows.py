"""Columns go into the rows of their matrix; lists that grow have room at once; lengths
are taken once.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from programs import program
from structured import point, programs

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.appended import appended
from ad_transform.ir.lists.into_rows import into_rows
from ad_transform.ir.lists.same_lengths import same_lengths
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

FILL = """%{out}: float[n, 2] = scan (0, %2, 1) (%{old}) (%{values}) ()
  body (%{out}1: int, %{out}2: float[n, 2], %{out}3: float[n])
    %{out}4: float = get(%{out}3, %{out}1)
    %{out}5: float[n, 2] = set(%{out}2, %{out}4, %{out}1, {column})
    give %{out}5"""
COLUMNS = """function f primal 0 nest array(.)
parameter x (%1: float[n]) nest array(.)
  %2: int = size(%1)
  %3: float[n] = full({first}, %2)
  %4: float[n] = full(0.0, %2)
  %5: float[n], %6: float[n] = scan (0, %2, 1) (%3, %4) (%1) ()
  body (%70: int, %71: float[n], %72: float[n], %73: float[n])
    %74: float = get(%73, %70)
    %75: float = mul(%74, {factor})
    %76: float[n] = set(%71, %74, %70)
    %77: float[n] = set(%72, %75, %70)
    give %76, %77
  %7: float[n, 2] = grid(0.0, %2, 2)
  {one}
  {other}
  {behind}
"""
ONE = {"out": 8, "old": 7, "values": 5, "column": 0}
OTHER = {"out": 9, "old": 8, "values": 6, "column": 1}
WHOLE = {"first": 0.0, "factor": 0.5, "behind": "give %9", "one": {}, "other": {}}
SEEN = "%{out}: float[n, 2] = set(%9, {value}, 0, 0)\n  give %{out}"
# fmt: off
APART = {
    "not 0 before":     {"first": 1.0},
    "one column twice": {"other": {"column": 0}},
    "read behind":      {"behind": "%19: float = get(%5, 0)\n  "
                                   "%20: float[n, 2] = set(%9, %19, 0, 0)\n  give %20"},
}
# fmt: on


def columns(**changes):
    parts = WHOLE | changes
    parts["one"] = FILL.format(**ONE | parts["one"])
    parts["other"] = FILL.format(**OTHER | parts["other"])
    return program(COLUMNS.format(**parts))


def test_columns_go_into_rows():
    before = columns()
    made = into_rows(before, TABLE)
    verify(made)
    assert format_function(made).count("scan") == 1
    assert evaluate(made, ([1.0, 2.0],)) == evaluate(before, ([1.0, 2.0],))


@pytest.mark.parametrize("name", APART)
def test_others_stay(name):
    before = columns(**APART[name])
    assert into_rows(before, TABLE) is before


GROWN = """function f primal {primal} nest array(.)
parameter x (%1: float[n]) nest array(.)
parameter k (%9: int)
  %2: int = size(%1)
  %3: float[0] = full(0.0, 0)
  %4: float[?] = scan ({start}, {stop}, 1) (%3) (%1) ()
  body (%10: int, %11: float[?], %12: float[n])
    %13: float = get(%12, %10)
    %14: float[?] = append(%11, %13)
    give %14
  %5: int = size(%4)
  %6: int = sub(%5, 1)
  %7: float[?] = set(%4, 0.5, %6)
  give %7
"""


@pytest.mark.parametrize("primal", [0, 1])
def test_what_grows_in_each_trip_is_as_long_as_there_are_trips(primal):
    before = program(GROWN.format(primal=primal, start=0, stop="%2"))
    made = appended(before, TABLE)
    verify(made)
    text = format_function(made)
    assert ("append(" in text) == bool(primal)
    assert text.count("size(") == 1
    assert evaluate(made, ([1.0, 2.0], 1)) == evaluate(before, ([1.0, 2.0], 1))


@pytest.mark.parametrize(("start", "stop"), [(1, "%2"), (0, "%9")])
def test_what_grows_in_other_ranges_stays(start, stop):
    """A range of k, which may be below 0, has no k trips."""
    before = program(GROWN.format(primal=0, start=start, stop=stop))
    assert appended(before, TABLE) is before


LENGTHS = """function f primal 0 nest .
parameter x (%1: float[{one}]) nest array(.)
parameter y (%2: float[{other}]) nest array(.)
  %3: int = size(%1)
  %4{name}: int = size(%2)
  %5: int = add(%3, %4)
  give %5
"""


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [("n", "n", ""), ("n", "m", ""), ("?", "?", ""), ("n", "n", " m!")],
)
def test_a_length_is_taken_once(one, other, name):
    """Nobody knows of two `?` that they are alike; a name of the user's stays."""
    before = program(LENGTHS.format(one=one, other=other, name=name))
    made = same_lengths(before)
    verify(made)
    assert (made is before) == ((one, other, name) != ("n", "n", ""))
    assert evaluate(made, ([1.0, 2.0], [3.0, 4.0])) == (4,)


COPIED = """function f primal 0 nest .
parameter x (%1: float[n]) nest array(.)
  %2: int = size(%1)
  %3: float[n] = copy(%1)
  %4: float[n] = scan (0, %2, 1) (%3) () ()
  body (%10: int, %11: float[n])
    %12: float[n] = set(%11, 0.5, %10)
    give %12
  %5: float[n] = copy(%4)
  %6: float[n] = set(%5, 2.0, 0)
  %7: float = get({read}, 0)
  give %7
"""


@pytest.mark.parametrize(("read", "copies"), [("%6", 1), ("%4", 2)])
def test_what_nothing_else_reads_is_not_copied(read, copies):
    before = program(COPIED.format(read=read))
    made = same_lengths(before)
    verify(made)
    assert format_function(made).count("copy(") == copies
    assert evaluate(made, ([1.0, 2.0],)) == evaluate(before, ([1.0, 2.0],))


@settings(deadline=None)
@given(programs(arrays=2))
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = into_rows(appended(same_lengths(function), TABLE), TABLE)
    verify(made)
    assert repr(evaluate(made, args)) == repr(evaluate(function, args))
