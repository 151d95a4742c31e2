"""Arrays are linear: what makes one of its own is never merged."""

from __future__ import annotations

from ad_transform.derive.primal import copy_primal
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Block, Branch, Function
from ad_transform.ir.parse import parse_function
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.verify import verify

COPIES = """\
function copies primal 2 nest tuple(., .)
parameter a (%0 a: float[2])
parameter x (%1 x: float)
  %2: float[2] = copy(%0)
  %3: float[2] = copy(%0)
  %4: float[2] = set(%2, 5.0, 0)
  %5: float[2] = set(%3, %1, 0)
  %6: float = get(%4, 0)
  %7: float = get(%5, 0)
  give %6, %7
"""

ARMS = """\
function arms primal 2 nest tuple(., .)
parameter a (%0 a: float[2])
parameter x (%1 x: float)
  %2: bool = gt(%1, 0.0)
  %3: float[2] = branch %2 (%0)
  then (%4: float[2])
    %5: float[2] = copy(%4)
    give %5
  else (%6: float[2])
    %7: float[2] = copy(%6)
    give %7
  %8: float[2] = branch %2 (%0)
  then (%9: float[2])
    %10: float[2] = copy(%9)
    give %10
  else (%11: float[2])
    %12: float[2] = copy(%11)
    give %12
  %13: float[2] = set(%3, 5.0, 0)
  %14: float[2] = set(%8, %1, 0)
  %15: float = get(%13, 0)
  %16: float = get(%14, 0)
  give %15, %16
"""


def copied(text: str) -> Function:
    """The function, copied into a builder."""
    function = parse_function(text, TABLE)
    builder = Builder(TABLE, LAWS)
    env = copy_primal(function, builder)
    results = tuple(env.get(r, r) for r in function.results)
    block = Block(function.block.params, tuple(builder.body), results)
    return Function(function.name, function.parameters, block, function.nest, 2)


def test_two_copies_stay_two() -> None:
    function = copied(COPIES)
    verify(function)
    assert evaluate(function, ([1.0, 2.0], 7.0)) == (5.0, 7.0)


def test_two_branches_that_copy_stay_two() -> None:
    function = copied(ARMS)
    verify(function)
    assert sum(isinstance(s, Branch) for s in function.body) == 2
    assert evaluate(function, ([1.0, 2.0], 7.0)) == (5.0, 7.0)


def test_what_only_reads_is_merged() -> None:
    twice = COPIES.replace("get(%5, 0)", "get(%4, 0)")
    gets = [s for s in copied(twice).body if getattr(s, "op", None) is TABLE["get"]]
    assert len(gets) == 1
