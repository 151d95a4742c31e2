"""What a loop stores in a list is not recorded as well."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amounts import amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.read_back import read_back
from ad_transform.ir.nodes import Scan
from ad_transform.ir.verify import verify

SOURCE = """\
function f primal 1 nest tuple(., .)
parameter x (%0 x!: float[n])
parameter c (%1: float)
  %2: int = size(%0)
  %3: float[{dim}] = {room}
  %4: float[{dim}], %5: float[{trips}] = scan ({range}) (%3) (%0) (){backwards}
  body (%6: int, %7: float[{dim}], %8: float[n])
    %9: float = get(%8, %6)
    %10: float = exp(%9)
    %11: float[{dim}] = {change}
    give %11, %10
  {between}
  %12: float = scan ({again}) (%1) ({read}) (%5) backwards
  body (%13: int, %14: float, {params}%15: float)
    %16: float = mul(%14, %15)
    give %16
  %17: float = get(%4, 0)
  give %17, {result}
"""
PLAIN = {
    "dim": "n",
    "room": "like(%0, 0.0)",
    "range": "0, %2, 1",
    "trips": "n",
    "backwards": "",
    "change": "set(%7, %10, %6)",
    "between": "%18: float = neg(%1)",
    "again": "0, %2, 1",
    "read": "",
    "params": "",
    "result": "%12",
}
POINT = ([0.5, 0.25], 1.5)


def source(**words: str):
    return program(SOURCE.format(**{**PLAIN, **words}))


def recorded(function):
    """How much the loops of a function record."""
    return sum(len(s.stacks) for s in function.body if isinstance(s, Scan))


@pytest.mark.parametrize(
    "words",
    [
        pytest.param({}, id="stored"),
        pytest.param({"read": "%4", "params": "%19: float[n], "}, id="is read"),
        pytest.param({"backwards": " backwards"}, id="stored on the way back"),
        pytest.param({"range": "1, %2, 1", "again": "1, %2, 1"}, id="from 1"),
    ],
)
def test_the_list_is_read(words):
    function = source(**words)
    made = read_back(function, TABLE)
    verify(made)
    assert recorded(made) == 0
    assert evaluate(made, POINT) == evaluate(function, POINT)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param({"change": "set(%7, %10, 0)"}, id="in one place"),
        pytest.param({"change": "set(%7, %9, %6)"}, id="another value"),
        pytest.param({"change": "add_at(%7, %10, %6)"}, id="added"),
        pytest.param({"range": "%2, 0, -1", "again": "0, %2, 1"}, id="the other way"),
        pytest.param({"again": "0, 2, 1"}, id="another range"),
    ],
)
def test_all_else_is_recorded(words):
    function = source(**words)
    assert read_back(function, TABLE) is function


def test_a_whole_number_among_floats_is_recorded():
    text = SOURCE.format(**PLAIN | {"trips": "t"})
    text = text.replace("%10: float = exp(%9)", "%10: int = mul(%6, %6)")
    text = text.replace("%5: float[t]", "%5: int[t]").replace("%15: float", "%15: int")
    function = program(text)
    verify(function)
    assert read_back(function, TABLE) is function


def test_a_whole_number_that_is_read_as_a_float_is_recorded():
    text = SOURCE.format(**PLAIN | {"trips": "t", "room": "full(0, %2)"})
    text = text.replace("%10: float = exp(%9)", "%10: int = mul(%6, %6)")
    for name in ("%3", "%4", "%5", "%7", "%11"):
        text = text.replace(f"{name}: float[", f"{name}: int[")
    function = program(text.replace("%17: float", "%17: int"))
    verify(function)
    assert read_back(function, TABLE) is function


TWO = """\
function f primal 0 nest .
parameter x (%0 x!: float[n])
parameter c (%1: float)
  %2: int = size(%0)
  %3: float[n] = like(%0, 0.0)
  %4: float[n], %5: float[t], %6: float[t] = scan (0, %2, 1) (%3) (%0) ()
  body (%10: int, %11: float[n], %12: float[n])
    %13: float = get(%12, %10)
    %14: float = sin(%13)
    %15: float = cos(%13)
    %16: float[n] = set(%11, %14, %10)
    give %16, %14, %15
  %7: float, %8: float[t] = scan (0, %2, 1) (%1) () (%5)
  body (%20: int, %21: float, %22: float)
    %23: float = mul(%21, %22)
    %24: float = exp(%23)
    give %23, %24
  %9: float = scan (0, %2, 1) (%7) () (%6, %8) backwards
  body (%30: int, %31: float, %32: float, %33: float)
    %34: float = mul(%31, %32)
    %35: float = add(%34, %33)
    give %35
  give %9
