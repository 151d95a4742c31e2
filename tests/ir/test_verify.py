"""Every clause of the law of the IR, kept and broken."""

from __future__ import annotations

import time

import pytest
from programs import (
    ARRAYS,
    BRANCHING,
    DERIVING,
    KEEPING,
    LOOPING,
    RECORDING,
    SCANNING,
    STRAIGHT,
    deep,
    program,
)

from ad_transform.ir.verify import LawBroken, verify

EVERYTHING = (STRAIGHT, BRANCHING, SCANNING, LOOPING, RECORDING, ARRAYS, KEEPING)


@pytest.mark.parametrize("text", EVERYTHING, ids=lambda t: t.split()[1])
def test_programs_under_the_law(text):
    verify(program(text))


def test_depth_is_no_limit():
    verify(deep(1_200))


# Text, what is replaced in it by what, what the message must say.
BROKEN = [
    (STRAIGHT, "%3: float = sin", "%3: int = sin", "value of sin is int, not float"),
    (STRAIGHT, "sin(%2)", "sin(%2, %2)", "sin does not take 2 arguments"),
    (STRAIGHT, "default '2.0'", "nest tuple(., .)", "parameter y does not fill"),
    (STRAIGHT, "nest .", "nest tuple(., .)", "the results do not fill the nest"),
    (STRAIGHT, "primal 1", "primal 2", "more results are primal"),
    (BRANCHING, "%2: bool = gt", "%2: float = mul", "the test is float, not bool"),
    (BRANCHING, "then (%5: float, ", "then (%5: float, %11: float, ", "2 arguments"),
    (BRANCHING, "give %5, %7", "give %5", "1 results of an arm, not 2"),
    (BRANCHING, "%4: float = branch", "%4: int = branch", "number 2 is float, not int"),
    (BRANCHING, "sqrt(%9)", "sqrt(%0)", "x is not bound here"),
    (BRANCHING, "give %3, %4", "give %5, %4", "is not bound here"),
    (SCANNING, "scan (0, %1, 1)", "scan (0, %0, 1)", "a bound is float, not int"),
    (SCANNING, "float[trips] = scan", "float = scan", "is float, not a stack"),
    (SCANNING, "(0.0) () (%3)", "(0.0) () (%2)", "power is float, not a stack"),
    (SCANNING, "body (%4 i: int", "body (%4 i: bool", "number 1 is int, not bool"),
    (LOOPING, "give %8", "give %7", "number 1 is float, not bool"),
    (LOOPING, "%2 trips: int", "%2 trips: float", "number 1 is float, not int"),
    (LOOPING, "give %13", "give %13, %13", "2 results of the body"),
    (RECORDING, "%2 xs: float[k]", "%2 xs: float", "xs is float, not a stack"),
    (RECORDING, "%3 steps: float[k]", "%3 steps: float[n]", "of another loop"),
    (RECORDING, "%18 totals: float[k]", "%18 totals: float[n]", "trips are n, not"),
    (RECORDING, "give %16, %11, %15", "give %16, %11", "2 results of the body"),
    (SCANNING, "float[trips]", "float[3]", "the trips of the loop are 3, not its own"),
    (DERIVING, "2 (%0, %1)", "3 (%0, %1)", "3 of 2 arguments"),
    (DERIVING, "(1.0, %3)", "(1.0)", "1 seeds, not 2"),
    (DERIVING, "%3: float = d", "%3: float, %11: float = d", "2 values, not 1"),
    (ARRAYS, "give %6, %7, %0", "give %6, %7, %3", "has been consumed"),
    (ARRAYS, "give %6, %7, %0", "give %6, %7, %6", "an array is given twice"),
    (ARRAYS, "append(%5, %1)", "append(%4, %1)", "has been consumed"),
    (ARRAYS, "get(%0, 1)", "get(%0, 1.0)", "an index is float, not int"),
    (ARRAYS, "get(%0, 1)", "get(%1, 1)", "y is float"),
    (KEEPING, "held: record", "held: float", "what holds values is float"),
    (KEEPING, "open (%4)", "open (%0)", "what is opened is float, not record"),
    (KEEPING, "get(%7, %6)", "get(%2, %6)", "has been consumed"),
    (ARRAYS, "get(%0, 1)", "mul(%0, 1.0)", "mul does not take an array"),
]


