"""A multiple of what has a number already has one number."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amounts import amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import flat

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.sums.multiples import multiples
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

HEAD = "parameter w (%1: float)\nparameter z (%2: float)\n"
# fmt: off
ONE = {
    "of a quotient":  ("%3: float = div(1.0, %1)\n  %8: float = mul(2.0, %3)",
                       "= div(2.0, %"),
    "from behind":    ("%3: float = div(0.5, %1)\n  %8: float = mul(%3, 4.0)",
                       "= div(2.0, %"),
    "of a product":   ("%3: float = mul(%1, 3.0)\n  %8: float = mul(2.0, %3)",
                       ", 6.0)"),
    "far down":       ("%3: float = div(1.0, %1)\n  %4: float = div(%3, %1)\n"
                       "  %5: float = mul(%2, %4)\n  %8: float = mul(2.0, %5)",
                       "= div(2.0, %"),
    "less than 0":    ("%3: float = mul(0.5, %1)\n  %8: float = mul(-2.0, %3)",
                       "= neg(%"),
    "once":           ("%3: float = mul(0.5, %1)\n  %4: float = div(%3, %2)\n"
                       "  %8: float = mul(2.0, %4)", "= div(%"),
    "a sign":         ("%3: float = mul(0.5, %1)\n  %8: float = neg(%3)",
                       "mul(-0.5, %"),
    "of a sign":      ("%3: float = neg(%1)\n  %8: float = mul(0.5, %3)",
                       "mul(-0.5, %"),
    "of a sign within": ("%3: float = mul(0.5, %1)\n  %4: float = neg(%3)\n"
                       "  %8: float = mul(2.0, %4)", "= neg(%"),
    "a sign of a quotient": ("%3: float = div(1.0, %1)\n  %8: float = neg(%3)",
                       "= div(-1.0, %"),
    "that alone":     ("%3: float = mul(0.5, %1)\n  %4: float = mul(2.0, %3)\n"
                       "  %8: float = div(%4, %2)", "= div(%"),
}
STAY = {
    "a sign of no number": "%3: float = mul(%1, %2)\n  %8: float = neg(%3)",
    "read elsewhere": "%3: float = div(1.0, %1)\n  %4: float = mul(2.0, %3)\n"
                      "  %8: float = add(%3, %4)",
    "a divisor":      "%3: float = div(%1, 2.0)\n  %8: float = mul(2.0, %3)",
    "no number":      "%3: float = mul(%1, %2)\n  %8: float = mul(2.0, %3)",
    "more than a number holds": "%3: float = div(1e200, %1)\n"
                      "  %8: float = mul(1e200, %3)",
    "less than one":  "%3: float = mul(1e-160, %1)\n  %8: float = mul(1e-160, %3)",
    "a sum between":  "%3: float = div(1.0, %1)\n  %4: float = add(%3, %2)\n"
                      "  %8: float = mul(2.0, %4)",
}
# fmt: on


def _given(text: str, primal: int = 0):
    return program(f"function f primal {primal} nest .\n{HEAD}  {text}\n  give %8\n")


@pytest.mark.parametrize("name", ONE)
def test_two_numbers_are_one(name):
    text, change = ONE[name]
    source = _given(text)
    made = multiples(source, TABLE)
    verify(made)
    assert change in format_function(made)
    assert len(made.body) < len(source.body)
    for at in ((2.0, 3.0), (-0.5, 0.25)):
        assert evaluate(made, at) == evaluate(source, at)


@pytest.mark.parametrize("name", STAY)
def test_others_stay(name):
    source = _given(STAY[name])
    assert multiples(source, TABLE) is source


def test_a_value_stays_as_it_is_written():
    source = _given(ONE["of a quotient"][0], primal=1)
    assert multiples(source, TABLE) is source


@pytest.mark.parametrize("number", [2.0, -2.0])
def test_a_multiple_of_a_whole_number_is_a_float(number):
    body = f"%3: float = mul(0.5, %1)\n  %8: float = mul({number}, %3)"
    head = "function f primal 0 nest .\nparameter k (%1: int)\n"
    source = program(f"{head}  {body}\n  give %8\n")
    made = multiples(source, TABLE)
    verify(made)
    assert len(made.body) < len(source.body)
    (value,) = evaluate(made, (3,))
    assert value == 1.5 * number and type(value) is float


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2) | programs())
def test_numbers_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = multiples(function, TABLE)
    verify(made)
    for got, want in zip(evaluate(made, args), evaluate(function, args), strict=True):
        assert flat(got) == pytest.approx(flat(want), rel=1e-12, abs=1e-12)
