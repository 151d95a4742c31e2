"""What every trip computes alike is computed in front of the loop, and only that."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from programs import program
from structured import point, programs

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.invariant import moved_out, variables_moved_out
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

HEAD = "function f primal 1 nest .\nparameter x (%0: float)\nparameter n (%1: int)\n"

NESTED = """\
  %2: float = scan (0, %1, 1) (%0) (%0, %1) ()
  body (%3: int, %4: float, %5: float, %6: int)
    %7: float = scan (0, %6, 1) (%4) (%5) ()
    body (%8: int, %9: float, %10: float)
      %11: float = mul(%10, %10)
      %12: float = mul(%11, %9)
      give %12
    give %7
  give %2
"""
NESTED_LEFT = """\
  %2: float = mul(%0, %0)
  %3: float = scan (0, %1, 1) (%0) (%1, %2) ()
  body (%4: int, %5: float, %6: int, %7: float)
    %8: float = scan (0, %6, 1) (%5) (%7) ()
    body (%9: int, %10: float, %11: float)
      %12: float = mul(%11, %10)
      give %12
    give %8
  give %3
"""
IN_AN_ARM = """\
  %2: float, %3: int = while (%0) (%0)
  test (%4: float, %5: float)
    %6: float = neg(%5)
    %7: bool = gt(%4, %6)
    give %7
  body (%8: float, %9: float)
    %10: bool = lt(%8, 0.0)
    %11: float = branch %10 (%8, %9)
    then (%12: float, %13: float)
      %14: float = sub(%12, 1.0)
      give %14
    else (%15: float, %16: float)
      %17: float = neg(%16)
      %18: float = add(%15, %17)
      give %18
    give %11
  give %2
"""
IN_AN_ARM_LEFT = """\
  %2: float = neg(%0)
  %3: float, %4: int = while (%0) (%2)
  test (%5: float, %6: float)
    %7: bool = gt(%5, %6)
    give %7
  body (%8: float, %9: float)
    %10: bool = lt(%8, 0.0)
    %11: float = branch %10 (%8, %9)
    then (%12: float, %13: float)
      %14: float = sub(%12, 1.0)
      give %14
    else (%15: float, %16: float)
      %17: float = add(%15, %16)
      give %17
    give %11
  give %3
"""


@pytest.mark.parametrize(
    ("text", "left"), [(NESTED, NESTED_LEFT), (IN_AN_ARM, IN_AN_ARM_LEFT)]
)
def test_what_stands_still_moves_as_far_as_it_can(text, left):
    made = moved_out(program(HEAD + text))
    verify(made)
    assert format_function(made) == format_function(program(HEAD + left))


AGAIN = """\
  %2: float = scan (0, %1, 1) (%0) (%0) ()
  body (%3: int, %4: float, %5: float)
    %6: float = mul(%5, 2.0)
    %7: float = mul(%6, %4)
    give %7
  %8: float = mul(2.0, %0)
  %9{name}: float = mul(%8, %2)
  %10{name}: float = mul(2.0, %0)
  %11: float = mul(%9, %10)
  give %11
"""


@pytest.mark.parametrize(("name", "left"), [("", 1), (" y", 2)])
def test_what_has_moved_is_not_computed_again_behind_it(name, left):
    function = program(HEAD + AGAIN.format(name=name))
    made = moved_out(function)
    verify(made)
    text = format_function(made)
    assert text.count("2.0") == left  # names stay
    assert repr(evaluate(made, (1.5, 2))) == repr(evaluate(function, (1.5, 2)))


@pytest.mark.parametrize("operation", ["sqrt(%5)", "div(1.0, %5)", "exp(%5)"])
def test_what_may_raise_stays_where_it_may_not_run(operation):
    text = NESTED.replace("mul(%10, %10)", operation.replace("%5", "%10"))
    function = program(HEAD + text)
    assert moved_out(function) is function


def test_numbers_stay_in_what_is_to_be_differentiated():
    function = program(HEAD + NESTED.replace("mul(%10, %10)", "sqrt(3.0)"))
    assert variables_moved_out(function) is function
    assert moved_out(function) is not function


def test_what_known_numbers_make_moves_as_far_as_it_can():
    two = "%11: float = {}(2.0, 0.5)\n      %13: float = exp(%11)"
    text = NESTED.replace("%11: float = mul(%10, %10)", two.format("floordiv"))
    text = text.replace("mul(%11, %9)", "mul(%13, %9)")
    function = program(HEAD + text)
    made = moved_out(function)
    verify(made)
    front = format_function(made).partition("scan")[0]
    assert "floordiv(2.0, 0.5)" in front and "exp(" in front
    assert evaluate(made, (1.5, 2)) == evaluate(function, (1.5, 2))


@pytest.mark.parametrize("number", ["exp(1000.0)", "log(-1.0)", "fmod(1.0, 0.0)"])
def test_what_raises_of_known_numbers_stays(number):
    function = program(HEAD + NESTED.replace("mul(%10, %10)", number))
    assert moved_out(function) is function


@pytest.mark.parametrize("number", ["mul(0.5, 3.0)", "div(1.0, 3.0)", "pow(2.0, 0.5)"])
def test_arithmetic_of_numbers_that_are_written_out_stays_where_it_is(number):
    function = program(HEAD + NESTED.replace("mul(%10, %10)", number))
    assert moved_out(function) is function


def test_arithmetic_of_a_constant_with_a_name_moves():
    number = "div(2.0{module MU}, 3.0)"
    made = moved_out(program(HEAD + NESTED.replace("mul(%10, %10)", number)))
    verify(made)
    assert number in format_function(made).partition("scan")[0]


def test_the_length_of_an_array_that_trips_change_is_that_in_front():
    text = """\
