"""Elements are added to once, and stored where they were 0."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from programs import program
from structured import point, programs

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.added_once import added_once
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

TWICE = """function f primal {primal} nest array(.)
parameter x (%1: float[n]) nest array(.)
parameter v (%2: float)
parameter k (%3: int)
  %4: float[n] = copy(%1)
  %5: float[n] = {one}(%4, %2, %3)
{between}  %6: float[n] = {other}(%5, {value}, {place})
  give %6
"""
# fmt: off
TOTALS = {
    ("add_at", "add_at"): ("= add(%1, 0.5)", "add_at("),
    ("add_at", "sub_at"): ("= sub(%1, 0.5)", "add_at("),
    ("sub_at", "add_at"): ("= sub(0.5, %1)", "add_at("),
    ("sub_at", "sub_at"): ("= add(%1, 0.5)", "sub_at("),
}
# fmt: on
PLAIN = {"primal": 0, "one": "add_at", "other": "add_at", "between": ""}
PLAIN |= {"value": 0.5, "place": "%3"}
APART = {
    "another place": {"place": "0"},
    "read between": {"between": "  %7: float = get(%5, %3)\n", "value": "%7"},
    "the value": {"primal": 1},
}
LOOP = """function f primal {primal} nest array(.)
parameter x (%1: float[n]) nest array(.)
parameter k (%2: int)
  %3: int = size(%1)
  %4: float[n] = like(%1, {first})
  %5: float[n] = scan ({start}, %3, {step}) (%4) (%1, %2) ()
  body (%10: int, %11: float[n], %12: float[n], %13: int)
    %14: float = get(%12, %10)
    %15: float[n] = {op}(%11, %14, {place})
    give %15
  give %5
"""
STORED = {"op": "add_at", "first": 0.0, "start": 0, "step": 1, "place": "%10"}
STORED["primal"] = 0
ADDED = {
    "another place": {"place": "%13"},
    "not 0 before": {"first": 1.0},
    "places from the end": {"start": -2},
    "a step that nobody knows": {"step": "%2"},
    "the value": {"primal": 1},
}


@pytest.mark.parametrize("ops", TOTALS)
def test_what_is_added_twice_is_added_once(ops):
    one, other = ops
    before = program(TWICE.format(**PLAIN | {"one": one, "other": other}))
    made = added_once(before, TABLE)
    verify(made)
    text = format_function(made)
    assert all(part in text for part in TOTALS[ops])
    assert len(made.body) == len(before.body)
    assert evaluate(made, ([1.0, 2.0], 0.25, 1)) == evaluate(
        before, ([1.0, 2.0], 0.25, 1)
    )


@pytest.mark.parametrize("name", APART)
def test_others_are_added_apart(name):
    before = program(TWICE.format(**PLAIN | APART[name]))
    assert added_once(before, TABLE) is before


CLEARED = """function f primal {primal} nest array(.)
parameter x (%1: float[n]) nest array(.)
parameter v (%2: float)
parameter k (%3: int)
  %4: float[n] = copy(%1)
  %7: float = get(%4, %3)
  %8: float = get(%4, 0)
  %5: float[n] = set(%4, 0.0, %3)
  %6: float[n] = {op}(%5, {value}, {place})
  give %6
"""


@pytest.mark.parametrize("op", ["add_at", "sub_at"])
@pytest.mark.parametrize("value", ["%2", "%8"])
def test_what_is_cleared_and_added_to_is_stored(op, value):
    words = {"primal": 0, "op": op, "place": "%3", "value": value}
    before = program(CLEARED.format(**words))
    made = added_once(before, TABLE)
    verify(made)
    text = format_function(made)
    assert text.count("= set(") == 1 and op not in text and "0.0" not in text
    assert evaluate(made, ([1.0, 2.0], 0.25, 1)) == evaluate(
        before, ([1.0, 2.0], 0.25, 1)
    )


def test_what_is_cleared_and_gets_back_what_it_was_is_left_alone():
    words = {"primal": 0, "op": "add_at", "place": "%3", "value": "%7"}
    before = program(CLEARED.format(**words))
    made = added_once(before, TABLE)
    verify(made)
    assert "set(" not in format_function(made) and len(made.body) == 1
    assert evaluate(made, ([1.0, 2.0], 0.25, 1)) == ([1.0, 2.0],)
    less = program(CLEARED.format(**words | {"op": "sub_at"}))
    assert evaluate(added_once(less, TABLE), ([1.0, 2.0], 0.25, 1)) == ([1.0, -2.0],)


@pytest.mark.parametrize("words", [{"primal": 1}, {"place": "0"}])
def test_what_is_cleared_elsewhere_or_returned_stays(words):
    plain = {"primal": 0, "op": "add_at", "place": "%3", "value": "%2"}
    before = program(CLEARED.format(**plain | words))
    assert added_once(before, TABLE) is before


@pytest.mark.parametrize("op", ["add_at", "sub_at"])
@pytest.mark.parametrize("step", [1, 2])
def test_what_was_0_is_stored(op, step):
    before = program(LOOP.format(**STORED | {"op": op, "step": step}))
    made = added_once(before, TABLE)
    verify(made)
    assert "= set(" in format_function(made) and op not in format_function(made)
    assert evaluate(made, ([1.0, 2.0], 0)) == evaluate(before, ([1.0, 2.0], 0))


@pytest.mark.parametrize("op", ["add_at", "sub_at"])
def test_the_first_of_a_new_list_is_stored(op):
    head, _, _ = LOOP.format(**STORED).partition("  %5")
    before = program(f"{head}  %5: float[n] = {op}(%4, 0.5, %2)\n  give %5\n")
    made = added_once(before, TABLE)
    verify(made)
    assert "= set(" in format_function(made)
    assert evaluate(made, ([1.0, 2.0], 1)) == evaluate(before, ([1.0, 2.0], 1))


NEW = """function f primal {primal} nest tuple(array(.), array(.))
parameter x (%1: float[n]) nest array(.)
parameter k (%2: int)
parameter v (%3: float)
  %4: int = size(%1)
  %5: float[n] = like(%1, 0.0)
  %7: float[n] = copy(%1)
{body}
  give %6, %8
