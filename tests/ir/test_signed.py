"""Negations that only sums read, through products, quotients and sums, are none."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from amounts import amount
from hypothesis import given, settings
from programs import program
from structured import point, programs

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Literal
from ad_transform.ir.sums.signed import signed
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

HEAD = "parameter a (%0: float[n])\nparameter w (%1: float)\nparameter z (%2: float)\n"
# fmt: off
TAKEN = {
    "product in a sum":     ("%3: float = neg(%1)\n  %4: float = mul(%3, %2)\n"
                             "  %8: float = add(%2, %4)", "= sub(%2, %"),
    "first of a sum":       ("%3: float = neg(%1)\n  %4: float = div(%3, %2)\n"
                             "  %8: float = add(%4, %2)", "= sub(%2, %"),
    "difference":           ("%3: float = neg(%1)\n  %4: float = div(%2, %3)\n"
                             "  %8: float = sub(%2, %4)", "= add(%2, %"),
    "element":              ("%3: float = neg(%1)\n  %4: float[n] = add_at(%0, %3, 0)\n"
                             "  %8: float = get(%4, 0)", "= sub_at(%0, %1, 0)"),
    "both signs of a product": ("%3: float = neg(%1)\n  %4: float = mul(%3, %3)\n"
                             "  %8: float = add(%2, %4)", "= mul(%1, %1)"),
    "two readers":          ("%3: float = neg(%1)\n  %4: float = mul(%3, %2)\n"
                             "  %5: float = add(%2, %4)\n  %8: float = sub(%5, %3)",
                             "= add(%"),
    "minuend in a sum":     ("%3: float = neg(%1)\n  %4: float = sub(%3, %2)\n"
                             "  %5: float = mul(%4, 2.0)\n  %8: float = add(%2, %5)",
                             "= add(%1, %2)"),
    "sum of two":           ("%3: float = neg(%1)\n  %4: float = neg(%2)\n"
                             "  %5: float = add(%3, %4)\n  %8: float = add(%2, %5)",
                             "= add(%1, %2)"),
    "difference of two":    ("%3: float = neg(%1)\n  %4: float = neg(%2)\n"
                             "  %5: float = sub(%3, %4)\n  %8: float = sub(%2, %5)",
                             "= sub(%2, %1)"),
}
STAY = {
    "minuend":        "%3: float = neg(%1)\n  %8: float = sub(%3, %2)",
    "minuend with a name": "%3: float = neg(%1)\n  %4 x_bar: float = sub(%3, %2)\n"
                      "  %8: float = add(%2, %4)",
    "result":         "%8: float = neg(%1)",
    "function":       "%3: float = neg(%1)\n  %8: float = exp(%3)",
    "one that needs it": "%3: float = neg(%1)\n  %4: float = add(%2, %3)\n"
                      "  %5: float = exp(%3)\n  %8: float = mul(%4, %5)",
    "with a name":    "%3: float = neg(%1)\n  %4 x_bar: float = mul(%3, %2)\n"
                      "  %8: float = add(%2, %4)",
}
# fmt: on


def _made(text: str, primal: int = 0):
    source = f"function f primal {primal} nest .\n{HEAD}  {text}\n  give %8\n"
    function = program(source)
    made = signed(function, TABLE)
    verify(made)
    return function, made


@pytest.mark.parametrize("name", TAKEN)
def test_a_sum_takes_the_sign(name):
    text, change = TAKEN[name]
    function, made = _made(text)
    assert change in format_function(made)
    assert len(made.body) == len(function.body) - text.count("neg")
    assert "neg" not in format_function(made)


@pytest.mark.parametrize("name", STAY)
def test_a_sign_stays_where_something_else_reads_it(name):
    function, made = _made(STAY[name])
    assert made is function


def test_a_value_stays_as_it_is_written():
    function, made = _made(TAKEN["product in a sum"][0], primal=1)
    assert made is function


def test_of_two_negations_in_a_sum_the_second_goes():
    _, made = _made(
        "%3: float = neg(%1)\n  %4: float = neg(%2)\n  %8: float = add(%3, %4)"
    )
    text = format_function(made)
    assert text.count("neg") == 1
    assert "= sub(%3, %2)" in text


def test_one_of_two_numbers_alike_has_the_other_sign():
    number = Literal(-2.0)  # one object, as passes hand it on
    function, _ = _made(
        "%3: float = mul(%1, %2)\n  %4: float = mul(%1, %3)\n  %8: float = add(%4, %2)"
    )
    first, *rest = function.body
    body = (replace(first, args=(number, number)), *rest)
    function = replace(function, block=replace(function.block, body=body))
    made = signed(function, TABLE)
    assert made is not function
    point = ([0.5], 1.5, -0.75)
    assert evaluate(made, point) == evaluate(function, point) == (5.25,)


LOOP = """%3: float = neg(%1)
  %8: float = scan (0, 3, 1) (%2) (%3) ()
  body (%4: int, %5: float, %6: float)
    %7: float = {operation}
    %9: float = add(%5, %7)
    give %9"""


@pytest.mark.parametrize(
    ("operation", "left"), [("mul(%6, 2.0)", 0), ("mul(%6, %6)", 0), ("exp(%6)", 1)]
)
def test_a_loop_is_given_what_it_would_have_to_take_the_negative_of(operation, left):
    function, made = _made(LOOP.format(operation=operation))
    assert format_function(made).count("neg(") == left
    assert (made is function) == (left == 1)
    args = ([0.5], 1.5, -0.75)
    assert evaluate(made, args) == evaluate(function, args)


def test_a_loop_is_given_the_negative_that_something_else_reads():
    text = LOOP.format(operation="mul(%6, 2.0)").replace("%8:", "%10:")
    function, made = _made(f"{text}\n  %8: float = mul(%10, %3)", primal=1)
    assert made is function
    _, made = _made(f"{text}\n  %11: float = exp(%3)\n  %8: float = mul(%10, %11)")
    assert format_function(made).count("neg(") == 1


def test_a_product_that_is_there_without_a_sign_as_well_is_computed_once():
    function, made = _made(
        "%3: float = neg(%1)\n  %4: float = mul(%3, %2)\n  %5: float = add(%2, %4)\n"
        "  %6: float = mul(%1, %2)\n  %8: float = mul(%6, %5)"
    )
    assert len(made.body) == len(function.body) - 2
    assert format_function(made).count("= mul(%1, %2)") == 1
    args = ([0.5], 1.5, -0.75)
    assert evaluate(made, args) == evaluate(function, args)


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2) | programs())
def test_bits_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = signed(function, TABLE)
    verify(made)
    assert bits(evaluate(made, args)) == bits(evaluate(function, args))


def bits(values):
    """The values as text, whatever the signs of their zeros."""
    return re.sub(r"-0\.0(?![0-9e])", "0.0", repr(values))
