"""Carries: their names, the order in which they change, what is read again."""

from __future__ import annotations

import black
import pytest
from amounts import ANY_ORDER
from hand import text_of
from support import flat, generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.parse import parse_function


def lines(program):
    """The body of the printed function, which computes what the program does."""
    function = parse_function(program, TABLE)
    text = text_of(function)
    assert black.format_str(text, mode=black.Mode()) == text
    for args in ((0.75, 1.25, 3), (0.5, -1.5, 0)):
        assert flat(load(text)["f"](*args)) == list(evaluate(function, args))
    return [line[4:] for line in text.partition('"""Doc."""\n')[2].splitlines()]


LOOP = """\
function f primal 2 nest tuple(., .)
parameter x (%0 x!: float)
parameter y (%1 y!: float)
parameter n (%2 n!: int)
  {before}%3 x!: float, %4 y!: float = scan (0, %2, 1) ({start}, %1) () ()
  body (%5 i!: int, %6 x: float, %7 y: float)
    {body}
  give {results}
"""


def loop(body, before="", start="%0", results="%3, %4"):
    body = "\n    ".join(body)
    return LOOP.format(body=body, before=before, start=start, results=results)


def test_carries_that_do_not_read_each_other_change_one_after_another():
    body = ["%8 x!: float = mul(%6, 0.5)", "%9 y!: float = add(%7, 1.0)", "give %8, %9"]
    assert lines(loop(body)) == [
        "for i in range(n):",
        "    x = x * 0.5",
        "    y = y + 1.0",
        "return x, y",
    ]


def test_a_carry_changes_after_it_was_read():
    body = ["%8 x!: float = mul(%6, %7)", "%9 y!: float = add(%6, %7)"]
    # y reads the old x, x the old y: both change at once
    assert lines(loop([*body, "give %8, %9"]))[1:-1] == ["    x, y = x * y, x + y"]
    body = ["%8 x!: float = mul(%6, 0.5)", "%9 y!: float = add(%6, %7)"]
    assert lines(loop([*body, "give %8, %9"]))[1:-1] == [
        "    y = x + y",
        "    x = x * 0.5",
    ]


def test_a_first_value_that_is_read_later_keeps_its_name():
    body = ["%8 x!: float = mul(%6, 0.5)", "%9 y!: float = add(%7, 1.0)", "give %8, %9"]
    found = lines(loop(body, results="%3, %0"))
    assert found[0] == "x_2 = x"
    assert found[-1] == "return x_2, x"


@pytest.mark.parametrize("start", ["1.0", "%1"])
def test_a_first_value_of_another_name_is_copied(start):
    body = ["%8 x!: float = mul(%6, 0.5)", "%9 y!: float = add(%7, 1.0)", "give %8, %9"]
    found = lines(loop(body, start=start))
    assert found[0].startswith(("x_2 = ", "y_2 = "))


NESTED = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter y (%1 y!: float)
parameter n (%2 n!: int)
  %3 x!: float = scan (0, %2, 1) (%0) (%1) ()
  body (%4 i!: int, %5 x: float, %6 y: float)
    %7 x!: float = scan (0, 2, 1) (%5) (%6) ()
    body (%8 j!: int, %9 x: float, %10 y: float)
      %11 x!: float = mul(%9, %10)
      give %11
    %12 x!: float = add(%7, 1.0)
    give %12
  give %3
"""


def test_an_inner_loop_goes_on_with_the_carry_of_the_outer_one():
    assert lines(NESTED) == [
        "for i in range(n):",
        "    for j in range(2):",
        "        x = x * y",
        "    x = x + 1.0",
        "return x",
    ]


MODULE = """\
function f primal 1 nest .
parameter x (%0 x!: float) module default '2.0'
  %1 x!: float = scan (0, 3, 1) (%0) () ()
  body (%2 i!: int, %3 x: float)
    %4 x!: float = mul(%3, %3)
    give %4
  give %1
"""


def test_a_constant_of_the_module_is_never_assigned():
    text = text_of(parse_function(MODULE, TABLE), {"x": "2.0"})
    assert "x_2 = x\n" in text


AGAIN = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter y (%1 y!: float)
parameter n (%2 n!: int)
  %3 x!: float, %4: float[k], %5: float[k] = scan (0, %2, 1) (%0) (%1) ()
  body (%6 i!: int, %7 x: float, %8 y: float)
    %9 step!: float = sin(%7)
    %10 x!: float = add(%9, %8)
    give %10, %9, %7
  %11 x_bar: float = scan (0, %2, 1) (1.0) () (%4, %5) backwards
  body (%12 i: int, %13 x_bar: float, %14: float, %15 x: float)
    %16: float = mul(%13, %14)
    %17: float = add(%16, %15)
    give %17
  give %11
"""


def test_what_lives_in_a_trip_is_read_again_under_its_name():
    found = lines(AGAIN)
    # x is the name of the carry, which lives on
    assert "for step, x_2 in zip(reversed(step_list), reversed(x_list)):" in found


ROTATED = """\
# ad: expand
def f({names}, {first}_next, n: int):
    for i in range(n):
        {names} = {rotated}
    return {first} - 2.0 * {last} * {first}_next
"""
LONG = ["position_of_one", "velocity_of_another", "position_of_a_third"]


@pytest.mark.parametrize("names", [LONG, [*LONG, "and_of_the_velocity_of_the_same"]])
def test_carries_that_change_at_once_leave_other_names_alone(names):
    words = {"names": ", ".join(names), "first": names[0], "last": names[-1]}
    source = ROTATED.format(rotated=", ".join([*names[1:], names[0]]), **words)
    text, args = generate(source, **ANY_ORDER), [1.0, 2.0, 3.0, 5.0][: len(names)]
    assert load(text)["f"](*args, 7.0, 5) == load(source)["f"](*args, 7.0, 5)
    assert black.format_str(text, mode=black.Mode()) == text