"""
ELSEWHERE = "\n  %8: float[n] = add_at(%7, 0.5, 0)"
TRIPS = """\
  %{out}: float[n] = scan ({start}, %4, 1) (%{array}) (%3) ()
  body (%20: int, %21: float[n], %23: float)
{body}
    give %30"""


def trips(array: int, out: int, body: str, start: int = 2) -> str:
    return TRIPS.format(array=array, out=out, start=start, body=body)


# fmt: off
AT_I = "    %30: float[n] = add_at(%21, %23, %20)"
AT_I_AND_1 = """\
    %31: float[n] = add_at(%21, %23, %20)
    %30: float[n] = set(%31, 2.0, 1)"""
ANOTHER = "    %30: float[n] = like(%21, %23)"
IN_TURN = {  # statements, and how many of them store instead
    "once more": ("""\
  %10: float[n] = add_at(%5, 0.5, 0)
  %11: float[n] = add_at(%10, 0.5, 1)
  %6: float[n] = add_at(%11, %3, 0)""", 2),
    "the one before the last": ("""\
  %10: float[n] = add_at(%5, 0.5, 0)
  %11: float[n] = add_at(%10, 0.5, 1)
  %12: float[n] = add_at(%11, 0.5, 2)
  %6: float[n] = add_at(%12, %3, 1)""", 3),
    "from the end": ("""\
  %10: float[n] = add_at(%5, 0.5, 3)
  %6: float[n] = add_at(%10, %3, -1)""", 1),
    "first from the end": ("""\
  %10: float[n] = add_at(%5, 0.5, -1)
  %6: float[n] = add_at(%10, %3, 3)""", 1),
    "a place that nobody knows": ("""\
  %10: float[n] = add_at(%5, 0.5, 0)
  %6: float[n] = add_at(%10, %3, %2)""", 1),
    "stored before": ("""\
  %10: float[n] = set(%5, 2.0, 1)
  %6: float[n] = add_at(%10, %3, 1)""", 1),
    "in front of a loop": (
        "  %10: float[n] = add_at(%5, 0.5, 2)\n" + trips(10, 6, AT_I), 1),
    "elsewhere in front of a loop": (
        "  %10: float[n] = add_at(%5, 0.5, 0)\n" + trips(10, 6, AT_I), 2),
    "in front of a loop and behind": (
        "  %10: float[n] = add_at(%5, 0.5, 0)\n" + trips(10, 11, AT_I)
        + "\n  %6: float[n] = add_at(%11, %3, 0)", 2),
    "behind a loop that stores twice": (
        trips(5, 11, AT_I_AND_1) + "\n  %6: float[n] = add_at(%11, %3, 1)", 2),
    "in a loop that stores another": (trips(5, 6, AT_I_AND_1, 0), 1),
    "behind a loop that gives another": (
        trips(5, 11, ANOTHER) + "\n  %6: float[n] = add_at(%11, %3, 0)", 0),
    "in a loop with another list": ("""\
  %6: float[n], %8: float[n] = scan (2, %4, 1) (%5, %7) (%3) ()
  body (%20: int, %21: float[n], %22: float[n], %23: float)
    %24: float[n] = add_at(%21, %23, %20)
    %25: float[n] = add_at(%22, %23, %20)
    give %24, %25""", 1),
    "in a loop that turns two lists round": ("""\
  %10: float[n] = like(%1, 0.0)
  %6: float[n], %11: float[n] = scan (0, 3, 1) (%5, %10) (%3) ()
  body (%20: int, %21: float[n], %22: float[n], %23: float)
    %24: int = add(%20, 1)
    %25: float[n] = add_at(%21, %23, %20)
    %26: float[n] = set(%22, 2.0, %24)
    give %26, %25""", 1),
}
# fmt: on


@pytest.mark.parametrize("body, stores", IN_TURN.values(), ids=IN_TURN)
def test_the_first_in_each_place_is_stored(body, stores):
    text = body if "%8:" in body else body + ELSEWHERE
    before = program(NEW.format(primal=0, body=text))
    verify(before)
    made = added_once(before, TABLE)
    verify(made)
    assert format_function(made).count("set(") == stores
    point = [1.0, 2.0, 4.0, 8.0], 0, 0.25
    assert evaluate(made, point) == evaluate(before, point)


def test_elements_of_the_value_are_added_to():
    body = "  %6: float[n] = add_at(%5, 0.5, 0)\n  %8: float[n] = add_at(%7, %3, 0)"
    before = program(NEW.format(primal=2, body=body))
    assert added_once(before, TABLE) is before


@pytest.mark.parametrize("room", ["full(0.0, %3)", "full(1.0, %3)"])
def test_lists_that_are_made_of_zeros_are_new(room):
    head, _, _ = LOOP.format(**STORED).partition("  %5")
    head = head.replace("like(%1, 0.0)", room)
    before = program(f"{head}  %5: float[n] = add_at(%4, 0.5, %2)\n  give %5\n")
    made = added_once(before, TABLE)
    verify(made)
    assert ("= set(" in format_function(made)) == ("0.0" in room)


BEHIND = """function f primal 0 nest array(.)
parameter x (%1: float[n]) nest array(.)
parameter v (%2: float)
  %3: int = size(%1)
  %4: float[n] = like(%1, 0.0)
  %5: float[n] = scan ({start}, %3, 1) (%4) (%1) ()
  body (%10: int, %11: float[n], %12: float[n])
    %13: int = sub(%10, 1)
    %14: float = get(%12, %10)
    %15: float[n] = add_at(%11, %14, %13)
    give %15
  %6: float[n] = sub_at(%5, %2, {place})
  give %6
