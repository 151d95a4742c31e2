"""New lists stand in front of what first reads them."""

from __future__ import annotations

import pytest
from programs import program

from ad_transform.ir.lists.rooms import rooms_late
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

TEXT = """function f primal 0 nest array(.)
parameter x (%1: float[n]) nest array(.)
parameter v (%2: float)
  %3: float[n] = copy(%1)
  %4: float[n] = like(%3, 0.0)
  {between}
  %6: float[n] = add_at(%4, %5, 0)
  %7: float[n] = added(%6, %8)
  give %7
"""
NUMBER = "%5: float = mul(%2, 0.5)\n  %8: float[n] = add_at(%3, %5, 0)"
# fmt: off
STAY = {
    "its model changes": "%8: float[n] = add_at(%3, %2, 0)\n  %5: float = mul(%2, 0.5)",
    "another list":      "%8: float[n] = copy(%1)\n  %5: float = mul(%2, 0.5)",
}
# fmt: on


def test_a_list_stands_behind_numbers_but_not_behind_changes():
    made = rooms_late(program(TEXT.format(between=NUMBER)))
    verify(made)
    text = format_function(made)
    assert text.index("mul(") < text.index("like(") < text.index("add_at(")


@pytest.mark.parametrize("name", STAY)
def test_others_stay(name):
    before = program(TEXT.format(between=STAY[name]))
    assert rooms_late(before) is before
