"""A number that a loop records twice is recorded once."""

from __future__ import annotations

import pytest
from programs import program

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.recorded import recorded_once
from ad_transform.ir.nodes import Scan
from ad_transform.ir.verify import verify

FORTH = """function f primal 0 nest .
parameter x (%1: float)
parameter n (%2: int)
  %3: float, %4: float[p], %5: float[p] = scan (0, %2, 1) (%1) () ()
  body (%10: int, %11: float)
    %12: float = mul(%11, 0.5)
    give %12, %11, %11
"""
OF_LOOP = f"""{FORTH}  %6: float = scan (0, %2, 1) (0.0) () (%4, %5) backwards
  body (%20: int, %21: float, %22: float, %23: float)
    %24: float = mul(%22, %23)
    %25: float = add(%21, %24)
    give %25
  give %6
"""
OF_INNER_LOOP = """function f primal 0 nest .
parameter x (%1: float)
parameter n (%2: int)
  %3: float, %4: float[p, q], %5: float[p, q] = scan (0, %2, 1) (%1) (%2) ()
  body (%10: int, %11: float, %12: int)
    %13: float, %14: float[q], %15: float[q] = scan (0, %12, 1) (%11) () ()
    body (%30: int, %31: float)
      %32: float = mul(%31, 0.5)
      give %32, %31, %31
    give %13, %14, %15
  %6: float = scan (0, %2, 1) (0.0) () (%4, %5) backwards
  body (%20: int, %21: float, %22: float[q], %23: float[q])
    %24: float = get(%22, 0)
    %25: float = get(%23, 0)
    %26: float = mul(%24, %25)
    %27: float = add(%21, %26)
    give %27
  give %6
"""


@pytest.mark.parametrize(("text", "records"), [(OF_LOOP, 1), (OF_INNER_LOOP, 2)])
def test_a_number_is_recorded_once(text, records):
    """But a list of lists is given twice by no loop."""
    before = program(text)
    made = recorded_once(before)
    verify(made)
    loop = next(s for s in made.body if isinstance(s, Scan))
    assert len(loop.stacks) == records
    assert evaluate(made, (2.0, 3)) == evaluate(before, (2.0, 3))


HANDED = f"""{FORTH}  %6: float = scan (0, 2, 1) (0.0) (%4, %5) ()
  body (%20: int, %21: float, %22: float[p], %23: float[p])
    %24: float = scan (0, 0, 1) (%21) () (%22, %23)
    body (%30: int, %31: float, %32: float, %33: float)
      %34: float = mul(%32, %33)
      %35: float = add(%31, %34)
      give %35
    give %24
  give %6
"""


def test_a_list_is_handed_to_a_loop_in_a_loop_once() -> None:
    before = program(HANDED)
    made = recorded_once(before)
    verify(made)
    outer = next(s for s in made.body if isinstance(s, Scan) and s.reads)
    assert len(outer.reads) == len(outer.body.body[0].entries) == 1
    assert evaluate(made, (2.0, 3)) == evaluate(before, (2.0, 3))
