"""What loops record: a list for each record, or one of tuples where that is faster."""

from __future__ import annotations

import math

import black
import pytest
from amounts import ANY_ORDER
from hand import text_of
from support import flat, generate, load, load_generated

from ad_transform.elementals import TABLE
from ad_transform.emit.python import function
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.parse import parse_function

FORTH = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter n (%1 n!: int)
  %2 y!: float, {binds} = scan (0, %1, 1) (%0) () ()
  body (%30 i: int, %31 y: float)
    %32: float = sin(%31)
    %33: float = cos(%31)
    %34: float = mul(%32, %33)
    give %34, {records}
"""
BACK = """\
  %40: float = scan (0, %1, 1) (%2) () ({stacks}) backwards
  body (%50 i: int, %51 y_bar: float, {entries})
    %60: float = mul(%51, %52)
    {index}{sums}
    give {sum}
  give %40
"""


def summed(first, entries):
    """Statements that read every entry, and what they give."""
    sums = [f"%{70 + k}" for k in range(len(entries))]
    rows = zip(sums, [first, *sums], entries, strict=False)
    lines = [f"{out}: float = add({one}, {other})" for out, one, other in rows]
    return {"sums": "\n    ".join(lines), "sum": sums[-1]}


def program(count, *, index=False, entry="a"):
    """A loop that records so many values and one that goes over them."""
    stacks = [f"%{3 + k}" for k in range(count)]
    records = ["%31", "%32", "%33", "%34"]
    entries = [f"%{52 + k}" for k in range(count)]
    text = FORTH.format(
        binds=", ".join(f"{s}: float[k]" for s in stacks),
        records=", ".join(records[k % 4] for k in range(count)),
    ) + BACK.format(
        stacks=", ".join(stacks),
        entries=", ".join(f"{e} {entry}{k}: float" for k, e in enumerate(entries)),
        index="%61: float = float(%50)\n    " if index else "",
        **summed("%61" if index else "%60", entries),
    )
    return parse_function(text, TABLE)


def loops(function):
    text = text_of(function)
    lines = text.partition('"""Doc."""\n')[2].splitlines()
    kept = ("append", "for ", "[]")
    return [line.strip() for line in lines if any(word in line for word in kept)]


def test_two_records_are_two_lists():
    assert loops(program(2)) == [
        "y_list: list[float] = []",
        "sin_y_list: list[float] = []",
        "for i in range(n):",
        "y_list.append(y)",
        "sin_y_list.append(sin_y)",
        "for a0, sin_y in zip(reversed(y_list), reversed(sin_y_list)):",
    ]


def test_three_records_are_tuples():
    assert loops(program(3)) == [
        "saved: list[tuple[float, ...]] = []",
        "for i in range(n):",
        "saved.append((y, sin_y, cos_y))",
        "for a0, sin_y, cos_y in reversed(saved):",
    ]


def test_an_index_that_is_read_is_counted():
    assert loops(program(3, index=True))[-1] == (
        "for i, (a0, sin_y, cos_y) in zip(reversed(range(n)), reversed(saved)):"
    )
    assert loops(program(1, index=True))[-1] == (
        "for i, a0 in zip(reversed(range(n)), reversed(y_list)):"
    )


def test_lists_that_are_too_long_for_a_line_are_scheduled_once(monkeypatch):
    made = []
    once = function.scheduled
    monkeypatch.setattr(function, "scheduled", lambda *a: made.append(a) or once(*a))
    text = text_of(program(3, index=True), limit=60)
    assert "in zip(\n        reversed(range(n)), reversed(saved)\n    ):" in text
    assert len(made) == 1
    assert black.format_str(text, mode=black.Mode(line_length=60)) == text


def test_one_record_needs_no_zip():
    assert loops(program(1))[-1] == "for a0 in reversed(y_list):"


def test_a_list_that_something_else_reads_stays_one():
    function = program(3)
    text = text_of(function)
    assert "saved" in text
    other = parse_function(
        FORTH.format(
            binds="%3: float[k], %4: float[k], %5: float[k]", records="%31, %32, %33"
        ).replace("nest .", "nest tuple(., .)")
        + BACK.format(
            stacks="%3, %4, %5",
            entries="%52 a: float, %53 b: float, %54 c: float",
            index="",
            **summed("%60", ["%52", "%53", "%54"]),
        ).replace("give %40", "give %40, %4"),
        TABLE,
    )
    assert "saved" not in text_of(other)


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 9, 14])
@pytest.mark.parametrize("entry", ["a", "a_long_name_of_an_entry_", "a" * 60])
def test_they_compute_what_the_program_says(count, index, entry):
    function = program(count, index=index, entry=entry)
    text = text_of(function)
    printed = load(text)["f"]
    for args in ((0.7, 0), (0.7, 1), (1.3, 5)):
        assert flat(printed(*args)) == list(evaluate(function, args))
    assert black.format_str(text, mode=black.Mode()) == text


SUMMED = """\
import math

