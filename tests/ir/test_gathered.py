"""Branches on one test are one, which takes over what one of its arms needs alone."""

from __future__ import annotations

import pytest
from amounts import QUICK
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, jacobian, load, load_exact

from ad_transform.ir.arms.gathered import gathered
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Apply
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

HEAD = "function f primal 2 nest tuple(., .)\nparameter x (%0: float)\n"
CLIPPED = f"""{HEAD}\
  %1: bool = lt(%0, 1.0)
  %2: float = mul(%0, %0)
  %3: float = mul(3.0, %2)
  %4: float = branch %1 (%2)
  then (%5: float)
    give %5
  else (%6: float)
    give 0.0
  %7: float = branch %1 (%3)
  then (%8: float)
    give %8
  else (%9: float)
    give 0.0
  give %4, %7
"""
ONE = f"""{HEAD}\
  %1: bool = lt(%0, 1.0)
  %2: float, %3: float = branch %1 (%0)
  then (%4: float)
    %5: float = mul(%4, %4)
    %6: float = mul(3.0, %5)
    give %5, %6
  else (%7: float)
    give 0.0, 0.0
  give %2, %3
"""

CHANGED = """\
function f primal 2 nest tuple(., .)
parameter x (%0: float)
  %1: bool = lt(%0, 1.0)
  %2: float[3] = full(%0, 3)
  %3: int = size(%2)
  %4: int = branch %1 (%3)
  then (%5: int)
    give %5
  else (%6: int)
    give 0
  %7: float[3] = set(%2, 2.0, 0)
  %8: int = size(%7)
  %9: int = branch %1 (%8)
  then (%10: int)
    give %10
  else (%11: int)
    give 0
  %12: float = mul(%4, %0)
  %13: float = mul(%9, %0)
  give %12, %13
"""


def test_what_reads_a_list_stays_in_front_of_what_changes_it():
    made = gathered(program(CHANGED))
    verify(made)
    names = [s.op.name for s in made.block.body if isinstance(s, Apply)]
    assert names == ["lt", "full", "size", "set", "mul", "mul"]


def test_what_an_arm_needs_alone_is_computed_there():
    made = gathered(program(CLIPPED))
    verify(made)
    assert format_function(made) == format_function(program(ONE))
    assert gathered(made) is made


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%3: float = mul(3.0, %2)", "%3: float = sqrt(%0)"),  # it raises
        ("    give 0.0\n  %7", "    give %6\n  %7"),  # both arms read it
        ("give %4, %7", "give %4, %3"),
    ],
)
def test_what_raises_or_is_read_elsewhere_stays(old, new):
    text = CLIPPED.replace(old, new)
    made = gathered(program(text))
    verify(made)
    front = format_function(made).partition("branch")[0]
    assert ("sqrt" in front) or "mul(%0, %0)" in front


def test_branches_that_need_each_other_stay_apart():
    function = program(CLIPPED.replace("branch %1 (%3)", "branch %1 (%4)"))
    assert gathered(function) is function


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_values_keep_their_bits(function):
    made = gathered(function)
    verify(made)
    for seed in range(2):
        args = point(function, seed)
        assert repr(evaluate(made, args)) == repr(evaluate(function, args))


DRAG = """\
import math


# ad: gradient
def f(v: float, rho: float, area: float) -> float:
    reynolds = rho * abs(v) * 10.0
    if reynolds < 1.0:
        drag = 24.0
    elif reynolds < 1000.0:
        drag = 24.0 / reynolds * (1.0 + 0.15 * reynolds**0.687)
    else:
        drag = 0.44
    force = 0.5 * rho * v * abs(v) * area * drag
    return force if abs(force) < 50.0 else math.copysign(50.0, force)
"""


def test_nothing_is_computed_for_what_is_clipped():
    text = generate(DRAG, **QUICK)
    assert "    return 0.0, 0.0, 0.0\n" in text
    made, exact = load(text)["f_grad"], load_exact(DRAG)["f"]
    for v, rho, area in ((3.0, 1.2, 0.5), (90.0, 1.1, 3.0), (-1.0, 0.02, 0.4)):
        at = {"v": v, "rho": rho, "area": area}
        (row,) = jacobian(exact, at, tuple(at))
        assert made(**at) == pytest.approx([float(one) for one in row], rel=1e-12)
