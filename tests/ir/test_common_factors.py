"""Two terms of a sum with a common factor are one term."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amounts import QUICK, amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import flat, generate

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.sums.common_factors import common_factors
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

LOOP = """function f primal {primal} nest .
parameter x (%1: float)
parameter y (%2: float)
parameter z (%3: float)
  %4: float = scan (0, 3, 1) (%3) (%1, %2) ()
  body (%10: int, %11: float, %12: float, %13: float)
    {body}
    give %20
  give %4
"""
START = "%14: float = add(%11, 0.5)\n    "
# fmt: off
ONE = {
    "added":        ("mul(%14, %12)", "mul(%14, %13)", "add(%11, %15)", "add(%17, %16)",
                     ["add(", "mul(", "add("]),
    "taken away":   ("mul(%14, %12)", "mul(%13, %14)", "add(%11, %15)", "sub(%17, %16)",
                     ["sub(", "mul(", "add("]),
    "both":         ("mul(%14, %12)", "mul(%13, %14)", "sub(%11, %15)", "sub(%17, %16)",
                     ["add(", "mul(", "sub("]),
    "one way round": ("mul(%14, %12)", "mul(%13, %14)", "sub(%11, %15)",
                     "add(%17, %16)", ["sub(", "mul(", "add("]),
    "from a term":  ("mul(%14, %12)", "mul(%13, %14)", "sub(%15, %11)",
                     "sub(%17, %16)", ["sub(", "mul(", "sub("]),
    "of a square":  ("mul(%14, %14)", "mul(%13, %14)", "add(%11, %15)",
                     "add(%17, %16)", ["add(", "mul(", "add("]),
}
APART = {
    "no factor":    ("mul(%14, %12)", "mul(%13, %11)", "add(%11, %15)",
                     "sub(%17, %16)"),
    "a number":     ("mul(2.0, %12)", "mul(2.0, %13)", "add(%11, %15)",
                     "sub(%17, %16)"),
    "read again":   ("mul(%14, %12)", "mul(%14, %15)", "add(%11, %15)",
                     "sub(%17, %16)"),
}
# fmt: on


def _given(parts, primal=0):
    lines = (f"%{15 + k}: float = {part}" for k, part in enumerate(parts[:3]))
    body = START + "\n    ".join((*lines, f"%20: float = {parts[3]}"))
    return program(LOOP.format(body=body, primal=primal))


@pytest.mark.parametrize("name", ONE)
def test_two_terms_are_one(name):
    *parts, names = ONE[name]
    before = _given(parts)
    made = common_factors(before, TABLE)
    verify(made)
    (loop,) = made.body
    assert [f"{s.op.name}(" for s in loop.body.body[1:]] == names
    for at in ((2.0, 3.0, 0.5), (-0.5, 0.25, 1.0)):
        assert evaluate(made, at) == pytest.approx(evaluate(before, at), rel=1e-12)


@pytest.mark.parametrize("name", APART)
def test_others_stay_apart(name):
    before = _given(APART[name])
    assert common_factors(before, TABLE) is before


def test_the_value_stays():
    before = _given(ONE["added"][:4], primal=1)
    assert common_factors(before, TABLE) is before


def test_a_difference_that_is_there_is_the_factor():
    extra = "%19: float = sub(%13, %12)\n    "
    parts = ("mul(%19, %12)", "mul(%13, %19)", "sub(%11, %15)", "add(%17, %16)")
    lines = (f"%{15 + k}: float = {part}" for k, part in enumerate(parts[:3]))
    body = extra + "\n    ".join((*lines, f"%20: float = {parts[3]}"))
    made = common_factors(program(LOOP.format(body=body, primal=0)), TABLE)
    verify(made)
    assert format_function(made).count("sub(") == 1


def test_counts_add_up_to_a_count():
    text = generate(
        "# ad: jvp\n"
        'def f(x: "Vector[n]", b: float):\n'
        "    first = x[0] * x[0]\n"
        "    ones = sum(1 for v in x if v == 1.0)\n"
        "    twos = sum(1 for k in (1, 2, 2) if k == 2)\n"
        "    return first * x[1] + ones * b + twos * b\n",
        **QUICK,
    )
    assert "b_dot * (twos + ones)" in text


def test_a_sum_that_was_two_has_its_factor_once():
    text = generate(
        "# ad: gradient\n"
        'def f(y: "Vector[n]", alpha: float):\n'
        "    level = y[0]\n"
        "    for t in range(1, len(y)):\n"
        "        level = alpha * y[t] + (1 - alpha) * level\n"
        "    return level\n",
        **QUICK,
    )
    assert "alpha_bar = alpha_bar + level_bar * (y_list[t] - level)" in text


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2) | programs())
def test_numbers_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = common_factors(function, TABLE)
    verify(made)
    for got, want in zip(evaluate(made, args), evaluate(function, args), strict=True):
        assert flat(got) == pytest.approx(flat(want), rel=1e-9, abs=1e-9, nan_ok=True)