# ad: gradient(value=True)
def f(x: float, n: int) -> float:
    return sum(math.exp(x * k) for k in range(n)) + sum(x**k for k in range(n))
"""


def test_a_list_of_what_is_recorded_is_the_record() -> None:
    """The sum needs a list, the slope needs its items: one list has them."""
    text = generate(SUMMED, **ANY_ORDER)
    assert text.count("float] = []") == 2
    value, slope = load(text)["f_value_and_grad"](0.5, 3)
    assert value == load(SUMMED)["f"](0.5, 3)
    assert slope == pytest.approx(math.exp(0.5) + 2 * math.exp(1.0) + 2.0, rel=1e-15)


TRIPS = """\
function f primal 1 nest .
parameter x (%0 x!: float)
  %2 y!: float, %9: int[k] = scan (0, 3, 1) (%0) () ()
  body (%30 i: int, %31 y: float)
    %32 z!: float, %33 t: int = while (%31) ()
    test (%34: float)
      %35: bool = lt(%34, 2.0)
      give %35
    body (%36: float)
      %37: float = mul(%36, 1.5)
      give %37
    %38: float = sin(%32)
    give %38, %33
  %40: float = scan (0, 3, 1) (%2) () (%9) backwards
  body (%50 i: int, %51 y_bar: float, %52 t: int)
    %53: float, %54: float[m] = scan (0, %52, 1) (%51) () ()
    body (%55 i: int, %56: float)
      %57: float = mul(%56, 0.5)
      give %57, %56
    %60: float = scan (0, %52, 1) (%53) () (%54) backwards
    body (%61 i: int, %62: float, %63: float)
      %64: float = add(%62, %63)
      give %64
    give %60
  give %40
"""


def test_trips_that_a_loop_says_are_recorded():
    function = parse_function(TRIPS, TABLE)
    printed = load(text_of(function))["f"]
    for x in (0.3, 1.7, 2.5):
        assert printed(x) == evaluate(function, (x,))[0]


INSIDE = """\
import math


# ad: gradient(a, b)
def f(a: float, b: float, n: int, m: int) -> float:
    s = a
    for i in range(n):
        for j in range(m):
            if s * s * b < a:
                s = s + math.sin(s * b) / (j + 1.5)
            else:
                s = s - math.cos(s) * b
        s = s * math.tanh(s + b)
    return s
"""
DEEP = """\
import math


# ad: gradient(a, b)
def f(a: float, b: float, n: int, m: int) -> float:
    s = a
    for i in range(n):
        for j in range(m):
            for k in range(j):
                s = math.sin(s * b) * math.exp(-s * s) * math.cos(s + b) + a
        s = s * b
    return s
"""
WAY_OUT = """\
import math


# ad: gradient(a, b)
def f(a: float, b: float, n: int, m: int) -> float:
    s = a
    for i in range(n):
        x = s
        for j in range(m):
            if abs(x) < 0.125:
                break
            x = math.sin(x * b) * math.exp(-x * x) * 0.5
        s = s + x * math.cos(x)
    return s