"""


def test_a_loop_that_records_keeps_the_entries_that_tell_its_trips():
    function = program(TWO)
    verify(function)
    made = read_back(function, TABLE)
    verify(made)
    assert evaluate(made, POINT) == evaluate(function, POINT)


def test_a_list_that_changes_is_not_read():
    text = SOURCE.format(**PLAIN).replace("get(%4, 0)", "get(%18, 0)")
    text = text.replace("%18: float = neg(%1)", "%18: float[n] = set(%4, 0.5, 1)")
    function = program(text)
    assert read_back(function, TABLE) is function


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2))
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = read_back(function, TABLE)
    verify(made)
    assert repr(evaluate(made, args)) == repr(evaluate(function, args))


RECURRENCE = """\
function f primal 0 nest .
parameter c (%0: float)
parameter n (%1: int)
  %2: int = add(%1, 4)
  %3: float[a] = full(%0, %2)
  %4: float[a], %5: float[s] = scan ({range}) (%3) (%1) (){backwards}
  body (%6: int, %7: float[a], %8: int)
{body}
  %20: float = scan ({range}) (0.0) () (%5) backwards
  body (%21: int, %22: float, %23: float)
    %24: float = mul(%22, 0.5)
    %25: float = add(%24, %23)
    give %25
  give %20
"""
STEP = """\
    %9: int = {read}
    %10: float = get(%7, %9)
    %11: float = sin(%10)
    %12: int = {store}
    %13: float[a] = set(%7, %11, %12)
    give %13, %10"""
ROW = """\
    %9: float[a] = scan ({inner}) (%7) (%6) ()
    body (%10: int, %11: float[a], %12: int)
      %13: int = {at}
      %14: float[a] = set(%11, %10, %13)
      give %14
    %15: float = get(%9, %6)
    give %9, %15"""
ARM = """\
    %9: float = get(%7, {read})
    %10: bool = {test}
    %11: float[a] = branch %10 (%7, %6)
    then (%12: float[a], %13: int)
      %14: float[a] = set(%12, 0.25, {place})
      give %14
    else (%15: float[a], %16: int)
      give %15
    give %11, %9"""
FOUND = """\
    %9: int = scan (%6, %8, 1) (%6) (%7, %6) ()
    body (%10: int, %11: int, %12: float[a], %13: int)
      %14: float = get(%12, %10)
      %15: float = get(%12, %11)
      %16: bool = gt(%14, %15)
      %17: int = branch %16 (%10, %11)
      then (%18: int, %19: int)
        give %18
      else (%18: int, %19: int)
        give {other}
      give %17
    %26: float = get(%7, %6)
    %27: float[a] = set(%7, %26, %9)
    %28: float = sin(%26)
    %29: float[a] = set(%27, %28, %6)
    give %29, %28"""


def step(read: str, store: str) -> str:
    return STEP.format(read=read, store=store)


def row(inner: str, at: str) -> str:
    return ROW.format(inner=inner, at=at)


def arm(test: str, place: str, read: str = "%6") -> str:
    return ARM.format(test=test, place=place, read=read)


UP, DOWN = "1, %1, 1", "%1, 0, -1"
STILL_THERE = {
    "the place before": (UP, step("sub(%6, 1)", "add(%6, 0)")),
    "this place, and the next stored": (UP, step("add(%6, 0)", "add(%6, 1)")),
    "the place behind, downwards": (DOWN, step("add(%6, 1)", "add(%6, 0)")),
    "the place behind, on the way back": (UP + "|", step("add(%6, 1)", "add(%6, 0)")),
    "odd ones, even ones stored": (
        "0, %1, 2",
        step("add(%6, 1)", "add(%6, 2)"),
    ),
    "the other half": (UP, step("sub(%8, %8)", "mul(%6, 2)")),
    "those behind in an inner loop": (UP, row("0, %6, 1", "add(%10, %12)")),
    "stored in an arm of trips before": (UP, arm("lt(%6, 3)", "5")),
    "stored in the trip before": (UP, arm("eq(%6, 2)", "3")),
    "stored where it is another": (UP, arm("ne(%6, 2)", "%13", "2")),
}
GONE = {
    "the place behind": (UP, step("add(%6, 1)", "add(%6, 0)")),
    "this place": (UP, step("add(%6, 0)", "add(%6, 0)")),
    "the place before, downwards": (DOWN, step("sub(%6, 1)", "add(%6, 0)")),
    "even ones, and those behind": ("0, %1, 2", step("add(%6, 2)", "add(%6, 2)")),
    "told from the end": ("0, %1, 1", step("sub(%6, 1)", "add(%6, 3)")),
    "stored from the end": ("0, %1, 1", step("add(%6, 3)", "sub(%6, 1)")),
    "one place": (UP, step("mul(%6, 0)", "mul(%6, 0)")),
    "a product": (UP, step("mul(%6, %6)", "mul(%6, %8)")),
    "stored in inner loops of later trips": (UP, row("0, %6, 1", "add(%10, 0)")),
    "stored in an arm of later trips": (UP, arm("gt(%6, 2)", "2")),
    "stored where it is not a third": (UP, arm("ne(%6, 3)", "%13", "2")),
    "the last one, before others are appended": (
        UP,
        "    %9: float = get(%7, -1)\n"
        "    %10: float[a] = append(%7, 0.5)\n    give %10, %9",
    ),
    "one of a list that others take the place of": (
        UP,
        "    %9: float = get(%7, %6)\n"
        "    %10: float[a] = like(%7, 0.5)\n    give %10, %9",
    ),
}


def recurrence(range_: str, body: str):
    backwards = " backwards" if range_.endswith("|") else ""
    words = {"range": range_.rstrip("|"), "backwards": backwards, "body": body}
    return program(RECURRENCE.format(**words))


@pytest.mark.parametrize("range_, body", STILL_THERE.values(), ids=STILL_THERE)
def test_what_no_later_trip_stores_is_read(range_, body):
    function = recurrence(range_, body)
    made = read_back(function, TABLE)
    verify(made)
    assert recorded(made) == 0
    for n in range(6):
        assert evaluate(made, (0.75, n)) == evaluate(function, (0.75, n))


@pytest.mark.parametrize("range_, body", GONE.values(), ids=GONE)
def test_what_later_trips_may_store_is_recorded(range_, body):
    function = recurrence(range_, body)
    assert read_back(function, TABLE) is function


@pytest.mark.parametrize("other, is_read", [("%19", True), ("0", False)])
def test_a_place_that_is_searched_from_here_on_is_not_behind(other, is_read):
    function = recurrence("0, %1, 1", FOUND.format(other=other))
    made = read_back(function, TABLE)
    assert recorded(made) == (not is_read)
    assert evaluate(made, (0.75, 5)) == evaluate(function, (0.75, 5))


WHOLE = """\
    %9: int = mul(%6, 2)
    %10: float[a] = set(%7, %9, %6)
    give %10, %9"""


def test_a_whole_number_in_an_array_of_floats_is_recorded():
    text = RECURRENCE.format(range=UP, backwards="", body=WHOLE)
    function = program(
        text.replace("%5: float[s]", "%5: int[s]").replace("%23: float", "%23: int")
    )
    assert read_back(function, TABLE) is function


SQUARED = """\
    %24: bool = lt(%21, 2)
    %25: float = branch %24 (%22, %23)
    then (%26: float, %27: float)
      %28: float = mul(%27, %27)
      give %28
    else (%29: float, %30: float)
      %31: float = add(%30, %29)
      give %31