"""


@pytest.mark.parametrize("start, place, stores", [(2, 0, 2), (2, 1, 1), (0, 0, 0)])
def test_an_element_that_a_loop_leaves_out_is_stored_behind_it(start, place, stores):
    before = program(BEHIND.format(start=start, place=place))
    made = added_once(before, TABLE)
    verify(made)
    assert format_function(made).count("= set(") == stores
    point = [1.0, 2.0, 4.0], 0.25
    assert evaluate(made, point) == evaluate(before, point)


def test_an_element_told_from_the_end_may_be_any():
    text = BEHIND.format(start=0, place=2).replace("%13: int = sub(%10, 1)", "{place}")
    before = program(text.format(place="%13: int = sub(-1, %10)"))
    made = added_once(before, TABLE)
    verify(made)
    assert "sub_at(" in format_function(made)
    point = [1.0, 2.0, 4.0], 0.25
    assert evaluate(made, point) == evaluate(before, point)


@pytest.mark.parametrize("name", ADDED)
def test_others_are_added_to(name):
    before = program(LOOP.format(**STORED | ADDED[name]))
    assert added_once(before, TABLE) is before


@settings(deadline=None)
@given(programs(arrays=2))
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = added_once(function, TABLE)
    verify(made)
    found, wanted = evaluate(made, args), evaluate(function, args)
    assert repr(found) == repr(wanted) or found == pytest.approx(wanted, nan_ok=True)


ROWS = """function f primal {primal} nest array(.)
parameter x (%1: float[m, n]) nest array(.)
parameter k (%2: int)
  %3: int = size(%1)
  %4: float[m, n] = rows_like(%1, {first})
  %5: float[m, n] = scan (0, %3, 1) (%4) (%1, %2) ()
  body (%10: int, %11: float[m, n], %12: float[m, n], %13: int)
    %14: int = size(%12, 1)
    %15: float[m, n] = scan ({start}, %14, 1) (%11) (%12, %10, %13) ()
    body (%20: int, %21: float[m, n], %22: float[m, n], %23: int, %24: int)
      %25: float = get(%22, %23, %20)
      %26: float[m, n] = {op}(%21, %25, {row}, {place})
      give %26
    give %15
  give %5
"""
IN_ROWS = {"op": "add_at", "first": 0.0, "start": 0, "row": "%23", "place": "%20"}
IN_ROWS["primal"] = 0


@pytest.mark.parametrize("op", ["add_at", "sub_at"])
def test_elements_of_the_row_of_a_trip_are_stored(op):
    before = program(ROWS.format(**IN_ROWS | {"op": op}))
    made = added_once(before, TABLE)
    verify(made)
    assert "= set(%" in format_function(made) and op not in format_function(made)
    matrix = ((1.0, 2.0, -3.0), (0.5, 0.0, 4.0))
    assert evaluate(made, (matrix, 1)) == evaluate(before, (matrix, 1))


@pytest.mark.parametrize(
    "other",
    [{"row": "%24"}, {"place": "%24"}, {"first": 1.0}, {"start": -2}, {"primal": 1}],
)
def test_other_elements_of_rows_are_added_to(other):
    before = program(ROWS.format(**IN_ROWS | other))
    assert added_once(before, TABLE) is before
