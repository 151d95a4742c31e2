"""Two branches on one test are one, where the first raises something."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from programs import program
from structured import point, programs

from ad_transform.ir.arms.joined import joined
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Branch
from ad_transform.ir.verify import verify

BRANCHES = """function f primal 1 nest tuple(., .)
parameter x (%0: float)
parameter y (%1: float)
  %2: bool = gt(%0, %1)
  %3: float, %4: float = branch %2 (%0, %1)
  then (%5: float, %6: float)
    %7: float = sub(%5, %6)
    give %7, %5
  else (%8: float, %9: float)
    %10: bool = gt(%9, 0.0)
    check {check} (text 'negative') raise 'ValueError'
    %11: float = mul(%8, %9)
    give %11, 2.0
  %12: float = mul(%3, %0)
  %13: float = branch {test} ({args})
  then (%14: float, %15: float)
    %16: float = add(%14, %15)
    give %16
  else (%17: float, %18: float)
    give %18
  %19: float = mul(%13, %12)
  give %3, %19
"""
WHOLE = {"check": "%10", "test": "%2", "args": "%3, %1"}
# fmt: off
JOINED = {
    "of what the first gives": {},
    "of both values":          {"args": "%4, %3"},
    "of a parameter":          {"args": "%1, %0"},
}
APART = {
    "of what stands between":  {"args": "%12, %1"},
}
# fmt: on


def branches(function):
    return sum(isinstance(s, Branch) for s in function.body)


@pytest.mark.parametrize("name", JOINED)
def test_branches_are_joined(name):
    before = program(BRANCHES.format(**WHOLE | JOINED[name]))
    made = joined(before)
    verify(made)
    assert branches(made) == 1
    for args in ((3.0, 2.0), (1.5, 2.0)):
        assert evaluate(made, args) == evaluate(before, args)


@pytest.mark.parametrize("name", APART)
def test_others_stay(name):
    before = program(BRANCHES.format(**WHOLE | APART[name]))
    assert joined(before) is before


def test_what_raises_nothing_stays():
    lines = BRANCHES.format(**WHOLE).splitlines(keepends=True)
    before = program("".join(line for line in lines if "check" not in line))
    assert joined(before) is before


@settings(deadline=None, max_examples=40)
@given(programs())
def test_programs_keep_their_values(function):
    made = joined(function)
    verify(made)
    assert evaluate(made, point(function, 1)) == evaluate(function, point(function, 1))
