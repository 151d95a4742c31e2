"""What loops record: a list for each record, or one of tuples where that is faster."""

from __future__ import annotations

import math

import black
import pytest
from hand import text_of
from support import flat, generate, load

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
    {index}%62: float = add({last}, {sum})
    give %62
  give %40
"""


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
        last="%61" if index else "%60",
        sum=f"%{51 + count}",
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
    assert "in zip(\n        reversed(range(n)),\n" in text and len(made) == 1
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
            last="%60",
            sum="%54",
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
    text = generate(SUMMED)
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
