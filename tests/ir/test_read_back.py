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
from ad_transform.ir.nodes import Scan
from ad_transform.ir.read_back import read_back
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
        pytest.param({"range": "1, %2, 1", "again": "1, %2, 1"}, id="from 1"),
        pytest.param({"again": "0, 2, 1"}, id="another range"),
    ],
)
def test_all_else_is_recorded(words):
    function = source(**words)
    assert read_back(function, TABLE) is function


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
