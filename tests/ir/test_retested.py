"""Arms know what earlier branches on their test gave."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from amounts import ANY_ORDER, amount
from hypothesis import example, given, settings
from programs import program
from structured import Sizes, point, programs
from structured import program as drawn
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.arms.retested import retested
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

SOURCE = """\
function f primal 0 nest .
parameter x (%0: float)
parameter s (%1: float)
  %2: bool = gt(%0, 1.0)
  %3: bool = gt(%1, 1.0)
  %4: float, %5: bool = branch %2 (%0, %3)
  then (%6: float, %7: bool)
    give 2.0, True
  else (%8: float, %9: bool)
    %10: float = exp(%8)
    give %10, %9
{behind}
  give %20
"""
ARM = """\
  %20: float = branch {test} (%1, %4, %5)
  then (%21: float, %22: float, %23: bool)
    %24: float = mul(%21, %22)
    give %24
  else (%25: float, %26: float, %27: bool)
    %28: float = sin(%26)
    give %28"""
DEEP = """\
  %20: float = branch %3 (%1, %2, %4)
  then (%21: float, %22: bool, %23: float)
    %24: float = branch %22 (%21, %23)
    then (%30: float, %31: float)
      %32: float = add(%30, %31)
      give %32
    else (%33: float, %34: float)
      %35: float = mul(%33, %34)
      give %35
    give %24
  else (%25: float, %26: bool, %27: float)
    %28: float = sin(%27)
    give %28"""
LOOP = """\
  %20: float = branch %2 (%1, %4)
  then (%21: float, %22: float)
    %23: float = scan (0, 3, 1) ({carry}) ({read}) ()
    body (%24: int, %25: float, %26: float)
      %27: float = mul(%25, %26)
      give %27
    give %23
  else (%28: float, %29: float)
    give %29"""
READ = LOOP.format(carry="%21", read="%22")
CARRIED = LOOP.format(carry="%22", read="%21")
TESTED = """\
  %20: float = branch %2 (%1, %5)
  then (%21: float, %22: bool)
    %23: float = branch %22 (%21)
    then (%24: float)
      %25: float = sin(%24)
      give %25
    else (%26: float)
      %27: float = exp(%26)
      give %27
    give %23
  else (%28: float, %29: bool)
    give %28"""
THROUGH = """\
  %11: float, %12: bool = branch %3 (%4, %2)
  then (%13: float, %14: bool)
    give %13, False
  else (%15: float, %16: bool)
    give 3.0, %16
  %20: float = branch %2 (%1, %3, %11)
  then (%21: float, %22: bool, %23: float)
    %24: float = branch %22 (%21, %23)
    then (%30: float, %31: float)
      %32: float = mul(%30, %31)
      give %32
    else (%33: float, %34: float)
      %35: float = div(%33, %34)
      give %35
    give %24
  else (%25: float, %26: bool, %27: float)
    give %27"""
ALIKE = """\
  %11: float = branch %2 (%1, %2)
  then (%12: float, %13: bool)
    give %12
  else (%14: float, %15: bool)
    %16: float = branch %15 (%14)
    then (%17: float)
      %18: float = sin(%17)
      give %18
    else (%19: float)
      give %19
    give %16
  %20: float = mul(%11, %1)"""
# fmt: off
KNOWN = {  # behind the branch, what the text has then, what it has no more
    "in the arm":      (ARM.format(test="%2"), ["mul(2.0, ", "sin("], []),
    "by another test": (DEEP, ["add(2.0, ", "sin("], []),
    "in a loop":       (READ, ["mul(2.0, "], []),
    "where trips begin": (CARRIED, ["(2.0) (", "mul(%"], []),
    "as a test":       (TESTED, ["sin("], ["exp(%2"]),
    "by two branches": (THROUGH, ["mul(2.0, ", "div("], []),
    "of arms that are alike then": (ALIKE, ["mul(%1, %1)"], ["sin("]),
}
LEFT = {
    "another test":    ARM.format(test="%3"),
}
# fmt: on
POINTS = [(x, s) for x in (0.5, 1.5) for s in (0.25, 2.0)]


def source(behind):
    return program(SOURCE.format(behind=behind))


def canonical(text):
    """The text with the operands of commutative operations in one order."""
    return re.sub(r"(mul|add)\((%\d+), (2\.0)\)", r"\1(\3, \2)", text)


@pytest.mark.parametrize("name", KNOWN)
def test_the_number_is_read(name):
    behind, there, gone = KNOWN[name]
    before = source(behind)
    made = retested(before, TABLE)
    verify(made)
    text = canonical(format_function(made))
    assert all(part in text for part in there)
    assert not any(part in text for part in gone)
    for values in POINTS:
        assert evaluate(made, values) == evaluate(before, values)


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_known_stays(name):
    function = source(LEFT[name])
    assert retested(function, TABLE) is function


@pytest.mark.parametrize("name", KNOWN)
def test_the_value_stays_as_it_is_written(name):
    function = replace(source(KNOWN[name][0]), primal=1)
    assert retested(function, TABLE) is function


def test_what_two_arms_give_alike_is_known_behind_them():
    text = SOURCE.replace("give %10, %9", "give 2.0, %9")
    function = program(text.format(behind="  %20: float = mul(%1, %4)"))
    made = retested(function, TABLE)
    verify(made)
    assert "mul(2.0, %1)" in canonical(format_function(made)).replace("%0", "%1")
    for values in POINTS:
        assert evaluate(made, values) == evaluate(function, values)


@settings(deadline=None, max_examples=amount(40, 400))
@given(programs(arrays=2) | programs())
@example(drawn(random.Random(54254), Sizes(3, depth=2, parameters=1, results=1)))
def test_results_stay(function):
    """To the bit, but that numbers which meet are multiplied as decimals: 1.7 * 1.7."""
    function, args = replace(function, primal=0), point(function, 1)
    made = retested(function, TABLE)
    verify(made)
    _same(evaluate(made, args), evaluate(function, args))


def _same(made: Any, before: Any) -> None:
    if isinstance(before, list | tuple):
        assert type(made) is type(before)
        for one, other in zip(made, before, strict=True):
            _same(one, other)
    elif repr(made) != repr(before):
        assert made == pytest.approx(before, rel=1e-12, abs=0.0)


MIXED = """\
import math

# ad: jacobian(p, q)
def f(p: float, q: float, n: int):
    t = math.sin(q * q)
    k = 0
    while k < n and abs(p) > 0.05:
        a = p + 0.2 * math.sin(q)
        p = a
        k += 1
    if t <= 0.77:
        for i in range(n):
            return a, a
    k = 0
    while k < n and abs(a) > 0.05:
        b = a * math.sin(math.tanh(p * t))
        if a > -0.65 or b < 0.15:
            break
        return b, t - p
    return q, 2.0
"""


@pytest.mark.parametrize("p, q", [(0.5, 1.2), (-1.5, 1.2), (0.5, 0.3)])
def test_a_loop_of_values_and_derivatives_reads_nothing_that_is_gone(p, q):
    f, made = load(MIXED)["f"], load(generate(MIXED, **ANY_ORDER))["f_jac"]
    h = 1e-6
    by_p = [
        (x - y) / h / 2 for x, y in zip(f(p + h, q, 2), f(p - h, q, 2), strict=True)
    ]
    by_q = [
        (x - y) / h / 2 for x, y in zip(f(p, q + h, 2), f(p, q - h, 2), strict=True)
    ]
    for row, *slopes in zip(made(p, q, 2), by_p, by_q, strict=True):
        assert row == pytest.approx(slopes, rel=1e-6, abs=1e-6)
