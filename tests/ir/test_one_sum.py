"""Sums that are added to each other behind their loop are one sum."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from programs import program
from structured import point, programs

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.one_sum import one_sum
from ad_transform.ir.nodes import Scan
from ad_transform.ir.verify import verify

LOOP = """function f primal {primal} nest .
parameter x (%1: float)
parameter n (%2: int)
  %3: float, %4: float, %5: float = scan (0, %2, 1) (%1, {start}, {state}) (%1) ()
  body (%10: int, %11: float, %12: float, %13: float, %14: float)
    %15: float = mul(%14, 0.5)
    %16: float = {one}(%11, %15)
    %17: float = {other}(%12, {term})
    %18: float = mul(%13, 0.75)
    give %16, %17, %18
  %6: float = {total}
  %7: float = add(%6, %5)
  give %7
"""
WHOLE = {"primal": 0, "start": 0.0, "state": 2.0, "one": "add", "other": "add"}
WHOLE |= {"term": "%13", "total": "sub(%3, %4)"}
# fmt: off
ONE = {
    "less":       {},
    "more":       {"total": "add(%3, %4)"},
    "turned":     {"total": "add(%4, %3)"},
    "less less":  {"other": "sub"},
    "both less":  {"one": "sub", "other": "sub", "total": "add(%3, %4)"},
}
TWO = {
    "started":    {"start": 0.5},
    "a product":  {"total": "mul(%3, %4)"},
    "no sum":     {"total": "sub(%3, %5)"},
    "the value":  {"primal": 1},
    "from 0":     {"total": "sub(%4, %3)"},
    "of itself":  {"term": "%12"},
}
# fmt: on


@pytest.mark.parametrize("name", ONE)
def test_two_sums_are_one(name):
    before = program(LOOP.format(**WHOLE | ONE[name]))
    made = one_sum(before, TABLE)
    verify(made)
    (loop,) = (s for s in made.body if isinstance(s, Scan))
    assert len(loop.carries) == 2
    assert evaluate(made, (3.0, 4)) == evaluate(before, (3.0, 4))


@pytest.mark.parametrize("name", TWO)
def test_others_stay_apart(name):
    before = program(LOOP.format(**WHOLE | TWO[name]))
    assert one_sum(before, TABLE) is before


@settings(deadline=None)
@given(programs())
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = one_sum(function, TABLE)
    verify(made)
    found, wanted = evaluate(made, args), evaluate(function, args)
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9, nan_ok=True)
