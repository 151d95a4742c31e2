"""An item of a list is read before the list changes, however wide its index is."""

from __future__ import annotations

from hand import text_of
from support import load

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.parse import parse_function

PROGRAM = """\
function f primal 1 nest .
parameter x (%0 x: float[n]) nest array(.)
  %1: float = get(%0, 1)
  %2: int = int(%1)
  %3: int = sub(%2, 123456789)
  %4: int = add(%3, 123456788)
  %5: float = get(%0, %4)
  %6: float[n] = set(%0, 5.0, 0)
  %7: float = get(%6, 0)
  %8: float = mul(%5, %7)
  give %8
"""


def test_an_item_with_a_wide_index_is_read_before_the_write():
    function = parse_function(PROGRAM, TABLE)
    (wanted,) = evaluate(function, ([3.0, 1.0],))
    f = load(text_of(function, limit=40))["f"]
    assert f([3.0, 1.0]) == wanted == 15.0
