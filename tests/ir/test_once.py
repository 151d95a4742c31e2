"""What arms that have become one compute alike is computed once."""

from __future__ import annotations

import pytest
from programs import program
from support import generate, load

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Apply, Branch, walk
from ad_transform.ir.once import once
from ad_transform.ir.verify import verify

DOUBLED = """\
function f primal 1 nest tuple(., .)
parameter x (%0: float)
parameter y (%1: float)
  %2: bool = gt(%0, 1.0)
  %3 {first}: float, %4 {second}: float, %5: float = branch %2 (%0, %1)
  then (%6: float, %7: float)
    %8 a: float = mul(%6, %7)
    %9: float = sqrt(%8)
    %10 {third}: float = mul(%7, %6)
    %11: float = sqrt(%10)
    give %9, %11, %11
  else (%12: float, %13: float)
    give 0.0, 0.0, -0.0
  %14: float = sub(%3, %4)
  %15: float = div(%14, %5)
  give %14, %15
"""
HESSIAN = """
from math import sqrt


# ad: hessian
def f(x, y):
    s = x * x + y * y
    r = sqrt(s) if s > 0.0 else 0.0
    u = x / r if s > 0.0 else 0.0
    return r * r * r + u * y * r
"""


@pytest.mark.parametrize(
    ("names", "operations", "outs"),
    [(("p", "q", "b"), 6, 2), (("p", "q!", "b"), 6, 3), (("p!", "q!", "b!"), 8, 3)],
)
def test_arms_compute_and_give_once(names, operations, outs):
    first, second, third = names
    text = DOUBLED.format(first=first, second=second, third=third)
    function = program(text)
    made = once(function)
    verify(made)
    own = [s for s in walk(made.body) if isinstance(s, Apply)]
    (branch,) = (s for s in made.body if isinstance(s, Branch))
    assert (len(own), len(branch.outs)) == (operations - 1, outs)
    assert evaluate(made, (2.0, 3.0)) == evaluate(function, (2.0, 3.0))
    assert once(made) is made


def test_slopes_read_the_root_of_the_value():
    text = generate(HESSIAN)
    assert text.count("sqrt(") == 1
    (xx, xy), (yx, yy) = load(text)["f_hess"](0.6, 0.8)
    assert xy == yx
    # r^3 + x y, with r = 1
    assert (xx, xy, yy) == pytest.approx((3 * 1.36, 3 * 0.48 + 1, 3 * 1.64))
