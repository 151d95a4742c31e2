"""Arrays that stay arrays in programs that are written out in part keep their types."""

from __future__ import annotations

import pytest

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.parse import parse_function
from ad_transform.ir.verify import verify
from ad_transform.ir.written.written_out import written_in_part
from ad_transform.ir.written.written_values import Unwritten

LOOP = """\
function f primal 1 nest .
parameter x (%0: float)
parameter n (%1: int)
parameter k (%2: int)
  %3: float[2] = pack(%0, 2.0)
  %4: float[2] = pack(%0, 0.5)
  %5: float[{kept}], %6: float[2] = scan (0, %1, 1) (%3, %4) (%2) ()
  body (%10 i: int, %11: float[{kept}], %12: float[2], %13: int)
    %14: float = get(%11, %13)
    %15: float = get(%12, 0)
    %16: float = mul(%14, %15)
    %17: float[2] = set(%12, %16, 0)
    %18: float[?] = branch {test} (%11, %16)
    then (%20: float[{kept}], %21: float)
      %22: float[{longer}] = append(%20, %21)
      give %22
    else (%30: float[{kept}], %31: float)
      give %30
    give %18, %17
  %7: float = get(%6, 0)
  give %7
"""


def test_a_list_that_grows_may_be_of_any_length():
    function = parse_function(LOOP.format(kept="?", longer="?", test="True"), TABLE)
    verify(function)
    made = written_in_part(function, TABLE, 1000)
    assert made is not None
    verify(made)
    (loop,) = (s for s in made.body if s.blocks)
    assert [v.type.dims for v in loop.outs] == [("?",), (), ()]
    for trips in range(4):
        assert evaluate(made, (0.5, trips, 1)) == evaluate(function, (0.5, trips, 1))


START = """\
function f primal 1 nest .
parameter x (%0: float)
parameter n (%1: int)
  %2: float[2] = pack(%0, 2.0)
  %3: float[2] = pack(%0, 0.5)
  %4: float[?] = branch {test} (%2, %0)
  then (%10: float[2], %11: float)
    %12: float[3] = append(%10, %11)
    give %12
  else (%13: float[2], %14: float)
    give %13
  %5: float[2], %6: float[2] = scan (0, %1, 1) (%4, %3) () ()
  body (%20 i: int, %21: float[2], %22: float[2])
    %23: float = get(%21, %20)
    %24: float[2] = set(%22, %23, 0)
    give %21, %24
  %7: float = get(%6, 0)
  give %7
"""


@pytest.mark.parametrize("test", ["True", "False"])
def test_a_list_does_not_begin_longer_than_its_type_says(test):
    function = parse_function(START.format(test=test), TABLE)
    verify(function)
    if test == "True":
        with pytest.raises(Unwritten):
            written_in_part(function, TABLE, 1000)
    else:
        verify(written_in_part(function, TABLE, 1000))


@pytest.mark.parametrize("test", ["True", "False"])
def test_a_list_is_not_longer_than_its_type_says(test):
    """Which is lawful as long as nobody knows what the branch gives."""
    function = parse_function(LOOP.format(kept="2", longer="3", test=test), TABLE)
    verify(function)
    if test == "True":
        with pytest.raises(Unwritten):
            written_in_part(function, TABLE, 1000)
    else:
        verify(written_in_part(function, TABLE, 1000))
