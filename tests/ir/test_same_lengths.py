"""Lengths are taken once, in blocks that are given them too."""

from __future__ import annotations

import pytest
from programs import program

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.same_lengths import same_lengths
from ad_transform.ir.nodes import Apply, walk
from ad_transform.ir.verify import verify

SOURCE = """\
function f primal 0 nest .
parameter x (%0: float[n])
parameter y (%1: float[{other}])
  %2: int = size(%0)
  %3: int = scan (0, %2, 1) (0) ({reads}) ()
  body (%4: int, %5: int, {params})
    %8: int = size(%7)
    %9: bool = gt(%5, 3)
    %10: int = branch %9 (%5, %7, {given})
    then (%11: int, %12: float[{other}], %13: int)
      %14: int = size(%12)
      %15: int = add(%11, %14)
      give %15
    else (%16: int, %17: float[{other}], %18: int)
      give %16
    %19: int = add(%10, %8)
    give %19
  %20: float = float(%3)
  give %20
"""
# fmt: off
SIZES = {  # how often lengths are taken
    "given":        ("n", "%2, %1", "%6: int, %7: float[n]", "%6", 1),
    "another dim":  ("m", "%2, %1", "%6: int, %7: float[m]", "%6", 3),
    "not given":    ("n", "3, %1",  "%6: int, %7: float[n]", "%6", 3),
}
# fmt: on


@pytest.mark.parametrize("name", SIZES)
def test_a_length_that_a_block_is_given_is_not_taken_there(name):
    other, reads, params, given, sizes = SIZES[name]
    text = SOURCE.format(other=other, reads=reads, params=params, given=given)
    before = program(text)
    made = same_lengths(before)
    verify(made)
    taken = [s for s in walk(made.body) if isinstance(s, Apply) and s.op.name == "size"]
    assert len(taken) == sizes
    for x, y in (([1.0, 2.0], [3.0, 4.0]), ([], []), ([1.0] * 5, [0.5] * 5)):
        assert evaluate(made, (x, y)) == evaluate(before, (x, y))