"""


def squared(text: str):
    """The recurrence whose way back has a branch on the index."""
    start, end = text.index("    %24: float = mul"), text.index("    give %25")
    function = program(text[:start] + SQUARED + text[end:])
    verify(function)
    return function


CHOSEN = """\
    %9: bool = lt(%6, 2)
    %10: float[a], %11: float = branch %9 (%7, %6)
    then (%12: float[a], %13: int)
      give %12, {value}
    else (%14: float[a], %15: int)
      %16: float = get(%14, %15)
      give %14, %16
    give %10, %11"""


@pytest.mark.parametrize(
    "body",
    [
        WHOLE.replace("set(%7, %9, %6)", "set(%7, 0.5, %6)"),
        CHOSEN.format(value="%13"),
        CHOSEN.format(value="2"),
    ],
    ids=["in all trips", "in an arm", "a number in an arm"],
)
def test_a_whole_number_that_is_recorded_as_a_float_stays_one(body):
    text = RECURRENCE.format(range=UP, backwards="", body=body)
    function = squared(text)
    assert read_back(function, TABLE) is function


def test_a_number_that_an_arm_chooses_is_written_there():
    body = CHOSEN.format(value="0.25")
    function = squared(RECURRENCE.format(range=UP, backwards="", body=body))
    made = read_back(function, TABLE)
    verify(made)
    assert recorded(made) == 0
    for n in range(5):
        assert evaluate(made, (0.75, n)) == evaluate(function, (0.75, n))


NOWHERE = {
    "chosen by floats": """\
    %8: float = get(%7, %6)
    %9: bool = gt(%8, 0.5)
    %10: float = branch %9 ()
    then ()
      give 0.25
    else ()
      give 0.5
    give %7, %10""",
    "made in the first arm": """\
    %9: bool = lt(%6, 2)
    %10: float = branch %9 (%7, %6)
    then (%12: float[a], %13: int)
      %16: float = get(%12, %13)
      %17: float = sin(%16)
      give %17
    else (%14: float[a], %15: int)
      give 0.5
    give %7, %10""",
    "made in the other arm": """\
    %9: bool = lt(%6, 2)
    %10: float = branch %9 (%7, %6)
    then (%12: float[a], %13: int)
      give 0.5
    else (%14: float[a], %15: int)
      %16: float = get(%14, %15)
      %17: float = sin(%16)
      give %17
    give %7, %10""",
}


@pytest.mark.parametrize("body", NOWHERE.values(), ids=NOWHERE)
def test_what_is_in_no_array_is_recorded(body):
    text = RECURRENCE.format(range=UP, backwards="", body=body)
    function = squared(text.replace("(%3) (%1)", "(%3) ()").replace(", %8: int", ""))
    assert read_back(function, TABLE) is function


def test_trips_of_a_step_that_nobody_knows_record():
    function = recurrence("1, %1, %1", "    %9: float = get(%7, 0)\n    give %7, %9")
    assert read_back(function, TABLE) is function


LATTICE = """
import math


