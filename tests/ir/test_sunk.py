"""What a loop returns is made behind it, of what the last trip has left."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.sunk import sunk
from ad_transform.ir.nodes import Branch, While
from ad_transform.ir.verify import verify

RETURNING = """\
function f primal 1 nest .
parameter x (%0: float)
parameter y (%1: float)
  %2: float, %3: bool, %4: float, %5: int = while (%0, False, 0.0) (%1)
  test (%6: float, %7: bool, %8: float, %9: float)
    %10: bool = not(%7)
    give %10
  body (%11: float, %12: bool, %13: float, %14: float)
    %15: float = mul(%11, %14)
    %16: float = add(%15, {more})
    %17: bool = gt(%16, 9.0)
    %18: float = branch %17 (%15, %14)
    then (%19: float, %20: float)
      %21: float = mul(%19, %20)
      give %21
    else (%22: float, %23: float)
      give 0.0
    give %16, %17, %18
  %24: float = branch %3 (%4, %2)
  then (%25: float, %26: float)
    give %25
  else (%27: float, %28: float)
    give %28
  give %24
"""
RETURNED = """\
# ad: gradient(x)
def f(x: float, n: int):
    t = 0.0
    for _ in range(n):
        x = x + 0.5 * x
        t = t + 0.1
        if x > 9.0:
            return x * t
    return x
"""


def loop_of(function):
    return next(s for s in function.body if isinstance(s, While))


def test_an_operand_that_is_no_carry_becomes_one():
    function = program(RETURNING.format(more="1.0"))
    made = sunk(function)
    verify(made)
    assert not any(isinstance(s, Branch) for s in loop_of(made).body.body)
    assert evaluate(made, (1.0, 2.0)) == evaluate(function, (1.0, 2.0)) == (28.0,)


def test_one_result_makes_no_two_carries():
    text = RETURNING.format(more="1.0").replace("branch %17 (%15, %14)", "{}")
    lines = "%30: float = mul(%15, %15)\n    %18: float = branch %17 (%15, %30)"
    function = program(text.replace("%18: float = {}", lines))
    assert sunk(function) is function


def test_no_trip_chooses_what_the_function_returns():
    text = generate(RETURNED, **ANY_ORDER)
    loop = text.partition("for _ in")[2]
    assert "x_bar = t if left else 1.0" in text
    assert loop.count(" if ") == 2
    assert load(text)["f_grad"](1.0, 40) == pytest.approx(1.5**6 * 0.6, rel=1e-14)


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_values_keep_their_bits(function):
    made, args = sunk(function), point(function, 1)
    verify(made)
    found, expected = evaluate(made, args), evaluate(function, args)
    assert list(map(repr, found)) == list(map(repr, expected))