function f primal 1 nest .
parameter x (%0: float[n])
parameter k (%1: int)
  %2: float[n] = copy(%0)
  %3: float[n] = scan (0, %1, 1) (%2) () ()
  body (%4: int, %5: float[n])
    %6: int = size(%5)
    %7: int = sub(%6, 1)
    %8: float[n] = set(%5, 0.5, %7)
    give %8
  %9: float = get(%3, 0)
  give %9
"""
    made = format_function(moved_out(program(text)))
    front, _, rest = made.partition("scan")
    assert "size(%2)" in front and "size" not in rest and "sub" not in rest


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_values_keep_their_bits(function):
    made = moved_out(function)
    verify(made)
    args = point(function, 1)
    assert list(map(repr, evaluate(made, args))) == list(
        map(repr, evaluate(function, args))
    )


READ = """\
function f primal 1 nest .
parameter A (%0: float[n, m])
parameter x (%1: float[n])
parameter k (%2: int)
  %3: float = scan (0, %2, 1) (0.0) (%0, %1) ()
  body (%4: int, %5: float, %6: float[n, m], %7: float[n])
    %8: int = size({array})
    %9: int = add(%8, {other})
    %10: int = mul(%9, %4)
    %11: float = float(%10)
    %12: float = add(%5, %11)
    give %12
  give %3
"""


def test_a_length_that_would_need_a_name_stands_in_front():
    made = moved_out(program(READ.format(array="%7", other="%8")))
    verify(made)
    assert "size(%1)" in format_function(made).partition("scan")[0]


@pytest.mark.parametrize(("array", "other"), [("%7", "%4"), ("%6, 0", "%8")])
def test_other_lengths_stay_in_the_trip(array, other):
    """One that is read once has no name; there may be no row to take it of."""
    before = program(READ.format(array=array, other=other))
    assert moved_out(before) is before


def test_a_length_that_stands_in_front_is_not_taken_again():
    one = READ.format(array="%7", other="%8")
    two = """  %20: float = scan (0, %2, 1) (%3) (%1) ()
  body (%21: int, %22: float, %23: float[n])
    %24: int = size(%23)
    %25: float = float(%24)
    %26: float = add(%22, %25)
    give %26
  give %20"""
    function = program(one.replace("  give %3", two))
    made = moved_out(function)
    verify(made)
    assert format_function(made).count("size(") == 1
    args = [[1.0, 2.0]], [3.0, 4.0, 5.0], 2
    assert evaluate(made, args) == evaluate(function, args)


ELEMENTS = """\
function f primal 1 nest .
parameter x (%0: float)
parameter n (%1: int)
parameter w (%2: float[m])
  %3: float[2] = full(%0, 2)
  {ahead}
  %20: float = scan (0, %1, 1) (%0) ({array}) ()
  body (%21: int, %22: float, %23: float[2])
    %24: float = get(%23, 1)
    %25: float = mul(%22, %24)
    give %25
  %30: float = get({array}, 0)
  %31: float = add(%20, %30)
  give %31
"""
SET_ALIKE = "%10: float[2] = set(%3, %0, 1)"
SET_AND_ADDED = f"{SET_ALIKE}\n  %11: float[2] = add_at(%10, %0, 0)"
GOT = "%10: float = get(%3, 1)"
SET_APART = "%10: float[2] = set(%3, %0, 0)"


@pytest.mark.parametrize(
    ("ahead", "array", "reads"),
    [
        (SET_ALIKE, "%10", 1),
        (SET_AND_ADDED, "%11", 1),
        (GOT, "%3", 0),  # the one that is there
        (SET_APART, "%10", None),
        ("", "%3", None),
    ],
)
def test_an_element_that_is_there_is_read_in_front(ahead, array, reads) -> None:
    function = program(ELEMENTS.format(ahead=ahead, array=array))
    verify(function)
    made = moved_out(function)
    verify(made)
    front, _, inside = format_function(made).partition("body")
    assert (made is function) == (reads is None)
    if reads is not None:
        assert "get" not in inside.partition("give")[0]
        assert front.count("get") == max(reads, 1)
    for n in (0, 1, 3):
        assert evaluate(made, (1.5, n, [2.0])) == evaluate(function, (1.5, n, [2.0]))
    assert variables_moved_out(function) is function