# ad: gradient
def f(q: "Vector[n]", depth: int) -> float:
    n = len(q)
    u = [[0.0] * n for _ in range(depth)]
    for j in range(n):
        u[0][j] = q[j]
    for t in range(1, depth):
        for j in range(n):
            left = u[t - 1][j - 1] if j > 0 else 0.0
            right = u[t - 1][j + 1] if j < n - 1 else 0.0
            u[t][j] = math.tanh(0.5 * u[t - 1][j] + 0.25 * (left + right))
    return sum(u[depth - 1])
"""
SEARCHED = """
import math


# ad: gradient
def f(q: "Vector[n]", scale: int) -> float:
    n = len(q)
    u = [0.0] * n
    for i in range(n):
        u[i] = math.sin(scale * q[i])
    for i in range(n - 2, -1, -1):
        m = i + 1
        for s in range(i + 1, n):
            if u[s] > u[m]:
                m = s
        u[i] = u[i] * q[i] + math.cos(u[m])
    return sum(u)
"""
BEFORE_AND_BEHIND = """
import math


# ad: gradient
def f(q: "Vector[n]", depth: int) -> float:
    n = len(q)
    total = 0.0
    for t in range(depth):
        for j in range(n):
            k = j - 1 if j > 0 else n - 1
            total += math.sin(q[j] * q[k])
    return total
"""


@pytest.mark.parametrize(
    "text, records",
    [(LATTICE, False), (SEARCHED, True), (BEFORE_AND_BEHIND, False)],
    ids=["places that arms count", "a place that is found", "the one before"],
)
def test_places_are_counted_again(text, records):
    derived = generate(text)
    assert (".append(" in derived) == records
    assert "u_bar[t][j] = 0.0" not in derived  # nobody comes back to it
    gradient, plain = load(derived)["f_grad"], load(text)["f"]
    q = [0.3, -0.8, 1.1, 0.4]
    slopes = []
    for k in range(len(q)):
        more, less = ([*q[:k], q[k] + h, *q[k + 1 :]] for h in (1e-6, -1e-6))
        slopes.append((plain(more, 3) - plain(less, 3)) / 2e-6)
    assert list(gradient(q, 3)) == pytest.approx(slopes, rel=1e-7, abs=1e-8)


VARIANCE = """
import math


# ad: gradient(x, value=True)
def f(x: "Vector[n]", a: float) -> float:
    y = [math.tanh(a * v) for v in x]
    z = [0.0] * len(x)
    for i in range(len(x)):
        z[i] = math.exp(y[i])
    return sum(z) + sum(y)
"""


def test_one_list_is_made_as_it_is_in_the_source():
    text = generate(VARIANCE)
    assert "y = [tanh(a * v) for v in x_list]" in text
    assert "z[i] = z_exp" in text  # a loop of the user's stays one
    assert ".append(" not in text and "holds" not in text
    value, slopes = load(text)["f_value_and_grad"]([0.0, 0.0], 2.0)
    assert value == 2.0 and list(slopes) == [4.0, 4.0]
