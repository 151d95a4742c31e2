"""Loops back know what the trips that they go back over have done."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from amounts import ANY_ORDER, amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.ends import unread_at_the_end
from ad_transform.ir.loops.known_trips import known_trips
from ad_transform.ir.nodes import Branch, Scan
from ad_transform.ir.verify import verify

SOURCE = """\
function f primal 0 nest .
parameter x (%0: float)
parameter n (%1: int)
  %2: int, %3: float, %4: bool, {stacks}, %10: int = while ({start}, %0, False) (%1, %0)
  test (%11: int, %12: float, %13: bool, %14: int, %15: float)
    %16: bool = not(%13)
    %17: bool = branch %16 (%11, %14)
    then (%18: int, %19: int)
      %20: bool = lt(%18, %19)
      give %20
    else (%21: int, %22: int)
      give False
    give %17
  body (%23: int, %24: float, %25: bool, %26: int, %27: float)
    %28: float = mul(%24, 1.5)
    %29: float = add(%28, %27)
    %30: bool = gt(%29, {limit})
    %31: int = add(%23, {step})
    give %31, %28, {left}, {records}
{behind}
  give %50
"""
ARMS = """\
  %50: float = branch {flag} (%10, %0, {given})
  then (%51: int, %52: float, {first})
    give {away}
  else (%53: int, %54: float, {second})
    %55: float = scan {range} (0.0) (%54) ({second_names}){how}
    body (%56: int, %57: float, %58: float, {entries})
{trip}
      give %70
    give %55"""
TRIP = """\
      %60: bool = {test}
      %61: float = branch %60 (%57, %62)
      then (%63: float, %64: float)
        give %63
      else (%65: float, %66: float)
        %67: float = add(%65, %66)
        give %67
      %70: float = mul(%61, 1.0)"""
PLAIN = {
    "stacks": "%5: float[t], %6: int[t]",
    "records": "%29, %23",
    "start": "0",
    "step": "1",
    "limit": "9.0",
    "left": "%30",
    "flag": "%4",
    "range": "(0, %53, 1)",
    "given": "%5, %6",
    "first": "%71: float[t], %72: int[t]",
    "second": "%73: float[t], %74: int[t]",
    "second_names": "%73, %74",
    "how": " backwards",
    "entries": "%62: float, %75: int",
    "away": "-1.0",
    "test": "gt(%62, 9.0)",
}
COUNTING = TRIP.replace("%57, %62", "%57, %76").replace(
    "      %60", "      %76: float = float(%75)\n      %60"
)
# fmt: off
KNOWN = {
    "computed again": ({}, TRIP),
    "recorded":       ({"stacks": "%5: float[t], %6: bool[t]", "records": "%29, %30",
                        "first": "%71: float[t], %72: bool[t]",
                        "second": "%73: float[t], %74: bool[t]",
                        "entries": "%62: float, %75: bool",
                        "test": "not(%75)"}, TRIP),
}
ASKED = {
    "another number": {"test": "gt(%62, 8.0)"},
    "another value":  {"records": "%28, %23"},
    "other trips":    {"range": "(1, %53, 1)"},
    "another flag":   {"left": "%25", "flag": "%4"},
}
# fmt: on
POINTS = [(0.5, 0), (0.5, 1), (0.75, 5), (2.0, 3), (4.0, 6)]


def source(trip, **parts):
    every = {**PLAIN, **parts}
    made = ARMS.format(**every, trip=trip.format(**every))
    return program(SOURCE.format(**every, behind=made))


def loop_back(function):
    branch = function.body[-1]
    assert isinstance(branch, Branch)
    (loop,) = (s for s in branch.orelse.body if isinstance(s, Scan))
    return loop


@pytest.mark.parametrize("name", KNOWN)
def test_a_trip_that_has_stayed_is_not_asked(name):
    parts, trip = KNOWN[name]
    before = source(trip, **parts)
    made = known_trips(before)
    verify(made)
    assert any(isinstance(s, Branch) for s in loop_back(before).body.body)
    assert not any(isinstance(s, Branch) for s in loop_back(made).body.body)
    for values in POINTS:
        assert evaluate(made, values) == evaluate(before, values)


@pytest.mark.parametrize("name", ASKED)
def test_other_trips_are_asked(name):
    made = known_trips(source(TRIP, **ASKED[name]))
    assert any(isinstance(s, Branch) for s in loop_back(made).body.body)


def test_where_a_trip_has_left_it_is_asked():
    every = {**PLAIN, "away": "1.0"}
    arms = ARMS.format(**every, trip=TRIP.format(**every))
    first, second = arms.index("  then"), arms.index("  else")
    turned = arms[:first] + "  then" + arms[second + 6 :]
    turned += "\n  else" + arms[first + 6 : second].rstrip()
    function = program(SOURCE.format(**every, behind=turned))
    branch = known_trips(function).body[-1]
    assert isinstance(branch, Branch)
    (loop,) = (s for s in branch.then.body if isinstance(s, Scan))
    assert any(isinstance(s, Branch) for s in loop.body.body)


@pytest.mark.parametrize(
    ("parts", "is_known"),
    [
        ({}, True),
        ({"start": "1"}, True),
        ({"step": "2"}, True),
        ({"records": "%29, %31"}, False),
    ],
)
def test_the_number_of_the_trip_is_counted(parts, is_known):
    before = source(COUNTING, **parts)
    made = known_trips(before)
    verify(made)
    body = loop_back(made).body
    assert any(body.params[0] in s.inputs for s in body.body) is is_known
    for values in POINTS:
        assert evaluate(made, values) == evaluate(before, values)


@pytest.mark.parametrize(("start", "step"), [("0", "1"), ("1", "1"), ("2", "3")])
def test_a_loop_back_has_the_range_of_the_loop_forth(start, step):
    before = source(COUNTING, start=start, step=step)
    made = known_trips(before)
    verify(made)
    loop, branch = loop_back(made), made.body[-1]
    assert (loop.start.value, loop.step.value) == (int(start), int(step))
    assert branch.args[branch.orelse.params.index(loop.stop)] is made.block.params[1]
    assert not loop.entries  # no trip records its number
    for values in [*POINTS, (0.5, 2), (0.5, 7), (0.5, -3)]:
        assert evaluate(made, values) == evaluate(before, values)


def test_a_loop_back_that_needs_its_number_counts():
    trip = COUNTING.replace("float(%75)", "float(%56)")
    assert "%56)" in trip
    for start, is_kept in (("0", False), ("1", True)):
        before = source(trip, start=start)
        made = known_trips(before)
        verify(made)
        loop, branch = loop_back(made), made.body[-1]
        stop = branch.args[branch.orelse.params.index(loop.stop)]
        assert (stop is made.body[0].outs[-1]) is is_kept
        for values in POINTS:
            assert evaluate(made, values) == evaluate(before, values)


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2) | programs())
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = known_trips(function)
    verify(made)
    assert repr(evaluate(made, args)) == repr(evaluate(function, args))


LENGTH = """%71: float[t], %72: int[t])
    %80: int = size(%71)
    %81: float = float(%80"""


def test_all_is_read_only_where_none_has_left():
    function = source(TRIP)
    assert unread_at_the_end(function) == {*function.body[0].outs}


def test_a_record_is_read_where_one_has_left():
    assert not unread_at_the_end(source(TRIP, first=LENGTH, away="%81"))


def test_a_record_is_read_behind_another_test():
    arms = ARMS.format(**PLAIN, trip=TRIP.format(**PLAIN)).replace(
        "branch %4", "branch %90"
    )
    behind = f"  %90: bool = gt(%0, 3.0)\n{arms}"
    assert not unread_at_the_end(program(SOURCE.format(**PLAIN, behind=behind)))


def test_a_record_is_returned():
    arms = ARMS.format(**PLAIN, trip=TRIP.format(**PLAIN))
    text = SOURCE.format(**PLAIN, behind=arms).replace("nest .", "nest tuple(., .)")
    assert not unread_at_the_end(
        program(text.replace("  give %50\n", "  give %50, %5\n"))
    )


LIKELIHOOD = """
import math

# ad: gradient
def f(data: "Vector[n]", w: float, s: float) -> float:
    total = 0.0
    for x in data:
        p = w * x + s
        if p <= 0.0:
            return -1e10
        total += math.log(p)
    return total
"""
STATE = """
import math

# ad: gradient
def f(w: float, s: float, n: int) -> float:
    total, x = 0.0, w
    for _ in range(n):
        x = math.sin(x * s)
        p = w * x + s
        if p <= 0.0:
            return -1.0
        total += math.log(p) * x
    return total
"""


def test_a_likelihood_returns_where_it_has_none():
    text = generate(LIKELIHOOD, **ANY_ORDER)
    assert text.count("if p <= 0.0:") == 1
    assert re.search(
        r"if p <= 0\.0:\n +return np\.zeros\(len\(data_list\)\), 0\.0, 0\.0\n", text
    )
    assert "for i, (x, p) in enumerate(zip(data_list, p_list)):" in text
    assert "data_bar[i] = " in text
    made = load(text)["f_grad"]
    slopes, *others = made([1.0, -9.0, 2.0], 0.5, 1.0)
    assert [*slopes] == [0.0, 0.0, 0.0] and others == [0.0, 0.0]
    slopes, w_bar, s_bar = made([1.0, 2.0], 0.5, 1.0)
    assert slopes == pytest.approx([0.5 / 1.5, 0.5 / 2.0])
    assert w_bar == pytest.approx(1.0 / 1.5 + 2.0 / 2.0)
    assert s_bar == pytest.approx(1.0 / 1.5 + 1.0 / 2.0)


def test_a_state_is_recorded_behind_the_way_out():
    text = generate(STATE, **ANY_ORDER)
    assert re.search(
        r"if p <= 0\.0:\n +return 0\.0, 0\.0\n"
        r" +saved\.append\(\(p, x_2, log\(p\), x\)\)\n +x = x_2\n",
        text,
    )
    f, made = load(STATE)["f"], load(text)["f_grad"]
    h = 1e-6
    for w, s, n in ((0.7, 0.9, 4), (0.7, 0.9, 0), (2.0, -0.9, 3)):
        slopes = (
            (f(w + h, s, n) - f(w - h, s, n)) / (2 * h),
            (f(w, s + h, n) - f(w, s - h, n)) / (2 * h),
        )
        assert made(w, s, n) == pytest.approx(slopes, abs=1e-7)


@pytest.mark.parametrize("behind", ["x", "total"])
def test_what_the_trip_that_leaves_records_is_there_where_it_is_read(behind):
    text = STATE.replace("return -1.0", f"return {behind} * w")
    f, made = load(text)["f"], load(generate(text, **ANY_ORDER))["f_grad"]
    h = 1e-6
    for w, s, n in ((0.7, 0.9, 4), (2.0, -0.9, 3), (0.4, -0.1, 5)):
        slopes = (
            (f(w + h, s, n) - f(w - h, s, n)) / (2 * h),
            (f(w, s + h, n) - f(w, s - h, n)) / (2 * h),
        )
        assert made(w, s, n) == pytest.approx(slopes, abs=1e-6)


FORWARD = """
import math

# ad: gradient(A, b)
def f(A: "Matrix[s, s]", b: "Vector[s]", n: int):
    state = [v / sum(b) for v in b]
    total = 0.0
    for _ in range(1, n):
        new = []
        for j in range(len(b)):
            acc = 0.0
            for i in range(len(b)):
                acc += state[i] * A[i, j]
            new.append(acc * b[j])
        c = sum(new)
        if c <= 0.0:
            return -1e300
        state = [v / c for v in new]
        total += math.log(c)
    return total
"""


def test_the_length_of_a_list_that_is_recorded_is_not():
    text = generate(FORWARD, **ANY_ORDER)
    assert "new_size" not in text
    assert "in enumerate(new):" in text
    assert "saved.append((new, c, state, acc_list))" in text
    assert "_case" not in text  # no second name for what the arm that stays gives
    f, made = load(FORWARD)["f"], load(text)["f_grad"]
    A, b, h = [[0.7, 0.4], [0.2, 0.5]], [0.3, 0.9], 1e-6
    slopes = made(A, b, 4)[1]
    for k in range(2):
        up, down = ([*b], [*b])
        up[k] += h
        down[k] -= h
        grid = Grid(A)
        assert slopes[k] == pytest.approx((f(grid, up, 4) - f(grid, down, 4)) / (2 * h))
    assert made([[-0.7, 0.4], [0.2, -0.5]], b, 4)[1].tolist() == [0.0, 0.0]


CHOLESKY = """
import math

# ad: gradient
def f(a: "Matrix[n, n]"):
    n = len(a)
    L = [[0.0] * n for _ in range(n)]
    total = 0.0
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= L[i][k] * L[j][k]
            if i == j:
                if s <= 0.0:
                    return -1e300
                L[i][i] = math.sqrt(s)
                total += math.log(L[i][i])
            else:
                L[i][j] = s / L[j][j]
    return total
"""


def test_a_loop_inside_has_its_range_too_where_no_trip_has_left():
    text = generate(CHOLESKY, **ANY_ORDER)
    assert not re.search(r"\bj_list\b", text)
    assert "reversed(range(i + 1))," in text
    f, made, h = load(CHOLESKY)["f"], load(text)["f_grad"], 1e-6
    a = [[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.0]]
    slopes = made(a)
    for i in range(3):
        for j in range(3):
            ends = []
            for step in (h, -h):
                moved = Grid(map(list, a))
                list.__getitem__(moved, i)[j] += step
                ends.append(f(moved))
            want = (ends[0] - ends[1]) / (2 * h)
            assert slopes[i][j] == pytest.approx(want, abs=1e-7)
    for bad in ([[1.0, 2.0], [2.0, 1.0]], [[-1.0]], [[1.0, 0.0], [0.0, 0.0]]):
        assert not made(bad).any()


class Grid(list):
    """Rows that are indexed as those of an array are."""

    def __getitem__(self, place):
        i, j = place
        return list.__getitem__(self, i)[j]


def test_lists_that_a_loop_lengthens_are_not_made_in_front_of_it():
    text = """
# ad: gradient
def f(x: "Vector[n]", c: float) -> float:
    kept = []
    for v in x:
        if v > c:
            return 0.5 * c
        kept.append(v * c)
    best = 0.0
    for k in kept:
        best += k * k
    return best
"""
    f, made = (
        load(text)["f"],
        load(generate(text, container="list", **ANY_ORDER))["f_grad"],
    )
    h = 1e-6
    for x, c in (([1.0, 2.0], 3.0), ([1.0, 4.0], 3.0), ([], 1.0)):
        slope = (f(x, c + h) - f(x, c - h)) / (2 * h)
        assert made(x, c)[1] == pytest.approx(slope, abs=1e-6)