"""


@pytest.mark.parametrize(
    ("source", "lists"),
    [
        (INSIDE, ("saved: list[tuple[float, float, list[", "s_list: list[float]")),
        (DEEP, ("list: list[list[list[tuple[float, ...]]]]", "list[list[tuple[")),
        (WAY_OUT, ("saved_list: list[list[tuple[", "saved_list.append(saved)")),
    ],
)
def test_a_loop_inside_another_records_one_list_of_tuples(source, lists):
    text = generate(source, **ANY_ORDER)
    assert all(each in text for each in lists)
    assert "in reversed(saved)" in text or "in reversed(saved_list)" in text
    made, plain = load(text)["f_grad"], load(source)["f"]
    for n, m in ((0, 3), (3, 0), (1, 1), (4, 3)):
        for a, b in ((0.75, 0.5), (-1.25, 1.5)):
            found = made(a, b, n, m)
            step = 1e-6
            wanted = (
                (plain(a + step, b, n, m) - plain(a - step, b, n, m)) / (2 * step),
                (plain(a, b + step, n, m) - plain(a, b - step, n, m)) / (2 * step),
            )
            assert found == pytest.approx(wanted, rel=1e-6, abs=1e-7)
    assert black.format_str(text, mode=black.Mode()) == text


NUMBERS_AND_LISTS = """\
import math


# ad: gradient
def f(a: float, b: float, x: "Vector[n]", m: int) -> float:
    s = a
    for _ in range(m):
        g = 0.0
        h = 1.0
        for i in range(len(x)):
            d = 1.0 + s * x[i]
            g += math.erf(math.sin(d) * math.tanh(d)) / d
            h += math.exp(math.sin(d)) * b
        if g * h < s * 0.125 + b:
            s = s * math.tanh(g * h)
    return s
"""

KINDS = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter n (%1 n!: int)
  %2: float, %3: float[k], %4: float[k], %5: float[k], %6: float[k], %7: bool[k], \
%8: int[k], %9: bool[k] = scan (0, %1, 1) (%0) () ()
  body (%30 i: int, %31 y: float)
    %32: float = sin(%31)
    %33: float = cos(%31)
    %34: float = mul(%32, %33)
    %35: bool = lt(%32, 0.5)
    %36: bool = lt(%33, 0.5)
    give %34, %31, %32, %33, %34, %35, %30, %36
  %40: float = scan (0, %1, 1) (%2) () (%3, %4, %5, %6, %7, %8, %9) backwards
  body (%50 i: int, %51: float, %52: float, %53: float, %54: float, %55: float, \
%56: bool, %57: int, %58: bool)
    %60: float = float(%57)
    %61: float = add(%52, %53)
    %62: float = add(%61, %54)
    %63: float = add(%62, %55)
    %64: float = branch %56 (%60, %63)
    then (%65: float, %66: float)
      %67: float = add(%65, %66)
      give %67
    else (%68: float, %69: float)
      give %68
    %70: float = branch %58 (%64)
    then (%71: float)
      %72: float = neg(%71)
      give %72
    else (%73: float)
      give %73
    %74: float = add(%70, %51)
    give %74
  give %40
"""


def test_numbers_and_lists_are_one_tuple():
    text = generate(NUMBERS_AND_LISTS)
    assert "saved: list[tuple[Any, ...]] = []" in text
    assert "saved.append((s_test, s, s_tanh, h, g, h_exp_list, diff_g_list))" in text


def test_a_type_that_is_too_long_to_be_read_is_a_tuple_of_anything(monkeypatch):
    monkeypatch.setattr("ad_transform.emit.python.signature.WIDEST", 30)
    function = parse_function(KINDS, TABLE)
    text = text_of(function)
    assert "saved: list[tuple[Any, ...]] = []" in text
    assert text.count(" = []") == 1
    printed = load(f"from typing import Any\n{text}")["f"]
    for args in ((0.7, 0), (0.7, 1), (1.3, 5)):
        assert printed(*args) == evaluate(function, args)[0]


@pytest.mark.parametrize("depth", [3, 4])
def test_lists_of_tuples_go_into_others_at_any_place(depth):
    lines = ["y = cos(y) + x", "y = y * x + sin(y)", "y = y * 2.0 * x"]
    for k in range(1, depth):
        inside = [f"    {line}" for line in lines]
        lines = ["y = cos(y) + x", f"for i{k} in range(m):", *inside]
        lines.append("y = y * 1.5 * x")
    body = "".join(f"        {line}\n" for line in lines)
    source = f"""\
from math import cos, sin


# ad: gradient(x, y), jvp(x, y)
def f(x: float, y: float, m: int) -> float:
    for i in range(m):
{body}    return y
"""
    made = load_generated(source)
    slope = sum(made["f_grad"](0.7, 0.4, 2))
    assert slope == pytest.approx(made["f_jvp"](0.7, 0.4, 1.0, 1.0, 2)[1], rel=1e-9)


