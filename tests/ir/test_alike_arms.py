"""Arms one behind the other that give the same numbers are one arm."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amounts import ANY_ORDER, amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load

from ad_transform.ir.arms.alike_arms import alike_arms
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Branch
from ad_transform.ir.verify import verify

SOURCE = """\
function f primal 0 nest tuple(., .)
parameter x (%0: float)
parameter s (%1: float)
  %2: bool = gt(%0, 1.0)
  %3: float, %4: float = branch %2 (%0, %1)
  then (%5: float, %6: float)
{more}    give {then}
  else (%7: float, %8: float)
    %9{name}: float = mul(%7, %8)
    %10: bool = lt(%9, {bound})
    %11: float, %12: float = branch %10 ({args})
    then (%13: float, %14: float)
{inside}      give {inner}
    else (%15: float, %16: float)
      %17: float = sin(%15)
      give %17, %16
    give {orelse}
  give %3, %4
"""
PLAIN = {
    "more": "",
    "name": "",
    "inside": "",
    "then": "0.0, 2.0",
    "bound": "-1.0",
    "args": "%7, %8",
    "inner": "0.0, 2.0",
    "orelse": "%11, %12",
}
JOINED = {
    "plain": {},
    "in another order": {"then": "2.0, 0.0", "orelse": "%12, %11"},
    "handed a number": {"args": "%7, 3.0"},
}
KEPT = {
    "another number": {"inner": "0.0, 3.0"},
    "another sign": {"inner": "-0.0, 2.0"},
    "no number": {"then": "0.0, %6", "inner": "0.0, %14"},
    "the test is needed": {"args": "%7, %9"},
    "another result": {"orelse": "%11, %8"},
    "more is done": {"more": "    %18: float = sin(%5)\n", "then": "%18, 2.0"},
    "the test has a name": {"bound": "-1.0", "name": " b!"},
    "the test is read twice": {"bound": "%9"},
    "more is done inside": {
        "inside": "      %18: float = sin(%13)\n",
        "inner": "%18, 2.0",
    },
    "more is checked": {"more": "    check False (text 'too large')\n"},
    "more is checked inside": {"inside": "      check False (text 'too small')\n"},
}
POINTS = [(x, s) for x in (2.0, 0.5, -3.0) for s in (1.0, -4.0, 0.25)]


def source(**parts):
    return program(SOURCE.format(**{**PLAIN, **parts}))


@pytest.mark.parametrize("name", JOINED)
def test_they_are_one_arm(name):
    before = source(**JOINED[name])
    made = alike_arms(before)
    verify(made)
    branches = [s for s in made.body if isinstance(s, Branch)]
    assert [len(b.outs) for b in branches] == [1, 2]
    assert not any(s for b in branches[1].blocks for s in b.body if s.blocks)
    for values in POINTS:
        assert evaluate(made, values) == evaluate(before, values)


@pytest.mark.parametrize("name", KEPT)
def test_all_else_stays(name):
    function = source(**KEPT[name])
    assert alike_arms(function) is function


def test_the_value_stays_as_it_is_written():
    function = replace(source(), primal=2)
    assert alike_arms(function) is function


def test_a_chain_is_one_arm():
    made = generate(CHAIN, **ANY_ORDER)
    assert "if a > 3.0 or a < -3.0 or a == y:" in made
    f, gradient = load(CHAIN)["f"], load(made)["f_grad"]
    h = 1e-6
    for x, y in ((4.0, 1.0), (-4.0, 1.0), (1.25, -0.5), (1.5, 0.5)):
        slopes = (
            (f(x + h, y) - f(x - h, y)) / (2 * h),
            (f(x, y + h) - f(x, y - h)) / (2 * h),
        )
        assert gradient(x, y) == pytest.approx(slopes, abs=1e-7)


CHAIN = """
# ad: gradient
def f(x: float, y: float) -> float:
    a = x * y
    if a > 3.0:
        a = 3.0
    elif a < -3.0:
        a = -3.0
    elif a == y:
        a = 1.0
    return a * a
"""


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2) | programs())
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = alike_arms(function)
    verify(made)
    assert repr(evaluate(made, args)) == repr(evaluate(function, args))