@pytest.mark.parametrize(("text", "old", "new", "message"), BROKEN)
def test_a_broken_law_is_named(text, old, new, message):
    assert old in text
    with pytest.raises(LawBroken, match=message):
        verify(program(text.replace(old, new)))


def test_a_value_bound_twice():
    function = program(STRAIGHT)
    body = (*function.body, function.body[0])
    twice = function.__class__(
        "twice",
        function.parameters,
        function.block.__class__(function.block.params, body, function.results),
        function.nest,
    )
    with pytest.raises(LawBroken, match="a is bound twice"):
        verify(twice)


TWO_LOOPS = """\
function loops primal 1 nest .
parameter n (%0 n: int)
parameter m (%1 m: int)
  %2: float[p] = scan (0, %0, 1) () () ()
  body (%3: int)
    %4: float = float(%3)
    give %4
  %5: float[q] = scan (0, %1, 1) () () ()
  body (%6: int)
    %7: float = float(%6)
    give %7
  %8: float = scan (0, %0, 1) (0.0) () (%2)
  body (%9: int, %10: float, %11: float)
    %12: float = add(%10, %11)
    give %12
  give %8
"""


def test_the_stacks_of_two_loops_are_told_apart():
    verify(program(TWO_LOOPS))
    for old, new, message in (
        ("[q]", "[p]", "the trips of the loop are p, not its own"),
        (
            "(%2)\n  body (%9: int, %10: float",
            "(%2, %5)\n  body (%9: int, %10: float, %13: float",
            "of another loop",
        ),
    ):
        with pytest.raises(LawBroken, match=message):
            verify(program(TWO_LOOPS.replace(old, new)))


LOOP_OVER_ARRAY = """\
function loop primal 1 nest .
parameter x (%0 x: float[n])
parameter n (%1 n: int)
  %2: float[n] = copy(%0)
  %3: float = scan (0, %1, 1) (0.0) (%2) ()
  body (%4 i: int, %5: float, %6: float[n])
    %7: float = get(%6, %4)
    %8: float = add(%5, %7)
    give %8
  give %3
"""


def test_a_loop_may_read_an_array_but_not_consume_it():
    verify(program(LOOP_OVER_ARRAY))
    eaten = LOOP_OVER_ARRAY.replace(
        "give %8", "%9: float[n] = set(%6, %5, %4)\n give %8"
    )
    with pytest.raises(LawBroken, match="a loop consumes"):
        verify(program(eaten))


CONSUMING_ARM = """\
function arm primal 1 nest tuple(., .)
parameter t (%0 t: bool)
parameter y (%1 y: float)
  %2: float[2] = pack(%1, 1.0)
  %3: float[2] = branch %0 (%2)
  then (%4: float[2])
    %5: float[2] = set(%4, 0.0, 1)
    give %5
  else (%6: float[2])
    give %6
  %7: float = get(%3, 0)
  give %7, %3
"""


def test_an_arm_consumes_what_it_is_given():
    verify(program(CONSUMING_ARM))
    with pytest.raises(LawBroken, match="consumed"):
        verify(program(CONSUMING_ARM.replace("get(%3, 0)", "get(%2, 0)")))


def test_the_message_shows_the_neighbourhood():
    with pytest.raises(LawBroken) as caught:
        verify(program(BRANCHING.replace("sqrt(%9)", "sqrt(%0)")))
    assert str(caught.value).splitlines() == [
        "branching: x is not bound here",
        "        %7: float = sub(%5, %6)",
        "        give %5, %7",
        "      else (%8: float, %9: float)",
        "  >     %10: float = sqrt(%0)",
        "        give %9, %10",
        "      check %2 (text 'x is ', %0, text ' and y is ', %1 as ':.1f')",
        "      give %3, %4",
    ]


def test_verify_is_linear():
    def seconds(count):
        lines = "".join(f"  %{k}: float = add(%{k - 1}, %0)\n" for k in range(2, count))
        head, body = STRAIGHT.split("  %2 a!", 1)[0], "  give %1\n"
        function = program(head + lines + body)
        start = time.process_time()
        verify(function)
        return time.process_time() - start

    seconds(1000)
    assert seconds(20_000) < 60 * max(seconds(1_000), seconds(1_000), 1e-4)