LEFT = """
import math


# ad: gradient(spot, vol)
def payoff(spot: float, vol: float, shocks: "Vector[n]", limit: float) -> float:
    s = spot
    for z in shocks:
        s *= math.exp(vol * z - 0.5 * vol * vol)
        if s >= limit:
            return 0.0
    return s * s
"""


def test_an_arm_goes_back_over_tuples():
    text = generate(LEFT)
    assert (
        "        saved.append((s_exp, s, z))\n" in text and "_list.append" not in text
    )
    assert "return 0.0, 0.0" in text and "in reversed(saved):\n" in text
    gradient = load(text)["payoff_grad"]
    assert gradient(1.0, 0.2, [0.5, 40.0], 2.0) == (0.0, 0.0)
    value = math.exp(2 * (0.2 * 0.25 - 0.04))
    expected = 2.0 * value, 2.0 * value * (0.25 - 2 * 0.2)
    assert gradient(1.0, 0.2, [0.5, -0.25], 2.0) == pytest.approx(expected, rel=1e-13)


IN_ARMS = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter n (%1 n!: int)
  %2: bool = gt(%0, 0.5)
  %3: float, %4: float[k], %5: float[k], %6: float[k] = scan (0, %1, 1) (%0) () ()
  body (%7: int, %8: float)
    %9: float = sin(%8)
    %10: float = cos(%8)
    %11: float = mul(%9, %10)
    give %11, %8, %9, %10
  {outs} = branch %2 (%1, %4, %5, %6)
  then (%20: int, %21: float[k], %22: float[k], %23: float[k])
    %24: float = scan (0, %20, 1) (1.0) () (%21, %22, %23) backwards
    body (%25: int, %26: float, %27 a: float, %28 b: float, %29 c: float)
      %30: float = mul(%26, %27)
      %31: float = add(%30, %28)
      %32: float = add(%31, %29)
      give %32
    give %24{given}
  else (%40: int, %41: float[k], %42: float[k], %43: float[k])
    {other}
  {end}
"""
OVER = """%50: float = scan (0, %40, 1) (0.0) () ({entries}) backwards
    body (%51: int, %52: float, %53: float, %54: float, %55: float{more})
      %56: float = sub(%53, %52)
      %57: float = mul(%56, %54)
      %58: float = sub(%57, %55)
      {sums}
      give {sum}
    give %50"""
ONCE = {"more": "", "sums": "", "sum": "%58"}
TWICE = {
    "more": ", %70: float, %71: float, %72: float",
    "sums": "%73: float = mul(%58, %70)\n      %74: float = mul(%71, %72)\n"
    "      %75: float = sub(%74, %73)",
    "sum": "%75",
}
ARMS = {
    "gone over": (OVER.format(entries="%41, %42, %43", **ONCE), True),
    "in another order": (OVER.format(entries="%43, %41, %42", **ONCE), True),
    "gone over twice": (
        OVER.format(entries="%41, %42, %43, %42, %43, %41", **TWICE),
        False,
    ),
    "an element": ("%50: float = get(%41, 0)\n    give %50", False),
    "given back": ("give 0.5, %41", False),
}


@pytest.mark.parametrize("name", ARMS)
def test_arms_that_only_go_over_lists_go_over_tuples(name):
    other, is_tuple = ARMS[name]
    one, both = "%60: float", "%60: float, %61: float[k]"
    back = "%62: float = get(%61, 0)\n  %63: float = add(%60, %62)\n  give %63"
    text = IN_ARMS.format(
        outs=both if name == "given back" else one,
        given=", %21" if name == "given back" else "",
        other=other,
        end=back if name == "given back" else "give %60",
    )
    made = parse_function(text, TABLE)
    printed = text_of(made)
    assert (printed.count(".append(") == 1) == is_tuple
    for args in ((0.25, 2), (0.75, 2)):
        assert load(printed)["f"](*args) == evaluate(made, args)[0]
